"""The size of a board as records write it."""

from functools import cache

from hextui.engine.board import MAX_SIDE, Board
from hextui.records.text import shorten

DEFAULT_SIDE = 11  # of SGF and HexWorld where no size is given


def read_board(columns: str, rows: str | None = None) -> Board:
    """Return the board with these numbers of columns and rows, in digits; square without rows.

    Raises ValueError for a size that no board here has.
    """
    rows = rows or columns
    if not all(len(digits) < 3 and 1 <= int(digits) <= MAX_SIDE for digits in (columns, rows)):
        size = columns if rows == columns else f"{columns}x{rows}"
        what = f"boards here have 1 to {MAX_SIDE} rows and columns, not {shorten(size, 20)}"
        raise ValueError(what)
    return board_of(int(rows), int(columns))


@cache
def board_of(rows: int, columns: int) -> Board:
    """Return the one board of this size that all records share, with its tables."""
    return Board(rows, columns)
