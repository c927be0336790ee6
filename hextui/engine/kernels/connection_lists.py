"""The lists of connections of each pair of nodes: offer, drop, save for undo.

A candidate connection is written where the next row would start: carrier at the end of the
carrier pool, premises at the end of the premise pool. ``offer_full`` and ``offer_semi`` keep it
by raising the lengths. Each list stays an antichain: no carrier contains another one's.
"""

from numba import njit
from numpy import uint64

from hextui.engine.kernels.bits import popcount
from hextui.engine.kernels.connection_state import (
    ADJACENT,
    ALIVE,
    CAPTAIN,
    CARRIER,
    FULL,
    FULL_LIMIT,
    FULL_QUEUE,
    FULL_QUEUE_LIMIT,
    FULL_TAIL,
    KIND,
    LINKED,
    NEW_SEMI,
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
    ROW_FIELDS,
    ROW_KEY,
    ROW_KIND,
    ROW_LIMIT,
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
    SLOT_FULLS,
    SLOT_LISTS,
    SLOT_OF,
    SLOT_QUEUED,
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
from hextui.engine.kernels.views import Handle, int_view, word_view

UNRELATED = 0
CONTAINS = 1
CONTAINED = 2


@njit(cache=True, nogil=True)
def slot_at(state: Handle, slot: int) -> int:
    """Return the index in ints of a slot's fields."""
    ints = int_view(state)
    return ints[SLOT] + slot * ints[SLOT_SIZE]


@njit(cache=True, nogil=True)
def row_at(state: Handle, row: int) -> int:
    """Return the index in ints of a row's fields."""
    ints = int_view(state)
    return ints[ROW] + row * ROW_FIELDS


@njit(cache=True, nogil=True)
def slot_of_pair(state: Handle, a: int, b: int) -> int:
    """Return the slot of the pair of nodes, a new one if the pair has none yet."""
    ints, words = int_view(state), word_view(state)
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
    for field in range(SLOT_FULLS, SLOT_LISTS):
        ints[at + field] = 0
    for i in range(len(state) - 2):
        words[ints[UNION] + slot * (len(state) - 2) + i] = uint64(0)
    return slot


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def note_fulls(state: Handle, slot: int) -> None:
    """Note in the bitsets whether the pair has a full connection, and one without carrier."""
    ints = int_view(state)
    at = slot_at(state, slot)
    a, b, fulls = ints[at + SLOT_A], ints[at + SLOT_B], ints[at + SLOT_FULLS]
    set_pair_bit(state, ints[LINKED], a, b, fulls > 0)
    # an empty carrier is contained in all others, so it stands alone
    first = ints[at + SLOT_LISTS]
    touching = fulls == 1 and ints[row_at(state, first) + ROW_SIZE] == 0
    set_pair_bit(state, ints[ADJACENT], a, b, touching)


@njit(cache=True, nogil=True)
def touch(state: Handle, slot: int) -> None:
    """Save the slot's lists on the trail before their first change in this ply."""
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    at = slot_at(state, slot)
    if ints[at + SLOT_STAMP] == ints[STAMP]:
        return
    ints[at + SLOT_STAMP] = ints[STAMP]
    fulls, semis = ints[at + SLOT_FULLS], ints[at + SLOT_SEMIS]
    top, word_top = ints[TRAIL], ints[TRAIL_WORDS]
    if top + fulls + semis + 4 > ints[TRAIL_LIMIT] or word_top + W > ints[TRAIL_WORD_LIMIT]:
        ints[OVERFLOW] = 2
        return
    to = ints[TRAIL_AT] + top
    lists = at + SLOT_LISTS
    for i in range(fulls):
        ints[to + i] = ints[lists + i]
    semi_lists = lists + ints[FULL_LIMIT]
    for i in range(semis):
        ints[to + fulls + i] = ints[semi_lists + i]
    end = to + fulls + semis
    ints[end] = fulls
    ints[end + 1] = semis
    ints[end + 2] = slot
    ints[end + 3] = RECORD_SLOT
    ints[TRAIL] = top + fulls + semis + 4
    for i in range(W):
        words[ints[TRAIL_WORDS_AT] + word_top + i] = words[ints[UNION] + slot * W + i]
    ints[TRAIL_WORDS] = word_top + W


@njit(cache=True, nogil=True)
def set_captain(state: Handle, node: int, captain: int) -> None:
    """Change a node's captain; the old one goes on the trail."""
    ints = int_view(state)
    _save(state, RECORD_CAPTAIN, node, ints[ints[CAPTAIN] + node])
    ints[ints[CAPTAIN] + node] = captain


@njit(cache=True, nogil=True)
def set_kind(state: Handle, node: int, kind: int) -> None:
    """Change a node's kind; the old one goes on the trail."""
    ints = int_view(state)
    _save(state, RECORD_KIND, node, ints[ints[KIND] + node])
    ints[ints[KIND] + node] = kind


@njit(cache=True, nogil=True)
def _save(state: Handle, record: int, node: int, old: int) -> None:
    ints = int_view(state)
    top = ints[TRAIL]
    if top + 3 > ints[TRAIL_LIMIT]:
        ints[OVERFLOW] = 2
        return
    to = ints[TRAIL_AT] + top
    ints[to], ints[to + 1], ints[to + 2] = old, node, record
    ints[TRAIL] = top + 3


@njit(cache=True, nogil=True)
def _relation(state: Handle, row: int, list_at: int, length: int) -> int:
    """Compare a carrier with those of a list.

    Returns CONTAINS if it contains one of them, CONTAINED if some contain it (in an antichain
    only one of the two can be, but for equal carriers), else UNRELATED.
    """
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    at = ints[CARRIER] + row * W
    found = UNRELATED
    for i in range(length):
        other = ints[CARRIER] + ints[list_at + i] * W
        only_row, only_other = uint64(0), uint64(0)
        for w in range(W):
            mine, theirs = words[at + w], words[other + w]
            only_row |= mine & ~theirs
            only_other |= theirs & ~mine
        if only_other == uint64(0):
            return CONTAINS
        if only_row == uint64(0):
            found = CONTAINED
    return found


@njit(cache=True, nogil=True)
def _drop_containing(state: Handle, row: int, list_at: int, length: int) -> int:
    """Drop from the list what contains the carrier of ``row``; return the new length."""
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    at = ints[CARRIER] + row * W
    kept = 0
    for i in range(length):
        other = ints[list_at + i]
        outside = uint64(0)
        for w in range(W):
            outside |= words[at + w] & ~words[ints[CARRIER] + other * W + w]
        if outside == uint64(0):
            ints[ints[STATE] + other] = 0
        else:
            ints[list_at + kept] = other
            kept += 1
    return kept


@njit(cache=True, nogil=True)
def _largest(state: Handle, list_at: int, length: int) -> int:
    """Return the place in the list of the row with the most cells, the last of equals."""
    ints = int_view(state)
    place, size = 0, -1
    for i in range(length):
        this = ints[row_at(state, ints[list_at + i]) + ROW_SIZE]
        if this >= size:
            place, size = i, this
    return place


@njit(cache=True, nogil=True)
def _has_place(
    state: Handle, size: int, relation: int, list_at: int, length: int, limit: int
) -> bool:
    """Tell whether a list takes a row: it has room, or drops something for it."""
    if relation == CONTAINS:
        return False
    if length < limit or relation == CONTAINED:
        return True
    ints = int_view(state)
    worst = ints[list_at + _largest(state, list_at, length)]
    return size < ints[row_at(state, worst) + ROW_SIZE]


@njit(cache=True, nogil=True)
def _append(state: Handle, row: int, relation: int, list_at: int, length: int, limit: int) -> int:
    """Put a row in a list for which ``_has_place`` is true; return the new length."""
    ints = int_view(state)
    if relation == CONTAINED:
        length = _drop_containing(state, row, list_at, length)
    elif length == limit:
        place = _largest(state, list_at, length)
        ints[ints[STATE] + ints[list_at + place]] = 0
        length -= 1
        ints[list_at + place] = ints[list_at + length]
    ints[list_at + length] = row
    return length + 1


@njit(cache=True, nogil=True)
def set_size(state: Handle, row: int) -> int:
    """Return the number of cells in a row's carrier."""
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    at = ints[CARRIER] + row * W
    size = 0
    for i in range(W):
        size += popcount(words[at + i])
    return size


@njit(cache=True, nogil=True)
def _join_union(state: Handle, slot: int, row: int) -> None:
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    for i in range(W):
        words[ints[UNION] + slot * W + i] |= words[ints[CARRIER] + row * W + i]


@njit(cache=True, nogil=True)
def _keep_row(
    state: Handle, slot: int, kind: int, rule: int, key: int, size: int, premises: int
) -> int:
    """Turn the candidate into a row and return its id."""
    ints = int_view(state)
    row = ints[ROWS]
    ints[ROWS] = row + 1
    at = row_at(state, row)
    slot_fields = slot_at(state, slot)
    ints[at + ROW_A] = ints[slot_fields + SLOT_A]
    ints[at + ROW_B] = ints[slot_fields + SLOT_B]
    ints[at + ROW_KIND] = kind
    ints[at + ROW_RULE] = rule
    ints[at + ROW_KEY] = key
    ints[at + ROW_SIZE] = size
    ints[at + ROW_PREMISE] = ints[PREMISES]
    ints[at + ROW_PREMISES] = premises
    ints[PREMISES] += premises
    return row


@njit(cache=True, nogil=True)
def _no_room(state: Handle) -> bool:
    """Report a full pool once there is no place for another row with its premises."""
    ints = int_view(state)
    if ints[ROWS] >= ints[ROW_LIMIT] or ints[PREMISES] >= ints[PREMISE_LIMIT]:
        ints[OVERFLOW] = max(ints[OVERFLOW], 1)
        return True
    return False


@njit(cache=True, nogil=True)
def put_full(state: Handle, slot: int, row: int, size: int) -> bool:
    """Put a row in the slot's list of fulls unless the list knows better.

    Returns True if it was put there. Semis that contain the carrier are dropped.
    """
    ints = int_view(state)
    at = slot_at(state, slot)
    lists = at + SLOT_LISTS
    fulls, limit = ints[at + SLOT_FULLS], ints[FULL_LIMIT]
    relation = _relation(state, row, lists, fulls)
    if not _has_place(state, size, relation, lists, fulls, limit):
        return False
    touch(state, slot)
    ints[at + SLOT_FULLS] = _append(state, row, relation, lists, fulls, limit)
    ints[at + SLOT_SEMIS] = _drop_containing(state, row, lists + limit, ints[at + SLOT_SEMIS])
    if fulls == 0:
        set_pair_bit(state, ints[LINKED], ints[at + SLOT_A], ints[at + SLOT_B], True)
    if size == 0:
        set_pair_bit(state, ints[ADJACENT], ints[at + SLOT_A], ints[at + SLOT_B], True)
    _join_union(state, slot, row)
    return True


@njit(cache=True, nogil=True)
def put_semi(state: Handle, slot: int, row: int, size: int) -> bool:
    """Put a row in the slot's list of semis unless the lists know better; True if put."""
    ints = int_view(state)
    at = slot_at(state, slot)
    lists = at + SLOT_LISTS
    semi_lists = lists + ints[FULL_LIMIT]
    semis, limit = ints[at + SLOT_SEMIS], ints[SEMI_LIMIT]
    if _relation(state, row, lists, ints[at + SLOT_FULLS]) == CONTAINS:
        return False
    relation = _relation(state, row, semi_lists, semis)
    if not _has_place(state, size, relation, semi_lists, semis, limit):
        return False
    touch(state, slot)
    ints[at + SLOT_SEMIS] = _append(state, row, relation, semi_lists, semis, limit)
    _join_union(state, slot, row)
    return True


@njit(cache=True, nogil=True)
def queue_full(state: Handle, row: int, pending: int) -> None:
    """Ask for the AND rule on a row at the ends given by ``pending``."""
    ints = int_view(state)
    at = ints[STATE] + row
    queued = ints[at] & (PENDING_A | PENDING_B)
    ints[at] |= ALIVE | pending
    if queued:
        return
    tail = ints[FULL_TAIL]
    if tail >= ints[FULL_QUEUE_LIMIT]:
        ints[OVERFLOW] = max(ints[OVERFLOW], 1)
        ints[at] = ALIVE
        return
    ints[ints[FULL_QUEUE] + tail] = row
    ints[FULL_TAIL] = tail + 1


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def offer_full(state: Handle, slot: int, rule: int, premises: int) -> bool:
    """Keep the candidate as a full connection of the slot unless a known one is as good."""
    ints = int_view(state)
    if _no_room(state):
        return False
    row = ints[ROWS]
    size = set_size(state, row)
    if not put_full(state, slot, row, size):
        return False
    _keep_row(state, slot, FULL, rule, -1, size, premises)
    ints[ints[STATE] + row] = ALIVE
    queue_full(state, row, PENDING_A | PENDING_B)
    return True


@njit(cache=True, nogil=True)
def offer_semi(state: Handle, slot: int, rule: int, key: int, premises: int) -> bool:
    """Keep the candidate as a semi connection of the slot unless a known one is as good."""
    ints = int_view(state)
    if _no_room(state):
        return False
    row = ints[ROWS]
    size = set_size(state, row)
    if not put_semi(state, slot, row, size):
        return False
    _keep_row(state, slot, SEMI, rule, key, size, premises)
    ints[ints[STATE] + row] = ALIVE | NEW_SEMI
    queue_or(state, slot)
    return True


@njit(cache=True, nogil=True)
def premise_candidate(state: Handle, place: int, row: int) -> None:
    """Write a premise of the candidate."""
    ints = int_view(state)
    ints[ints[PREMISE] + ints[PREMISES] + place] = row
