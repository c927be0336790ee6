"""Who wins each ply of a game: against exhaustive play, stopped, given up, kept and told."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hextui.analysis import Verdict, VerdictKind, stored_analysis
from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition, game_positions
from hextui.analysis.game_report import decided, game_report
from hextui.analysis.mistakes import PlayedMove, blunders
from hextui.analysis.whole_game import FIRST_LIMIT, Spent, analyse_game, next_turn, prove
from hextui.commands import main
from hextui.engine.board import Board, Color
from hextui.engine.position import Move, MoveKind, Position
from hextui.engines.engine import Stop
from hextui.engines.own.answerer import OwnAnswerer
from hextui.engines.questions import Proved, Question, WhoWins
from hextui.records.codecs.sgf import read_sgf, write_sgf
from hextui.records.record import Record
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


def line_of(record: Record) -> tuple[GamePosition, ...]:
    return game_positions(record, record.main_line())


def proved(line: tuple[GamePosition, ...], seconds: float = LONG) -> Estimates:
    found = Estimates()
    list(prove(OwnAnswerer(), line, found, seconds, lambda: False))
    return found


@pytest.fixture(scope="module")
def oracle() -> Exhaustive:
    return Exhaustive(Board(4, 4))


@pytest.mark.parametrize("seed", range(6))
def test_every_ply_is_as_in_exhaustive_play(seed: int, oracle: Exhaustive) -> None:
    line = line_of(game(Board(4, 4), seed))
    found = proved(line)
    winners = [oracle.winner(here.position) for here in line]
    assert [found.verdict(s.position).winner for s in line] == winners
    # a first move that swapping answers is no mistake
    lost = [
        (here.position.to_move, (PlayedMove(ply, here.cell),))
        for ply, (here, after) in enumerate(zip(line, winners[1:], strict=False), start=1)
        if ply > 1 and winners[ply - 1] is here.position.to_move is not after
        if here.cell is not None
    ]
    told = blunders(line, found)
    assert [(m.color, m.moves) for m in told] == lost
    for mistake in told:
        assert mistake.all_wins
        if mistake.before.ply > 2:  # before, exhaustive play takes seconds
            assert set(mistake.wins) == oracle.winning_moves(mistake.before.position)
    turns = [ply for ply in range(1, len(line)) if winners[ply] is not winners[ply - 1]]
    assert decided(line, found) == max(turns, default=0)


def test_random_games_have_moves_that_give_a_win_away(oracle: Exhaustive) -> None:
    """Else the test above would say nothing of them."""
    assert any(
        blunders(line, proved(line)) for line in (line_of(game(Board(4, 4), s)) for s in range(6))
    )


@pytest.mark.parametrize(("cell", "winner"), [("a1", Color.WHITE), ("c3", Color.BLACK)])
def test_5x5_openings(cell: str, winner: Color) -> None:
    """The corner loses and the centre wins, without swap."""
    board = Board(5, 5)
    line = line_of(Record.of_moves(board, [Move.play(board.cell(cell))]))
    found = proved(line)
    assert found.verdict(line[1].position) == Verdict(VerdictKind.SOLVER, winner)
    assert found.verdict(line[0].position).winner is Color.BLACK
    assert blunders(line, found) == ()


def known(line: tuple[GamePosition, ...], **winners: str) -> Estimates:
    """Return estimates in which plies are proved, such as ``ply_7="black"``."""
    found = Estimates()
    for name, color in winners.items():
        verdict = Verdict(VerdictKind.SOLVER, Color.parse(color))
        found.keep_verdict(line[int(name[4:])].position, verdict)
    return found


def turns(line: tuple[GamePosition, ...], found: Estimates, count: int) -> list[int]:
    """Return the plies that have the first turns if each stays unknown."""
    plies = []
    for _ in range(count):
        turn = next_turn(line, found)
        assert turn is not None
        plies.append(turn[0].ply)
        found.keep_tried(turn[0].position, turn[1])
    return plies


def test_the_boundary_between_two_proofs_comes_first_and_its_middle_before_all() -> None:
    line = line_of(game(Board(5, 5), 1))[:16]
    plies = turns(line, known(line, ply_6="black", ply_11="white", ply_15="white"), 24)
    assert plies[:4] == [9, 8, 10, 7]
    assert plies.count(10) > plies.count(14) > 0


def test_without_a_boundary_late_plies_have_more_turns_and_none_is_left_out() -> None:
    line = line_of(game(Board(5, 5), 1))[:12]
    plies = turns(line, Estimates(), 60)
    assert plies[0] == 11
    assert set(plies) == set(range(12))
    assert plies.count(11) > plies.count(6) > plies.count(0)


def spent(line: tuple[GamePosition, ...], found: Estimates, seconds: float) -> dict[int, float]:
    """Return what each ply gets of a budget if nothing is proved."""
    shares: dict[int, float] = {}
    while sum(shares.values()) < seconds:
        turn = next_turn(line, found)
        assert turn is not None
        shares[turn[0].ply] = shares.get(turn[0].ply, 0.0) + turn[1]
        found.keep_tried(turn[0].position, turn[1])
    return shares


def test_the_last_open_ply_before_a_mistake_has_half_of_the_budget() -> None:
    line = line_of(game(Board(5, 5), 1))[:16]
    shares = spent(line, known(line, ply_6="black", ply_11="white", ply_15="white"), 120.0)
    assert shares[10] >= 60.0
    assert shares[10] > shares[9] > shares[7]
    assert set(shares) == set(range(16)) - {6, 11, 15}, "every ply has a turn"


def test_the_last_open_ply_has_half_of_the_budget_where_no_mistake_is_in_sight() -> None:
    line = line_of(game(Board(5, 5), 1))[:16]
    shares = spent(line, known(line, ply_15="white"), 120.0)
    assert shares[14] >= 60.0
    assert set(shares) == set(range(15)), "every ply has a turn"


class Clueless:
    """Proves nothing, however long it is asked."""

    def answers(self, question: Question[Any], stop: Stop = lambda: False) -> Iterator[Any]:
        """Yield that nothing is known, and the time that took."""
        assert isinstance(question, WhoWins)
        yield Proved(None, seconds=question.limit.seconds or 0.0)

    def close(self) -> None:
        """Do nothing."""


def test_the_whole_budget_is_spent_on_winners_if_no_mistake_is_found() -> None:
    line = line_of(game(Board(5, 5), 1))[:9]
    *_, last = prove(Clueless(), line, Estimates(), 7.0, lambda: False)
    assert isinstance(last, Spent)
    assert last.seconds == pytest.approx(7.0)


def test_a_plys_limit_doubles() -> None:
    line = line_of(game(Board(5, 5), 1))[:1]
    found = Estimates()
    for limit in (1, 2, 4):
        turn = next_turn(line, found)
        assert turn == (line[0], limit * FIRST_LIMIT)
        found.keep_tried(line[0].position, turn[1])


def test_a_verdict_says_what_it_can_of_the_plies_beside_it() -> None:
    """Black moves at even plies: it had won before 7, and after 4 White's loss has no way out."""
    line = line_of(game(Board(5, 5), 1))[:12]
    found = known(line, ply_7="black", ply_4="white")
    proved = {s.ply: v.winner for s in line if (v := found.verdict(s.position))}
    black = dict.fromkeys((6, 7, 8), Color.BLACK)
    assert proved == {3: Color.WHITE, 4: Color.WHITE, 5: Color.WHITE} | black
    assert found.wins(line[6].position).moves == (line[6].cell,), "the move played"


@pytest.mark.parametrize("seed", range(3))
def test_what_follows_is_as_in_exhaustive_play(seed: int, oracle: Exhaustive) -> None:
    line = line_of(game(Board(4, 4), seed))
    for here in line:
        found, winner = Estimates(), oracle.winner(here.position)
        found.keep_verdict(here.position, Verdict(VerdictKind.SOLVER, winner))
        told = [(s, v.winner) for s in line if (v := found.verdict(s.position))]
        assert all(oracle.winner(s.position) is winner for s, winner in told)


def test_a_stretch_names_every_move_that_may_be_the_mistake() -> None:
    line = line_of(game(Board(5, 5), 1))[:12]
    found = known(line, ply_2="black", ply_7="white")
    (mistake,) = blunders(line, found)
    assert (mistake.color, mistake.before.ply, mistake.after.ply) == (Color.BLACK, 2, 7)
    assert [move.ply for move in mistake.moves] == [3, 5, 7]
    assert (mistake.wins, mistake.all_wins) == ((), False)


def test_a_first_move_that_swapping_answers_begins_no_stretch() -> None:
    line = line_of(game(Board(5, 5), 1))[:6]
    assert blunders(line, known(line, ply_0="black", ply_3="white")) == ()


def test_under_a_tiny_limit_all_stays_unknown() -> None:
    line, found = line_of(game(Board(5, 5), 1))[:4], Estimates()
    list(prove(OwnAnswerer(), line, found, TINY, lambda: False))
    assert all(found.verdict(here.position) is None for here in line)


def test_unknown_plies_are_asked_again_with_a_longer_limit() -> None:
    line = line_of(Record.of_moves(Board(6, 6), [Move.play(12)]))
    found = proved(line, TINY)
    assert all(found.verdict(here.position) is None for here in line)
    list(prove(OwnAnswerer(), line, found, LONG, lambda: False))
    assert all(found.verdict(here.position) for here in line)


def test_a_stop_keeps_nothing_of_the_ply_it_falls_in() -> None:
    line = line_of(game(Board(5, 5), 1))[:4]
    found = Estimates()
    assert list(prove(OwnAnswerer(), line, found, LONG, lambda: True)) == []
    assert not any(found.tried(here.position) for here in line)


def test_a_proof_is_not_forgotten_when_another_evaluator_is_asked() -> None:
    line, found = line_of(game(Board(4, 4), 2)), Estimates()
    *_, last = analyse_game(line, ["resistance"], found, solve_seconds=LONG)
    assert last.done == last.total
    before = [found.verdict(here.position) for here in line]
    assert VerdictKind.SOLVER in {verdict.kind for verdict in before}
    list(analyse_game(line, ["resistance", "k-paths:0"], found))
    assert [found.verdict(here.position) for here in line] == before


def test_swaps_are_no_mistakes() -> None:
    board = Board(3, 3)
    line = line_of(Record.of_moves(board, [Move.play(4), Move(MoveKind.SWAP_PIECES)]))
    found = proved(line)
    assert all(found.verdict(here.position) for here in line)
    assert blunders(line, found) == ()


def test_what_is_kept_is_read_back() -> None:
    record = game(Board(4, 4), 3)
    line, found = line_of(record), Estimates()
    list(analyse_game(line, ["resistance"], found, solve_seconds=LONG))
    stored_analysis.store(record, line, ["resistance"], found)
    again = line_of(read_sgf(write_sgf(record)))
    read = Estimates()
    stored_analysis.read(again, read)
    told, kept = game_report(line, [], found), game_report(again, [], read)
    assert (kept.proved, kept.decided) == (told.proved, told.decided)
    assert [(m.color, m.moves, m.wins, m.all_wins) for m in kept.blunders] == [
        (m.color, m.moves, m.wins, m.all_wins) for m in told.blunders
    ]
    assert told.blunders
    assert "solver" in write_sgf(record)


@pytest.mark.parametrize(
    ("value", "tried"),
    [("unknown", 0.0), ("unknown 0.5", 0.5), ("unknown x", None), ("unknown inf", None)],
)
def test_how_long_an_unknown_ply_was_tried_is_read_back(value: str, tried: float | None) -> None:
    line = line_of(read_sgf(f"(;GM[11]SZ[5]HXP[{value}])"))
    found = Estimates()
    stored_analysis.read(line, found)
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
    assert [m["moves"] for m in solved["mistakes"]] == [
        [{"ply": m["ply"], "move": m["move"]}] for m in solved["given_away"]
    ]
    assert solved["mistakes"][-1]["words"] in text
    assert text.count("gave the win away") == 1, "of several mistakes the last one leads"
    assert main([*arguments, "--solve", "100", "--markdown"]) == 0
    markdown = capsys.readouterr().out
    assert markdown.startswith("# unknown (Red) against unknown (Blue), 4x4\n")
    assert "## Mistakes, proved\n\n| by " in markdown


@pytest.mark.parametrize("value", ["-1", "nan", "x", "inf"])
def test_a_limit_is_a_number(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "#3,a1", f"--solve={value}"]) == 2
    assert "seconds are 0 or more" in capsys.readouterr().err
