"""Reviews in records: as other programs read them, undone as one, made again, beside the user's."""

from functools import partial

import pytest

from hextui.analysis import stored_analysis
from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import game_positions
from hextui.analysis.review_notes import annotate
from hextui.records.codecs.sgf import write_sgf
from hextui.records.formats import read_record
from hextui.records.record import Record
from hextui.records.writing import written
from hextui.text import Names
from hextui.words.reviews import mistake_sentence
from tests.analysis.games import BLUE, RED, known, line_of

sentence = partial(mistake_sentence, names=Names.RED_BLUE)
GAME = "(;GM[11]SZ[4];B[a1];W[b2];B[c2];W[c1];B[d1];W[a4])"


def review(
    record: Record, before: int, after: int, wins: tuple[str, ...] = ("b1",), complete: bool = True
) -> None:
    """Write that Red wins after a ply, and loses after a later one."""
    cells = tuple(record.board.cell(name) for name in wins)
    line = line_of(record)
    found = known(line, {before: RED, after: BLUE}, {before: (cells, complete)})
    annotate(record, line, found, sentence)


def properties(record: Record, ply: int) -> dict[str, tuple[str, ...]]:
    return dict(record.main_line()[ply].properties)


def test_a_mistake_is_marked_and_the_winning_move_is_a_variation() -> None:
    record = read_record(GAME)
    review(record, 2, 3, ("b1", "d2"))
    at = properties(record, 2)
    assert at["C"] == ("Review: Red gave the win away with 3. c2: b1 or d2 won (proved).",)
    assert at["GB"] == ("2",)
    assert properties(record, 3) == {"BM": ("2",), "GW": ("2",), "HXR": ("BM GW",)}
    main, better = record.main_line()[2].children
    assert better.turn.name(record.board) == "b1"
    assert better.properties["TE"] == ("1",)
    assert main is record.main_line()[3]
    assert written(record, "sgf")


def test_each_move_of_a_stretch_is_doubtful() -> None:
    record = read_record(GAME)
    review(record, 2, 5, complete=False)
    assert ["DO" in properties(record, ply) for ply in range(7)] == [
        ply in (3, 5) for ply in range(7)
    ]


def test_one_undo_takes_all_back() -> None:
    record = read_record(GAME)
    before = write_sgf(record)
    review(record, 2, 5)
    record.undo()
    assert write_sgf(record) == before
    assert not record.modified


def test_a_review_takes_the_place_of_an_earlier_one() -> None:
    twice, once = read_record(GAME), read_record(GAME)
    review(twice, 2, 5)
    review(twice, 2, 3)
    review(once, 2, 3)
    assert {ply: properties(twice, ply) for ply in range(7)} == {
        ply: properties(once, ply) for ply in range(7)
    }
    assert len(twice.main_line()[2].children) == 2
    text = write_sgf(twice)
    review(twice, 2, 3)
    assert write_sgf(twice) == text


@pytest.mark.parametrize("comment", ["Nice.", "Review: mine\nand\n\nmore \\] \\\\"])
def test_what_the_user_wrote_stays(comment: str) -> None:
    record = read_record(
        GAME.replace("W[b2]", f"W[b2]DM[1]C[{comment}]").replace("c2]", "c2]TE[1]")
    )
    before = record.main_line()[2].comment
    for _ in range(2):
        review(record, 2, 3)
        assert record.main_line()[2].comment.startswith(before + "\nReview: Red gave")
        assert record.main_line()[2].comment.count("gave the win away") == 1
        assert properties(record, 2)["DM"] == ("1",)
        assert "GB" not in properties(record, 2)
        assert properties(record, 3)["TE"] == ("1",)
        assert "BM" not in properties(record, 3)


def test_a_winning_move_that_is_a_variation_already_is_marked_there() -> None:
    record = read_record(GAME.replace(";B[c2];W[c1];B[d1];W[a4])", "(;B[c2];W[c1])(;B[d2]C[I]))"))
    review(record, 2, 3, ("b1", "d2"))
    _, known = record.main_line()[2].children
    assert known.properties["TE"] == ("1",)
    assert known.comment == "I"


def test_results_and_review_are_one_edit() -> None:
    record = read_record(GAME)
    before = write_sgf(record)
    line = line_of(record)
    found = known(line, {2: RED, 3: BLUE})
    annotate(record, line, found, sentence, stored_analysis.properties(line, [], found))
    assert properties(record, 2).keys() >= {"C", "GB", "HXP"}
    assert properties(record, 3).keys() >= {"BM", "HXP"}
    record.undo()
    assert write_sgf(record) == before


def test_the_review_of_a_variation_leaves_that_of_the_main_line() -> None:
    record = read_record("(;GM[11]SZ[4];B[a1];W[b2](;B[c2];W[c1];B[d1];W[a4])(;B[b1];W[c1]))")
    review(record, 2, 5)
    main = {ply: properties(record, ply) for ply in range(7)}
    other = record.main_line()[2].children[1]
    line = game_positions(record, [*record.main_line()[:3], other, other.children[0]])
    annotate(record, line, Estimates(), sentence)
    assert {ply: properties(record, ply) for ply in range(4, 7)} == {
        ply: main[ply] for ply in range(4, 7)
    }


SWAPPED = "(;GM[11]SZ[4];B[b3];W[swap-pieces];B[a1];W[b2])"


def test_a_strong_first_move_that_is_swapped_is_the_mistake() -> None:
    record = read_record(SWAPPED)
    line = line_of(record)
    annotate(record, line, known(line, {1: RED}), sentence)
    assert properties(record, 1)["BM"] == ("2",)
    assert properties(record, 1)["C"] == (
        "Review: Red opened too strongly: Blue swapped 1. b3, which wins (proved).",
    )
    record.undo()
    annotate(record, line, known(line, {1: BLUE}), sentence)
    assert "BM" not in properties(record, 1)
    assert properties(record, 2)["BM"] == ("2",)
