"""Memory of one thread of the solver: one flat int array and one flat word array.

Kernels take it as one handle (see views.py). The search is a stack of *levels*, one a move;
every level holds its position, its children and what is known about them, so that a search
can be left between two steps and gone on with later.

Colours are 1 (Black) and 2 (White), as in board.py; a cell that is dead has 3. Behind the
cells of each board come three border cells: black, white, and the acute corner (dead).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hextui.engine.kernels.solver.ring import DEAD_CODES, border_of

DEAD = 3
BORDERS = 3

# proof and disproof numbers: a lost cause, and the largest sum that is not one
INFINITE = 2_000_000_000

# --- header of ``ints`` ------------------------------------------------------------------------
CELLS = 0
LEVELS = 1
LEVEL = 2
# settings
FILL = 3
VULNERABLE = 4
DOMINATED = 5
MUST_PLAY = 6
CARRIERS = 7
ROTATION = 8
WIDENING_BASE = 9
WIDENING_PERMILLE = 10
EPSILON_PERMILLE = 54
SHRINK = 55
DEDUCE = 56
ORDER = 11
# counters
EXPANSIONS = 12
BUILDS = 13
STEPS = 14
# the connection searches: how many batches of stones were played on them, how many stones of
# the path are still theirs, and at how many stones the fresh search was made; indexed by colour
BATCHES = 15
VALID = 18
BASE = 21
# threads
THREAD = 24
THREADS = 25
# where the arrays begin
NEAR = 26
DEAD_CODE = 27
STONES = 28
FIELDS = 29
PATH = 30
CHILD_CELL = 31
CHILD_PHI = 32
CHILD_DELTA = 33
CHILD_TURNED = 34
QUEUE = 35
QUEUED = 36
TRY_STONES = 37
SCRATCH = 38
NODE_OF = 41
BATCH_END = 42
# where the arrays of ``words`` begin; ENTRY takes an entry of the table, QUOTED two sets
ZOBRIST = 43
SETS = 44
CHILD_HASH = 45
TRY_SETS = 46
DOMINATES = 47
MATRIX = 49
SCORE = 50
ENTRY = 51
QUOTED = 52
NEW_STONES = 53
SIDES = 58
# the proofs: how many threats of the last scan, and where each colour's next one goes
THREATS = 59
NEXT_PROOF = 59  # indexed by colour
HEADER = 64

# fields of a level
L_MOVER = 0
L_COUNT = 1
L_MAX_PHI = 2
L_MAX_DELTA = 3
L_CHOSEN = 4
L_WORK = 5
L_PATH_END = 6
L_PHI = 7
L_DELTA = 8
L_BEST = 9
L_EXPANDED = 10
L_STORED = 11  # work known when the level was entered
LEVEL_FIELDS = 12

# words of a level: four hashes, then sets of cells of W words each
H_ONE = 0
H_TWO = 1
H_TURNED_ONE = 2
H_TURNED_TWO = 3
HASHES = 4
# sets of a level
S_LEFT = 0  # moves that are not refuted
S_USED = 1  # what the refutations used
S_CARRIER = 2  # of a solved level: the winner's carrier, cells of the filled position
S_CAPTURED = 3  # filled in by this level's move: captured by black, then by white
SETS_A_LEVEL = 5

ORDER_RESISTANCE = 0
ORDER_PLAIN = 1


def level_words(width: int) -> int:
    """Return how many words a level takes."""
    return HASHES + SETS_A_LEVEL * width


def allocate(rows: int, columns: int, width: int) -> tuple[Any, Any]:
    """Return the ints and words of a thread on a board; the settings are to be written yet.

    ``width``: words of a set of cells, so many as they need or more.
    """
    cells = rows * columns
    levels = cells + 2
    board = cells + BORDERS
    nodes = cells + 2
    header = np.zeros(HEADER, np.int32)
    header[CELLS], header[LEVELS] = cells, levels
    header[LEVEL] = -1
    size = HEADER
    for offset, length in (
        (NEAR, 6 * cells),
        (DEAD_CODE, len(DEAD_CODES)),
        (STONES, levels * board),
        (FIELDS, levels * LEVEL_FIELDS),
        (PATH, cells + 1),
        (CHILD_CELL, levels * cells),
        (CHILD_PHI, levels * cells),
        (CHILD_DELTA, levels * cells),
        (CHILD_TURNED, levels * cells),
        (QUEUE, 8 * cells + 8),
        (QUEUED, cells),
        (TRY_STONES, board),
        (SCRATCH, 4 * cells + 64),
        (NODE_OF, 2 * nodes),
        (BATCH_END, 3 * levels),
    ):
        header[offset] = size
        size += int(length)
    word_size = 0
    for offset, length in (
        (ZOBRIST, 2 * 4 * cells + 2),
        (SETS, levels * level_words(width)),
        (CHILD_HASH, levels * cells * 2),
        (TRY_SETS, level_words(width)),
        (DOMINATES, cells * width),
        (MATRIX, nodes * (nodes + 1)),
        (SCORE, cells),
        (ENTRY, 3 + width),
        (QUOTED, 2 * width),
        (NEW_STONES, 2 * width),
        (SIDES, 4 * width),
    ):
        header[offset] = word_size
        word_size += int(length)
    ints, words = np.zeros(size, np.int32), np.zeros(word_size, np.uint64)
    ints[:HEADER] = header
    ints[header[DEAD_CODE] :][: len(DEAD_CODES)] = DEAD_CODES
    _write_geometry(ints, rows, columns)
    stones = ints[header[STONES] :][: levels * board].reshape(levels, board)
    stones[:, cells:] = ints[header[TRY_STONES] + cells :][:BORDERS] = (1, 2, DEAD)
    zobrist = np.random.default_rng(20090712).integers(0, 1 << 63, 8 * cells + 2, np.uint64)
    spread = zobrist * np.uint64(0x9E3779B97F4A7C15)
    words[header[ZOBRIST] :][: 8 * cells + 2] = spread ^ (spread >> np.uint64(29))
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
    ints[ints[NEAR] :][: len(near)] = near
