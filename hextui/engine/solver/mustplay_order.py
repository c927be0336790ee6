"""The order in which `win_move` takes the cells of the must-play region.

Any order gives the same winner and the same winning moves; what differs is how many positions are
looked at, and which winsets are found.
"""

from collections.abc import Callable
from functools import lru_cache

from hextui.engine.board import Board
from hextui.engine.orientation import canonical
from hextui.engine.position import Position

ORDERS: dict[str, Callable[[Position], tuple[int, ...]]] = {
    "centre": lambda position: _by_distance(position, 1),
    "edge": lambda position: _by_distance(position, -1),
    "rows": lambda position: tuple(range(position.board.cells)),
    "columns": lambda position: _by_columns(position.board),
}
"""Orders by name. The first two do not depend on how the board is held, the others are about it."""
DEFAULT = "centre"


@lru_cache(16)
def cell_order(text: str, position: Position) -> tuple[int, ...]:
    """Return all cells of the board in an order named in ORDERS, or beginning with cells named.

    Cells are given by their names, with blanks or commas between; the rest follow in the default
    order. Raises ValueError for anything else, and for a cell named twice.

    >>> start = Position.empty(Board(2, 3))
    >>> [start.board.name(cell) for cell in cell_order("columns", start)]
    ['a1', 'a2', 'b1', 'b2', 'c1', 'c2']
    >>> [start.board.name(cell) for cell in cell_order("c2, a1", start)]
    ['c2', 'a1', 'b1', 'b2', 'c1', 'a2']
    """
    board = position.board
    words = text.replace(",", " ").lower().split()
    if len(words) == 1 and words[0] in ORDERS:
        return ORDERS[words[0]](position)
    if not words:
        raise ValueError(f"an order is one of {', '.join(ORDERS)}, or cells such as b2 a1")
    try:
        first = [board.cell(word) for word in words]
    except ValueError as error:
        raise ValueError(f"no order of cells: {error}; orders are {', '.join(ORDERS)}") from None
    twice = next((word for at, word in enumerate(words) if first[at] in first[:at]), None)
    if twice is not None:
        raise ValueError(f"no order of cells: {twice} is named twice")
    rest = (cell for cell in ORDERS[DEFAULT](position) if cell not in first)
    return (*first, *rest)


def _by_distance(position: Position, sign: int) -> tuple[int, ...]:
    """Return the cells by distance from the centre; of several the first in canonical rows."""
    held = canonical(position)
    board = held.position.board
    seen = sorted(range(board.cells), key=lambda cell: (sign * _off_centre(board, cell), cell))
    return tuple(held.cell_of[cell] for cell in seen)


def _by_columns(board: Board) -> tuple[int, ...]:
    return tuple(sorted(range(board.cells), key=lambda cell: (cell % board.columns, cell)))


def _off_centre(board: Board, cell: int) -> int:
    """Return how far the cell lies from the centre: twice the rows, plus twice the columns."""
    row, column = divmod(cell, board.columns)
    return abs(2 * row - board.rows + 1) + abs(2 * column - board.columns + 1)
