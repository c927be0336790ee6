"""Memory of one colour's connection search: one flat int array and one flat word array.

Kernels take the state as one handle (see memory.py). Offsets stand in the header of ``ints``. Nodes
are the cells 0..N-1 and the colour's edges N and N+1; M = N + 2. A pair of nodes gets a *slot* with
its first connection; a slot lists the rows of its full and semi connections. A *row* is one
connection, with its carrier, its rule and its premises. Rows are only appended: one that leaves its
list stays as a premise of others. Undo truncates the pool and restores the lists saved on the
trail.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import uint64
from numpy.typing import NDArray

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.memory import (
    Handle,
    int_record,
    int_view,
    lay_out,
    record_of,
    word_view,
    zeros_as_needed,
)

POOL = int_record(
    """
    # counts and limits
    cells nodes node_words full_limit semi_limit
    cell_full_limit cell_semi_limit  # the same of pairs of empty cells
    cell_bound  # what a carrier between two empty cells must be smaller than
    or_size and_over_edges
    sharing  # whether carriers may have in common what own stones capture
    rows row_limit premises premise_limit slots slot_size
    trail trail_limit trail_words trail_word_limit stamp plies
    full_head full_tail full_queue_limit or_head or_tail or_queue_limit overflow
    # where the arrays begin
    kind captain near slot_of slot row premise trail_at frame full_queue or_queue scratch state
    template_end  # a template, two nodes
    templates_at  # a cell: the first of the templates that need a stone on it
    # where the arrays of ``words`` begin
    linked adjacent union
    needed  # a slot: the cells that all its fulls need
    captures  # a node: the cells that a stone on it captures at the edges
    capturable  # the cells that a stone on some node captures
    empties
    gone  # cells that are no nodes any more
    captured  # of the candidate: the cells that its premises share, pairs so explained
    template_carrier  # a template
    carrier trail_words_at scratch_words
    # the stones being played
    new_stones
    new_own  # cells of own ones, then those of others
    old_rows group
    """
)
"""The header of ``ints``: counts, limits, and where the arrays begin."""
HEADER = POOL.itemsize // 4

pool_of = record_of(POOL)

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
    # what a carrier must be smaller than to be worth a try; while a list has space, NO_BOUND or,
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
(ROW_A, ROW_B, ROW_KIND, ROW_RULE, ROW_KEY, ROW_SIZE, ROW_PREMISE, ROW_PREMISES, ROW_FIELDS) = (
    range(9)
)

FULL, SEMI = range(2)

RULE_ADJACENT, RULE_AND, RULE_OR, RULE_STONE, RULE_TEMPLATE = range(5)

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


Known = tuple[int, tuple[int, int], frozenset[int]]
"""A full connection known beforehand: the cell of an own stone, the two ends, the carrier."""


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
    captured: bool = False,
    templates: Sequence[Known] = (),
) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    """Return the ints and words of a search on a board, empty; ``search`` fills them.

    ``edge_cells``: along the colour's two edges. ``width``: words of a set of cells.
    ``cell_limits``: of a pair of empty cells, most fulls, semis, and cells in a carrier.
    ``templates``: see `lists.offer_templates`. The pools are for the worst case; untouched pages
    cost no memory.
    """
    cells = len(neighbours)
    nodes = cells + 2
    node_words = (nodes + 63) // 64
    slot_limit = nodes * (nodes - 1) // 2
    slot_size = SLOT_LISTS + full_limit + semi_limit
    premise_limit = 3 * row_limit
    trail_limit = 8 * slot_limit * (slot_size + SLOT_RECORD) + 8 * nodes

    header: dict[str, int] = dict.fromkeys(POOL.names or (), 0)
    header["cells"] = cells
    header["nodes"] = nodes
    header["node_words"] = node_words
    header["full_limit"] = full_limit
    header["semi_limit"] = semi_limit
    cell_fulls, cell_semis, cell_size = cell_limits or (full_limit, semi_limit, NO_BOUND - 1)
    header["cell_full_limit"] = cell_fulls
    header["cell_semi_limit"] = cell_semis
    header["cell_bound"] = cell_size + 1
    header["or_size"] = or_size
    header["and_over_edges"] = and_over_edges
    header["sharing"] = captured
    header["row_limit"] = row_limit
    header["premise_limit"] = premise_limit
    header["slot_size"] = slot_size
    header["trail_limit"] = trail_limit
    header["trail_word_limit"] = 8 * slot_limit * 2 * width
    header["full_queue_limit"] = 2 * row_limit
    header["or_queue_limit"] = slot_limit + 1

    arrays = (
        ("template_end", 2 * len(templates)),
        ("templates_at", cells + 1),
        ("kind", nodes),
        ("captain", nodes),
        ("near", nodes * (NEIGHBOURS + 2)),
        ("slot_of", nodes * nodes),
        ("slot", slot_limit * slot_size),
        ("row", (row_limit + 1) * ROW_FIELDS),
        ("state", row_limit + 1),
        ("premise", premise_limit + semi_limit + 2),
        ("trail_at", trail_limit),
        ("frame", (cells + 1) * FRAME_FIELDS),
        ("full_queue", 2 * row_limit),
        ("or_queue", slot_limit + 1),
        ("scratch", 4 * semi_limit + 64),
        ("new_stones", cells + 1),
    )
    word_arrays = (
        ("linked", nodes * node_words),
        ("adjacent", nodes * node_words),
        ("union", slot_limit * width),
        ("needed", slot_limit * width),
        ("captures", nodes * width),
        ("capturable", width),
        ("empties", width),
        ("gone", width),
        ("captured", 2 * width),
        ("new_own", 2 * width),
        ("template_carrier", len(templates) * width),
        ("carrier", (row_limit + 1) * width),
        ("trail_words_at", header["trail_word_limit"]),
        ("scratch_words", (2 * semi_limit + 16) * width),
    )
    size = lay_out(header, arrays, HEADER)
    word_size = lay_out(header, word_arrays)
    if size > np.iinfo(np.int32).max or word_size > np.iinfo(np.int32).max:
        raise ValueError("the limits of the connection search ask for too much memory")

    ints = zeros_as_needed(size, np.int32)
    ints[:HEADER] = list(header.values())
    ints[header["slot_of"] : header["slot"]] = -1
    _write_neighbours(ints[header["near"] :], neighbours, edge_cells)
    words = zeros_as_needed(word_size, np.uint64)
    if captured:
        for cell, pair in edge_pairs(neighbours, edge_cells):
            for captured_cell in pair:
                bit = np.uint64(1 << (captured_cell & 63))
                word = captured_cell >> 6
                words[header["captures"] + cell * width + word] |= bit
                words[header["capturable"] + word] |= bit
    _write_templates(header, ints, words, width, templates)
    return ints, words


def _write_templates(
    header: dict[str, int],
    ints: NDArray[Any],
    words: NDArray[Any],
    width: int,
    templates: Sequence[Known],
) -> None:
    """Write the templates, those that need a stone on the first cell first."""
    ordered = sorted(templates, key=lambda template: template[0])
    stones = [stone for stone, _, _ in ordered]
    count = header["cells"] + 1
    firsts = header["templates_at"]
    ints[firsts : firsts + count] = np.searchsorted(stones, np.arange(count))
    for place, (_, ends, carrier) in enumerate(ordered):
        end = header["template_end"] + 2 * place
        ints[end : end + 2] = ends
        cells = header["template_carrier"] + place * width
        for cell in carrier:
            words[cells + (cell >> 6)] |= np.uint64(1 << (cell & 63))


def edge_pairs(
    neighbours: tuple[tuple[int, ...], ...], edge_cells: tuple[tuple[int, ...], tuple[int, ...]]
) -> list[tuple[int, tuple[int, int]]]:
    """Return the cells of second rows, each with the two cells at the edge that it captures."""
    pairs = []
    for edge in edge_cells:
        for cell, near in enumerate(neighbours):
            pair = [other for other in near if other in edge]
            if cell not in edge and len(pair) == 2:
                pairs.append((cell, (pair[0], pair[1])))
    return pairs


def _write_neighbours(
    ints: NDArray[Any],
    neighbours: tuple[tuple[int, ...], ...],
    edge_cells: tuple[tuple[int, ...], tuple[int, ...]],
) -> None:
    """Write each cell's adjacent nodes, own edges included, closed by -1, to the start."""
    cells = len(neighbours)
    for cell, near in enumerate(neighbours):
        nodes = list(near) + [cells + e for e in (0, 1) if cell in edge_cells[e]]
        begin = cell * (NEIGHBOURS + 2)
        ints[begin : begin + NEIGHBOURS + 2] = (nodes + [-1] * NEIGHBOURS)[: NEIGHBOURS + 2]


@part
def slot_at(state: Handle, slot: int) -> int:
    """Return the index in ints of a slot's fields."""
    pool = pool_of(state)
    return pool.slot + slot * pool.slot_size


@part
def row_at(state: Handle, row: int) -> int:
    """Return the index in ints of a row's fields."""
    pool = pool_of(state)
    return pool.row + row * ROW_FIELDS


@part
def row_of(entry: int) -> int:
    """Return the row of a list entry."""
    return entry & ROW_MASK


@part
def size_of(entry: int) -> int:
    """Return the number of cells in the carrier of an entry of a list."""
    return entry >> ROW_BITS


@part
def slot_of_pair(state: Handle, a: int, b: int) -> int:
    """Return the slot of the pair of nodes, a new one if the pair has none yet."""
    pool = pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    W = len(state) - 2
    nodes = pool.nodes
    slot = ints[pool.slot_of + a * nodes + b]
    if slot >= 0:
        return slot
    slot = pool.slots
    pool.slots = slot + 1
    ints[pool.slot_of + a * nodes + b] = slot
    ints[pool.slot_of + b * nodes + a] = slot
    fields = slot_at(state, slot)
    ints[fields + SLOT_A] = a
    ints[fields + SLOT_B] = b
    for field in range(SLOT_FULLS, SLOT_FULL_BOUND):
        ints[fields + field] = 0
    ints[fields + SLOT_FULL_BOUND] = ints[fields + SLOT_SEMI_BOUND] = size_bound(state, a, b)
    for w in range(W):
        words[pool.union + slot * W + w] = words[pool.needed + slot * W + w] = uint64(0)
    return slot


@part
def free_slots(state: Handle, count: int) -> None:
    """Forget all slots but the first ``count``."""
    pool = pool_of(state)
    ints = int_view(state)
    nodes = pool.nodes
    for slot in range(count, pool.slots):
        fields = slot_at(state, slot)
        a = ints[fields + SLOT_A]
        b = ints[fields + SLOT_B]
        ints[pool.slot_of + a * nodes + b] = -1
        ints[pool.slot_of + b * nodes + a] = -1
    pool.slots = count


@part
def set_pair_bit(state: Handle, table: int, a: int, b: int, value: bool) -> None:
    """Set or clear a pair in a table of bitsets, one a node: linked or adjacent."""
    pool = pool_of(state)
    words = word_view(state)
    size = pool.node_words
    bit_a = uint64(1) << uint64(a & 63)
    bit_b = uint64(1) << uint64(b & 63)
    at_a = table + a * size + (b >> 6)
    at_b = table + b * size + (a >> 6)
    if value:
        words[at_a] |= bit_b
        words[at_b] |= bit_a
    else:
        words[at_a] &= ~bit_b
        words[at_b] &= ~bit_a


@part
def _between_cells(state: Handle, a: int, b: int) -> bool:
    """Return whether both ends of a pair are empty cells."""
    pool = pool_of(state)
    ints = int_view(state)
    return ints[pool.kind + a] == EMPTY_CELL and ints[pool.kind + b] == EMPTY_CELL


@part
def size_bound(state: Handle, a: int, b: int) -> int:
    """Return what a carrier of a pair must be smaller than while its lists have space."""
    pool = pool_of(state)
    return pool.cell_bound if _between_cells(state, a, b) else NO_BOUND


@part
def full_limit(state: Handle, fields: int) -> int:
    """Return how many fulls the pair may have whose slot has its fields at ``fields``."""
    pool = pool_of(state)
    ints = int_view(state)
    between_cells = _between_cells(state, ints[fields + SLOT_A], ints[fields + SLOT_B])
    return pool.cell_full_limit if between_cells else pool.full_limit


@part
def semi_limit(state: Handle, fields: int) -> int:
    """Return how many semis the pair may have whose slot has its fields at ``fields``."""
    pool = pool_of(state)
    ints = int_view(state)
    between_cells = _between_cells(state, ints[fields + SLOT_A], ints[fields + SLOT_B])
    return pool.cell_semi_limit if between_cells else pool.semi_limit


@part
def note_lists(state: Handle, slot: int) -> None:
    """Update what depends on the lists of a pair: linked, adjacent, size bounds, needed cells."""
    pool = pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    W = len(state) - 2
    fields = slot_at(state, slot)
    fulls = ints[fields + SLOT_FULLS]
    # an empty carrier is contained in all others, so it stands alone
    touching = fulls > 0 and size_of(ints[fields + SLOT_LISTS]) == 0
    set_pair_bit(state, pool.linked, ints[fields + SLOT_A], ints[fields + SLOT_B], fulls > 0)
    set_pair_bit(state, pool.adjacent, ints[fields + SLOT_A], ints[fields + SLOT_B], touching)
    note_bounds(state, slot)
    for w in range(W):
        needed = ~uint64(0) if fulls else uint64(0)
        for i in range(fulls):
            needed &= words[pool.carrier + row_of(ints[fields + SLOT_LISTS + i]) * W + w]
        words[pool.needed + slot * W + w] = needed


@part
def note_full(state: Handle, slot: int, entry: int, first: bool) -> None:
    """Update what depends on the fulls of a pair after one was added to a list with space left."""
    pool = pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    W = len(state) - 2
    fields = slot_at(state, slot)
    a = ints[fields + SLOT_A]
    b = ints[fields + SLOT_B]
    carrier = pool.carrier + row_of(entry) * W
    needed = pool.needed + slot * W
    for w in range(W):
        words[needed + w] = words[carrier + w] & (~uint64(0) if first else words[needed + w])
    if first:
        set_pair_bit(state, pool.linked, a, b, True)
    if size_of(entry) == 0:
        set_pair_bit(state, pool.adjacent, a, b, True)


@part
def note_bounds(state: Handle, slot: int) -> None:
    """Update what a carrier must be smaller than to enter the lists of a pair."""
    pool = pool_of(state)
    ints = int_view(state)
    fields = slot_at(state, slot)
    fulls = ints[fields + SLOT_FULLS]
    semis = ints[fields + SLOT_SEMIS]
    fulls_at = fields + SLOT_LISTS
    semis_at = fields + SLOT_LISTS + pool.full_limit
    full_bound = semi_bound = size_bound(state, ints[fields + SLOT_A], ints[fields + SLOT_B])
    if fulls >= full_limit(state, fields):
        full_bound = min(full_bound, size_of(ints[fulls_at + fulls - 1]))
    if semis >= semi_limit(state, fields):
        semi_bound = min(semi_bound, size_of(ints[semis_at + semis - 1]))
    if fulls > 0 and size_of(ints[fulls_at]) == 0:
        full_bound = semi_bound = 0
    ints[fields + SLOT_FULL_BOUND] = full_bound
    ints[fields + SLOT_SEMI_BOUND] = semi_bound
