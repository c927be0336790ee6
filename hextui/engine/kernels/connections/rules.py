"""H-search: the AND rule, the OR rule, and the run to the fixpoint.

Source: V. Anshelevich (https://doi.org/10.1016/S0004-3702(01)00154-0), as told by Honjo et al.
2010 (https://hdl.handle.net/2115/51049), section 2.2.2 (AND deduction, OR(n) deduction). The
greedy OR (docs/methods.md#virtual-connections) finds sets of semi connections with an empty common
part: for each cell that every known full connection needs, one that avoids it; with the AND rule
over edges then one with each new semi connection that is in none yet.
"""

from numpy import uint64

from hextui.engine.kernels.bits import lowest, popcount
from hextui.engine.kernels.compiling import part
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
    NEW_SEMI,
    OWN_EDGE,
    PENDING_A,
    PENDING_B,
    ROW_A,
    ROW_B,
    ROW_KIND,
    ROW_PREMISE,
    ROW_RULE,
    ROW_SIZE,
    RULE_AND,
    RULE_OR,
    RULE_STONE,
    SLOT_A,
    SLOT_B,
    SLOT_FULL_BOUND,
    SLOT_FULLS,
    SLOT_LISTS,
    SLOT_QUEUED,
    SLOT_SEMI_BOUND,
    SLOT_SEMIS,
    SLOT_STAMP,
    pool_of,
)
from hextui.engine.kernels.views import Handle, int_view, word_view

# from so many partners on it pays to look up which of them a carrier rules out
MANY = 24


@part
def to_fixpoint(state: Handle) -> None:
    """Apply both rules until nothing new follows, a pool is full, or STOP is set."""
    pool = pool_of(state)
    ints = int_view(state)
    while True:
        if pool.overflow or pool.stop:
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
        ints[slot_at(state, slot) + SLOT_QUEUED] = 0
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
        ints[pool.state + ints[pool.full_queue + i]] &= ~(PENDING_A | PENDING_B)
    pool.full_head = 0
    pool.full_tail = 0
    while pool.or_head != pool.or_tail:
        slot = ints[pool.or_queue + pool.or_head]
        ints[slot_at(state, slot) + SLOT_QUEUED] = 0
        pool.or_head += 1
        if pool.or_head == pool.or_queue_limit:
            pool.or_head = 0


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
    blocked = pool.scratch_words
    _list_blocked(state, row, x, z, blocked)
    slots_of_x, slots_of_z = pool.slot_of + x * nodes, pool.slot_of + z * nodes
    for i in range(node_words):
        partners = words[pool.linked + z * node_words + i] & ~words[blocked + i]
        partners &= ~words[pool.adjacent + x * node_words + i]
        if i < W:
            partners &= ~words[first + i]
        if i == x_word:
            partners &= ~x_bit
        while partners:
            y = i * 64 + lowest(partners)
            partners &= partners - uint64(1)
            slot = ints[slots_of_x + y]
            most = ints[slot_at(state, slot) + bound] if slot >= 0 else size_bound(state, x, y)
            room = most - size
            shared = _may_share(state, row, x, y, z)
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
                if overlap and shared == 0:
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
                    if not _add_captured(state, x, y, z):
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
def _may_share(state: Handle, row: int, x: int, y: int, z: int) -> int:
    """Return how many cells of a carrier a stone on one of three nodes may capture at most."""
    pool = pool_of(state)
    words = word_view(state)
    W = len(state) - 2
    carrier, captures = pool.carrier + row * W, pool.captures
    count = 0
    for w in range(W):
        some = words[captures + x * W + w] | words[captures + y * W + w]
        count += popcount(words[carrier + w] & (some | words[captures + z * W + w]))
    return count


@part
def _add_captured(state: Handle, x: int, y: int, z: int) -> bool:
    """Add to the candidate the pairs that own stones on three nodes capture, as far as needed.

    False if not all cells in CAPTURED are of such pairs, of two empty cells, no cell in two pairs.
    """
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    candidate = pool.carrier + pool.rows * W
    shared, used = pool.captured, pool.captured + W
    for w in range(W):
        words[used + w] = uint64(0)
    for place in range(3):
        node = z if place == 0 else x if place == 1 else y
        if ints[pool.kind + node] != EMPTY_CELL:
            continue
        pair = pool.captures + node * W
        met, wrong = uint64(0), uint64(0)
        for w in range(W):
            met |= words[pair + w] & words[shared + w]
            wrong |= words[pair + w] & (words[used + w] | ~words[pool.empties + w])
        if met == uint64(0) or wrong:
            continue
        if _has(state, pair, x) or _has(state, pair, y) or _has(state, pair, z):
            continue
        for w in range(W):
            words[used + w] |= words[pair + w]
            words[candidate + w] |= words[pair + w]
    left = uint64(0)
    for w in range(W):
        left |= words[shared + w] & ~words[used + w]
    return left == uint64(0)


@part
def _has(state: Handle, at: int, node: int) -> bool:
    """Tell whether a set of cells holds a node; edges are in none."""
    if node >> 6 >= len(state) - 2:
        return False
    return word_view(state)[at + (node >> 6)] >> uint64(node & 63) & uint64(1) != uint64(0)


@part
def _list_blocked(state: Handle, row: int, x: int, z: int, blocked: int) -> None:
    """Write the nodes all whose fulls with z need a cell of a row's carrier; none for small z.

    What a stone on one of the ends may capture does not count.
    """
    pool = pool_of(state)
    words = word_view(state)
    size = pool.node_words
    carrier, table = pool.carrier + row * (len(state) - 2), pool.blocked + z * pool.cells * size
    partners = 0
    for i in range(size):
        words[blocked + i] = uint64(0)
        partners += popcount(words[pool.linked + z * size + i])
    if partners < MANY:
        return
    for w in range(len(state) - 2):
        rest = words[carrier + w] & ~words[pool.captures + x * (len(state) - 2) + w]
        while rest:
            at = table + (w * 64 + lowest(rest)) * size
            rest &= rest - uint64(1)
            for i in range(size):
                words[blocked + i] |= words[at + i]


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


@part
def apply_or_greedy(state: Handle, slot: int) -> None:
    """OR rule without enumeration (see the module's text)."""
    pool = pool_of(state)
    ints = int_view(state)
    joinable = _narrow_needed(state, slot)
    # over edges so much competes for the lists that more sets pay; else they cost two fifths of
    # a stone's update
    if not pool.and_over_edges:
        return
    if joinable:
        _join_new(state, slot)
    at = slot_at(state, slot)
    semi_lists = at + SLOT_LISTS + pool.full_limit
    for i in range(ints[at + SLOT_SEMIS]):
        ints[pool.state + row_of(ints[semi_lists + i])] = 0


@part
def _copy_semis(state: Handle, slot: int) -> None:
    """Write the semis of a slot where no offer changes them."""
    pool = pool_of(state)
    ints = int_view(state)
    at = slot_at(state, slot)
    semi_lists = at + SLOT_LISTS + pool.full_limit
    for i in range(ints[at + SLOT_SEMIS]):
        ints[pool.scratch + i] = row_of(ints[semi_lists + i])


@part
def _narrow_needed(state: Handle, slot: int) -> bool:
    """Look for a set against each cell that all fulls need; False if the semis have no set."""
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    at, semis = slot_at(state, slot), pool.scratch
    fulls, count = ints[at + SLOT_FULLS], ints[at + SLOT_SEMIS]
    if count < 2:
        return False
    _copy_semis(state, slot)
    _write_captured(state, slot)
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
def _write_captured(state: Handle, slot: int) -> None:
    """Write the cells that semis of a pair may have in common: own stones on its ends capture them.

    The pairs of both ends, if they have no cell in common.
    """
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    at = slot_at(state, slot)
    for w in range(W):
        words[pool.captured + w] = uint64(0)
    for field in range(SLOT_A, SLOT_B + 1):
        node = ints[at + field]
        if ints[pool.kind + node] != EMPTY_CELL:
            continue
        pair = pool.captures + node * W
        wrong = uint64(0)
        for w in range(W):
            barred = words[pool.captured + w] | ~words[pool.empties + w]
            wrong |= words[pair + w] & barred
        if wrong or _has(state, pair, ints[at + SLOT_A]) or _has(state, pair, ints[at + SLOT_B]):
            continue
        for w in range(W):
            words[pool.captured + w] |= words[pair + w]


@part
def _add_pairs_in_common(state: Handle, slot: int, size: int) -> None:
    """Add to the candidate the captured pairs in which all its premises have a cell in common."""
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    common = pool.captured + W
    met = uint64(0)
    for w in range(W):
        words[common + w] = words[pool.captured + w]
        for i in range(size):
            premise = ints[pool.premise + pool.premises + i]
            words[common + w] &= words[pool.carrier + premise * W + w]
        met |= words[common + w]
    if met == uint64(0):
        return
    at = slot_at(state, slot)
    for field in range(SLOT_A, SLOT_B + 1):
        pair = pool.captures + ints[at + field] * W
        met, wrong = uint64(0), uint64(0)
        for w in range(W):
            met |= words[pair + w] & words[common + w]
            wrong |= words[pair + w] & ~words[pool.captured + w]
        if met and not wrong:
            for w in range(W):
                words[pool.carrier + pool.rows * W + w] |= words[pair + w]


@part
def _join_new(state: Handle, slot: int) -> None:
    """Look for a set with each new semi that is in none yet."""
    pool = pool_of(state)
    ints = int_view(state)
    at = slot_at(state, slot)
    semis, count = pool.scratch, ints[at + SLOT_SEMIS]
    _copy_semis(state, slot)
    for i in range(count):
        row = ints[semis + i]
        if ints[row_at(state, row) + ROW_SIZE] + 1 >= ints[at + SLOT_FULL_BOUND]:
            return
        if not ints[pool.state + row] & NEW_SEMI:
            continue
        for j in range(i, 0, -1):
            ints[semis + j] = ints[semis + j - 1]
        ints[semis] = row
        _offer_avoiding(state, slot, semis, count, -1)
        for j in range(i):
            ints[semis + j] = ints[semis + j + 1]
        ints[semis + i] = row


@part
def _first_cell(state: Handle, at: int) -> int:
    words = word_view(state)
    for w in range(len(state) - 2):
        if words[at + w]:
            return w * 64 + lowest(words[at + w])
    return -1


@part
def _drop_semis_with_all_needed(state: Handle, semis: int, count: int, needed: int) -> int:
    """Keep the semis that avoid some needed cell; 0 if what is left has a common cell."""
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
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
    words = word_view(state)
    some = uint64(0)
    for w in range(len(state) - 2):
        some |= words[pool.captured + w]
    return some != uint64(0) and _offer_set_avoiding(state, slot, semis, count, cell, True)


@part
def _offer_set_avoiding(
    state: Handle, slot: int, semis: int, count: int, cell: int, share: bool
) -> bool:
    """Offer the union of a few semis that avoid ``cell`` and have no common cell.

    ``cell`` -1 avoids nothing. Returns False if there is no such set. The union is taken out
    of the needed cells, whether a list kept it or not.
    """
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    chosen = semis + pool.or_size + count
    needed, common, union = (
        pool.scratch_words,
        pool.scratch_words + W,
        pool.carrier + pool.rows * W,
    )
    for w in range(W):
        words[common + w] = ~words[pool.captured + w] if share else ~uint64(0)
    size = 0
    word, bit = cell >> 6, uint64(1) << uint64(cell & 63)
    empty = False
    for i in range(count):
        row = ints[semis + i]
        carrier = pool.carrier + row * W
        if cell >= 0 and words[carrier + word] & bit:
            continue
        shrinks, left = uint64(0), uint64(0)
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
    _add_pairs_in_common(state, slot, size)
    for w in range(W):
        words[needed + w] &= words[union + w]
    if pool.and_over_edges:
        for i in range(size):
            ints[pool.state + ints[chosen + i]] = 0
    offer_full(state, slot, RULE_OR, size)
    return True


@part
def _drop_redundant(state: Handle, chosen: int, size: int, share: bool) -> int:
    """Drop members without which the common part stays empty; the last one is needed."""
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
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
    """OR(n) rule by enumeration of every set of at most n semis with a new one among them."""
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    at = slot_at(state, slot)
    semi_lists = at + SLOT_LISTS + pool.full_limit
    count = ints[at + SLOT_SEMIS]
    semis = pool.scratch
    for i in range(count):
        ints[semis + i] = row_of(ints[semi_lists + i])
    chosen = semis + count  # places of the members, one a depth
    fresh = chosen + pool.or_size + 1  # new members among them
    _write_captured(state, slot)
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
        shrinks, left = uint64(0), uint64(0)
        for w in range(W):
            old = words[common + depth * W + w]
            shrinks |= old & ~words[carrier + w]
            left |= old & words[carrier + w]
            words[common + (depth + 1) * W + w] = old & words[carrier + w]
            words[union + (depth + 1) * W + w] = words[union + depth * W + w] | words[carrier + w]
        if shrinks == uint64(0):
            continue
        new = ints[fresh + depth] + (ints[pool.state + row] & NEW_SEMI)
        if left == uint64(0):
            if new:
                _offer_set(state, slot, semis, chosen, depth, union + (depth + 1) * W)
        elif depth + 1 < pool.or_size:
            depth += 1
            ints[chosen + depth] = place
            ints[fresh + depth] = new
    for i in range(count):
        ints[pool.state + ints[semis + i]] &= ~NEW_SEMI


@part
def _offer_set(state: Handle, slot: int, semis: int, chosen: int, depth: int, union: int) -> None:
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    for i in range(depth + 1):
        premise_candidate(state, i, ints[semis + ints[chosen + i]])
    for w in range(W):
        words[pool.carrier + pool.rows * W + w] = words[union + w]
    _add_pairs_in_common(state, slot, depth + 1)
    offer_full(state, slot, RULE_OR, depth + 1)
