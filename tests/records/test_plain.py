"""Plain lists of moves."""

import pytest

from hextui.engine.board import Board, Color
from hextui.records.codecs.plain import PlainList
from tests.records.trees import names, text_as

read_plain = PlainList().read_text


@pytest.mark.parametrize(
    ("text", "size", "moves", "winner"),
    [
        ("a3 c9 e8", 11, "a3 c9 e8", None),
        ("1. a5 2. swap 3. d4", 11, "a5 swap-pieces d4", None),
        ("1.a5 swap-pieces\n2.d4 pass", 11, "a5 swap-pieces d4 pass", None),
        ("11x11\na3, c9; E8 red", 11, "a3 c9 e8", Color.BLACK),
        ("size: 5  a1 b2 blue wins\n", 5, "a1 b2", Color.WHITE),
        ("Boardsize 7 1) a1 2) b2 W+R", 7, "a1 b2", Color.WHITE),
        ("9\na1b2c3", 9, "a1 b2 c3", None),
        ("l1 a2", 13, "l1 a2", None),
        ("a14", 14, "a14", None),
        ("a1 s19 resigns", 19, "a1 s19 resign", None),
        ("", 11, "", None),
        ("11", 11, "", None),
        ("5 a1 forfeit b+", 5, "a1 forfeit", Color.BLACK),
    ],
)
def test_lists(text: str, size: int, moves: str, winner: Color | None) -> None:
    record = read_plain(text)
    assert record.board == Board(size, size)
    assert names(record) == moves
    assert record.result.winner is winner
    assert read_plain(text_as("plain", record)).turns() == record.turns()


def test_a_board_that_is_not_square() -> None:
    assert read_plain("5x3 e3").board == Board(rows=3, columns=5)
    assert text_as("plain", read_plain("5x3 e3")) == "5x3 e3"
    assert read_plain("c3", board=Board(3, 3)).board == Board(3, 3)
