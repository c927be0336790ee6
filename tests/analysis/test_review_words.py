"""What a review says in words, from verdicts that are given."""

from hextui.analysis import Verdict, VerdictKind
from hextui.analysis.estimates import Estimate, Estimates, Wins
from hextui.analysis.game_positions import GamePosition, game_positions
from hextui.analysis.game_report import game_report
from hextui.analysis.mistakes import blunders
from hextui.engine.board import Board, Color
from hextui.engine.position import Move
from hextui.engine.ranking import Quality
from hextui.records.record import Record
from hextui.words.names import Names
from hextui.words.reviews import mistake_sentence

BOARD = Board(4, 4)
GAME = "a1 b2 c2 c1 d1 a4"


def line() -> tuple[GamePosition, ...]:
    record = Record.of_moves(BOARD, [Move.play(BOARD.cell(name)) for name in GAME.split()])
    return game_positions(record, record.main_line())


def known(plies: dict[int, Color], wins: dict[int, Wins]) -> Estimates:
    found, stops = Estimates(), line()
    for ply, color in plies.items():
        found.keep_verdict(stops[ply].position, Verdict(VerdictKind.SOLVER, color))
    for ply, moves in wins.items():
        found.keep_wins(stops[ply].position, moves)
    return found


def words(plies: dict[int, Color], wins: dict[int, Wins]) -> list[str]:
    return [mistake_sentence(m, Names.RED_BLUE) for m in blunders(line(), known(plies, wins))]


RED, BLUE = Color.BLACK, Color.WHITE
B1, A2 = BOARD.cell("b1"), BOARD.cell("a2")


def test_a_mistake_is_told_with_what_won() -> None:
    said = words({2: RED, 3: BLUE}, {2: Wins((B1, A2), True)})
    assert said == ["Red gave the win away by 3. c2: b1 or a2 won (proved)."]
    assert words({2: RED, 3: BLUE}, {}) == ["Red gave the win away by 3. c2 (proved)."]
    assert words({2: RED, 3: BLUE}, {2: Wins((B1,), True)}) == [
        "Red gave the win away by 3. c2: only b1 won (proved)."
    ]


def test_a_stretch_is_told_with_the_proof_on_both_sides() -> None:
    assert words({2: RED, 5: BLUE}, {2: Wins((B1,))}) == [
        "Red gave the win away between 3. c2 and 5. d1: b1 won "
        "(proved: Red wins after ply 2, Blue after ply 5)."
    ]


def test_without_proof_on_both_sides_nothing_is_a_mistake() -> None:
    assert words({3: BLUE, 5: BLUE}, {}) == []


def test_a_first_move_that_may_be_swapped_is_never_the_worst() -> None:
    """A weak first move is right there."""
    stops, found = line(), Estimates()
    for here in stops[:3]:
        assert here.cell is not None
        worst = Quality(candidates=10, rank=10, mid_rank=10.0)
        judged = Estimate(1.0, (B1,), {here.cell: worst}, True)
        found.keep(here.position, "some", judged)
    players = game_report(stops, ["some"], found).players["some"]
    assert [move.ply for move in players[RED].worst] == [3]
    assert [move.ply for move in players[BLUE].worst] == [2]
    assert players[RED].moves == 2
