"""Which surroundings make a cell dead: the table of all rings of six neighbours.

A cell is dead if its colour can never matter. With the six cells around it fully coloured it
joins nothing that is not joined already if the ring has at most one run of each colour; so an
empty cell is dead if that holds however the empty cells of its ring are filled. Source:
docs/methods.md#inferior-cells; the same three minimal patterns follow (WWWW.., WWW.B., WW.BB.).

A ring's code has two bits a cell, in cyclic order: 0 empty, 1 black, 2 white, 3 dead. A dead
cell may count as either colour.
"""

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


def _codes() -> np.ndarray:
    table = np.zeros(4**6, np.int32)
    for code in range(4**6):
        table[code] = _is_dead(tuple(code >> 2 * i & 3 for i in range(6)))
    return table


DEAD_CODES = _codes()
