"""The lists of connections of each pair of nodes: offer, drop, save for undo.

A candidate connection is written where the next row would start: carrier at the end of the
carrier pool, premises at the end of the premise pool. ``offer_full`` and ``offer_semi`` keep it
by raising the lengths. Each list stays an antichain, no carrier contains another one's, and is
sorted by size. So what a full list cannot take is known by its size alone.
"""

import numpy as np
from numpy import uint64

from hextui.engine.kernels.bits import (
    lowest,
    popcount,
)
from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.connection_state import (
    ADJACENT,
    BLOCKED,
    CAPTAIN,
    CARRIER,
    CELL_BOUND,
    CELL_FULL_LIMIT,
    CELL_SEMI_LIMIT,
    CELLS,
    EMPTY_CELL,
    FULL,
    FULL_LIMIT,
    FULL_QUEUE,
    FULL_QUEUE_LIMIT,
    FULL_TAIL,
    KIND,
    LINKED,
    NEEDED,
    NEW_SEMI,
    NO_BOUND,
    NODE_WORDS,
    NODES,
    OR_QUEUE,
    OR_QUEUE_LIMIT,
    OR_TAIL,
    OVERFLOW,
    PENDING_A,
    PENDING_B,
    PREMISE,
    PREMISE_LIMIT,
    PREMISES,
    RECORD_CAPTAIN,
    RECORD_KIND,
    RECORD_SLOT,
    ROW,
    ROW_A,
    ROW_B,
    ROW_BITS,
    ROW_FIELDS,
    ROW_KEY,
    ROW_KIND,
    ROW_LIMIT,
    ROW_MASK,
    ROW_PREMISE,
    ROW_PREMISES,
    ROW_RULE,
    ROW_SIZE,
    ROWS,
    SEMI,
    SEMI_LIMIT,
    SLOT,
    SLOT_A,
    SLOT_B,
    SLOT_FULL_BOUND,
    SLOT_FULLS,
    SLOT_LISTS,
    SLOT_OF,
    SLOT_QUEUED,
    SLOT_RECORD,
    SLOT_SEMI_BOUND,
    SLOT_SEMIS,
    SLOT_SIZE,
    SLOT_STAMP,
    SLOTS,
    STAMP,
    STATE,
    TRAIL,
    TRAIL_AT,
    TRAIL_LIMIT,
    TRAIL_WORD_LIMIT,
    TRAIL_WORDS,
    TRAIL_WORDS_AT,
    UNION,
)
from hextui.engine.kernels.views import (
    Handle,
    int_view,
    word_view,
)


@part
def slot_at(state: Handle, slot: int) -> int:
    """Return the index in ints of a slot's fields."""
    ints = int_view(state)
    return ints[SLOT] + slot * ints[SLOT_SIZE]


@part
def row_at(state: Handle, row: int) -> int:
    """Return the index in ints of a row's fields."""
    ints = int_view(state)
    return ints[ROW] + row * ROW_FIELDS


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
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    nodes = ints[NODES]
    slot = ints[ints[SLOT_OF] + a * nodes + b]
    if slot >= 0:
        return slot
    slot = ints[SLOTS]
    ints[SLOTS] = slot + 1
    ints[ints[SLOT_OF] + a * nodes + b] = slot
    ints[ints[SLOT_OF] + b * nodes + a] = slot
    at = slot_at(state, slot)
    ints[at + SLOT_A] = a
    ints[at + SLOT_B] = b
    for field in range(SLOT_FULLS, SLOT_FULL_BOUND):
        ints[at + field] = 0
    ints[at + SLOT_FULL_BOUND] = ints[at + SLOT_SEMI_BOUND] = size_bound(state, a, b)
    for w in range(W):
        words[ints[UNION] + slot * W + w] = uint64(0)
    return slot


@part
def free_slots(state: Handle, count: int) -> None:
    """Forget all slots but the first ``count``; nothing of the others is left in any table."""
    ints = int_view(state)
    nodes = ints[NODES]
    for slot in range(count, ints[SLOTS]):
        at = slot_at(state, slot)
        a, b = ints[at + SLOT_A], ints[at + SLOT_B]
        ints[ints[SLOT_OF] + a * nodes + b] = -1
        ints[ints[SLOT_OF] + b * nodes + a] = -1
        for w in range(len(state) - 2):
            set_needed(state, slot, w, uint64(0))
    ints[SLOTS] = count


@part
def set_pair_bit(state: Handle, table: int, a: int, b: int, value: bool) -> None:
    """Set or clear a pair in a table of bitsets, one a node: LINKED or ADJACENT."""
    ints, words = int_view(state), word_view(state)
    size = ints[NODE_WORDS]
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
    ints = int_view(state)
    return ints[ints[KIND] + a] == EMPTY_CELL and ints[ints[KIND] + b] == EMPTY_CELL


@part
def size_bound(state: Handle, a: int, b: int) -> int:
    """Return what a carrier of a pair must be smaller than while its lists have room."""
    ints = int_view(state)
    return ints[CELL_BOUND] if _between_cells(state, a, b) else NO_BOUND


@part
def _full_limit(state: Handle, at: int) -> int:
    ints = int_view(state)
    between_cells = _between_cells(state, ints[at + SLOT_A], ints[at + SLOT_B])
    return ints[CELL_FULL_LIMIT] if between_cells else ints[FULL_LIMIT]


@part
def _semi_limit(state: Handle, at: int) -> int:
    ints = int_view(state)
    between_cells = _between_cells(state, ints[at + SLOT_A], ints[at + SLOT_B])
    return ints[CELL_SEMI_LIMIT] if between_cells else ints[SEMI_LIMIT]


@part
def note_lists(state: Handle, slot: int) -> None:
    """Note what the lists of a pair say: linked or adjacent, bounds of sizes, needed cells."""
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    at = slot_at(state, slot)
    fulls = ints[at + SLOT_FULLS]
    # an empty carrier is contained in all others, so it stands alone
    touching = fulls > 0 and size_of(ints[at + SLOT_LISTS]) == 0
    set_pair_bit(state, ints[LINKED], ints[at + SLOT_A], ints[at + SLOT_B], fulls > 0)
    set_pair_bit(state, ints[ADJACENT], ints[at + SLOT_A], ints[at + SLOT_B], touching)
    note_bounds(state, slot)
    for w in range(W):
        needed = ~uint64(0) if fulls else uint64(0)
        for i in range(fulls):
            needed &= words[ints[CARRIER] + row_of(ints[at + SLOT_LISTS + i]) * W + w]
        set_needed(state, slot, w, needed)


@part
def _note_full(state: Handle, slot: int, entry: int, first: bool) -> None:
    """Note a full that came into a list with room for it: it only narrows what is needed."""
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    at = slot_at(state, slot)
    a, b = ints[at + SLOT_A], ints[at + SLOT_B]
    carrier = ints[CARRIER] + row_of(entry) * W
    for w in range(W):
        needed = words[carrier + w]
        if not first:
            needed &= words[ints[NEEDED] + slot * W + w]
        set_needed(state, slot, w, needed)
    if first:
        set_pair_bit(state, ints[LINKED], a, b, True)
    if size_of(entry) == 0:
        set_pair_bit(state, ints[ADJACENT], a, b, True)


@part
def note_bounds(state: Handle, slot: int) -> None:
    """Note what a carrier must be smaller than to have a place in the lists of a pair."""
    ints = int_view(state)
    at = slot_at(state, slot)
    fulls, semis = ints[at + SLOT_FULLS], ints[at + SLOT_SEMIS]
    fulls_at, semis_at = at + SLOT_LISTS, at + SLOT_LISTS + ints[FULL_LIMIT]
    full_bound = semi_bound = size_bound(state, ints[at + SLOT_A], ints[at + SLOT_B])
    if fulls >= _full_limit(state, at):
        full_bound = min(full_bound, size_of(ints[fulls_at + fulls - 1]))
    if semis >= _semi_limit(state, at):
        semi_bound = min(semi_bound, size_of(ints[semis_at + semis - 1]))
    if fulls > 0 and size_of(ints[fulls_at]) == 0:
        full_bound = semi_bound = 0
    ints[at + SLOT_FULL_BOUND] = full_bound
    ints[at + SLOT_SEMI_BOUND] = semi_bound


@part
def set_needed(state: Handle, slot: int, w: int, needed: np.uint64) -> None:
    """Set a word of the cells that all fulls of a pair need, at the pair and at both its ends."""
    ints, words = int_view(state), word_view(state)
    at = ints[NEEDED] + slot * (len(state) - 2) + w
    changed = needed ^ words[at]
    if changed == uint64(0):
        return
    words[at] = needed
    fields = slot_at(state, slot)
    a, b = ints[fields + SLOT_A], ints[fields + SLOT_B]
    size, cells = ints[NODE_WORDS], ints[CELLS]
    of_a = ints[BLOCKED] + a * cells * size + (b >> 6)
    of_b = ints[BLOCKED] + b * cells * size + (a >> 6)
    bit_a, bit_b = uint64(1) << uint64(a & 63), uint64(1) << uint64(b & 63)
    while changed:
        cell = w * 64 + lowest(changed)
        changed &= changed - uint64(1)
        words[of_a + cell * size] ^= bit_b
        words[of_b + cell * size] ^= bit_a


@part
def touch(state: Handle, slot: int) -> None:
    """Save the slot's lists on the trail before their first change in this ply."""
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    at = slot_at(state, slot)
    if ints[at + SLOT_STAMP] == ints[STAMP]:
        return
    ints[at + SLOT_STAMP] = ints[STAMP]
    fulls, semis = ints[at + SLOT_FULLS], ints[at + SLOT_SEMIS]
    length = fulls + semis + SLOT_RECORD
    top, word_top = ints[TRAIL], ints[TRAIL_WORDS]
    if top + length > ints[TRAIL_LIMIT] or word_top + 2 * W > ints[TRAIL_WORD_LIMIT]:
        ints[OVERFLOW] = 2
        return
    to = ints[TRAIL_AT] + top
    lists = at + SLOT_LISTS
    for i in range(fulls):
        ints[to + i] = ints[lists + i]
    semi_lists = lists + ints[FULL_LIMIT]
    for i in range(semis):
        ints[to + fulls + i] = ints[semi_lists + i]
    end = to + length
    ints[end - 6] = ints[at + SLOT_FULL_BOUND]
    ints[end - 5] = ints[at + SLOT_SEMI_BOUND]
    ints[end - 4] = fulls
    ints[end - 3] = semis
    ints[end - 2] = slot
    ints[end - 1] = RECORD_SLOT
    ints[TRAIL] = top + length
    saved = ints[TRAIL_WORDS_AT] + word_top
    for w in range(W):
        words[saved + w] = words[ints[UNION] + slot * W + w]
        words[saved + W + w] = words[ints[NEEDED] + slot * W + w]
    ints[TRAIL_WORDS] = word_top + 2 * W


@part
def restore(state: Handle, end: int) -> None:
    """Restore a slot from the trail record that ends at ``end``, the last one with words."""
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    slot, semis, fulls = ints[end - 2], ints[end - 3], ints[end - 4]
    at = slot_at(state, slot)
    saved = end - SLOT_RECORD - fulls - semis
    lists = at + SLOT_LISTS
    for i in range(fulls):
        ints[lists + i] = ints[saved + i]
    semi_lists = lists + ints[FULL_LIMIT]
    for i in range(semis):
        ints[semi_lists + i] = ints[saved + fulls + i]
    a, b = ints[at + SLOT_A], ints[at + SLOT_B]
    if (fulls > 0) != (ints[at + SLOT_FULLS] > 0):
        set_pair_bit(state, ints[LINKED], a, b, fulls > 0)
    touching = ints[end - 6] == 0
    if touching != (ints[at + SLOT_FULL_BOUND] == 0):
        set_pair_bit(state, ints[ADJACENT], a, b, touching)
    ints[at + SLOT_FULL_BOUND] = ints[end - 6]
    ints[at + SLOT_SEMI_BOUND] = ints[end - 5]
    ints[at + SLOT_FULLS] = fulls
    ints[at + SLOT_SEMIS] = semis
    ints[TRAIL_WORDS] -= 2 * W
    words_at = ints[TRAIL_WORDS_AT] + ints[TRAIL_WORDS]
    for w in range(W):
        words[ints[UNION] + slot * W + w] = words[words_at + w]
        set_needed(state, slot, w, words[words_at + W + w])


@part
def set_captain(state: Handle, node: int, captain: int) -> None:
    """Change a node's captain; the old one goes on the trail."""
    ints = int_view(state)
    _save(state, RECORD_CAPTAIN, node, ints[ints[CAPTAIN] + node])
    ints[ints[CAPTAIN] + node] = captain


@part
def set_kind(state: Handle, node: int, kind: int) -> None:
    """Change a node's kind; the old one goes on the trail."""
    ints = int_view(state)
    _save(state, RECORD_KIND, node, ints[ints[KIND] + node])
    ints[ints[KIND] + node] = kind


@part
def _save(state: Handle, record: int, node: int, old: int) -> None:
    ints = int_view(state)
    top = ints[TRAIL]
    if top + 3 > ints[TRAIL_LIMIT]:
        ints[OVERFLOW] = 2
        return
    to = ints[TRAIL_AT] + top
    ints[to], ints[to + 1], ints[to + 2] = old, node, record
    ints[TRAIL] = top + 3


@part
def drop(state: Handle, row: int) -> None:
    """Note that a row is in no list any more: no rule is to be applied to it."""
    ints = int_view(state)
    ints[ints[STATE] + row] = 0


@part
def _contains(state: Handle, entry: int, other: int) -> bool:
    """Tell whether an entry's carrier contains another one's."""
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    mine, theirs = ints[CARRIER] + row_of(entry) * W, ints[CARRIER] + row_of(other) * W
    outside = uint64(0)
    for w in range(W):
        outside |= words[theirs + w] & ~words[mine + w]
    return outside == uint64(0)


@part
def _place(state: Handle, entry: int, list_at: int, length: int) -> int:
    """Return where an entry belongs in a list, after its equals; -1 if it contains another."""
    ints = int_view(state)
    size = size_of(entry)
    for i in range(length):
        other = ints[list_at + i]
        if size_of(other) > size:
            return i
        if _contains(state, entry, other):
            return -1
    return length


@part
def _insert(state: Handle, entry: int, place: int, list_at: int, length: int, limit: int) -> int:
    """Insert an entry; what contains it goes, else the last if the list is full. The new length."""
    ints = int_view(state)
    to = place
    moving = entry
    for i in range(place, length):
        other = ints[list_at + i]
        if _contains(state, other, entry):
            drop(state, row_of(other))
        else:
            ints[list_at + to] = moving
            moving = other
            to += 1
    if to == limit:
        drop(state, row_of(moving))
        return to
    ints[list_at + to] = moving
    return to + 1


@part
def _drop_containing(state: Handle, entry: int, list_at: int, length: int) -> int:
    """Drop from the list what contains the carrier of ``entry``; return the new length."""
    ints = int_view(state)
    size = size_of(entry)
    kept = 0
    for i in range(length):
        other = ints[list_at + i]
        if size_of(other) >= size and _contains(state, other, entry):
            drop(state, row_of(other))
        else:
            ints[list_at + kept] = other
            kept += 1
    return kept


@part
def _candidate_entry(state: Handle) -> int:
    """Return the candidate as an entry of a list."""
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    row = ints[ROWS]
    size = 0
    for w in range(W):
        size += popcount(words[ints[CARRIER] + row * W + w])
    return size << ROW_BITS | row


@part
def _join_union(state: Handle, slot: int, row: int) -> None:
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    union, carrier = ints[UNION] + slot * W, ints[CARRIER] + row * W
    for w in range(W):
        words[union + w] |= words[carrier + w]


@part
def _keep_row(
    state: Handle, slot: int, entry: int, kind: int, rule: int, key: int, premises: int
) -> None:
    """Turn the candidate into a row."""
    ints = int_view(state)
    row = row_of(entry)
    ints[ROWS] = row + 1
    at = row_at(state, row)
    slot_fields = slot_at(state, slot)
    ints[at + ROW_A] = ints[slot_fields + SLOT_A]
    ints[at + ROW_B] = ints[slot_fields + SLOT_B]
    ints[at + ROW_KIND] = kind
    ints[at + ROW_RULE] = rule
    ints[at + ROW_KEY] = key
    ints[at + ROW_SIZE] = size_of(entry)
    ints[at + ROW_PREMISE] = ints[PREMISES]
    ints[at + ROW_PREMISES] = premises
    ints[PREMISES] += premises


@part
def _no_room(state: Handle) -> bool:
    """Report a full pool once there is no place for another row with its premises."""
    ints = int_view(state)
    if ints[ROWS] >= ints[ROW_LIMIT] or ints[PREMISES] >= ints[PREMISE_LIMIT]:
        ints[OVERFLOW] = max(ints[OVERFLOW], 1)
        return True
    return False


@part
def put_full(state: Handle, slot: int, entry: int) -> bool:
    """Put an entry in the slot's list of fulls unless the list knows better.

    Returns True if it was put there. Semis that contain the carrier are dropped.
    """
    ints = int_view(state)
    at = slot_at(state, slot)
    if size_of(entry) >= ints[at + SLOT_FULL_BOUND]:
        return False
    lists = at + SLOT_LISTS
    fulls, semis = ints[at + SLOT_FULLS], ints[at + SLOT_SEMIS]
    place = _place(state, entry, lists, fulls)
    if place < 0:
        return False
    touch(state, slot)
    limit = _full_limit(state, at)
    ints[at + SLOT_FULLS] = _insert(state, entry, place, lists, fulls, limit)
    ints[at + SLOT_SEMIS] = _drop_containing(state, entry, lists + ints[FULL_LIMIT], semis)
    if fulls < limit:
        _note_full(state, slot, entry, fulls == 0)
        note_bounds(state, slot)
    else:
        note_lists(state, slot)
    _join_union(state, slot, row_of(entry))
    return True


@part
def put_semi(state: Handle, slot: int, entry: int) -> bool:
    """Put an entry in the slot's list of semis unless the lists know better; True if put."""
    ints = int_view(state)
    at = slot_at(state, slot)
    if size_of(entry) >= ints[at + SLOT_SEMI_BOUND]:
        return False
    lists = at + SLOT_LISTS
    semi_lists = lists + ints[FULL_LIMIT]
    semis = ints[at + SLOT_SEMIS]
    if _place(state, entry, lists, ints[at + SLOT_FULLS]) < 0:
        return False
    place = _place(state, entry, semi_lists, semis)
    if place < 0:
        return False
    touch(state, slot)
    limit = _semi_limit(state, at)
    semis = _insert(state, entry, place, semi_lists, semis, limit)
    ints[at + SLOT_SEMIS] = semis
    if semis == limit:
        note_bounds(state, slot)
    _join_union(state, slot, row_of(entry))
    return True


@part
def queue_full(state: Handle, row: int, pending: int) -> None:
    """Ask for the AND rule on a row at the ends given by ``pending``."""
    ints = int_view(state)
    at = ints[STATE] + row
    queued = ints[at] & (PENDING_A | PENDING_B)
    ints[at] |= pending
    if queued:
        return
    tail = ints[FULL_TAIL]
    if tail >= ints[FULL_QUEUE_LIMIT]:
        ints[OVERFLOW] = max(ints[OVERFLOW], 1)
        ints[at] &= ~(PENDING_A | PENDING_B)
        return
    ints[ints[FULL_QUEUE] + tail] = row
    ints[FULL_TAIL] = tail + 1


@part
def queue_or(state: Handle, slot: int) -> None:
    """Ask for the OR rule on a slot."""
    ints = int_view(state)
    at = slot_at(state, slot)
    if ints[at + SLOT_QUEUED]:
        return
    ints[at + SLOT_QUEUED] = 1
    tail = ints[OR_TAIL]
    ints[ints[OR_QUEUE] + tail] = slot
    tail += 1
    ints[OR_TAIL] = 0 if tail == ints[OR_QUEUE_LIMIT] else tail


@part
def offer_full(state: Handle, slot: int, rule: int, premises: int) -> bool:
    """Keep the candidate as a full connection of the slot unless a known one is as good."""
    ints = int_view(state)
    if _no_room(state):
        return False
    entry = _candidate_entry(state)
    if not put_full(state, slot, entry):
        return False
    _keep_row(state, slot, entry, FULL, rule, -1, premises)
    ints[ints[STATE] + row_of(entry)] = 0
    queue_full(state, row_of(entry), PENDING_A | PENDING_B)
    return True


@part
def offer_semi(state: Handle, slot: int, rule: int, key: int, premises: int) -> bool:
    """Keep the candidate as a semi connection of the slot unless a known one is as good."""
    ints = int_view(state)
    if _no_room(state):
        return False
    entry = _candidate_entry(state)
    if not put_semi(state, slot, entry):
        return False
    _keep_row(state, slot, entry, SEMI, rule, key, premises)
    ints[ints[STATE] + row_of(entry)] = NEW_SEMI
    queue_or(state, slot)
    return True


@part
def premise_candidate(state: Handle, place: int, row: int) -> None:
    """Write a premise of the candidate."""
    ints = int_view(state)
    ints[ints[PREMISE] + ints[PREMISES] + place] = row
