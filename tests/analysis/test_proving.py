"""Who wins each ply of a game: against exhaustive play, stopped, given up, kept and told."""

import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from hextui.analysis import stored_analysis
from hextui.analysis.estimates import Estimates
from hextui.analysis.game_report import decided
from hextui.analysis.mistakes import PlayedMove, blunders
from hextui.analysis.whole_game import FIRST_LIMIT, GameBudget, analyse_game, next_turn, prove
from hextui.commands import main
from hextui.engine.board import Board, Color
from hextui.engine.position import Move, MoveKind
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.engine import Stop
from hextui.engines.questions import Proved, Question, WhoWins
from hextui.engines.snapshot import Verdict, VerdictKind
from hextui.records.codecs.sgf import read_sgf, write_sgf
from hextui.records.record import Record
from tests.analysis.games import BLUE, RED, Line, known, line_of, random_game
from tests.oracles.winners import Exhaustive
from tests.samples import seeds

LONG = 100.0
TINY = 1e-6


def proved(line: Line, seconds: float = LONG) -> Estimates:
    found = Estimates()
    list(prove(OwnAnswerer(), line, found, GameBudget(seconds), lambda: False))
    return found


@pytest.fixture(scope="module")
def oracle() -> Exhaustive:
    return Exhaustive(Board(4, 4))


@pytest.mark.parametrize("seed", seeds(2, 6))
def test_every_ply_is_as_in_exhaustive_play(seed: int, oracle: Exhaustive) -> None:
    line = line_of(random_game(Board(4, 4), seed))
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


def test_random_games_have_blunders() -> None:
    """Else the test above would say nothing of them."""
    lines = [line_of(random_game(Board(4, 4), seed)) for seed in range(6)]
    assert any(blunders(line, proved(line)) for line in lines)


@pytest.mark.parametrize(("cell", "winner"), [("a1", BLUE), ("c3", RED)])
def test_5x5_openings(cell: str, winner: Color) -> None:
    """The corner loses and the centre wins, without swap."""
    board = Board(5, 5)
    line = line_of(Record.of_moves(board, [Move.play(board.cell(cell))]))
    found = proved(line)
    assert found.verdict(line[1].position) == Verdict(VerdictKind.SOLVER, winner)
    assert found.verdict(line[0].position).winner is RED
    assert blunders(line, found) == ()


def turns(line: Line, found: Estimates) -> Iterator[tuple[int, float]]:
    """Yield the plies of the turns with their seconds, if each stays unknown."""
    while (turn := next_turn(line, found)) is not None:
        here, seconds = turn
        yield here.ply, seconds
        found.keep_verdict(here.position, None, seconds)


def test_the_boundary_between_two_proofs_comes_first_and_its_middle_before_all() -> None:
    line = line_of(random_game(Board(5, 5), 1))[:16]
    found = known(line, {6: RED, 11: BLUE, 15: BLUE})
    plies = [ply for ply, _ in islice(turns(line, found), 24)]
    assert plies[:4] == [9, 8, 10, 7]
    assert plies.count(10) > plies.count(14) > 0


def test_without_a_boundary_late_plies_have_more_turns_and_none_is_left_out() -> None:
    line = line_of(random_game(Board(5, 5), 1))[:12]
    plies = [ply for ply, _ in islice(turns(line, Estimates()), 60)]
    assert plies[0] == 11
    assert set(plies) == set(range(12))
    assert plies.count(11) > plies.count(6) > plies.count(0)


@pytest.mark.parametrize(
    ("winners", "last_open"),
    [({6: RED, 11: BLUE, 15: BLUE}, 10), ({15: BLUE}, 14)],  # before a blunder; without any
)
def test_the_last_open_ply_has_half_of_the_budget_and_every_ply_a_turn(winners, last_open) -> None:
    line = line_of(random_game(Board(5, 5), 1))[:16]
    shares: defaultdict[int, float] = defaultdict(float)
    for ply, seconds in turns(line, known(line, winners)):
        shares[ply] += seconds
        if sum(shares.values()) >= 120.0:
            break
    assert shares[last_open] >= 60.0
    assert shares[last_open] > shares[last_open - 1] > shares[last_open - 3]
    assert set(shares) == set(range(16)) - winners.keys()


class Clueless:
    """Proves nothing, however long it is asked."""

    def answers(self, question: Question[Any], stop: Stop = lambda: False) -> Iterator[Any]:
        """Yield that nothing is known, and the time that took."""
        assert isinstance(question, WhoWins)
        yield Proved(None, seconds=question.limit.seconds or 0.0)

    def close(self) -> None:
        """Do nothing."""


def test_the_whole_budget_is_spent_on_winners_if_no_mistake_is_found() -> None:
    line = line_of(random_game(Board(5, 5), 1))[:9]
    *_, last = prove(Clueless(), line, Estimates(), GameBudget(7.0), lambda: False)
    assert last == pytest.approx(7.0)


def test_the_limit_of_a_ply_doubles() -> None:
    line = line_of(random_game(Board(5, 5), 1))[:1]
    limits = [seconds for _, seconds in islice(turns(line, Estimates()), 3)]
    assert limits == [FIRST_LIMIT, 2 * FIRST_LIMIT, 4 * FIRST_LIMIT]


def test_a_verdict_says_what_it_can_of_the_plies_beside_it() -> None:
    """Black moves at even plies: it had won before 7, and after 4 White's loss has no way out."""
    line = line_of(random_game(Board(5, 5), 1))[:12]
    found = known(line, {7: RED, 4: BLUE})
    proved = {s.ply: v.winner for s in line if (v := found.verdict(s.position))}
    black = dict.fromkeys((6, 7, 8), RED)
    assert proved == {3: BLUE, 4: BLUE, 5: BLUE} | black
    assert tuple(found.verdicts.moves(line[6].position).wins) == (line[6].cell,), "the move played"


@pytest.mark.parametrize("seed", range(3))
def test_what_follows_is_as_in_exhaustive_play(seed: int, oracle: Exhaustive) -> None:
    line = line_of(random_game(Board(4, 4), seed))
    for here in line:
        found, winner = Estimates(), oracle.winner(here.position)
        found.keep_verdict(here.position, Verdict(VerdictKind.SOLVER, winner))
        told = [(s, v.winner) for s in line if (v := found.verdict(s.position))]
        assert all(oracle.winner(s.position) is winner for s, winner in told)


def test_a_stretch_names_every_move_that_may_be_the_mistake() -> None:
    line = line_of(random_game(Board(5, 5), 1))[:12]
    found = known(line, {2: RED, 7: BLUE})
    (mistake,) = blunders(line, found)
    assert (mistake.color, mistake.before.ply, mistake.after.ply) == (RED, 2, 7)
    assert [move.ply for move in mistake.moves] == [3, 5, 7]
    assert (mistake.wins, mistake.all_wins) == ((), False)


def test_a_first_move_that_swapping_answers_begins_no_stretch() -> None:
    line = line_of(random_game(Board(5, 5), 1))[:6]
    assert blunders(line, known(line, {0: RED, 3: BLUE})) == ()


def test_under_a_tiny_limit_all_stays_unknown() -> None:
    line, found = line_of(random_game(Board(5, 5), 1))[:4], Estimates()
    list(prove(OwnAnswerer(), line, found, GameBudget(TINY), lambda: False))
    assert all(found.verdict(here.position) is None for here in line)


def test_unknown_plies_are_asked_again_with_a_longer_limit() -> None:
    line = line_of(Record.of_moves(Board(6, 6), [Move.play(12)]))
    found = proved(line, TINY)
    assert all(found.verdict(here.position) is None for here in line)
    list(prove(OwnAnswerer(), line, found, GameBudget(LONG), lambda: False))
    assert all(found.verdict(here.position) for here in line)


def test_a_stop_keeps_nothing_of_the_ply_it_falls_in() -> None:
    line = line_of(random_game(Board(5, 5), 1))[:4]
    found = Estimates()
    assert list(prove(OwnAnswerer(), line, found, GameBudget(LONG), lambda: True)) == []
    assert not any(found.tried(here.position) for here in line)


def test_a_proof_is_not_forgotten_when_another_evaluator_is_asked() -> None:
    line, found = line_of(random_game(Board(4, 4), 2)), Estimates()
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


@pytest.mark.parametrize(
    ("value", "tried"),
    [("unknown", 0.0), ("unknown 0.5", 0.5), ("unknown x", None), ("unknown inf", None)],
)
def test_how_long_an_unknown_ply_was_tried_is_read_back(value: str, tried: float | None) -> None:
    record = read_sgf(f"(;GM[11]SZ[5]HXP[{value}])")
    stored_analysis.sign(record)
    line = line_of(record)
    found = Estimates()
    stored_analysis.read(line, found)
    assert found.complete(line[0], []) is (tried is not None)
    assert found.tried(line[0].position) == (tried or 0.0)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "game.sgf"
    source.write_text(write_sgf(random_game(Board(4, 4), 0)))
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
    assert {len(mistake["moves"]) for mistake in solved["mistakes"]} == {1}
    assert solved["story"] in text
    last = solved["mistakes"][-1]["moves"][0]
    assert f"for good with {last['ply']}. {last['move']}, where only" in solved["story"]
    assert main([*arguments, "--solve", "100", "--markdown"]) == 0
    markdown = capsys.readouterr().out
    assert markdown.startswith("# unknown (Red) against unknown (Blue), 4x4\n")
    assert "## Proved mistakes\n\n| by " in markdown
