"""H-search: the OR rule, by enumeration of sets or greedy, and both rules to the fixpoint.

Source: V. Anshelevich (https://doi.org/10.1016/S0004-3702(01)00154-0), as described by Honjo et al.
2010 (https://hdl.handle.net/2115/51049), section 2.2.2 (OR(n) deduction). The greedy OR
(docs/methods.md#virtual-connections) finds sets of disjoint semi connections: one that avoids each
cell that every full connection needs, and with the AND rule over edges one with each new semi.
"""

from numpy import uint64

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.connections import state as layout
from hextui.engine.kernels.connections.and_rule import (
    add_pairs_in_common,
    apply_and,
    write_captured,
)
from hextui.engine.kernels.connections.lists import offer_full, premise_candidate
from hextui.engine.kernels.connections.state import pool_of, row_at, row_of, slot_at
from hextui.engine.kernels.memory import Handle, int_view, lowest, word_view


@part
def apply_or_greedy(state: Handle, slot: int) -> None:
    """Apply the greedy OR rule to a pair (see the module's docstring)."""
    pool = pool_of(state)
    ints = int_view(state)
    joinable = _narrow_needed(state, slot)
    # over edges many carriers compete for the lists, so more sets pay; else they cost two fifths
    # of a stone's update
    if not pool.and_over_edges:
        return
    if joinable:
        _join_new(state, slot)
    fields = slot_at(state, slot)
    semi_lists = fields + layout.SLOT_LISTS + pool.full_limit
    for i in range(ints[fields + layout.SLOT_SEMIS]):
        ints[pool.state + row_of(ints[semi_lists + i])] = 0


@part
def _copy_semis(state: Handle, slot: int) -> None:
    """Write the semis of a slot where no offer changes them."""
    pool = pool_of(state)
    ints = int_view(state)
    fields = slot_at(state, slot)
    semi_lists = fields + layout.SLOT_LISTS + pool.full_limit
    for i in range(ints[fields + layout.SLOT_SEMIS]):
        ints[pool.scratch + i] = row_of(ints[semi_lists + i])


@part
def _narrow_needed(state: Handle, slot: int) -> bool:
    """Find a set that avoids each cell that all fulls need; False if the semis have no set."""
    pool = pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    W = len(state) - 2
    fields = slot_at(state, slot)
    semis = pool.scratch
    fulls = ints[fields + layout.SLOT_FULLS]
    count = ints[fields + layout.SLOT_SEMIS]
    if count < 2:
        return False
    _copy_semis(state, slot)
    write_captured(state, slot)
    needed = pool.scratch_words  # cells that every full connection needs
    for w in range(W):
        words[needed + w] = words[pool.needed + slot * W + w] if fulls else ~uint64(0)
    if fulls == 0 and not _offer_avoiding(state, slot, semis, count, -1):
        return False
    narrowed = True
    while True:
        cell = _first_cell(state, needed)
        if cell < 0:
            return True
        if narrowed:
            count = _drop_semis_with_all_needed(state, semis, count, needed)
            if count < 2:
                return True
        narrowed = _offer_avoiding(state, slot, semis, count, cell)
        # a pair that is captured may bring it back
        words[needed + (cell >> 6)] &= ~(uint64(1) << uint64(cell & 63))


@part
def _join_new(state: Handle, slot: int) -> None:
    """Find a set with each new semi that is in none yet."""
    pool = pool_of(state)
    ints = int_view(state)
    fields = slot_at(state, slot)
    semis = pool.scratch
    count = ints[fields + layout.SLOT_SEMIS]
    _copy_semis(state, slot)
    for i in range(count):
        row = ints[semis + i]
        if ints[row_at(state, row) + layout.ROW_SIZE] + 1 >= ints[fields + layout.SLOT_FULL_BOUND]:
            return
        if not ints[pool.state + row] & layout.NEW_SEMI:
            continue
        for j in range(i, 0, -1):
            ints[semis + j] = ints[semis + j - 1]
        ints[semis] = row
        _offer_avoiding(state, slot, semis, count, -1)
        for j in range(i):
            ints[semis + j] = ints[semis + j + 1]
        ints[semis + i] = row


@part
def _first_cell(state: Handle, cells: int) -> int:
    words = word_view(state)
    for w in range(len(state) - 2):
        if words[cells + w]:
            return w * 64 + lowest(words[cells + w])
    return -1


@part
def _drop_semis_with_all_needed(state: Handle, semis: int, count: int, needed: int) -> int:
    """Keep the semis that avoid some needed cell; 0 if what is left has a common cell."""
    pool = pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    W = len(state) - 2
    common = pool.scratch_words + W
    for w in range(W):
        words[common + w] = ~words[pool.captured + w]
    kept = 0
    for i in range(count):
        row = ints[semis + i]
        carrier = pool.carrier + row * W
        avoided = uint64(0)
        for w in range(W):
            avoided |= words[needed + w] & ~words[carrier + w]
        if avoided:
            ints[semis + kept] = row
            kept += 1
            for w in range(W):
                words[common + w] &= words[carrier + w]
    return kept if _first_cell(state, common) < 0 else 0


@part
def _offer_avoiding(state: Handle, slot: int, semis: int, count: int, cell: int) -> bool:
    """Offer a set as below, of semis without a common cell or, failing that, with captured ones."""
    if _offer_set_avoiding(state, slot, semis, count, cell, False):
        return True
    pool = pool_of(state)
    if not pool.sharing:
        return False
    words = word_view(state)
    some = uint64(0)
    for w in range(len(state) - 2):
        some |= words[pool.captured + w]
    return some != uint64(0) and _offer_set_avoiding(state, slot, semis, count, cell, True)


@part
def _offer_set_avoiding(
    state: Handle, slot: int, semis: int, count: int, cell: int, share: bool
) -> bool:
    """Offer the union of a few semis that avoid ``cell`` (-1: nothing) and have no common cell.

    False if there is no such set. The union is taken out of the needed cells in any case.
    """
    pool = pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    W = len(state) - 2
    chosen = semis + pool.or_size + count
    needed = pool.scratch_words
    common = pool.scratch_words + W
    union = pool.carrier + pool.rows * W
    for w in range(W):
        words[common + w] = ~words[pool.captured + w] if share else ~uint64(0)
    size = 0
    word = cell >> 6
    bit = uint64(1) << uint64(cell & 63)
    empty = False
    for i in range(count):
        row = ints[semis + i]
        carrier = pool.carrier + row * W
        if cell >= 0 and words[carrier + word] & bit:
            continue
        shrinks = uint64(0)
        left = uint64(0)
        for w in range(W):
            shrinks |= words[common + w] & ~words[carrier + w]
            left |= words[common + w] & words[carrier + w]
        if shrinks == uint64(0):
            continue
        for w in range(W):
            words[common + w] &= words[carrier + w]
        ints[chosen + size] = row
        size += 1
        if left == uint64(0):
            empty = True
            break
    if not empty:
        return False
    size = _drop_redundant(state, chosen, size, share)
    for w in range(W):
        words[union + w] = uint64(0)
    for i in range(size):
        carrier = pool.carrier + ints[chosen + i] * W
        premise_candidate(state, i, ints[chosen + i])
        for w in range(W):
            words[union + w] |= words[carrier + w]
    if share:
        add_pairs_in_common(state, slot, size)
    for w in range(W):
        words[needed + w] &= words[union + w]
    if pool.and_over_edges:
        for i in range(size):
            ints[pool.state + ints[chosen + i]] = 0
    offer_full(state, slot, layout.RULE_OR, size)
    return True


@part
def _drop_redundant(state: Handle, chosen: int, size: int, share: bool) -> int:
    """Drop members without which the common part stays empty; the last one is needed."""
    pool = pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    W = len(state) - 2
    common = pool.scratch_words + W
    i = 0
    while i < size - 1 and size > 2:
        for w in range(W):
            words[common + w] = ~words[pool.captured + w] if share else ~uint64(0)
        for j in range(size):
            if j != i:
                carrier = pool.carrier + ints[chosen + j] * W
                for w in range(W):
                    words[common + w] &= words[carrier + w]
        if _first_cell(state, common) < 0:
            for j in range(i, size - 1):
                ints[chosen + j] = ints[chosen + j + 1]
            size -= 1
        else:
            i += 1
    return size


@part
def apply_or_sets(state: Handle, slot: int) -> None:
    """Apply OR(n) by enumeration of every set of at most n semis with a new one among them."""
    pool = pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    W = len(state) - 2
    fields = slot_at(state, slot)
    count = ints[fields + layout.SLOT_SEMIS]
    semis = pool.scratch
    _copy_semis(state, slot)
    chosen = semis + count  # places of the members, one a depth
    fresh = chosen + pool.or_size + 1  # new members among them
    write_captured(state, slot)
    common = pool.scratch_words + W
    union = common + (pool.or_size + 1) * W
    for w in range(W):
        words[common + w] = ~words[pool.captured + w]
        words[union + w] = uint64(0)
    depth = 0
    ints[chosen] = -1
    ints[fresh] = 0
    while depth >= 0:
        ints[chosen + depth] += 1
        place = ints[chosen + depth]
        if place >= count:
            depth -= 1
            continue
        row = ints[semis + place]
        carrier = pool.carrier + row * W
        shrinks = uint64(0)
        left = uint64(0)
        for w in range(W):
            old = words[common + depth * W + w]
            shrinks |= old & ~words[carrier + w]
            left |= old & words[carrier + w]
            words[common + (depth + 1) * W + w] = old & words[carrier + w]
            words[union + (depth + 1) * W + w] = words[union + depth * W + w] | words[carrier + w]
        if shrinks == uint64(0):
            continue
        new = ints[fresh + depth] + (ints[pool.state + row] & layout.NEW_SEMI)
        if left == uint64(0):
            if new:
                _offer_set(state, slot, semis, chosen, depth, union + (depth + 1) * W)
        elif depth + 1 < pool.or_size:
            depth += 1
            ints[chosen + depth] = place
            ints[fresh + depth] = new
    for i in range(count):
        ints[pool.state + ints[semis + i]] &= ~layout.NEW_SEMI


@part
def _offer_set(state: Handle, slot: int, semis: int, chosen: int, depth: int, union: int) -> None:
    pool = pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    W = len(state) - 2
    for i in range(depth + 1):
        premise_candidate(state, i, ints[semis + ints[chosen + i]])
    for w in range(W):
        words[pool.carrier + pool.rows * W + w] = words[union + w]
    if pool.sharing:
        add_pairs_in_common(state, slot, depth + 1)
    offer_full(state, slot, layout.RULE_OR, depth + 1)


@part
def to_fixpoint(state: Handle) -> None:
    """Apply both rules until nothing new follows or a pool is full."""
    pool = pool_of(state)
    ints = int_view(state)
    while True:
        if pool.overflow:
            _clear_queues(state)
            return
        if pool.full_head < pool.full_tail:
            row = ints[pool.full_queue + pool.full_head]
            pool.full_head += 1
            apply_and(state, row)
            continue
        pool.full_head = 0
        pool.full_tail = 0
        if pool.or_head == pool.or_tail:
            return
        slot = ints[pool.or_queue + pool.or_head]
        pool.or_head += 1
        if pool.or_head == pool.or_queue_limit:
            pool.or_head = 0
        ints[slot_at(state, slot) + layout.SLOT_QUEUED] = 0
        if pool.or_size:
            apply_or_sets(state, slot)
        else:
            apply_or_greedy(state, slot)


@part
def _clear_queues(state: Handle) -> None:
    """Forget what was queued, so that an interrupted search can be undone."""
    pool = pool_of(state)
    ints = int_view(state)
    for i in range(pool.full_head, pool.full_tail):
        ints[pool.state + ints[pool.full_queue + i]] &= ~(layout.PENDING_A | layout.PENDING_B)
    pool.full_head = 0
    pool.full_tail = 0
    while pool.or_head != pool.or_tail:
        slot = ints[pool.or_queue + pool.or_head]
        ints[slot_at(state, slot) + layout.SLOT_QUEUED] = 0
        pool.or_head += 1
        if pool.or_head == pool.or_queue_limit:
            pool.or_head = 0
