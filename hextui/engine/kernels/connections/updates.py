"""Connection search from scratch, update after one stone, undo.

Source: differential H-search, Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 6.1.
A stone of the opponent only deletes connections. An own stone joins groups, takes its cell out of
carriers and turns the semi connections whose key it is into full ones.
"""

import numpy as np
from numpy import uint64
from numpy.typing import NDArray

from hextui.engine.kernels.compiling import kernel, part
from hextui.engine.kernels.connections.fixpoint import to_fixpoint
from hextui.engine.kernels.connections.lists import (
    drop,
    offer_full,
    offer_semi,
    offer_templates,
    premise_candidate,
    put_full,
    put_semi,
    queue_full,
    queue_or,
    restore,
    set_captain,
    set_kind,
    touch,
)
from hextui.engine.kernels.connections.state import (
    ABSENT,
    EMPTY_CELL,
    FRAME_FIELDS,
    FRAME_PREMISES,
    FRAME_ROWS,
    FRAME_SLOTS,
    FRAME_TRAIL,
    FRAME_TRAIL_WORDS,
    NEIGHBOURS,
    NEW_SEMI,
    OWN_EDGE,
    OWN_GROUP,
    PENDING_A,
    PENDING_B,
    RECORD_CAPTAIN,
    RECORD_SLOT,
    ROW_A,
    ROW_KEY,
    RULE_ADJACENT,
    RULE_STONE,
    SLOT_FULLS,
    SLOT_LISTS,
    SLOT_RECORD,
    SLOT_SEMIS,
    free_slots,
    note_bounds,
    note_lists,
    pool_of,
    row_at,
    row_of,
    size_of,
    slot_at,
    slot_of_pair,
)
from hextui.engine.kernels.memory import Handle, int_view, popcount, word_view

SEARCH, PLAY_OWN, PLAY_OPPONENT, UNDO = range(4)


@kernel
def update(
    state: Handle, action: int, cell: int, captains: NDArray[np.int32], own: NDArray[np.bool_]
) -> None:
    """Do one of the actions below: in one kernel they are compiled in half the time.

    Only two use ``cell``, only SEARCH uses ``captains`` and ``own``.
    """
    if action == SEARCH:
        search(state, captains, own)
    elif action == PLAY_OWN:
        play_own(state, cell)
    elif action == PLAY_OPPONENT:
        play_opponent(state, cell)
    else:
        undo(state)


@part
def search(state: Handle, captains: NDArray[np.int32], own: NDArray[np.bool_]) -> None:
    """Find the connections of a position.

    ``captains``: int32[N], the captain of an own stone's group, -1 for an opponent's stone, the
    cell itself where empty. ``own``: bool[N], True for own stones.
    """
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    nodes, cells = pool.nodes, pool.cells
    free_slots(state, 0)
    pool.rows = pool.premises = pool.trail = pool.trail_words = pool.stamp = pool.plies = 0
    pool.old_rows, pool.group = 0, -1
    pool.full_head = pool.full_tail = pool.or_head = pool.or_tail = pool.overflow = 0
    for i in range(nodes * pool.node_words):
        words[pool.linked + i] = uint64(0)
        words[pool.adjacent + i] = uint64(0)
    for w in range(len(state) - 2):
        words[pool.empties + w] = words[pool.gone + w] = uint64(0)
    for cell in range(cells):
        captain = captains[cell]
        ints[pool.captain + cell] = captain
        kind = OWN_GROUP if own[cell] else EMPTY_CELL
        ints[pool.kind + cell] = ABSENT if captain < 0 else kind
        bit = uint64(1) << uint64(cell & 63)
        if captain < 0:
            words[pool.gone + (cell >> 6)] |= bit
        elif not own[cell]:
            words[pool.empties + (cell >> 6)] |= bit
    for edge in range(cells, nodes):
        ints[pool.captain + edge] = edge
        ints[pool.kind + edge] = OWN_EDGE
    for cell in range(cells):
        a = ints[pool.captain + cell]
        if a < 0:
            continue
        near = pool.near + cell * (NEIGHBOURS + 2)
        while ints[near] >= 0:
            b = ints[pool.captain + ints[near]]
            if b >= 0 and a != b:
                _offer_adjacency(state, a, b)
            near += 1
    for cell in range(cells):
        if own[cell]:
            offer_templates(state, cell)
    to_fixpoint(state)


@part
def _offer_adjacency(state: Handle, a: int, b: int) -> None:
    pool = pool_of(state)
    words = word_view(state)
    for w in range(len(state) - 2):
        words[pool.carrier + pool.rows * (len(state) - 2) + w] = uint64(0)
    offer_full(state, slot_of_pair(state, a, b), RULE_ADJACENT, 0)


@part
def play_opponent(state: Handle, cell: int) -> None:
    """Update the connections after a stone of the opponent on an empty cell."""
    pool = pool_of(state)
    begin_ply(state)
    ints, words = int_view(state), word_view(state)
    nodes = pool.nodes
    set_kind(state, cell, ABSENT)
    set_captain(state, cell, -1)
    for y in range(nodes):
        slot = ints[pool.slot_of + cell * nodes + y]
        if slot >= 0:
            clear_pair(state, slot)
    word, bit = cell >> 6, uint64(1) << uint64(cell & 63)
    for slot in range(pool.slots):
        if words[pool.union + slot * (len(state) - 2) + word] & bit:
            touch(state, slot)
            _take_out(state, slot, word, bit)
            if ints[slot_at(state, slot) + SLOT_SEMIS]:
                queue_or(state, slot)
    to_fixpoint(state)


@part
def play_own(state: Handle, cell: int) -> None:
    """Update the connections after an own stone on an empty cell."""
    pool = pool_of(state)
    begin_ply(state)
    pool.old_rows = pool.rows
    captain = join_groups(state, cell)
    pool.group = captain
    _stone_in_carriers(state, cell)
    if captain == cell:
        queue_group(state, cell)
    offer_templates(state, cell)
    to_fixpoint(state)


@part
def undo(state: Handle) -> None:
    """Undo the last ``play_own`` or ``play_opponent``."""
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    pool.plies -= 1
    frame = pool.frame + pool.plies * FRAME_FIELDS
    pool.rows = ints[frame + FRAME_ROWS]
    pool.premises = ints[frame + FRAME_PREMISES]
    top, bottom = pool.trail, ints[frame + FRAME_TRAIL]
    while top > bottom:
        end = pool.trail_at + top
        if ints[end - 1] == RECORD_SLOT:
            restore(state, end)
            top -= SLOT_RECORD + ints[end - 3] + ints[end - 4]
        else:
            node = ints[end - 2]
            if ints[end - 1] == RECORD_CAPTAIN:
                ints[pool.captain + node] = ints[end - 3]
            else:
                ints[pool.kind + node] = ints[end - 3]
                bit = uint64(1) << uint64(node & 63)
                words[pool.empties + (node >> 6)] |= bit
                words[pool.gone + (node >> 6)] &= ~bit
            top -= 3
    pool.trail = bottom
    free_slots(state, ints[frame + FRAME_SLOTS])
    if pool.overflow < 2:
        pool.overflow = 0


@part
def begin_ply(state: Handle) -> None:
    """Open the frame of a new ply."""
    pool = pool_of(state)
    ints = int_view(state)
    frame = pool.frame + pool.plies * FRAME_FIELDS
    ints[frame + FRAME_ROWS] = pool.rows
    ints[frame + FRAME_PREMISES] = pool.premises
    ints[frame + FRAME_SLOTS] = pool.slots
    ints[frame + FRAME_TRAIL] = pool.trail
    ints[frame + FRAME_TRAIL_WORDS] = pool.trail_words
    pool.plies += 1
    pool.stamp += 1


@part
def _drop_lists(state: Handle, slot: int) -> None:
    """Mark all connections of a pair as listed no more."""
    pool = pool_of(state)
    ints = int_view(state)
    lists = slot_at(state, slot) + SLOT_LISTS
    for i in range(ints[slot_at(state, slot) + SLOT_FULLS]):
        drop(state, row_of(ints[lists + i]))
    for i in range(ints[slot_at(state, slot) + SLOT_SEMIS]):
        drop(state, row_of(ints[lists + pool.full_limit + i]))


@part
def clear_pair(state: Handle, slot: int) -> None:
    """Drop all connections of a pair."""
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    at = slot_at(state, slot)
    if ints[at + SLOT_FULLS] + ints[at + SLOT_SEMIS] == 0:
        return
    touch(state, slot)
    _drop_lists(state, slot)
    ints[at + SLOT_FULLS] = 0
    ints[at + SLOT_SEMIS] = 0
    note_lists(state, slot)
    for w in range(len(state) - 2):
        words[pool.union + slot * (len(state) - 2) + w] = uint64(0)


@part
def _take_out(state: Handle, slot: int, word: int, bit: np.uint64) -> None:
    """Drop the connections of a pair whose carrier has the cell; the union is computed again."""
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    at = slot_at(state, slot)
    union = pool.union + slot * W
    for w in range(W):
        words[union + w] = uint64(0)
    fulls = _filter(state, at + SLOT_LISTS, ints[at + SLOT_FULLS], union, word, bit)
    semi_lists = at + SLOT_LISTS + pool.full_limit
    ints[at + SLOT_SEMIS] = _filter(state, semi_lists, ints[at + SLOT_SEMIS], union, word, bit)
    if fulls == ints[at + SLOT_FULLS]:
        note_bounds(state, slot)
    else:
        ints[at + SLOT_FULLS] = fulls
        note_lists(state, slot)


@part
def _filter(state: Handle, list_at: int, length: int, union: int, word: int, bit: np.uint64) -> int:
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    kept = 0
    for i in range(length):
        entry = ints[list_at + i]
        carrier = pool.carrier + row_of(entry) * W
        if words[carrier + word] & bit:
            drop(state, row_of(entry))
            continue
        ints[list_at + kept] = entry
        kept += 1
        for w in range(W):
            words[union + w] |= words[carrier + w]
    return kept


@part
def join_groups(state: Handle, cell: int) -> int:
    """Make the cell an own stone, joined with the groups beside it; return the captain.

    The member with connections to the most nodes becomes captain: its lists stay in place.
    """
    pool = pool_of(state)
    ints = int_view(state)
    set_kind(state, cell, OWN_GROUP)
    members = pool.scratch
    ints[members] = cell
    count = 1
    near = pool.near + cell * (NEIGHBOURS + 2)
    while ints[near] >= 0:
        captain = ints[pool.captain + ints[near]]
        near += 1
        if captain < 0 or ints[pool.kind + captain] != OWN_GROUP:
            continue
        known = False
        for i in range(count):
            known = known or ints[members + i] == captain
        if not known:
            ints[members + count] = captain
            count += 1
    captain, most = cell, -1
    for i in range(count):
        linked = _linked_count(state, ints[members + i])
        if linked > most:
            captain, most = ints[members + i], linked
    for i in range(count):
        member = ints[members + i]
        if member == captain:
            continue
        for other in range(pool.cells):
            if ints[pool.captain + other] == member:
                set_captain(state, other, captain)
    for i in range(count):
        if ints[members + i] != captain:
            _hand_over(state, ints[members + i], captain)
    return captain


@part
def _linked_count(state: Handle, node: int) -> int:
    pool = pool_of(state)
    words = word_view(state)
    size = pool.node_words
    count = 0
    for i in range(size):
        count += popcount(words[pool.linked + node * size + i])
    return count


@part
def _hand_over(state: Handle, member: int, captain: int) -> None:
    """Move the connections of a member to the captain; those inside the group are dropped.

    They are to be combined with the captain's own: two members may join what neither did.
    """
    pool = pool_of(state)
    ints = int_view(state)
    nodes = pool.nodes
    for y in range(nodes):
        slot = ints[pool.slot_of + member * nodes + y]
        if slot < 0:
            continue
        at = slot_at(state, slot)
        fulls, semis = ints[at + SLOT_FULLS], ints[at + SLOT_SEMIS]
        if fulls + semis == 0:
            continue
        other = ints[pool.captain + y]
        clear_pair(state, slot)
        if other == captain:
            continue
        # a cleared list keeps its entries in place
        to = slot_of_pair(state, captain, other)
        lists = at + SLOT_LISTS
        for i in range(fulls):
            entry = ints[lists + i]
            if put_full(state, to, entry):
                _queue_at(state, row_of(entry), captain)
        lists += pool.full_limit
        for i in range(semis):
            entry = ints[lists + i]
            if put_semi(state, to, entry):
                ints[pool.state + row_of(entry)] |= NEW_SEMI
        queue_or(state, to)


@part
def _stone_in_carriers(state: Handle, cell: int) -> None:
    """Take an own stone's cell out of all carriers; semis with this key become full."""
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    word, bit = cell >> 6, uint64(1) << uint64(cell & 63)
    old = pool.scratch
    for slot in range(pool.slots):
        if not words[pool.union + slot * W + word] & bit:
            continue
        touch(state, slot)
        at = slot_at(state, slot)
        fulls = ints[at + SLOT_FULLS]
        lists = at + SLOT_LISTS
        count = 0
        for i in range(fulls):
            count = _note_if_containing(state, row_of(ints[lists + i]), word, bit, old, count)
        full_count = count
        lists += pool.full_limit
        for i in range(ints[at + SLOT_SEMIS]):
            count = _note_if_containing(state, row_of(ints[lists + i]), word, bit, old, count)
        _take_out(state, slot, word, bit)
        for i in range(count):
            row = ints[old + i]
            candidate = pool.carrier + pool.rows * W
            for w in range(W):
                words[candidate + w] = words[pool.carrier + row * W + w]
            words[candidate + word] &= ~bit
            premise_candidate(state, 0, row)
            key = ints[row_at(state, row) + ROW_KEY]
            if i < full_count or key == cell:
                offer_full(state, slot, RULE_STONE, 1)
            else:
                offer_semi(state, slot, RULE_STONE, key, 1)
        if ints[at + SLOT_SEMIS]:
            queue_or(state, slot)


@part
def _note_if_containing(
    state: Handle, row: int, word: int, bit: np.uint64, list_at: int, length: int
) -> int:
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    if words[pool.carrier + row * (len(state) - 2) + word] & bit:
        ints[list_at + length] = row
        return length + 1
    return length


@part
def _queue_at(state: Handle, row: int, node: int) -> None:
    """Queue the AND rule on a row at its end ``node``."""
    pool = pool_of(state)
    ints = int_view(state)
    end_a = ints[pool.captain + ints[row_at(state, row) + ROW_A]] == node
    queue_full(state, row, PENDING_A if end_a else PENDING_B)


@part
def queue_group(state: Handle, captain: int) -> None:
    """Queue the AND rule over a new group: what met at an empty cell meets at a stone.

    Its lists may now be longer than those of a cell.
    """
    pool = pool_of(state)
    ints = int_view(state)
    nodes = pool.nodes
    for y in range(nodes):
        slot = ints[pool.slot_of + captain * nodes + y]
        if slot < 0:
            continue
        touch(state, slot)
        note_bounds(state, slot)
        at = slot_at(state, slot)
        for i in range(ints[at + SLOT_FULLS]):
            _queue_at(state, row_of(ints[at + SLOT_LISTS + i]), captain)


@part
def smallest_full(state: Handle, slot: int) -> int:
    """Return the slot's full row with the fewest cells, of equals the smallest number."""
    ints = int_view(state)
    at = slot_at(state, slot)
    first = ints[at + SLOT_LISTS]
    best = row_of(first)
    for i in range(1, ints[at + SLOT_FULLS]):
        entry = ints[at + SLOT_LISTS + i]
        if size_of(entry) > size_of(first):
            break
        if _number_below(state, row_of(entry), best):
            best = row_of(entry)
    return best


@part
def _number_below(state: Handle, row: int, other: int) -> bool:
    pool = pool_of(state)
    words = word_view(state)
    W = len(state) - 2
    for w in range(W - 1, -1, -1):
        mine, theirs = words[pool.carrier + row * W + w], words[pool.carrier + other * W + w]
        if mine != theirs:
            return mine < theirs
    return False
