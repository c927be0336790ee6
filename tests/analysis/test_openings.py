"""The opening under the swap rule: who should have swapped, and which first move was too strong."""

import pytest

from hextui.analysis import Verdict, VerdictKind
from hextui.analysis.estimates import Estimate, Estimates
from hextui.analysis.game_positions import GamePosition, game_positions
from hextui.analysis.mistakes import OpeningKind, OpeningMistake, opening_mistake
from hextui.analysis.review import PROVED, ReviewEntry, Severity, review_entries
from hextui.analysis.whole_game import prove
from hextui.engine.board import Board, Color
from hextui.engine.position import Move
from hextui.engine.ranking import Quality
from hextui.engines.own.answerer import OwnAnswerer
from hextui.records.record import Record
from hextui.words.names import Names
from hextui.words.reviews import entry_move, entry_words, mistake_sentence

RED, BLUE = Color.BLACK, Color.WHITE


def line(moves: str, side: int = 4) -> tuple[GamePosition, ...]:
    board = Board(side, side)
    record = Record.of_moves(board, [Move.parse(word, board) for word in moves.split()])
    return game_positions(record, record.main_line())


def told(moves: str, winner: Color) -> OpeningMistake | None:
    """Return the mistake if a side is proved to win after the first move."""
    plies, found = line(moves), Estimates()
    found.keep_verdict(plies[1].position, Verdict(VerdictKind.SOLVER, winner))
    return opening_mistake(plies, found)


@pytest.mark.parametrize(
    ("moves", "winner", "color", "words"),
    [
        (
            "b3 swap-pieces a1",
            RED,
            RED,
            "Red opened too strongly: Blue swapped 1. b3, which wins (proved).",
        ),
        ("b3 a1 c1", RED, BLUE, "Blue did not swap 1. b3, which wins (proved)."),
        ("a1 swap-pieces b2", BLUE, BLUE, "Blue swapped 1. a1, which loses (proved)."),
    ],
)
def test_swapping_is_judged_by_who_wins(
    moves: str, winner: Color, color: Color, words: str
) -> None:
    mistake = told(moves, winner)
    assert mistake is not None
    assert mistake.color is color
    assert mistake_sentence(mistake, Names.RED_BLUE) == words


@pytest.mark.parametrize(("moves", "winner"), [("a1 b2 c2", BLUE), ("b3", RED)])
def test_a_weak_first_move_is_right_and_an_undecided_swap_no_mistake(
    moves: str, winner: Color
) -> None:
    assert told(moves, winner) is None


def test_who_swapped_sides_is_known_by_the_colour_at_the_end() -> None:
    mistake = told("a1 swap-sides b2", BLUE)
    assert mistake is not None
    assert (mistake.kind, mistake.color, mistake.player) == (OpeningKind.SWAPPED, BLUE, RED)


def test_the_solver_judges_the_openings_of_3x3() -> None:
    """The centre wins, the corner loses."""
    for first, kind in (("b2", OpeningKind.TOO_STRONG), ("a1", OpeningKind.SWAPPED)):
        plies, found = line(f"{first} swap-pieces c1", side=3), Estimates()
        list(prove(OwnAnswerer(), plies, found, 100.0, lambda: False))
        mistake = opening_mistake(plies, found)
        assert mistake is not None
        assert mistake.kind is kind


def words(entry: ReviewEntry) -> str:
    return entry_words(entry, Names.RED_BLUE)[0]


def ranked(plies: tuple[GamePosition, ...], rank: int) -> Estimates:
    found = Estimates()
    assert plies[0].cell is not None
    quality = Quality(16, rank, float(rank))
    judged = Estimate(1.0, (plies[0].cell,), {plies[0].cell: quality}, True)
    found.keep(plies[0].position, "some", judged)
    return found


def test_without_a_proof_an_evaluator_tells_a_strong_first_move_but_no_weak_one() -> None:
    plies = line("b3 swap-pieces a1")
    (entry,) = review_entries(plies, ranked(plies, 1), "some")
    assert (entry_move(entry), entry.severity, entry.by) == ("1. b3", Severity.INACCURACY, "some")
    assert words(entry) == "too strong a first move: Blue swapped it"
    assert review_entries(plies, ranked(plies, 16), "some") == ()
    plies = line("b3 a1 c1")
    (entry,) = review_entries(plies, ranked(plies, 1), "some")
    assert (entry_move(entry), words(entry)) == ("2. a1", "1. b3 is strong and was not swapped")


@pytest.mark.parametrize(
    ("moves", "chance", "expected"),
    [
        ("b3 swap-pieces a1", 0.62, "too strong a first move (62%): Blue swapped it"),
        ("b3 a1 c1", 0.62, "1. b3 wins 62% and was not swapped"),
        ("b3 swap-pieces a1", 0.38, "1. b3 wins 38% and was swapped"),
        ("b3 swap-pieces a1", 0.58, ""),
        ("b3 swap-pieces a1", 0.42, ""),
        ("b3 a1 c1", 0.38, ""),
    ],
)
def test_the_search_judges_a_first_move_by_its_chance_not_by_its_rank(
    moves: str, chance: float, expected: str
) -> None:
    """``chance``: that of the first move's side, as if nobody swaps."""
    for rank in (1, 16):
        plies, found = line(moves), Estimates()
        assert plies[0].cell is not None
        qualities = {plies[0].cell: Quality(16, rank, float(rank))}
        first = Estimate(0.9, (plies[0].cell,), qualities, True, 0.9)
        found.keep(plies[0].position, "search", first)
        assert review_entries(plies, found, "search") == ()  # a rank alone tells no chance
        second = Estimate(1 - chance, (0,), {}, True, 1 - chance)
        found.keep(plies[1].position, "search", second)
        told = [words(entry) for entry in review_entries(plies, found, "search")]
        assert told == [expected] * bool(expected)


def test_the_list_names_the_turn_that_was_wrong() -> None:
    for moves, winner, name in (
        ("b3 a1 c1", RED, "2. a1"),
        ("a1 swap-pieces b2", BLUE, "2. swap"),
    ):
        plies, found = line(moves), Estimates()
        found.keep_verdict(plies[1].position, Verdict(VerdictKind.SOLVER, winner))
        (entry,) = review_entries(plies, found, "")
        assert (entry_move(entry), entry.severity, entry.by) == (name, Severity.BLUNDER, PROVED)
        assert entry.before is plies[1]
