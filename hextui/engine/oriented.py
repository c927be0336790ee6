"""Each colour's connections at a position, the same in every orientation of the board.

Which connections a search finds depends a little on the numbers of the cells, as lists are limited
(docs/methods.md#orientation). So a colour is always searched as if it were Black, both ways up.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSearch, ConnectionSettings, ConnectionTable
from hextui.engine.guards import check_board, check_color
from hextui.engine.kernels.connections import state as layout
from hextui.engine.kernels.paths.layout import CUT
from hextui.engine.kernels.paths.reduction import edge_distance
from hextui.engine.network import PathMemory
from hextui.engine.orientation import Orientation, seen_by
from hextui.engine.position import Position


@dataclass(frozen=True, eq=False)
class OrientedConnections:
    """A colour's connections at a position, searched in an orientation.

    ``search`` stands at ``orientation.position`` for ``search.color``; undo what you play on it.
    """

    position: Position
    color: Color
    orientation: Orientation
    search: ConnectionSearch

    @cached_property
    def seen(self) -> ConnectionTable:
        """The connections in that orientation; where the stones are symmetric each has its twin."""
        table = self.search.table()
        return _with_twins(table) if self.orientation.symmetric else table

    @cached_property
    def table(self) -> ConnectionTable:
        """The connections at the position itself, with the same ids."""
        oriented_table = self.seen
        if self.orientation.plain:
            return replace(oriented_table, position=self.position)
        return _carried(oriented_table, self.orientation, self.position, self.color)

    def values(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return values by cell of that orientation, the last axis, by cell of the position.

        It is read-only. Of stones that are their own image, a cell and its image get the mean.
        """
        if self.orientation.symmetric:
            values = (values + values[..., ::-1]) / 2
        values = self.orientation.values(values)
        values.flags.writeable = False
        return values


class OrientedSearch:
    """Searches a colour's connections at positions of one board; for one thread at a time."""

    def __init__(
        self,
        board: Board,
        color: Color,
        room: PathMemory,
        settings: ConnectionSettings | None = None,
    ) -> None:
        check_color(color)
        self._board = board
        self._color = color
        self._room = room
        upright = board if color is Color.BLACK else board.transposed
        self._searches = tuple(
            ConnectionSearch(upright, Color.BLACK, settings, room.width) for _ in range(2)
        )

    def search(self, position: Position) -> OrientedConnections:
        """Search a position both ways up, and keep the way in which the sides are nearer.

        Joined, else joined on the colour's turn, else with the shorter distance, else the first
        one. Raises ValueError for a position of another board.
        """
        check_board("the search of connections", self._board, position.board)
        candidates: list[tuple[tuple[bool, int], OrientedConnections]] = []
        for orientation, search in zip(
            seen_by(position, self._color), self._searches, strict=False
        ):
            search.search(orientation.position)
            oriented = OrientedConnections(position, self._color, orientation, search)
            if search.edges_full:
                return oriented
            distance = edge_distance(self._room.handle, search.handle)
            far = self._board.cells + 2 if distance == CUT else distance
            candidates.append(((not search.edges_semi, far), oriented))
        return min(candidates, key=lambda candidate: candidate[0])[1]


def connections_of(
    position: Position, color: Color, settings: ConnectionSettings | None = None
) -> ConnectionTable:
    """Return the connections of one colour at a position, the same in every orientation."""
    search = OrientedSearch(position.board, color, PathMemory(position.board), settings)
    return search.search(position).table


def _carried(
    table: ConnectionTable, orientation: Orientation, position: Position, color: Color
) -> ConnectionTable:
    """Return a table seen in an orientation as that of the position itself."""
    rows = table.rows.copy()
    rows[:, layout.ROW_A] = orientation.node_of[rows[:, layout.ROW_A]]
    rows[:, layout.ROW_B] = orientation.node_of[rows[:, layout.ROW_B]]
    keyed = rows[:, layout.ROW_KEY] >= 0
    rows[keyed, layout.ROW_KEY] = orientation.node_of[rows[keyed, layout.ROW_KEY]]
    carriers = orientation.sets(table.carriers)
    for array in (rows, carriers):
        array.flags.writeable = False
    return replace(table, position=position, color=color, rows=rows, carriers=carriers)


def _with_twins(table: ConnectionTable) -> ConnectionTable:
    """Return a table of stones that are their own image, with the image of each connection."""
    twins = _carried(table, Orientation(table.position, turned=True), table.position, table.color)
    rows = np.concatenate([table.rows, twins.rows])
    rows[len(table.rows) :, layout.ROW_PREMISE] += len(table.premises)
    both = replace(
        table,
        rows=rows,
        carriers=np.concatenate([table.carriers, twins.carriers]),
        listed=np.concatenate([table.listed, table.listed]),
        premises=np.concatenate([table.premises, table.premises + len(table.rows)]),
    )
    both.listed[_redundant(both)] = False
    for array in (both.rows, both.carriers, both.listed, both.premises):
        array.flags.writeable = False
    return both


def _redundant(table: ConnectionTable) -> NDArray[np.intp]:
    """Return ids of listed connections that contain another of their pair, or are it again."""
    ids = np.flatnonzero(table.listed)
    ends = table.ends_of(ids)
    kind = table.rows[ids, layout.ROW_KIND]
    size = table.rows[ids, layout.ROW_SIZE]
    order = np.lexsort((ids, kind, size, ends[:, 1], ends[:, 0]))
    ids = ids[order]
    kind = kind[order]
    pair = (ends[:, 0] * (table.second_edge + 1) + ends[:, 1])[order]
    carriers = np.ascontiguousarray(table.carriers[ids].T)  # any(axis=0) is much faster
    redundant = np.zeros(len(ids), bool)
    for step in range(1, len(ids)):
        small = np.flatnonzero(pair[step:] == pair[:-step])
        if not len(small):
            break
        large = small + step
        contains = ~(carriers[:, small] & ~carriers[:, large]).any(axis=0)
        # a full makes a semi needless, a semi no full
        redundant[large] |= contains & (kind[small] <= kind[large])
    return ids[redundant]
