"""Cells as results hold them: people see their names, the engine uses the numbers inside."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, overload

from hextui.engine.board import Board

Value = TypeVar("Value", covariant=True)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cells(Sequence[str]):
    """Cells of a board, in an order that the result says; sets are in row order.

    They equal a tuple or a list of their names.

    >>> cells = Cells(Board(5), (0, 12))
    >>> list(cells), cells[1], "c3" in cells, cells == ("a1", "c3"), cells.numbers
    (['a1', 'c3'], 'c3', True, True, (0, 12))
    >>> print(cells)
    a1 c3
    """

    board: Board
    numbers: tuple[int, ...] = ()

    @staticmethod
    def of(board: Board, numbers: Iterable[int]) -> "Cells":
        """Return a set of cells, in row order."""
        return Cells(board, tuple(sorted(numbers)))

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[str]:
        return map(self.board.name, self.numbers)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> "Cells": ...
    def __getitem__(self, place: int | slice) -> "str | Cells":
        if isinstance(place, slice):
            return Cells(self.board, self.numbers[place])
        return self.board.name(self.numbers[place])

    def __contains__(self, name: object) -> bool:
        """Return whether a cell is there, by its name; raises TypeError for a number."""
        if not isinstance(name, str):
            raise TypeError(f"expected a cell such as 'c4', not {name!r:.60}")
        return self.board.cell(name) in self.numbers

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Cells):
            return self.numbers == other.numbers and self.board == other.board
        if isinstance(other, tuple | list):
            return tuple(self) == tuple(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __str__(self) -> str:
        return " ".join(self)

    def __repr__(self) -> str:
        return f"<Cells {self}>" if self.numbers else "<Cells>"


@dataclass(frozen=True, eq=False, repr=False)
class CellMap(Mapping[str, Value], Generic[Value]):
    """What cells of a board have, by their names.

    >>> sizes = CellMap(Board(5), {0: 2, 12: 3})
    >>> sizes["c3"], sizes.numbers[12], sizes
    (3, 3, {'a1': 2, 'c3': 3})
    """

    board: Board
    numbers: Mapping[int, Value]

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[str]:
        return map(self.board.name, self.numbers)

    def __getitem__(self, name: str) -> Value:
        return self.numbers[self.board.cell(name)]

    def __repr__(self) -> str:
        return repr(dict(self))


@dataclass(frozen=True, eq=False, repr=False)
class CellPairs(Mapping[str, str]):
    """A cell for each of some cells, by their names.

    >>> partners = CellPairs(Board(5), {0: 12})
    >>> partners["a1"], partners.numbers[0], partners
    ('c3', 12, {'a1': 'c3'})
    """

    board: Board
    numbers: Mapping[int, int]

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[str]:
        return map(self.board.name, self.numbers)

    def __getitem__(self, name: str) -> str:
        return self.board.name(self.numbers[self.board.cell(name)])

    def __repr__(self) -> str:
        return repr(dict(self))
