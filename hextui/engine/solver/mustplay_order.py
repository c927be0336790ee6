"""The order in which `win_move` takes the cells of the must-play region.

Any order gives the same winner and the same winning moves; what differs is how many positions are
looked at, and which winsets are found.
"""

from collections.abc import Callable
from functools import lru_cache

from hextui.engine.board import Board

ORDERS: dict[str, Callable[[Board, int], int]] = {
    "centre": lambda board, cell: _off_centre(board, cell),
    "edge": lambda board, cell: -_off_centre(board, cell),
    "rows": lambda board, cell: 0,
    "columns": lambda board, cell: cell % board.columns,
}
"""Orders by name: the cell with the smallest number comes first, of several the first in rows."""
DEFAULT = "centre"


@lru_cache(16)
def cell_order(text: str, board: Board) -> tuple[int, ...]:
    """Return all cells of the board in an order named in ORDERS, or beginning with cells named.

    Cells are given by their names, with blanks or commas between; the rest follow in the default
    order. Raises ValueError for anything else, and for a cell named twice.

    >>> board = Board(2, 3)
    >>> [board.name(cell) for cell in cell_order("columns", board)]
    ['a1', 'a2', 'b1', 'b2', 'c1', 'c2']
    >>> [board.name(cell) for cell in cell_order("c2, a1", board)]
    ['c2', 'a1', 'b1', 'b2', 'c1', 'a2']
    """
    words = text.replace(",", " ").lower().split()
    if len(words) == 1 and words[0] in ORDERS:
        return _by(ORDERS[words[0]], board)
    if not words:
        raise ValueError(f"an order is one of {', '.join(ORDERS)}, or cells such as b2 a1")
    try:
        first = [board.cell(word) for word in words]
    except ValueError as error:
        raise ValueError(f"no order of cells: {error}; orders are {', '.join(ORDERS)}") from None
    twice = next((word for at, word in enumerate(words) if first[at] in first[:at]), None)
    if twice is not None:
        raise ValueError(f"no order of cells: {twice} is named twice")
    rest = (cell for cell in _by(ORDERS[DEFAULT], board) if cell not in first)
    return (*first, *rest)


def _by(key: Callable[[Board, int], int], board: Board) -> tuple[int, ...]:
    return tuple(sorted(range(board.cells), key=lambda cell: (key(board, cell), cell)))


def _off_centre(board: Board, cell: int) -> int:
    """Return how far the cell lies from the centre: twice the rows, plus twice the columns."""
    row, column = divmod(cell, board.columns)
    return abs(2 * row - board.rows + 1) + abs(2 * column - board.columns + 1)
