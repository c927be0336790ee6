"""Compares two fillings of a few cells of a board of which nothing else is known.

A filling gives each local cell 0 (empty), BLACK or WHITE. One is *at most as good* for Black as
another if Black, to move or not, wins with the other wherever it wins with the one, whatever lies
around. That is so if after every move of Black in the one, and of White in the other, Black to move
is as well off in the other as with White to move in the one; full fillings are compared by what
Black's stones in them join. It is the order of combinatorial games over a partial order of outcomes
(https://arxiv.org/abs/2101.06694); for the proof, follow a win of Black's move by move.
"""

from collections.abc import Iterable, Iterator, Mapping

BLACK, WHITE = 1, 2
STEPS = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))

Cell = tuple[int, int]
Filling = tuple[int, ...]


def around(cell: Cell) -> Iterator[Cell]:
    """Yield the six cells around a cell, in cyclic order."""
    for row, column in STEPS:
        yield cell[0] + row, cell[1] + column


class LocalGame:
    """Fillings of ``cells``; ``stones`` are known outside them, all other cells can be anything."""

    def __init__(self, cells: Iterable[Cell], stones: Mapping[Cell, int]) -> None:
        self._cells = tuple(cells)
        self._black = {cell for cell, stone in stones.items() if stone == BLACK}
        near = {cell for local in self._cells for cell in around(local)}
        white = {cell for cell, stone in stones.items() if stone == WHITE}
        self._outside = near.difference(self._cells, white)
        self._known: dict[tuple[Filling, Filling], bool] = {}

    def at_most(self, one: Filling, other: Filling) -> bool:
        """Tell whether the first filling is at most as good for Black as the other."""
        key = one, other
        if key not in self._known:
            if 0 in one or 0 in other:
                self._known[key] = all(
                    self._with_the_turn(after, other) for after in _played(one, BLACK)
                ) and all(self._with_the_turn(one, after) for after in _played(other, WHITE))
            else:
                joined = self._joined(other, self._black)
                self._known[key] = all(
                    ends <= joined[cell] for cell, ends in self._joined(one, set()).items()
                )
        return self._known[key]

    def _with_the_turn(self, one: Filling, other: Filling) -> bool:
        """Tell whether Black to move does as well in ``other`` as with White to move in ``one``."""
        return (
            any(self.at_most(after, other) for after in _played(one, WHITE))
            or any(self.at_most(one, after) for after in _played(other, BLACK))
            or self.at_most(one, other)
        )

    def _joined(self, filling: Filling, through: set[Cell]) -> dict[Cell, set[Cell]]:
        """Return which cells outside each one outside is joined to, were both black.

        Through black cells inside, and those ``through`` which lie outside; or since they touch.
        """
        black = {cell for cell, stone in zip(self._cells, filling, strict=True) if stone == BLACK}
        found = {}
        for start in self._outside:
            reached, fresh = set[Cell](), [start]
            while fresh:
                near = {c for c in around(fresh.pop()) if c in black or c in self._outside}
                new = near - reached
                reached |= new
                fresh += [cell for cell in new if cell in black or cell in through]
            found[start] = reached - black - {start}
        return found


def _played(filling: Filling, stone: int) -> Iterator[Filling]:
    for place, cell in enumerate(filling):
        if cell == 0:
            yield (*filling[:place], stone, *filling[place + 1 :])
