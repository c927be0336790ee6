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

# --- header of ``ints``: counts and limits -----------------------------------------------------
CELLS = 0
NODES = 1
NODE_WORDS = 2
FULL_LIMIT = 3
SEMI_LIMIT = 4
OR_SIZE = 5
AND_OVER_EDGES = 6
ROWS = 7
ROW_LIMIT = 8
PREMISES = 9
PREMISE_LIMIT = 10
SLOTS = 11
SLOT_SIZE = 12
TRAIL = 13
TRAIL_LIMIT = 14
TRAIL_WORDS = 15
TRAIL_WORD_LIMIT = 16
STAMP = 17
PLIES = 18
FULL_HEAD = 19
FULL_TAIL = 20
FULL_QUEUE_LIMIT = 21
OR_HEAD = 22
OR_TAIL = 23
OR_QUEUE_LIMIT = 24
OVERFLOW = 25
STOP = 26
# --- header of ``ints``: where the arrays begin ------------------------------------------------
KIND = 27
CAPTAIN = 28
NEAR = 29
SLOT_OF = 30
SLOT = 31
ROW = 32
PREMISE = 33
TRAIL_AT = 34
FRAME = 35
FULL_QUEUE = 36
OR_QUEUE = 37
SCRATCH = 38
STATE = 39
# --- header of ``ints``: where the arrays of ``words`` begin -----------------------------------
LINKED = 40
ADJACENT = 41
UNION = 42
CARRIER = 43
TRAIL_WORDS_AT = 44
SCRATCH_WORDS = 45
# --- header of ``ints``: the own stone being played ---------------------------------------------
OLD_ROWS = 46
GROUP = 47
# --- header of ``ints``: limits of lists with two empty cells as ends, more arrays of ``words`` ---
CELL_FULL_LIMIT = 48
CELL_SEMI_LIMIT = 49
NEEDED = 50  # a slot: the cells that all its fulls need
BLOCKED = 51  # a node, a cell: the nodes all whose fulls with this node need the cell
CELL_BOUND = 52  # what a carrier between two empty cells must be smaller than
HEADER = 53

# kinds of node
ABSENT = 0
EMPTY_CELL = 1
OWN_GROUP = 2
OWN_EDGE = 3

# fields of a slot; the entries of the fulls follow, then those of the semis, each by size
SLOT_A = 0
SLOT_B = 1
SLOT_FULLS = 2
SLOT_SEMIS = 3
SLOT_QUEUED = 4
SLOT_STAMP = 5
# what a carrier must be smaller than to be worth a try; while a list has room, NO_BOUND or, between
# empty cells, CELL_BOUND
SLOT_FULL_BOUND = 6
SLOT_SEMI_BOUND = 7
SLOT_LISTS = 8

NO_BOUND = 1 << 20

# an entry of a list: the row, and above it the number of cells in its carrier
ROW_BITS = 22
ROW_MASK = (1 << ROW_BITS) - 1

# fields of a row
ROW_A = 0
ROW_B = 1
ROW_KIND = 2
ROW_RULE = 3
ROW_KEY = 4
ROW_SIZE = 5
ROW_PREMISE = 6
ROW_PREMISES = 7
ROW_FIELDS = 8

FULL = 0
SEMI = 1

RULE_ADJACENT = 0
RULE_AND = 1
RULE_OR = 2
RULE_STONE = 3

# a row's state, flags; 0 once a row is in no list. PENDING: the AND rule is still to be applied
# at that end. NEW_SEMI: in no set of OR(n) yet
PENDING_A = 1
PENDING_B = 2
NEW_SEMI = 4

# fields of a frame: what undo returns to
FRAME_ROWS = 0
FRAME_PREMISES = 1
FRAME_TRAIL = 2
FRAME_TRAIL_WORDS = 3
FRAME_SLOTS = 4
FRAME_FIELDS = 5

# what a trail record is, in its last int
RECORD_SLOT = 0
RECORD_CAPTAIN = 1
RECORD_KIND = 2
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
    so many as they need or more. ``cell_limits``: of a pair of empty
    cells, at most so many fulls and semis, and cells in a carrier; None is the same as for other
    pairs. Untouched pages cost no memory, so the pools are laid out for the worst case. About 12
    ints and 2 words a row are used.
    """
    cells = len(neighbours)
    nodes = cells + 2
    node_words = (nodes + 63) // 64
    slot_limit = nodes * (nodes - 1) // 2
    slot_size = SLOT_LISTS + full_limit + semi_limit
    premise_limit = 3 * row_limit
    trail_limit = 8 * slot_limit * (slot_size + SLOT_RECORD) + 8 * nodes

    header = np.zeros(HEADER, np.int32)
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

    size = HEADER
    for offset, length in (
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
    ):
        header[offset] = size
        size += length
    word_size = 0
    for offset, length in (
        (LINKED, nodes * node_words),
        (ADJACENT, nodes * node_words),
        (UNION, slot_limit * width),
        (NEEDED, slot_limit * width),
        (BLOCKED, nodes * cells * node_words),
        (CARRIER, (row_limit + 1) * width),
        (TRAIL_WORDS_AT, header[TRAIL_WORD_LIMIT]),
        (SCRATCH_WORDS, (2 * semi_limit + 16) * width),
    ):
        header[offset] = word_size
        word_size += int(length)
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
