"""The lists of connections of each pair of nodes: offer, add, drop, queue for the rules.

A candidate is written where the next row would start: carrier and premises at the ends of their
pools. ``offer_full`` and ``offer_semi`` keep it by raising the lengths. Each list is an antichain
sorted by size, so whether a full list can take a carrier depends on its size alone. The *trail*
saves what a ply changes before its first change, for undo.
"""

from numpy import uint64

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.connections import state as layout
from hextui.engine.kernels.memory import Handle, int_view, popcount, word_view


@part
def drop(state: Handle, row: int) -> None:
    """Mark a row as listed no more: no rule is to be applied to it."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    ints[pool.state + row] = 0


@part
def _contains(state: Handle, entry: int, other: int) -> bool:
    """Return whether an entry's carrier contains another one's."""
    pool = layout.pool_of(state)
    words = word_view(state)
    W = len(state) - 2
    mine = pool.carrier + layout.row_of(entry) * W
    theirs = pool.carrier + layout.row_of(other) * W
    outside = uint64(0)
    for w in range(W):
        outside |= words[theirs + w] & ~words[mine + w]
    return outside == uint64(0)


@part
def _place(state: Handle, entry: int, list_at: int, length: int) -> int:
    """Return where an entry belongs in a list, after its equals; -1 if it contains another."""
    ints = int_view(state)
    size = layout.size_of(entry)
    for i in range(length):
        other = ints[list_at + i]
        if layout.size_of(other) > size:
            return i
        if _contains(state, entry, other):
            return -1
    return length


@part
def _insert(state: Handle, entry: int, place: int, list_at: int, length: int, limit: int) -> int:
    """Insert an entry and return the new length.

    The entries whose carriers contain it are dropped, else the last one if the list is full.
    """
    ints = int_view(state)
    to = place
    moving = entry
    for i in range(place, length):
        other = ints[list_at + i]
        if _contains(state, other, entry):
            drop(state, layout.row_of(other))
        else:
            ints[list_at + to] = moving
            moving = other
            to += 1
    if to == limit:
        drop(state, layout.row_of(moving))
        return to
    ints[list_at + to] = moving
    return to + 1


@part
def _drop_containing(state: Handle, entry: int, list_at: int, length: int) -> int:
    """Drop from the list what contains the carrier of ``entry``; return the new length."""
    ints = int_view(state)
    size = layout.size_of(entry)
    kept = 0
    for i in range(length):
        other = ints[list_at + i]
        if layout.size_of(other) >= size and _contains(state, other, entry):
            drop(state, layout.row_of(other))
        else:
            ints[list_at + kept] = other
            kept += 1
    return kept


@part
def _candidate_entry(state: Handle) -> int:
    """Return the candidate as an entry of a list."""
    pool = layout.pool_of(state)
    words = word_view(state)
    W = len(state) - 2
    row = pool.rows
    size = 0
    for w in range(W):
        size += popcount(words[pool.carrier + row * W + w])
    return size << layout.ROW_BITS | row


@part
def _join_union(state: Handle, slot: int, row: int) -> None:
    pool = layout.pool_of(state)
    words = word_view(state)
    W = len(state) - 2
    union = pool.union + slot * W
    carrier = pool.carrier + row * W
    for w in range(W):
        words[union + w] |= words[carrier + w]


@part
def _keep_row(
    state: Handle, slot: int, entry: int, kind: int, rule: int, key: int, premises: int
) -> None:
    """Turn the candidate into a row."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    row = layout.row_of(entry)
    pool.rows = row + 1
    fields = layout.row_at(state, row)
    slot_fields = layout.slot_at(state, slot)
    ints[fields + layout.ROW_A] = ints[slot_fields + layout.SLOT_A]
    ints[fields + layout.ROW_B] = ints[slot_fields + layout.SLOT_B]
    ints[fields + layout.ROW_KIND] = kind
    ints[fields + layout.ROW_RULE] = rule
    ints[fields + layout.ROW_KEY] = key
    ints[fields + layout.ROW_SIZE] = layout.size_of(entry)
    ints[fields + layout.ROW_PREMISE] = pool.premises
    ints[fields + layout.ROW_PREMISES] = premises
    pool.premises += premises


@part
def _no_room(state: Handle) -> bool:
    """Set OVERFLOW once the pool has no space for another row with its premises."""
    pool = layout.pool_of(state)
    if pool.rows >= pool.row_limit or pool.premises >= pool.premise_limit:
        pool.overflow = max(pool.overflow, 1)
        return True
    return False


@part
def put_full(state: Handle, slot: int, entry: int) -> bool:
    """Put an entry in the slot's list of fulls unless the list has better ones; True if put."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    fields = layout.slot_at(state, slot)
    if layout.size_of(entry) >= ints[fields + layout.SLOT_FULL_BOUND]:
        return False
    lists = fields + layout.SLOT_LISTS
    fulls = ints[fields + layout.SLOT_FULLS]
    semis = ints[fields + layout.SLOT_SEMIS]
    place = _place(state, entry, lists, fulls)
    if place < 0:
        return False
    touch(state, slot)
    limit = layout.full_limit(state, fields)
    ints[fields + layout.SLOT_FULLS] = _insert(state, entry, place, lists, fulls, limit)
    ints[fields + layout.SLOT_SEMIS] = _drop_containing(
        state, entry, lists + pool.full_limit, semis
    )
    if fulls < limit:
        layout.note_full(state, slot, entry, fulls == 0)
        layout.note_bounds(state, slot)
    else:
        layout.note_lists(state, slot)
    _join_union(state, slot, layout.row_of(entry))
    return True


@part
def put_semi(state: Handle, slot: int, entry: int) -> bool:
    """Put an entry in the slot's list of semis unless the lists have better ones; True if put."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    fields = layout.slot_at(state, slot)
    if layout.size_of(entry) >= ints[fields + layout.SLOT_SEMI_BOUND]:
        return False
    lists = fields + layout.SLOT_LISTS
    semi_lists = lists + pool.full_limit
    semis = ints[fields + layout.SLOT_SEMIS]
    if _place(state, entry, lists, ints[fields + layout.SLOT_FULLS]) < 0:
        return False
    place = _place(state, entry, semi_lists, semis)
    if place < 0:
        return False
    touch(state, slot)
    limit = layout.semi_limit(state, fields)
    semis = _insert(state, entry, place, semi_lists, semis, limit)
    ints[fields + layout.SLOT_SEMIS] = semis
    if semis == limit:
        layout.note_bounds(state, slot)
    _join_union(state, slot, layout.row_of(entry))
    return True


@part
def queue_full(state: Handle, row: int, pending: int) -> None:
    """Queue the AND rule on a row at the ends given by ``pending``."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    status = pool.state + row
    queued = ints[status] & (layout.PENDING_A | layout.PENDING_B)
    ints[status] |= pending
    if queued:
        return
    tail = pool.full_tail
    if tail >= pool.full_queue_limit:
        pool.overflow = max(pool.overflow, 1)
        ints[status] &= ~(layout.PENDING_A | layout.PENDING_B)
        return
    ints[pool.full_queue + tail] = row
    pool.full_tail = tail + 1


@part
def queue_or(state: Handle, slot: int) -> None:
    """Queue the OR rule on a slot."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    fields = layout.slot_at(state, slot)
    if ints[fields + layout.SLOT_QUEUED]:
        return
    ints[fields + layout.SLOT_QUEUED] = 1
    tail = pool.or_tail
    ints[pool.or_queue + tail] = slot
    tail += 1
    pool.or_tail = 0 if tail == pool.or_queue_limit else tail


@part
def offer_full(state: Handle, slot: int, rule: int, premises: int) -> bool:
    """Keep the candidate as a full connection of the slot unless a known one is as good."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    if _no_room(state):
        return False
    entry = _candidate_entry(state)
    if not put_full(state, slot, entry):
        return False
    _keep_row(state, slot, entry, layout.FULL, rule, -1, premises)
    ints[pool.state + layout.row_of(entry)] = 0
    queue_full(state, layout.row_of(entry), layout.PENDING_A | layout.PENDING_B)
    return True


@part
def offer_semi(state: Handle, slot: int, rule: int, key: int, premises: int) -> bool:
    """Keep the candidate as a semi connection of the slot unless a known one is as good."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    if _no_room(state):
        return False
    entry = _candidate_entry(state)
    if not put_semi(state, slot, entry):
        return False
    _keep_row(state, slot, entry, layout.SEMI, rule, key, premises)
    ints[pool.state + layout.row_of(entry)] = layout.NEW_SEMI
    queue_or(state, slot)
    return True


@part
def premise_candidate(state: Handle, place: int, row: int) -> None:
    """Write a premise of the candidate."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    ints[pool.premise + pool.premises + place] = row


@part
def touch(state: Handle, slot: int) -> None:
    """Save the slot's lists on the trail before their first change in this ply."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    W = len(state) - 2
    fields = layout.slot_at(state, slot)
    if ints[fields + layout.SLOT_STAMP] == pool.stamp:
        return
    ints[fields + layout.SLOT_STAMP] = pool.stamp
    fulls = ints[fields + layout.SLOT_FULLS]
    semis = ints[fields + layout.SLOT_SEMIS]
    length = fulls + semis + layout.SLOT_RECORD
    top, word_top = pool.trail, pool.trail_words
    if top + length > pool.trail_limit or word_top + 2 * W > pool.trail_word_limit:
        pool.overflow = 2
        return
    to = pool.trail_at + top
    lists = fields + layout.SLOT_LISTS
    for i in range(fulls):
        ints[to + i] = ints[lists + i]
    semi_lists = lists + pool.full_limit
    for i in range(semis):
        ints[to + fulls + i] = ints[semi_lists + i]
    end = to + length
    ints[end - 6] = ints[fields + layout.SLOT_FULL_BOUND]
    ints[end - 5] = ints[fields + layout.SLOT_SEMI_BOUND]
    ints[end - 4] = fulls
    ints[end - 3] = semis
    ints[end - 2] = slot
    ints[end - 1] = layout.RECORD_SLOT
    pool.trail = top + length
    saved = pool.trail_words_at + word_top
    for w in range(W):
        words[saved + w] = words[pool.union + slot * W + w]
        words[saved + W + w] = words[pool.needed + slot * W + w]
    pool.trail_words = word_top + 2 * W


@part
def restore(state: Handle, end: int) -> None:
    """Restore a slot from the trail record that ends at ``end``, the last one with words."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    W = len(state) - 2
    slot = ints[end - 2]
    semis = ints[end - 3]
    fulls = ints[end - 4]
    fields = layout.slot_at(state, slot)
    saved = end - layout.SLOT_RECORD - fulls - semis
    lists = fields + layout.SLOT_LISTS
    for i in range(fulls):
        ints[lists + i] = ints[saved + i]
    semi_lists = lists + pool.full_limit
    for i in range(semis):
        ints[semi_lists + i] = ints[saved + fulls + i]
    a = ints[fields + layout.SLOT_A]
    b = ints[fields + layout.SLOT_B]
    if (fulls > 0) != (ints[fields + layout.SLOT_FULLS] > 0):
        layout.set_pair_bit(state, pool.linked, a, b, fulls > 0)
    touching = ints[end - 6] == 0
    if touching != (ints[fields + layout.SLOT_FULL_BOUND] == 0):
        layout.set_pair_bit(state, pool.adjacent, a, b, touching)
    ints[fields + layout.SLOT_FULL_BOUND] = ints[end - 6]
    ints[fields + layout.SLOT_SEMI_BOUND] = ints[end - 5]
    ints[fields + layout.SLOT_FULLS] = fulls
    ints[fields + layout.SLOT_SEMIS] = semis
    pool.trail_words -= 2 * W
    words_at = pool.trail_words_at + pool.trail_words
    for w in range(W):
        words[pool.union + slot * W + w] = words[words_at + w]
        words[pool.needed + slot * W + w] = words[words_at + W + w]


@part
def set_captain(state: Handle, node: int, captain: int) -> None:
    """Change a node's captain; the old one goes on the trail."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    _save(state, layout.RECORD_CAPTAIN, node, ints[pool.captain + node])
    ints[pool.captain + node] = captain


@part
def set_kind(state: Handle, node: int, kind: int) -> None:
    """Take an empty cell, for an own stone or for good; its kind goes on the trail."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    _save(state, layout.RECORD_KIND, node, ints[pool.kind + node])
    ints[pool.kind + node] = kind
    bit = uint64(1) << uint64(node & 63)
    words[pool.empties + (node >> 6)] &= ~bit
    if kind == layout.ABSENT:
        words[pool.gone + (node >> 6)] |= bit


@part
def _save(state: Handle, record: int, node: int, old: int) -> None:
    pool = layout.pool_of(state)
    ints = int_view(state)
    top = pool.trail
    if top + 3 > pool.trail_limit:
        pool.overflow = 2
        return
    to = pool.trail_at + top
    ints[to] = old
    ints[to + 1] = node
    ints[to + 2] = record
    pool.trail = top + 3


@part
def offer_templates(state: Handle, stone: int) -> None:
    """Offer the edge templates that need the own stone on this cell, and have all their cells.

    Each is a full connection with an edge that the rules do not find
    (docs/methods.md#virtual-connections).
    """
    pool = layout.pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    W = len(state) - 2
    for i in range(ints[pool.templates_at + stone], ints[pool.templates_at + stone + 1]):
        template = pool.template_carrier + i * W
        lost = uint64(0)
        for w in range(W):
            lost |= words[template + w] & words[pool.gone + w]
        if lost:
            continue
        a = ints[pool.captain + ints[pool.template_end + 2 * i]]
        b = ints[pool.captain + ints[pool.template_end + 2 * i + 1]]
        if a < 0:
            continue
        candidate = pool.carrier + pool.rows * W
        for w in range(W):
            words[candidate + w] = words[template + w] & words[pool.empties + w]
        offer_full(state, layout.slot_of_pair(state, a, b), layout.RULE_TEMPLATE, 0)
