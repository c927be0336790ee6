"""Who wins each ply of a game: against exhaustive play, stopped, given up, kept and told."""

import json
import random
from pathlib import Path

import pytest

from hextui.analysis import Verdict, VerdictKind, keeping
from hextui.analysis.game_report import GivenAway, decided, game_report, given_away
from hextui.analysis.judgements import Judgements
from hextui.analysis.proving import UNKNOWN_IN_A_ROW, prove
from hextui.analysis.stations import Station, stations
from hextui.analysis.whole_game import analyse_game
from hextui.commands import main
from hextui.engine.board import Board, Color
from hextui.engine.position import Move, MoveKind, Position
from hextui.engines.own.answerer import OwnAnswerer
from hextui.records.record import Record
from hextui.records.sgf import read_sgf, write_sgf
from tests.oracles.winners import Exhaustive

LONG = 100.0
TINY = 1e-6


def game(board: Board, seed: int) -> Record:
    """Return a game of random moves until a chain."""
    rng = random.Random(seed)
    position, moves = Position.empty(board), []
    while position.winner is None:
        moves.append(Move.play(rng.choice(position.empties)))
        position = position.apply(moves[-1])
    return Record.of_moves(board, moves)


def line_of(record: Record) -> tuple[Station, ...]:
    return stations(record, record.main_line())


def proved(line: tuple[Station, ...], seconds: float = LONG) -> Judgements:
    found = Judgements()
    list(prove(OwnAnswerer(), line, found, seconds, lambda: False))
    return found


@pytest.fixture(scope="module")
def oracle() -> Exhaustive:
    return Exhaustive(Board(4, 4))


@pytest.mark.parametrize("seed", range(6))
def test_every_ply_is_as_in_exhaustive_play(seed: int, oracle: Exhaustive) -> None:
    line = line_of(game(Board(4, 4), seed))
    found = proved(line)
    winners = [oracle.winner(station.position) for station in line]
    assert [found.verdict(s.position).winner for s in line] == winners
    # a first move that swapping answers is no mistake
    lost = [
        GivenAway(ply, station.cell, station.position.to_move)
        for ply, (station, after) in enumerate(zip(line, winners[1:], strict=False), start=1)
        if ply > 1 and winners[ply - 1] is station.position.to_move is not after
        if station.cell is not None
    ]
    assert list(given_away(line, found)) == lost
    turns = [ply for ply in range(1, len(line)) if winners[ply] is not winners[ply - 1]]
    assert decided(line, found) == max(turns, default=0)


def test_random_games_have_moves_that_give_a_win_away(oracle: Exhaustive) -> None:
    """Else the test above would say nothing of them."""
    assert any(
        given_away(line, proved(line)) for line in (line_of(game(Board(4, 4), s)) for s in range(6))
    )


@pytest.mark.parametrize(("cell", "winner"), [("a1", Color.WHITE), ("c3", Color.BLACK)])
def test_5x5_openings(cell: str, winner: Color) -> None:
    """The corner loses and the centre wins, without swap."""
    board = Board(5, 5)
    line = line_of(Record.of_moves(board, [Move.play(board.cell(cell))]))
    found = proved(line)
    assert found.verdict(line[1].position) == Verdict(VerdictKind.SOLVER, winner)
    assert found.verdict(line[0].position).winner is Color.BLACK
    assert given_away(line, found) == ()


def test_it_goes_back_until_plies_in_a_row_stay_unknown() -> None:
    """Plies that stayed unknown under this limit before count, so that going on ends as well."""
    line, found = line_of(game(Board(5, 5), 1))[:12], Judgements()
    winner = Verdict(VerdictKind.SOLVER, Color.BLACK)
    for back, station in enumerate(reversed(line), start=1):
        found.keep_verdict(station.position, winner if back == 3 else None)
        if back != 3:
            found.keep_tried(station.position, TINY)
    looked = list(prove(OwnAnswerer(), line, found, TINY, lambda: False))
    assert looked == list(reversed(line))[: 3 + UNKNOWN_IN_A_ROW]


def test_under_a_tiny_limit_all_stays_unknown() -> None:
    line, found = line_of(game(Board(5, 5), 1))[:4], Judgements()
    list(prove(OwnAnswerer(), line, found, TINY, lambda: False))
    assert all(found.verdict(station.position) is None for station in line)


def test_unknown_plies_are_asked_again_under_a_longer_limit_only() -> None:
    line = line_of(Record.of_moves(Board(5, 5), [Move.play(12)]))
    found = Judgements()
    for station in line:
        found.keep_verdict(station.position, None)
        found.keep_tried(station.position, 2.0)
    list(prove(OwnAnswerer(), line, found, 2.0, lambda: False))
    assert all(found.verdict(station.position) is None for station in line)
    list(prove(OwnAnswerer(), line, found, LONG, lambda: False))
    assert all(found.verdict(station.position) for station in line)


def test_a_stop_keeps_nothing_of_the_ply_it_falls_in() -> None:
    line = line_of(game(Board(5, 5), 1))[:4]
    found = Judgements()
    assert list(prove(OwnAnswerer(), line, found, LONG, lambda: True)) == []
    assert all(found.open(station.position, TINY) for station in line)


def test_a_proof_is_not_forgotten_when_another_evaluator_is_asked() -> None:
    line, found = line_of(game(Board(4, 4), 2)), Judgements()
    *_, last = analyse_game(line, ["resistance"], found, solve_seconds=LONG)
    assert last.done == last.total
    before = [found.verdict(station.position) for station in line]
    assert VerdictKind.SOLVER in {verdict.kind for verdict in before}
    list(analyse_game(line, ["resistance", "k-paths:0"], found))
    assert [found.verdict(station.position) for station in line] == before


def test_swaps_are_no_mistakes() -> None:
    board = Board(3, 3)
    line = line_of(Record.of_moves(board, [Move.play(4), Move(MoveKind.SWAP_PIECES)]))
    found = proved(line)
    assert all(found.verdict(station.position) for station in line)
    assert given_away(line, found) == ()


def test_what_is_kept_is_read_back() -> None:
    record = game(Board(4, 4), 3)
    line, found = line_of(record), Judgements()
    list(analyse_game(line, ["resistance"], found, solve_seconds=LONG))
    keeping.keep(record, line, ["resistance"], found)
    again = line_of(read_sgf(write_sgf(record)))
    read = Judgements()
    keeping.read(again, read)
    assert game_report(again, [], read) == game_report(line, [], found)
    assert "solver" in write_sgf(record)


@pytest.mark.parametrize(
    ("value", "tried"),
    [("unknown", 0.0), ("unknown 0.5", 0.5), ("unknown x", None), ("unknown inf", None)],
)
def test_how_long_an_unknown_ply_was_tried_is_read_back(value: str, tried: float | None) -> None:
    line = line_of(read_sgf(f"(;GM[11]SZ[5]HXP[{value}])"))
    found = Judgements()
    keeping.read(line, found)
    assert found.complete(line[0], []) is (tried is not None)
    assert found.tried(line[0].position) == (tried or 0.0)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "game.sgf"
    source.write_text(write_sgf(game(Board(4, 4), 0)))
    arguments = ["report", str(source), "--evaluator", "resistance"]
    documents = []
    for solve in ("0", "100"):
        assert main([*arguments, "--solve", solve, "--json"]) == 0
        documents.append(json.loads(capsys.readouterr().out))
    without, solved = documents
    assert "solver" not in {ply["by"] for ply in without["plies"]}
    assert None in {ply["by"] for ply in without["plies"]}
    assert {"solver", "chain"} <= {ply["by"] for ply in solved["plies"]} <= {*VerdictKind}
    assert main([*arguments, "--solve", "100"]) == 0
    text = capsys.readouterr().out
    assert f"is proved to win from ply {solved['decided']} on" in text
    assert text.count("gave away a proved win") == len(solved["given_away"]) > 0


@pytest.mark.parametrize("value", ["-1", "nan", "x", "inf"])
def test_a_limit_is_a_number(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "#3,a1", f"--solve={value}"]) == 2
    assert "seconds are 0 or more" in capsys.readouterr().err
