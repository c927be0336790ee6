"""Which surroundings make a cell dead, or the middle of a bay: tables of all rings of six cells.

A cell is dead if its colour can never matter. With the six cells around it fully coloured it
joins nothing that is not joined already if the ring has at most one run of each colour; so an
empty cell is dead if that holds however the empty cells of its ring are filled. Source:
docs/methods.md#inferior-cells; the same three minimal patterns follow (WWWW.., WWW.B., WW.BB.).

A cell is the middle of a bay if three cells of its ring in a row are stones of one colour, and the
other three are empty: it may be permanently inferior for the other colour.

A ring's code has two bits a cell, in cyclic order: 0 empty, 1 black, 2 white, 3 dead. A dead
cell may count as either colour.
"""

from collections.abc import Callable
from itertools import product

import numpy as np


def border_of(row: int, column: int, rows: int, columns: int) -> int:
    """Return the index of a cell in the padded board; border cells follow the real ones.

    Black's border is first, then White's, then the acute corner, which is both.
    """
    outside_row, outside_column = not 0 <= row < rows, not 0 <= column < columns
    if outside_row and outside_column:
        return rows * columns + 2
    if outside_row or outside_column:
        return rows * columns + outside_column
    return row * columns + column


def _matters(ring: tuple[int, ...]) -> bool:
    return sum(ring[i] != ring[i - 1] for i in range(6)) > 2


def _is_dead(ring: tuple[int, ...]) -> bool:
    """Tell whether some choice for dead cells lets no choice for empty cells matter."""
    dead = [i for i in range(6) if ring[i] == 3]
    empty = [i for i in range(6) if ring[i] == 0]
    for chosen in product((1, 2), repeat=len(dead)):
        cells = list(ring)
        for i, color in zip(dead, chosen, strict=True):
            cells[i] = color
        for filled in product((1, 2), repeat=len(empty)):
            for i, color in zip(empty, filled, strict=True):
                cells[i] = color
            if _matters(tuple(cells)):
                break
        else:
            return True
    return False


def _killers(ring: tuple[int, ...]) -> int:
    """Return which stones on empty cells of the ring make the middle dead.

    Bit ``2 * i + colour - 1`` stands for a stone on the ring's cell ``i``.
    """
    found = 0
    for i in range(6):
        if ring[i] == 0:
            for color in (1, 2):
                dead = _is_dead((*ring[:i], color, *ring[i + 1 :]))
                found |= dead << (2 * i + color - 1)
    return found


def _bay(ring: tuple[int, ...]) -> int:
    """Return 2 * i + colour if the three cells from ``i`` on are empty, the others of a colour.

    0 if that is not so. Dead cells may be of any colour.
    """
    for i in range(6):
        empty, stones = _turned(ring, i)[:3], _turned(ring, i)[3:]
        for color in (1, 2):
            if not any(empty) and all(stone & color for stone in stones):
                return 2 * i + color
    return 0


def _bays_beside(ring: tuple[int, ...]) -> int:
    """Return which cells of the ring may be in a bay of which the middle is an end.

    Bit ``i`` stands for a cell of the ring, bit 6 for the middle itself if it is in a bay. Of the
    two cells beside it and the middle one is empty, the other is not.
    """
    found = bool(_bay(ring)) << 6
    for i in range(6):
        before, cell, after = _turned(ring, i - 1)[:3]
        found |= (cell == 0 and (before == 0) != (after == 0)) << i
    return found


def _turned(ring: tuple[int, ...], first: int) -> tuple[int, ...]:
    return ring[first:] + ring[:first]


def _codes(what: Callable[[tuple[int, ...]], int]) -> np.ndarray:
    rings = (tuple(code >> 2 * i & 3 for i in range(6)) for code in range(4**6))
    return np.array([what(ring) for ring in rings], np.int32)


DEAD_CODES = _codes(_is_dead)
KILLER_CODES = _codes(_killers)
BAY_CODES = _codes(_bay)
BESIDE_CODES = _codes(_bays_beside)
