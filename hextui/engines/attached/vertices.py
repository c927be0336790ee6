"""How engines write cells.

Benzene and KataHex name them as we do. The first version of KataHex plays on a larger board, where
the cell in column c and row r, from 1, is the point (2c + r - 2, 2r - 1); it reads such pairs, and
writes the point as Go programs do: a letter without I, and the number of the line from the bottom.
"""

import re

from hextui.engine.board import Board
from hextui.engines.attached.configured import Dialect

_GO_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_POINT = re.compile(r"([A-HJ-Z]{1,2})(\d{1,3})", re.ASCII | re.IGNORECASE)


def vertex(dialect: Dialect, board: Board, cell: int) -> str:
    """Return a cell as an engine reads it. Nothing else is ever sent: other words abort KataHex."""
    if dialect is not Dialect.KATA_HZY:
        return board.name(cell)
    row, column = divmod(cell, board.columns)
    return f"({2 * column + row + 1},{2 * row + 1})"


def cell_of(dialect: Dialect, board: Board, word: str) -> int | None:
    """Return the cell that an engine names; None for pass, resign, or what is no cell of ours."""
    if dialect is Dialect.KATA_HZY:
        return _from_go(board, word)
    try:
        return board.cell(word)
    except ValueError:
        return None


def _from_go(board: Board, word: str) -> int | None:
    found = _POINT.fullmatch(word)
    if found is None:
        return None
    x = 0
    for place, letter in enumerate(reversed(found[1].upper())):
        x += (_GO_LETTERS.index(letter) + (place > 0)) * len(_GO_LETTERS) ** place
    from_bottom, rest = divmod(int(found[2]), 2)
    row = board.rows - from_bottom
    column, odd = divmod(x - row - 1, 2)
    if rest or odd or not (0 <= row < board.rows and 0 <= column < board.columns):
        return None
    return row * board.columns + column
