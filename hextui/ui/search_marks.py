"""Moves that searches consider, as the user marks them on a record's board."""

import enum
from collections.abc import Iterable, Mapping

from hextui.engine.position import Position
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope


class SearchMark(enum.StrEnum):
    """What a cell is marked as; the status line shows the values."""

    REGION = "the region"
    ALLOW = "only these first"
    AVOID = "not these first"


class SearchMarks:
    """A region, and moves to allow or to avoid. ``brush``: what Enter and a click mark.

    The region belongs to the whole record. Moves to allow and to avoid are first moves of the
    position in which they were marked. A move is never both.
    """

    def __init__(self) -> None:
        self.brush = SearchMark.REGION
        self.region: frozenset[int] = frozenset()
        self._first: dict[Position, dict[int, SearchMark]] = {}
        self._last: tuple[int, bool] | None = None

    def first(self, position: Position) -> Mapping[int, SearchMark]:
        """Return which first moves of a position are marked to be allowed or avoided."""
        return self._first.get(position, {})

    def turn(self, position: Position, cell: int) -> None:
        """Mark a cell by the brush, or remove the mark if it has that one."""
        if self.brush is SearchMark.REGION:
            marked = cell not in self.region
        else:
            marked = self.first(position).get(cell) is not self.brush
        self._put(position, [cell], marked)
        self._last = cell, marked

    def box(self, position: Position, corner: int) -> bool:
        """Mark or clear a rectangle as the last cell, its other corner; False without one."""
        if self._last is None:
            return False
        last, marked = self._last
        self._put(position, position.board.rectangle(last, corner), marked)
        return True

    def clear(self) -> bool:
        """Remove all marks, also at other positions; False if there are none."""
        there = bool(self.region or self._first)
        self.region, self._first, self._last = frozenset(), {}, None
        return there

    def scope(self, position: Position) -> MoveScope:
        """Return the moves to consider: all of them where no move would be left."""
        cells = self.first(position)
        allowed = {cell for cell, what in cells.items() if what is SearchMark.ALLOW}
        avoided = cells.keys() - allowed
        first = (allowed or set(range(position.board.cells))) - avoided if cells else None
        scope = MoveScope(None if first is None else frozenset(first), self.region or None)
        return scope if moves_in(scope, position) else ALL_MOVES

    def lacks_moves(self, position: Position) -> bool:
        """Whether the marks leave no move of a position, and are ignored there."""
        marked = bool(self.region or self.first(position))
        return marked and bool(position.empties) and self.scope(position) == ALL_MOVES

    def _put(self, position: Position, cells: Iterable[int], marked: bool) -> None:
        if self.brush is SearchMark.REGION:
            self.region = self.region.union(cells) if marked else self.region.difference(cells)
            return
        known = {**self.first(position)}
        for cell in set(cells).intersection(position.empties):
            if marked:
                known[cell] = self.brush
            elif known.get(cell) is self.brush:
                del known[cell]
        self._first[position] = known
        if not known:
            del self._first[position]


def moves_in(scope: MoveScope, position: Position) -> int:
    """Return the number of first moves of a position that are considered."""
    return sum(scope.allows(cell, first=True) for cell in position.empties)


def scope_words(scope: MoveScope, position: Position) -> str:
    """Return which moves are considered, for a caption; '' if it is all.

    >>> from hextui.engine.board import Board
    >>> scope_words(MoveScope(region=frozenset(range(5))), Position.empty(Board(5, 5)))
    'only 5 cells: region'
    """
    if scope == ALL_MOVES:
        return ""
    count = moves_in(scope, position)
    why = ["region"] * (scope.region is not None) + ["marks"] * (scope.first is not None)
    return f"only {count} cell{'s' * (count != 1)}: {', '.join(why)}"
