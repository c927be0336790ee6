"""Which moves a search considers: the first one among some, or all of a region."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from hextui.engine.board import Board
from hextui.engine.orientation import Orientation

_SPAN = re.compile(r"([a-z]+[0-9]+)[:-]([a-z]+[0-9]+)", re.ASCII)


@dataclass(frozen=True)
class MoveScope:
    """The cells allowed for the ``first`` move, and for every move (``region``); None is all."""

    first: frozenset[int] | None = None
    region: frozenset[int] | None = None

    def allows(self, cell: int, *, first: bool) -> bool:
        """Whether a move is thought of, as the first one or as a later one."""
        if self.region is not None and cell not in self.region:
            return False
        return not first or self.first is None or cell in self.first

    def check(self, empties: Iterable[int]) -> None:
        """Raise ValueError if no first move is left to search on the empty cells."""
        if not any(self.allows(cell, first=True) for cell in empties):
            raise ValueError("no move is left to search: the cells have stones")

    def seen(self, orientation: Orientation) -> "MoveScope":
        """Return the same scope on the board as it is seen in an orientation."""
        return MoveScope(_seen(self.first, orientation), _seen(self.region, orientation))


ALL_MOVES = MoveScope()


def _seen(cells: frozenset[int] | None, orientation: Orientation) -> frozenset[int] | None:
    if cells is None:
        return None
    return frozenset(int(orientation.seen_at[cell]) for cell in cells)


def scope_of(board: Board, avoid: str = "", allow: str = "", region: str = "") -> MoveScope:
    """Return the scope that texts of cells name (see `cells_of`), '' for no restriction.

    ``avoid`` and ``allow`` are of the first move. Raises ValueError for no cell, or if none is
    left.
    """
    first = cells_of(allow, board) if allow.strip() else frozenset(range(board.cells))
    first -= cells_of(avoid, board)
    inside = cells_of(region, board) if region.strip() else None
    if not (first if inside is None else first & inside):
        raise ValueError("no move is left to search")
    return MoveScope(None if len(first) == board.cells else first, inside)


def cells_of(text: str, board: Board) -> frozenset[int]:
    """Return the cells of a text: names, and rectangles by two corners.

    >>> board = Board(5, 5)
    >>> [board.name(cell) for cell in sorted(cells_of("e5, b2:c3", board))]
    ['b2', 'c2', 'b3', 'c3', 'e5']
    """
    cells: set[int] = set()
    for word in text.lower().replace(",", " ").split():
        span = _SPAN.fullmatch(word)
        cells.update(board.rectangle(*map(board.cell, span.groups() if span else (word,))))
    return frozenset(cells)
