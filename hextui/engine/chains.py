"""Whose stones join their sides, found by shifts of numbers that have a byte for each cell."""

from functools import cache
from typing import NamedTuple

from hextui.engine.board import Board, Color, Edge, edges_of

_ONLY = (bytes(256), bytes((0, 1, 0)) + bytes(253), bytes((0, 0, 1)) + bytes(253))
"""What turns stones of one colour into 1 and all others into 0."""


class _Masks(NamedTuple):
    """The cells along each side of a board, and the cells off its first and its last column."""

    edges: dict[Edge, int]
    off_left: int
    off_right: int


def chain_color(board: Board, stones: bytes) -> Color | None:
    """Return the colour whose stones, one byte a cell, join its two sides; None if none do."""
    for color in Color:
        if _joins(board, int.from_bytes(stones.translate(_ONLY[color]), "little"), color):
            return color
    return None


def _joins(board: Board, stones: int, color: Color) -> bool:
    masks = _masks(board)
    start, goal = (masks.edges[edge] for edge in edges_of(color))
    step = 8
    row = step * board.columns
    reached = stones & start if stones & goal else 0
    before = 0
    while reached != before and not reached & goal:
        before = reached
        left = (reached >> step) | (reached << (row - step))
        right = (reached << step) | (reached >> (row - step))
        reached |= (reached << row) | (reached >> row)
        reached |= (left & masks.off_right) | (right & masks.off_left)
        reached &= stones
    return bool(reached & goal)


@cache
def _masks(board: Board) -> _Masks:
    one_a_cell = bytes([1]) * board.cells
    whole = int.from_bytes(one_a_cell, "little")
    edges = {}
    for edge, cells in board.edge_cells.items():
        edges[edge] = sum(1 << 8 * cell for cell in cells)
    return _Masks(edges, whole ^ edges[Edge.LEFT], whole ^ edges[Edge.RIGHT])
