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
from hextui.engine.kernels.solver.ring import (
    BAY_CODES,
    BESIDE_CODES,
    DEAD_CODES,
    KILLER_CODES,
    border_of,
)
from hextui.engine.kernels.views import record_of

DEAD = 3
BORDERS = 3

# proof and disproof numbers: a lost cause, and the largest sum that is not one
INFINITE = 2_000_000_000

# threats of one position that are looked at
MOST_THREATS = 64

COLORS = 3
"""Length of a field indexed by colour: 1 and 2, and 0 for nobody."""

DESK = np.dtype(
    [
        (name, np.int32)
        for name in (
            "cells",
            "levels",
            "level",
            # settings
            "fill",
            "vulnerable",
            "dominated",
            "must_play",
            "carriers",
            "shrink",
            "rotation",
            "deduce",
            "widening_base",
            "widening_permille",
            "epsilon_permille",
            "order",
            # counters
            "expansions",
            "builds",
            "steps",
            # threads
            "thread",
            "threads",
            # how many threats the proofs of other positions make
            "threats",
            # where the arrays begin
            "near",
            "dead_code",
            "killer_code",
            "bay_code",
            "beside_code",
            "stones",
            "fields",
            "path",
            "child_cell",
            "child_phi",
            "child_delta",
            "child_turned",
            "replies",
            "queue",
            "queued",
            "try_stones",
            "scratch",
            "node_of",
            "band_end",
            "batch_end",
            # where the arrays of ``words`` begin; entry takes one of the table, quoted and
            # proof two sets, threat_cells those that each threat needs
            "zobrist",
            "sets",
            "child_hash",
            "try_sets",
            "dominates",
            "matrix",
            "score",
            "flows",
            "entry",
            "quoted",
            "proof",
            "threat_cells",
            "new_stones",
            "sides",
        )
    ]
)
"""The start of the header of ``ints``: sizes, settings, counters, where the arrays begin."""

desk_of = record_of(DESK)

# the rest of the header: fields indexed by colour
_DESK = DESK.itemsize // 4
(
    # the connection searches: how many batches of stones were played on them, how many stones of
    # the path are still theirs, and at how many stones the fresh search was made
    BATCHES,
    VALID,
    BASE,
    # where the next proof goes
    NEXT_PROOF,
    HEADER,
) = places(_DESK, *(COLORS,) * 4)[1:]

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
    """Return the ints and words of a thread on a board; the settings are to be written yet.

    ``width``: words of a set of cells, so many as they need or more.
    """
    cells = rows * columns
    levels = cells + 2
    board = cells + BORDERS
    nodes = cells + 2
    header: dict[str, int] = dict.fromkeys(DESK.names or (), 0)
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
        ("flows", (1 + levels) * cells),
        ("entry", 3 + width),
        ("quoted", 2 * width),
        ("proof", 2 * width),
        ("threat_cells", MOST_THREATS * width),
        ("new_stones", 2 * width),
        ("sides", 4 * width),
    )
    size, word_size = lay_out(header, arrays, HEADER), lay_out(header, word_arrays)
    ints, words = np.zeros(size, np.int32), np.zeros(word_size, np.uint64)
    ints[:_DESK] = list(header.values())
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
