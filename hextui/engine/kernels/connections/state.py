"""Memory of one colour's connection search: one flat int array and one flat word array.

Kernels take the state as one handle (see views.py). Offsets stand in the header of ``ints``.

Nodes are the cells 0..N-1 and the colour's edges N and N+1; M = N + 2. A pair of nodes gets a
*slot* when it gets its first connection; a slot lists the rows of its full and semi
connections. A *row* is one connection, with its carrier, its rule and its premises. Rows are
only ever appended. A row that leaves its list stays in the pool, so that the premises of
others outlive it. Undo truncates the pool and restores the lists saved on the trail.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hextui.engine.kernels.places import lay_out

# the header of ``ints``
(
    # counts and limits
    CELLS,
    NODES,
    NODE_WORDS,
    FULL_LIMIT,
    SEMI_LIMIT,
    CELL_FULL_LIMIT,  # the same of pairs of empty cells
    CELL_SEMI_LIMIT,
    CELL_BOUND,  # what a carrier between two empty cells must be smaller than
    OR_SIZE,
    AND_OVER_EDGES,
    ROWS,
    ROW_LIMIT,
    PREMISES,
    PREMISE_LIMIT,
    SLOTS,
    SLOT_SIZE,
    TRAIL,
    TRAIL_LIMIT,
    TRAIL_WORDS,
    TRAIL_WORD_LIMIT,
    STAMP,
    PLIES,
    FULL_HEAD,
    FULL_TAIL,
    FULL_QUEUE_LIMIT,
    OR_HEAD,
    OR_TAIL,
    OR_QUEUE_LIMIT,
    OVERFLOW,
    STOP,
    # where the arrays begin
    KIND,
    CAPTAIN,
    NEAR,
    SLOT_OF,
    SLOT,
    ROW,
    PREMISE,
    TRAIL_AT,
    FRAME,
    FULL_QUEUE,
    OR_QUEUE,
    SCRATCH,
    STATE,
    # where the arrays of ``words`` begin
    LINKED,
    ADJACENT,
    UNION,
    NEEDED,  # a slot: the cells that all its fulls need
    BLOCKED,  # a node, a cell: the nodes all whose fulls with this node need the cell
    CARRIER,
    TRAIL_WORDS_AT,
    SCRATCH_WORDS,
    # the own stone being played
    OLD_ROWS,
    GROUP,
    HEADER,
) = range(54)

# kinds of node
ABSENT, EMPTY_CELL, OWN_GROUP, OWN_EDGE = range(4)

# fields of a slot; the entries of the fulls follow, then those of the semis, each by size
(
    SLOT_A,
    SLOT_B,
    SLOT_FULLS,
    SLOT_SEMIS,
    SLOT_QUEUED,
    SLOT_STAMP,
    # what a carrier must be smaller than to be worth a try; while a list has room, NO_BOUND or,
    # between empty cells, CELL_BOUND
    SLOT_FULL_BOUND,
    SLOT_SEMI_BOUND,
    SLOT_LISTS,
) = range(9)

NO_BOUND = 1 << 20

# an entry of a list: the row, and above it the number of cells in its carrier
ROW_BITS = 22
ROW_MASK = (1 << ROW_BITS) - 1

# fields of a row
(
    ROW_A,
    ROW_B,
    ROW_KIND,
    ROW_RULE,
    ROW_KEY,
    ROW_SIZE,
    ROW_PREMISE,
    ROW_PREMISES,
    ROW_FIELDS,
) = range(9)

FULL, SEMI = range(2)

RULE_ADJACENT, RULE_AND, RULE_OR, RULE_STONE = range(4)

# a row's state, flags; 0 once a row is in no list. PENDING: the AND rule is still to be applied
# at that end. NEW_SEMI: in no set of OR(n) yet
PENDING_A = 1
PENDING_B = 2
NEW_SEMI = 4

# fields of a frame: what undo returns to
FRAME_ROWS, FRAME_PREMISES, FRAME_TRAIL, FRAME_TRAIL_WORDS, FRAME_SLOTS, FRAME_FIELDS = range(6)

# what a trail record is, in its last int
RECORD_SLOT, RECORD_CAPTAIN, RECORD_KIND = range(3)
# ints of a slot's record beside the entries of its lists: bounds, lengths, slot, what it is
SLOT_RECORD = 6

NEIGHBOURS = 6


def allocate(
    neighbours: tuple[tuple[int, ...], ...],
    edge_cells: tuple[tuple[int, ...], tuple[int, ...]],
    width: int,
    full_limit: int,
    semi_limit: int,
    or_size: int,
    and_over_edges: bool,
    row_limit: int,
    cell_limits: tuple[int, int, int] | None = None,
) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    """Return the ints and words of a search on a board, empty; ``search`` fills them.

    ``edge_cells`` are the cells along the colour's two edges. ``width``: words of a set of cells,
    so many as they need or more. ``cell_limits``: of a pair of empty cells, at most so many fulls
    and semis, and cells in a carrier; None is the same as for other pairs. Untouched pages cost no
    memory, so the pools are laid out for the worst case. About 12 ints and 2 words a row are used.
    """
    cells = len(neighbours)
    nodes = cells + 2
    node_words = (nodes + 63) // 64
    slot_limit = nodes * (nodes - 1) // 2
    slot_size = SLOT_LISTS + full_limit + semi_limit
    premise_limit = 3 * row_limit
    trail_limit = 8 * slot_limit * (slot_size + SLOT_RECORD) + 8 * nodes

    header = np.zeros(HEADER, np.int64)  # as wide as what may be too large
    header[CELLS], header[NODES], header[NODE_WORDS] = cells, nodes, node_words
    header[FULL_LIMIT], header[SEMI_LIMIT] = full_limit, semi_limit
    cell_fulls, cell_semis, cell_size = cell_limits or (full_limit, semi_limit, NO_BOUND - 1)
    header[CELL_FULL_LIMIT], header[CELL_SEMI_LIMIT] = cell_fulls, cell_semis
    header[CELL_BOUND] = cell_size + 1
    header[OR_SIZE], header[AND_OVER_EDGES] = or_size, and_over_edges
    header[ROW_LIMIT], header[PREMISE_LIMIT] = row_limit, premise_limit
    header[SLOT_SIZE], header[TRAIL_LIMIT] = slot_size, trail_limit
    header[TRAIL_WORD_LIMIT] = 8 * slot_limit * 2 * width
    header[FULL_QUEUE_LIMIT], header[OR_QUEUE_LIMIT] = 2 * row_limit, slot_limit + 1

    arrays = (
        (KIND, nodes),
        (CAPTAIN, nodes),
        (NEAR, nodes * (NEIGHBOURS + 2)),
        (SLOT_OF, nodes * nodes),
        (SLOT, slot_limit * slot_size),
        (ROW, (row_limit + 1) * ROW_FIELDS),
        (STATE, row_limit + 1),
        (PREMISE, premise_limit + semi_limit + 2),
        (TRAIL_AT, trail_limit),
        (FRAME, (cells + 1) * FRAME_FIELDS),
        (FULL_QUEUE, 2 * row_limit),
        (OR_QUEUE, slot_limit + 1),
        (SCRATCH, 4 * semi_limit + 64),
    )
    word_arrays = (
        (LINKED, nodes * node_words),
        (ADJACENT, nodes * node_words),
        (UNION, slot_limit * width),
        (NEEDED, slot_limit * width),
        (BLOCKED, nodes * cells * node_words),
        (CARRIER, (row_limit + 1) * width),
        (TRAIL_WORDS_AT, header[TRAIL_WORD_LIMIT]),
        (SCRATCH_WORDS, (2 * semi_limit + 16) * width),
    )
    size, word_size = lay_out(header, arrays, HEADER), lay_out(header, word_arrays)
    if size > np.iinfo(np.int32).max or word_size > np.iinfo(np.int32).max:
        raise ValueError("the limits of the connection search ask for too much memory")

    ints = np.empty(size, np.int32)
    ints[:HEADER] = header
    ints[header[SLOT_OF] : header[SLOT]] = -1
    _write_neighbours(ints, neighbours, edge_cells)
    return ints, np.zeros(word_size, np.uint64)


def _write_neighbours(
    ints: NDArray[Any],
    neighbours: tuple[tuple[int, ...], ...],
    edge_cells: tuple[tuple[int, ...], tuple[int, ...]],
) -> None:
    """Write each cell's adjacent nodes, own edges included, closed by -1."""
    cells = len(neighbours)
    for cell, near in enumerate(neighbours):
        nodes = list(near) + [cells + e for e in (0, 1) if cell in edge_cells[e]]
        at = ints[NEAR] + cell * (NEIGHBOURS + 2)
        ints[at : at + NEIGHBOURS + 2] = (nodes + [-1] * NEIGHBOURS)[: NEIGHBOURS + 2]
