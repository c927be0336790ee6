"""H-search: the AND rule.

Source: V. Anshelevich (https://doi.org/10.1016/S0004-3702(01)00154-0), as told by Honjo et al.
2010 (https://hdl.handle.net/2115/51049), section 2.2.2 (AND deduction).
"""

from numpy import uint64

from hextui.engine.kernels.bits import lowest
from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.connections.captured_sets import (
    MOST_INSIDE,
    add_captured,
    are_captured_inside,
    may_share,
)
from hextui.engine.kernels.connections.lists import offer_full, offer_semi, premise_candidate
from hextui.engine.kernels.connections.slots import (
    row_at,
    row_of,
    size_bound,
    size_of,
    slot_at,
    slot_of_pair,
)
from hextui.engine.kernels.connections.state import (
    EMPTY_CELL,
    FULL,
    NO_BOUND,
    OWN_EDGE,
    OWN_GROUP,
    PENDING_A,
    PENDING_B,
    ROW_A,
    ROW_B,
    ROW_KIND,
    ROW_PREMISE,
    ROW_RULE,
    ROW_SIZE,
    RULE_AND,
    RULE_STONE,
    SLOT_FULL_BOUND,
    SLOT_FULLS,
    SLOT_LISTS,
    SLOT_SEMI_BOUND,
    SLOT_STAMP,
    pool_of,
)
from hextui.engine.kernels.views import Handle, int_view, word_view

# cells of the smallest full connection of two nodes that do not touch
LEAST_FULL = 2


@part
def apply_and(state: Handle, row: int) -> None:
    """Combine a full connection with the others at each end where that is pending."""
    pool = pool_of(state)
    ints = int_view(state)
    status = pool.state + row
    pending = ints[status] & (PENDING_A | PENDING_B)
    ints[status] &= ~(PENDING_A | PENDING_B)
    at = row_at(state, row)
    a = ints[pool.captain + ints[at + ROW_A]]
    b = ints[pool.captain + ints[at + ROW_B]]
    if pending & PENDING_A:
        _combine(state, row, b, a)
    if pending & PENDING_B:
        _combine(state, row, a, b)


@part
def _combine(state: Handle, row: int, x: int, z: int) -> None:
    """AND rule for the full x-z with every full z-y that is no longer pending at z."""
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    kind = ints[pool.kind + z]
    if kind == OWN_EDGE and not pool.and_over_edges:
        return
    nodes, node_words = pool.nodes, pool.node_words
    carriers = pool.carrier
    first = carriers + row * W
    only_new = z != pool.group and _is_shrunk(state, row)
    size, bound = ints[row_at(state, row) + ROW_SIZE], SLOT_FULL_BOUND
    if kind == EMPTY_CELL:
        size, bound = size + 1, SLOT_SEMI_BOUND
    x_word, x_bit = x >> 6, uint64(1) << uint64(x & 63)
    sharing = pool.sharing and _may_be_captured(state, row)
    # between two empty cells carriers are small, so most partners need not be looked at
    cell_room = NO_BOUND
    if ints[pool.kind + x] == EMPTY_CELL and not sharing:
        cell_room = pool.cell_bound - size
    joins_own = pool.sharing and ints[pool.kind + x] >= OWN_GROUP
    slots_of_x, slots_of_z = pool.slot_of + x * nodes, pool.slot_of + z * nodes
    for i in range(node_words):
        partners = words[pool.linked + z * node_words + i]
        partners &= ~words[pool.adjacent + x * node_words + i]
        if i < W:
            partners &= ~words[first + i]
            if cell_room <= 0:
                partners &= ~words[pool.empties + i]
            elif cell_room <= LEAST_FULL:
                partners &= words[pool.adjacent + z * node_words + i] | ~words[pool.empties + i]
        if i == x_word:
            partners &= ~x_bit
        while partners:
            y = i * 64 + lowest(partners)
            partners &= partners - uint64(1)
            slot = ints[slots_of_x + y]
            most = ints[slot_at(state, slot) + bound] if slot >= 0 else size_bound(state, x, y)
            room = most - size
            at_edges = may_share(state, row, x, y, z) if sharing else 0
            inside = MOST_INSIDE if joins_own and ints[pool.kind + y] >= OWN_GROUP else 0
            shared = max(at_edges, inside)
            if room + shared <= 0:
                continue
            partner_slot = slot_at(state, ints[slots_of_z + y])
            if only_new and ints[partner_slot + SLOT_STAMP] != pool.stamp:
                continue
            for j in range(ints[partner_slot + SLOT_FULLS]):
                entry = ints[partner_slot + SLOT_LISTS + j]
                if size_of(entry) >= room + shared:
                    break
                partner = row_of(entry)
                if only_new and partner < pool.old_rows:
                    continue
                second = carriers + partner * W
                overlap = uint64(0)
                for w in range(W):
                    overlap |= words[first + w] & words[second + w]
                if shared == 0 if overlap else size_of(entry) >= room:
                    continue
                if x_word < W and words[second + x_word] & x_bit:
                    continue
                if _pending_at(state, partner, z):
                    continue
                candidate = carriers + pool.rows * W
                for w in range(W):
                    words[candidate + w] = words[first + w] | words[second + w]
                if overlap:
                    for w in range(W):
                        words[pool.captured + w] = words[first + w] & words[second + w]
                    explained = at_edges > 0 and add_captured(state, x, y, z)
                    if not explained and not (inside and are_captured_inside(state, z)):
                        continue
                if slot < 0:
                    slot = slot_of_pair(state, x, y)
                premise_candidate(state, 0, row)
                premise_candidate(state, 1, partner)
                if kind == EMPTY_CELL:
                    words[candidate + (z >> 6)] |= uint64(1) << uint64(z & 63)
                    offer_semi(state, slot, RULE_AND, z, 2)
                else:
                    offer_full(state, slot, RULE_AND, 2)
                room = ints[slot_at(state, slot) + bound] - size


@part
def _may_be_captured(state: Handle, row: int) -> bool:
    """Tell whether a row's carrier has cells that a stone somewhere captures."""
    pool = pool_of(state)
    words = word_view(state)
    W = len(state) - 2
    some = uint64(0)
    for w in range(W):
        some |= words[pool.carrier + row * W + w] & words[pool.capturable + w]
    return some != uint64(0)


@part
def _is_shrunk(state: Handle, row: int) -> bool:
    """Tell whether a full is an older full without the cell of the stone being played.

    With partners from before the stone such a row gives nothing new: what the older one gave
    with them has lost the cell too, and where both had the cell the partner is new as well.
    """
    pool = pool_of(state)
    ints = int_view(state)
    at = row_at(state, row)
    if ints[at + ROW_RULE] != RULE_STONE:
        return False
    premise = ints[pool.premise + ints[at + ROW_PREMISE]]
    return ints[row_at(state, premise) + ROW_KIND] == FULL


@part
def _pending_at(state: Handle, row: int, node: int) -> bool:
    """Tell whether the AND rule is still to be applied to the row at this end."""
    pool = pool_of(state)
    ints = int_view(state)
    waiting = ints[pool.state + row] & (PENDING_A | PENDING_B)
    if not waiting:
        return False
    at = row_at(state, row)
    if ints[pool.captain + ints[at + ROW_A]] == node:
        return waiting & PENDING_A != 0
    return waiting & PENDING_B != 0
