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

from hextui.engine.kernels.places import lay_out, places
from hextui.engine.kernels.solver.ring import DEAD_CODES, border_of

DEAD = 3
BORDERS = 3

# proof and disproof numbers: a lost cause, and the largest sum that is not one
INFINITE = 2_000_000_000

COLORS = 3
"""Length of a field indexed by colour: 1 and 2, and 0 for nobody."""

# the header of ``ints``
(
    CELLS,
    LEVELS,
    LEVEL,
    # settings
    FILL,
    VULNERABLE,
    DOMINATED,
    MUST_PLAY,
    CARRIERS,
    SHRINK,
    ROTATION,
    DEDUCE,
    WIDENING_BASE,
    WIDENING_PERMILLE,
    EPSILON_PERMILLE,
    ORDER,
    # counters
    EXPANSIONS,
    BUILDS,
    STEPS,
    # threads
    THREAD,
    THREADS,
    # how many threats the last scan of the proofs found
    THREATS,
    # where the arrays begin
    NEAR,
    DEAD_CODE,
    STONES,
    FIELDS,
    PATH,
    CHILD_CELL,
    CHILD_PHI,
    CHILD_DELTA,
    CHILD_TURNED,
    QUEUE,
    QUEUED,
    TRY_STONES,
    SCRATCH,
    NODE_OF,
    BATCH_END,
    # where the arrays of ``words`` begin; ENTRY takes an entry of the table, QUOTED two sets
    ZOBRIST,
    SETS,
    CHILD_HASH,
    TRY_SETS,
    DOMINATES,
    MATRIX,
    SCORE,
    ENTRY,
    QUOTED,
    NEW_STONES,
    SIDES,
    # indexed by colour. The connection searches: how many batches of stones were played on them,
    # how many stones of the path are still theirs, at how many stones the fresh search was made
    BATCHES,
    VALID,
    BASE,
    # where the next proof goes
    NEXT_PROOF,
    HEADER,
) = places(*(1,) * 47, *(COLORS,) * 4)

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
    S_CAPTURED,  # filled in by this level's move: captured by black, then by white
    SETS_A_LEVEL,
) = places(1, 1, 1, 2)

ORDER_RESISTANCE, ORDER_PLAIN = range(2)


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
    arrays = (
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
    )
    word_arrays = (
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
    )
    size, word_size = lay_out(header, arrays, HEADER), lay_out(header, word_arrays)
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
