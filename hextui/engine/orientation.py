"""The orientations of a game, and results carried back from them.

Turned by 180 degrees, or mirrored in the long diagonal with the colours exchanged, a position is
the same game (docs/methods.md#orientation). Code that answers a question turns the position once;
its results have a method ``back``, which carries them back. Only methods with arrays import numpy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeVar

from hextui.engine.board import Board, Color
from hextui.engine.position import Position

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Number = TypeVar("Number", bound="np.generic")


@dataclass(frozen=True)
class Orientation:
    """How a position is seen: mirrored with exchanged colours, turned by 180 degrees."""

    position: Position
    mirrored: bool = False
    turned: bool = False

    @property
    def board(self) -> Board:
        """The board of the position itself."""
        board = self.position.board
        return board.transposed if self.mirrored else board

    @cached_property
    def node_of(self) -> NDArray[np.int32]:
        """The node, as of a network, that each node seen here is in the position itself."""
        import numpy as np

        nodes = np.array(_nodes(self.position.board, self.mirrored, self.turned), np.int32)
        nodes.flags.writeable = False
        return nodes

    @cached_property
    def cell_of(self) -> tuple[int, ...]:
        """The cell that each cell seen here is in the position itself."""
        return _nodes(self.position.board, self.mirrored, self.turned)[:-2]

    @cached_property
    def seen_at(self) -> NDArray[np.int32]:
        """The node seen here that each node of the position itself is."""
        import numpy as np

        return np.argsort(self.node_of).astype(np.int32)

    @cached_property
    def symmetric(self) -> bool:
        """Whether the stones are their own image, turned by 180 degrees."""
        stones = self.position.stones
        return stones == stones[::-1]

    @property
    def plain(self) -> bool:
        """Whether the position is seen as it is."""
        return not (self.mirrored or self.turned)

    def back(self, position: Position) -> Position:
        """Return a position that follows the one seen here as the position itself has it.

        The same turn and mirroring take a position there: it is its own inverse.
        """
        position = position.rotated() if self.turned else position
        return position.mirrored() if self.mirrored else position

    def inverse(self, position: Position) -> Orientation:
        """Return the orientation that leads from what is seen here back to ``position``."""
        return replace(self, position=position)

    def color_back(self, color: Color) -> Color:
        """Return the colour that a colour seen here is in the position itself."""
        return color.opponent if self.mirrored else color

    def cells_back(self, cells: Iterable[int]) -> frozenset[int]:
        """Return cells seen here as those of the position itself."""
        return frozenset(map(self.cell_of.__getitem__, cells))

    def values(self, values: NDArray[Number]) -> NDArray[Number]:
        """Return values by cell seen here, the last axis, by cell of the position itself."""
        board, shape = self.position.board, values.shape
        values = values.reshape(*shape[:-1], board.rows, board.columns)
        if self.turned:
            values = values[..., ::-1, ::-1]
        if self.mirrored:
            values = values.swapaxes(-1, -2)
        return values.copy().reshape(shape)

    def sets(self, sets: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Return sets of cells seen here, uint64[n, W], as sets of the position's own cells."""
        import numpy as np

        if self.plain or not len(sets):
            return sets
        bits = np.unpackbits(np.ascontiguousarray(sets).view(np.uint8), axis=1, bitorder="little")
        own = np.zeros_like(bits)
        own[:, : self.position.board.cells] = self.values(bits[:, : self.position.board.cells])
        return np.packbits(own, axis=1, bitorder="little").view(np.uint64)


@lru_cache(maxsize=64)
def _nodes(board: Board, mirrored: bool, turned: bool) -> tuple[int, ...]:
    """Return the node of the position itself that each node seen is: the cells, then two edges."""
    cells = list(range(board.cells))
    edges = [board.cells, board.cells + 1]
    if mirrored:
        cells = [board.mirror(cell) for cell in cells]
    if turned:
        cells.reverse()
        edges.reverse()
    return (*cells, *edges)


def canonical(position: Position) -> Orientation:
    """Return the orientation that a position has in common with its turned and mirrored images.

    The rows are at most as many as the columns; of a square board Black has more stones, or as many
    and the turn, so that positions that follow have it too. Of the two ways up it is the one with
    the larger stones, in row order.
    """
    board, stones = position.board, position.stones
    if board.rows == board.columns:
        ahead = stones.count(Color.BLACK) - stones.count(Color.WHITE)
        mirrored = ahead < 0 or (ahead == 0 and position.to_move is Color.WHITE)
    else:
        mirrored = board.rows > board.columns
    oriented = position.mirrored() if mirrored else position
    upright = Orientation(oriented, mirrored)
    if oriented.stones >= oriented.stones[::-1]:
        return upright
    return replace(upright, position=oriented.rotated(), turned=True)


def canonical_board(board: Board) -> Board:
    """Return the board on which the canonical orientations of a board's positions are."""
    return board if board.rows <= board.columns else board.transposed


def seen_by(position: Position, color: Color) -> Iterator[Orientation]:
    """Yield how a colour sees the stones as if it were Black, and that turned by 180 degrees.

    The smaller stones come first, alone if both are equal. Whose turn it is does not count.
    """
    mirrored = color is Color.WHITE
    oriented = position.mirrored() if mirrored else position
    oriented = Position(oriented.board, oriented.stones)
    upright = Orientation(oriented, mirrored)
    turned = replace(upright, position=oriented.rotated(), turned=True)
    first, second = sorted((upright, turned), key=lambda o: o.position.stones)
    yield first
    if not first.symmetric:
        yield second
