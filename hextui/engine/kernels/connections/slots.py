"""The slots of pairs of nodes: their lists' limits, and what is noted of them to be looked up.

A pair has a slot from its first connection on. Beside its two lists, of fulls and of semis, stand
the bounds of what they take; tables over all nodes tell which pairs are linked or adjacent, and
which cells all fulls of a pair need.
"""

from numpy import uint64

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.connections.state import (
    EMPTY_CELL,
    NO_BOUND,
    ROW_BITS,
    ROW_FIELDS,
    ROW_MASK,
    SLOT_A,
    SLOT_B,
    SLOT_FULL_BOUND,
    SLOT_FULLS,
    SLOT_LISTS,
    SLOT_SEMI_BOUND,
    SLOT_SEMIS,
    pool_of,
)
from hextui.engine.kernels.views import Handle, int_view, word_view


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
    """Return the row of an entry of a list."""
    return entry & ROW_MASK


@part
def size_of(entry: int) -> int:
    """Return the number of cells in the carrier of an entry of a list."""
    return entry >> ROW_BITS


@part
def slot_of_pair(state: Handle, a: int, b: int) -> int:
    """Return the slot of the pair of nodes, a new one if the pair has none yet."""
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    nodes = pool.nodes
    slot = ints[pool.slot_of + a * nodes + b]
    if slot >= 0:
        return slot
    slot = pool.slots
    pool.slots = slot + 1
    ints[pool.slot_of + a * nodes + b] = slot
    ints[pool.slot_of + b * nodes + a] = slot
    at = slot_at(state, slot)
    ints[at + SLOT_A] = a
    ints[at + SLOT_B] = b
    for field in range(SLOT_FULLS, SLOT_FULL_BOUND):
        ints[at + field] = 0
    ints[at + SLOT_FULL_BOUND] = ints[at + SLOT_SEMI_BOUND] = size_bound(state, a, b)
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
        at = slot_at(state, slot)
        a, b = ints[at + SLOT_A], ints[at + SLOT_B]
        ints[pool.slot_of + a * nodes + b] = -1
        ints[pool.slot_of + b * nodes + a] = -1
    pool.slots = count


@part
def set_pair_bit(state: Handle, table: int, a: int, b: int, value: bool) -> None:
    """Set or clear a pair in a table of bitsets, one a node: linked or adjacent."""
    pool = pool_of(state)
    words = word_view(state)
    size = pool.node_words
    bit_a, bit_b = uint64(1) << uint64(a & 63), uint64(1) << uint64(b & 63)
    at_a, at_b = table + a * size + (b >> 6), table + b * size + (a >> 6)
    if value:
        words[at_a] |= bit_b
        words[at_b] |= bit_a
    else:
        words[at_a] &= ~bit_b
        words[at_b] &= ~bit_a


@part
def _between_cells(state: Handle, a: int, b: int) -> bool:
    """Tell whether both ends of a pair are empty cells."""
    pool = pool_of(state)
    ints = int_view(state)
    return ints[pool.kind + a] == EMPTY_CELL and ints[pool.kind + b] == EMPTY_CELL


@part
def size_bound(state: Handle, a: int, b: int) -> int:
    """Return what a carrier of a pair must be smaller than while its lists have room."""
    pool = pool_of(state)
    return pool.cell_bound if _between_cells(state, a, b) else NO_BOUND


@part
def full_limit(state: Handle, at: int) -> int:
    """Return how many fulls the pair with its slot at ``at`` may have."""
    pool = pool_of(state)
    ints = int_view(state)
    between_cells = _between_cells(state, ints[at + SLOT_A], ints[at + SLOT_B])
    return pool.cell_full_limit if between_cells else pool.full_limit


@part
def semi_limit(state: Handle, at: int) -> int:
    """Return how many semis the pair with its slot at ``at`` may have."""
    pool = pool_of(state)
    ints = int_view(state)
    between_cells = _between_cells(state, ints[at + SLOT_A], ints[at + SLOT_B])
    return pool.cell_semi_limit if between_cells else pool.semi_limit


@part
def note_lists(state: Handle, slot: int) -> None:
    """Note what the lists of a pair say: linked or adjacent, bounds of sizes, needed cells."""
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    at = slot_at(state, slot)
    fulls = ints[at + SLOT_FULLS]
    # an empty carrier is contained in all others, so it stands alone
    touching = fulls > 0 and size_of(ints[at + SLOT_LISTS]) == 0
    set_pair_bit(state, pool.linked, ints[at + SLOT_A], ints[at + SLOT_B], fulls > 0)
    set_pair_bit(state, pool.adjacent, ints[at + SLOT_A], ints[at + SLOT_B], touching)
    note_bounds(state, slot)
    for w in range(W):
        needed = ~uint64(0) if fulls else uint64(0)
        for i in range(fulls):
            needed &= words[pool.carrier + row_of(ints[at + SLOT_LISTS + i]) * W + w]
        words[pool.needed + slot * W + w] = needed


@part
def note_full(state: Handle, slot: int, entry: int, first: bool) -> None:
    """Note a full that came into a list with room for it: it only narrows what is needed."""
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    at = slot_at(state, slot)
    a, b = ints[at + SLOT_A], ints[at + SLOT_B]
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
    """Note what a carrier must be smaller than to have a place in the lists of a pair."""
    pool = pool_of(state)
    ints = int_view(state)
    at = slot_at(state, slot)
    fulls, semis = ints[at + SLOT_FULLS], ints[at + SLOT_SEMIS]
    fulls_at, semis_at = at + SLOT_LISTS, at + SLOT_LISTS + pool.full_limit
    full_bound = semi_bound = size_bound(state, ints[at + SLOT_A], ints[at + SLOT_B])
    if fulls >= full_limit(state, at):
        full_bound = min(full_bound, size_of(ints[fulls_at + fulls - 1]))
    if semis >= semi_limit(state, at):
        semi_bound = min(semi_bound, size_of(ints[semis_at + semis - 1]))
    if fulls > 0 and size_of(ints[fulls_at]) == 0:
        full_bound = semi_bound = 0
    ints[at + SLOT_FULL_BOUND] = full_bound
    ints[at + SLOT_SEMI_BOUND] = semi_bound
