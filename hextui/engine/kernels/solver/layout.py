"""Memory of one thread of the solver: one flat int array and one flat word array.

Kernels take it as one handle (see memory.py). The search is a stack of *levels*, one a move, each
with its position, its children and what is known of them, so it can be interrupted and resumed.
Colours are 1 (Black) and 2 (White); a dead cell has 3. Behind the cells of each board come three
border cells: black, white, and the acute corner (dead).

Tables over all rings of six cells say which surroundings make a cell dead, or the middle of a bay.
An empty cell is dead if its ring has at most one run of each colour however its empty cells are
filled, as then it joins nothing. Source: docs/methods.md#inferior-cells. A cell is the middle of a
bay if three consecutive cells of its ring are stones of one colour, and the other three are empty.
A ring's code has two bits a cell, in cyclic order; dead cells may count as either colour.
"""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.memory import Handle, int_record, lay_out, places, record_of

DEAD = 3
BORDERS = 3

# proof and disproof numbers: the infinite one
INFINITE = 2_000_000_000

# most threats of one position that are examined
MOST_THREATS = 64

COLORS = 3
"""Length of a field indexed by colour: 1 and 2, and 0 for nobody."""

HEADER_RECORD = int_record(
    """
    cells levels level
    # settings
    fill vulnerable dominated must_play carriers shrink rotation deduce heuristic order
    # counters
    expansions steps
    thread threads
    threats  # how many the proofs of other positions make
    # where the arrays begin
    near dead_code killer_code bay_code beside_code stones fields path
    child_cell child_phi child_delta child_turned replies
    queue queued try_stones scratch node_of band_end batch_end
    # where the arrays of ``words`` begin
    zobrist sets child_hash try_sets dominates matrix score flows
    entry  # one of the table
    quoted proof  # two sets
    threat_cells  # those that each threat needs
    sides
    """
)
"""The start of the header of ``ints``: sizes, settings, counters, where the arrays begin."""

header_of = record_of(HEADER_RECORD)

# the rest of the header: fields indexed by colour
_RECORD_INTS = HEADER_RECORD.itemsize // 4
(
    # the connection searches: how many batches of stones were played on them, how many stones of
    # the path they still have, and at how many stones the fresh search was made
    BATCHES,
    VALID,
    BASE,
    # where the next proof goes
    NEXT_PROOF,
    HEADER,
) = places(_RECORD_INTS, *(COLORS,) * 4)[1:]

# fields of a level
(
    L_MOVER,
    L_COUNT,
    L_MAX_PHI,
    L_MAX_DELTA,
    L_CHOSEN,
    L_WORK,
    L_PATH_END,
    L_PHI,
    L_DELTA,
    L_BEST,
    L_EXPANDED,
    L_STORED,  # work known when the level was entered
    LEVEL_FIELDS,
) = range(13)

# words of a level: four hashes, then sets of cells of W words each
H_ONE, H_TWO, H_TURNED_ONE, H_TURNED_TWO, HASHES = range(5)
# sets of a level
(
    S_LEFT,  # moves that are not refuted
    S_USED,  # what the refutations used
    S_CARRIER,  # of a solved level: the winner's carrier, cells of the filled position
    S_CAPTURED,  # filled in by this level's move: captured by black, then by white; bays too
    SETS_A_LEVEL,
) = places(1, 1, 1, 2)

ORDER_RESISTANCE, ORDER_PLAIN = range(2)


def level_words(width: int) -> int:
    """Return how many words a level takes."""
    return HASHES + SETS_A_LEVEL * width


def allocate(rows: int, columns: int, width: int) -> tuple[Any, Any]:
    """Return the ints and words of a thread on a board; the caller writes the settings."""
    cells = rows * columns
    levels = cells + 2
    board = cells + BORDERS
    nodes = cells + 2
    header: dict[str, int] = dict.fromkeys(HEADER_RECORD.names or (), 0)
    header["cells"], header["levels"] = cells, levels
    header["level"] = -1
    arrays = (
        ("near", 6 * cells),
        ("dead_code", len(DEAD_CODES)),
        ("killer_code", len(KILLER_CODES)),
        ("bay_code", len(BAY_CODES)),
        ("beside_code", len(BESIDE_CODES)),
        ("stones", levels * board),
        ("fields", levels * LEVEL_FIELDS),
        ("path", cells + 1),
        ("child_cell", levels * cells),
        ("child_phi", levels * cells),
        ("child_delta", levels * cells),
        ("child_turned", levels * cells),
        ("replies", levels * cells),
        ("queue", 8 * cells + 8),
        ("queued", cells),
        ("try_stones", board),
        ("scratch", 4 * cells + 64),
        ("node_of", 2 * nodes),
        ("band_end", nodes),
        ("batch_end", 3 * levels),
    )
    word_arrays = (
        ("zobrist", 2 * 4 * cells + 2),
        ("sets", levels * level_words(width)),
        ("child_hash", levels * cells * 2),
        ("try_sets", level_words(width)),
        ("dominates", cells * width),
        ("matrix", nodes * (nodes + 1)),
        ("score", cells),
        ("flows", (1 + levels) * (cells + 1)),
        ("entry", 3 + width),
        ("quoted", 2 * width),
        ("proof", 2 * width),
        ("threat_cells", MOST_THREATS * width),
        ("sides", 4 * width),
    )
    size = lay_out(header, arrays, HEADER)
    word_size = lay_out(header, word_arrays)
    ints = np.zeros(size, np.int32)
    words = np.zeros(word_size, np.uint64)
    ints[:_RECORD_INTS] = list(header.values())
    for name, codes in (
        ("dead_code", DEAD_CODES),
        ("killer_code", KILLER_CODES),
        ("bay_code", BAY_CODES),
        ("beside_code", BESIDE_CODES),
    ):
        ints[header[name] :][: len(codes)] = codes
    _write_geometry(ints[header["near"] :], rows, columns)
    stones = ints[header["stones"] :][: levels * board].reshape(levels, board)
    stones[:, cells:] = ints[header["try_stones"] + cells :][:BORDERS] = (1, 2, DEAD)
    zobrist = np.random.default_rng(20090712).integers(0, 1 << 63, 8 * cells + 2, np.uint64)
    spread = zobrist * np.uint64(0x9E3779B97F4A7C15)
    words[header["zobrist"] :][: 8 * cells + 2] = spread ^ (spread >> np.uint64(29))
    return ints, words


def _write_geometry(ints: NDArray[np.int32], rows: int, columns: int) -> None:
    """Write the six cells around each cell, in cyclic order, border cells included."""
    steps = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))
    near = [
        border_of(row + r, column + c, rows, columns)
        for row in range(rows)
        for column in range(columns)
        for r, c in steps
    ]
    ints[: len(near)] = near


def border_of(row: int, column: int, rows: int, columns: int) -> int:
    """Return the index of a cell in the padded board, where border cells follow the real ones."""
    outside_row = not 0 <= row < rows
    outside_column = not 0 <= column < columns
    if outside_row and outside_column:
        return rows * columns + 2
    if outside_row or outside_column:
        return rows * columns + outside_column
    return row * columns + column


def _matters(ring: tuple[int, ...]) -> bool:
    return sum(ring[i] != ring[i - 1] for i in range(6)) > 2


def _is_dead(ring: tuple[int, ...]) -> bool:
    """Return whether some choice for dead cells lets no choice for empty cells matter."""
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
    """Return which stones on the ring, bit ``2 * i + colour - 1``, make the middle dead."""
    killers = 0
    for i in range(6):
        if ring[i] == 0:
            for color in (1, 2):
                dead = _is_dead((*ring[:i], color, *ring[i + 1 :]))
                killers |= dead << (2 * i + color - 1)
    return killers


def _bay(ring: tuple[int, ...]) -> int:
    """Return 2 * i + colour if the ring's cells from ``i`` on make a bay of a colour, else 0."""
    for i in range(6):
        empty = _turned(ring, i)[:3]
        stones = _turned(ring, i)[3:]
        for color in (1, 2):
            if not any(empty) and all(stone & color for stone in stones):
                return 2 * i + color
    return 0


def _bays_beside(ring: tuple[int, ...]) -> int:
    """Return which cells of the ring may be in a bay of which the middle is an end, a bit each.

    Bit 6: the middle itself is in a bay. Of two cells beside it and the middle one is empty.
    """
    cells = bool(_bay(ring)) << 6
    for i in range(6):
        before, cell, after = _turned(ring, i - 1)[:3]
        cells |= (cell == 0 and (before == 0) != (after == 0)) << i
    return cells


def _turned(ring: tuple[int, ...], first: int) -> tuple[int, ...]:
    return ring[first:] + ring[:first]


def _ring_of(code: int) -> tuple[int, ...]:
    return tuple(code >> 2 * i & 3 for i in range(6))


def _codes(what: Callable[[tuple[int, ...]], int]) -> np.ndarray:
    return np.array([what(_ring_of(code)) for code in range(4**6)], np.int32)


DEAD_CODES = _codes(_is_dead)
KILLER_CODES = _codes(_killers)
BAY_CODES = _codes(_bay)
BESIDE_CODES = _codes(_bays_beside)


@part
def fields_of(memory: Handle, level: int) -> int:
    """Return where a level's fields begin in ints."""
    header = header_of(memory)
    return header.fields + level * LEVEL_FIELDS


@part
def block_of(memory: Handle, level: int) -> int:
    """Return where a level's words begin: hashes, then sets."""
    header = header_of(memory)
    return header.sets + level * (HASHES + SETS_A_LEVEL * (len(memory) - 2))


@part
def set_of(memory: Handle, level: int, which: int) -> int:
    """Return where one of a level's sets begins in words."""
    return block_of(memory, level) + HASHES + which * (len(memory) - 2)


@part
def stones_of(memory: Handle, level: int) -> int:
    """Return where a level's stones begin in ints."""
    header = header_of(memory)
    return header.stones + level * (header.cells + BORDERS)
