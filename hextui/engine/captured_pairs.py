"""Pairs of empty cells that own stones capture: where the opponent takes one, they get the other.

Source: docs/methods.md#virtual-connections. The connection search does not list them.
"""

from collections.abc import Iterator
from functools import cache

from hextui.engine.board import Board, Color, edges_of
from hextui.engine.kernels.connections import state as layout
from hextui.engine.position import Position

Pair = tuple[int, int]


@cache
def edge_pairs(board: Board, color: Color) -> dict[int, tuple[Pair, ...]]:
    """Return the pairs of cells at a colour's edges that a stone on each cell captures."""
    first, second = edges_of(color)
    pairs_at: dict[int, tuple[Pair, ...]] = {}
    edges = board.edge_cells[first], board.edge_cells[second]
    for cell, pair in layout.edge_pairs(board.neighbours, edges):
        pairs_at[cell] = (*pairs_at.get(cell, ()), pair)
    return pairs_at


def pairs_inside(
    position: Position,
    color: Color,
    key: int | None,
    carrier: frozenset[int],
    shared: frozenset[int],
) -> tuple[Pair, ...]:
    """Pair each ``shared`` cell with another cell of the ``carrier`` so that both are captured.

    ``key``: an empty cell that counts as the colour's stone. All cells outside the carrier count as
    the opponent's, so two cells that join the same inside it are captured. No pairs are returned
    unless all shared cells are in one, each cell in one pair only.

    >>> board = Board(4, 4)
    >>> stones = Position.empty(board).with_stone(board.cell("b2"), Color.BLACK)
    >>> a3, b3 = board.cell("a3"), board.cell("b3")
    >>> pairs_inside(stones, Color.BLACK, None, frozenset({a3, b3}), frozenset({b3})) == ((b3, a3),)
    True
    """
    ground = _Ground(position, color, key)

    def pair_up(left: frozenset[int], free: frozenset[int]) -> tuple[Pair, ...] | None:
        if not left:
            return ()
        cell = min(left)
        for other in ground.captured_with(cell, carrier, free):
            rest = pair_up(left - {cell, other}, free - {cell, other})
            if rest is not None:
                return ((cell, other), *rest)
        return None

    return pair_up(shared, carrier) or ()


class _Ground:
    """What a colour's cells touch: other cells, and edges under the numbers behind them."""

    def __init__(self, position: Position, color: Color, key: int | None) -> None:
        board = position.board
        self._near = [set(near) for near in board.neighbours]
        for place, edge in enumerate(edges_of(color)):
            for cell in board.edge_cells[edge]:
                self._near[cell].add(board.cells + place)
            self._near.append(set(board.edge_cells[edge]))
        self._own = {cell for cell, stone in enumerate(position.stones) if stone == color}
        self._own |= {board.cells, board.cells + 1}
        if key is not None:
            self._own.add(key)

    def captured_with(
        self, cell: int, carrier: frozenset[int], free: frozenset[int]
    ) -> Iterator[int]:
        """Yield the free cells of the carrier that are captured with a cell of it."""
        for other in sorted(self._near[cell] & free):
            # all that one cell joins is joined by a stone on the other one beside it
            if all(
                self._near[first] & (carrier | self._own) <= self._joined(second)
                for first, second in ((cell, other), (other, cell))
            ):
                yield other

    def _joined(self, cell: int) -> set[int]:
        """Return the group of a stone put on a cell, and all that it touches."""
        group = {cell}
        fresh = [cell]
        touched = {cell}
        while fresh:
            near = self._near[fresh.pop()]
            touched |= near
            new = near & (self._own - group)
            group |= new
            fresh += new
        return touched
