"""Connection search from scratch, update after one stone, undo.

Source: differential H-search, Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 6.1.
"""

import numpy as np
from numpy import uint64
from numpy.typing import NDArray

from hextui.engine.kernels.compiling import kernel, part
from hextui.engine.kernels.connections import lists
from hextui.engine.kernels.connections import state as layout
from hextui.engine.kernels.connections.fixpoint import to_fixpoint
from hextui.engine.kernels.memory import Handle, int_view, popcount, whole, word_view

SEARCH, PLAY_OWN, PLAY_OPPONENT, UNDO = range(4)


@kernel
def update(
    state: Handle, action: int, cell: int, captains: NDArray[np.int32], own: NDArray[np.bool_]
) -> None:
    """Do one of the actions below: one kernel compiles in half the time."""
    if action == SEARCH:
        search(state, captains, own)
    elif action == UNDO:
        undo(state)
    else:
        play_stone(state, cell, action == PLAY_OWN)


@part
def search(state: Handle, captains: NDArray[np.int32], own: NDArray[np.bool_]) -> None:
    """Find the connections of a position.

    ``captains``: int32[N], the captain of an own stone's group, -1 for an opponent's stone, the
    cell itself where empty. ``own``: bool[N], True for own stones.
    """
    pool = layout.pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    nodes, cells = pool.nodes, pool.cells
    layout.free_slots(state, 0)
    pool.rows = pool.premises = pool.trail = pool.trail_words = pool.stamp = pool.plies = 0
    pool.old_rows = 0
    pool.group = -1
    pool.full_head = pool.full_tail = pool.or_head = pool.or_tail = pool.overflow = 0
    for i in range(nodes * pool.node_words):
        words[pool.linked + i] = uint64(0)
        words[pool.adjacent + i] = uint64(0)
    for w in range(len(state) - 2):
        words[pool.empties + w] = words[pool.gone + w] = uint64(0)
    for cell in range(cells):
        captain = captains[cell]
        ints[pool.captain + cell] = captain
        kind = layout.OWN_GROUP if own[cell] else layout.EMPTY_CELL
        ints[pool.kind + cell] = layout.ABSENT if captain < 0 else kind
        bit = uint64(1) << uint64(cell & 63)
        if captain < 0:
            words[pool.gone + (cell >> 6)] |= bit
        elif not own[cell]:
            words[pool.empties + (cell >> 6)] |= bit
    for edge in range(cells, nodes):
        ints[pool.captain + edge] = edge
        ints[pool.kind + edge] = layout.OWN_EDGE
    for cell in range(cells):
        a = ints[pool.captain + cell]
        if a < 0:
            continue
        near = pool.near + cell * (layout.NEIGHBOURS + 2)
        while ints[near] >= 0:
            b = ints[pool.captain + ints[near]]
            if b >= 0 and a != b:
                _offer_adjacency(state, a, b)
            near += 1
    for cell in range(cells):
        if own[cell]:
            lists.offer_templates(state, cell)
    to_fixpoint(state)


@part
def _offer_adjacency(state: Handle, a: int, b: int) -> None:
    pool = layout.pool_of(state)
    words = word_view(state)
    for w in range(len(state) - 2):
        words[pool.carrier + pool.rows * (len(state) - 2) + w] = uint64(0)
    lists.offer_full(state, layout.slot_of_pair(state, a, b), layout.RULE_ADJACENT, 0)


@part
def play_stone(state: Handle, cell: int, own: bool) -> None:
    """Update the connections after a stone, own or the opponent's, on an empty cell."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    ints[pool.new_stones] = cell << 1 | (1 if own else 0)
    play_stones(state, 1)


@part
def play_stones(state: Handle, count: int) -> None:
    """Update the connections after the first stones of NEW_STONES, as one ply.

    An entry is twice the cell, plus 1 for an own stone. All other cells are gone.
    """
    pool = layout.pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    W = len(state) - 2
    stones = pool.new_stones
    for w in range(2 * W):
        words[pool.new_own + w] = uint64(0)
    begin_ply(state)
    for i in range(stones, stones + count):
        cell = whole(ints[i] >> 1)
        to = pool.new_own if ints[i] & 1 else pool.new_own + W
        words[to + (cell >> 6)] |= uint64(1) << uint64(cell & 63)
        if not ints[i] & 1:
            _remove_node(state, cell)
    pool.old_rows = pool.rows
    pool.group = -1
    for i in range(stones, stones + count):
        if ints[i] & 1:
            captain = whole(join_groups(state, whole(ints[i] >> 1)))
            # a former captain can be a member now
            if pool.group >= 0 and ints[pool.captain + pool.group] != captain:
                pool.old_rows = 0
            pool.group = captain
    _sweep(state)
    for i in range(stones, stones + count):
        cell = whole(ints[i] >> 1)
        if ints[i] & 1 and ints[pool.captain + cell] == cell:
            queue_group(state, cell)
        if ints[i] & 1:
            lists.offer_templates(state, cell)
    to_fixpoint(state)


@part
def _remove_node(state: Handle, cell: int) -> None:
    """Drop all connections of a cell that the opponent has taken."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    lists.set_kind(state, cell, layout.ABSENT)
    lists.set_captain(state, cell, -1)
    for other in range(pool.nodes):
        slot = ints[pool.slot_of + cell * pool.nodes + other]
        if slot >= 0:
            clear_pair(state, slot)


@part
def _sweep(state: Handle) -> None:
    """Drop the carriers with cells that are gone, and take own stones out of the others."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    W = len(state) - 2
    own = pool.new_own
    old = pool.scratch
    for slot in range(pool.slots):
        union = pool.union + slot * W
        met = uint64(0)
        for w in range(W):
            met |= words[union + w] & (words[own + w] | words[own + W + w])
        if met == uint64(0):
            continue
        lists.touch(state, slot)
        fields = layout.slot_at(state, slot)
        entries = fields + layout.SLOT_LISTS
        for w in range(W):
            words[union + w] = uint64(0)
        fulls = ints[fields + layout.SLOT_FULLS]
        semis = ints[fields + layout.SLOT_SEMIS]
        kept, full_count = _keep_untouched(state, entries, fulls, union, old, 0)
        ints[fields + layout.SLOT_FULLS] = kept
        left, count = _keep_untouched(
            state, entries + pool.full_limit, semis, union, old, full_count
        )
        ints[fields + layout.SLOT_SEMIS] = left
        if kept == fulls:
            layout.note_bounds(state, slot)
        else:
            layout.note_lists(state, slot)
        for i in range(count):
            row = whole(ints[old + i])
            candidate = pool.carrier + pool.rows * W
            for w in range(W):
                words[candidate + w] = words[pool.carrier + row * W + w] & ~words[own + w]
            lists.premise_candidate(state, 0, row)
            key = whole(ints[layout.row_at(state, row) + layout.ROW_KEY])
            taken = uint64(0)
            if key >= 0:
                taken = words[own + (key >> 6)] >> uint64(key & 63) & uint64(1)
            # a semi becomes full if its key has got an own stone
            if i < full_count or taken:
                lists.offer_full(state, slot, layout.RULE_STONE, 1)
            else:
                lists.offer_semi(state, slot, layout.RULE_STONE, key, 1)
        if ints[fields + layout.SLOT_SEMIS]:
            lists.queue_or(state, slot)


@part
def _keep_untouched(
    state: Handle, listed: int, length: int, union: int, old: int, count: int
) -> tuple[int, int]:
    """Keep the rows of a list without new stones; note those with own ones only in ``old``.

    Returns the new length and the number of rows noted.
    """
    pool = layout.pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    W = len(state) - 2
    own = pool.new_own
    kept = 0
    for i in range(length):
        entry = ints[listed + i]
        row = layout.row_of(entry)
        carrier = pool.carrier + row * W
        cut = uint64(0)
        shrunk = uint64(0)
        for w in range(W):
            cut |= words[carrier + w] & words[own + W + w]
            shrunk |= words[carrier + w] & words[own + w]
        if cut == uint64(0) and shrunk == uint64(0):
            ints[listed + kept] = entry
            kept += 1
            for w in range(W):
                words[union + w] |= words[carrier + w]
            continue
        lists.drop(state, row)
        if cut == uint64(0):
            ints[old + count] = row
            count += 1
    return kept, count


@part
def undo(state: Handle) -> None:
    """Undo the last ``play_stones``."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    pool.plies -= 1
    frame = pool.frame + pool.plies * layout.FRAME_FIELDS
    pool.rows = ints[frame + layout.FRAME_ROWS]
    pool.premises = ints[frame + layout.FRAME_PREMISES]
    top = pool.trail
    bottom = ints[frame + layout.FRAME_TRAIL]
    while top > bottom:
        end = pool.trail_at + top
        if ints[end - 1] == layout.RECORD_SLOT:
            lists.restore(state, end)
            top -= layout.SLOT_RECORD + ints[end - 3] + ints[end - 4]
        else:
            node = ints[end - 2]
            if ints[end - 1] == layout.RECORD_CAPTAIN:
                ints[pool.captain + node] = ints[end - 3]
            else:
                ints[pool.kind + node] = ints[end - 3]
                bit = uint64(1) << uint64(node & 63)
                words[pool.empties + (node >> 6)] |= bit
                words[pool.gone + (node >> 6)] &= ~bit
            top -= 3
    pool.trail = bottom
    layout.free_slots(state, ints[frame + layout.FRAME_SLOTS])
    if pool.overflow < 2:
        pool.overflow = 0


@part
def begin_ply(state: Handle) -> None:
    """Open the frame of a new ply."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    frame = pool.frame + pool.plies * layout.FRAME_FIELDS
    ints[frame + layout.FRAME_ROWS] = pool.rows
    ints[frame + layout.FRAME_PREMISES] = pool.premises
    ints[frame + layout.FRAME_SLOTS] = pool.slots
    ints[frame + layout.FRAME_TRAIL] = pool.trail
    ints[frame + layout.FRAME_TRAIL_WORDS] = pool.trail_words
    pool.plies += 1
    pool.stamp += 1


@part
def clear_pair(state: Handle, slot: int) -> None:
    """Drop all connections of a pair."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    fields = layout.slot_at(state, slot)
    if ints[fields + layout.SLOT_FULLS] + ints[fields + layout.SLOT_SEMIS] == 0:
        return
    lists.touch(state, slot)
    entries = fields + layout.SLOT_LISTS
    for i in range(ints[fields + layout.SLOT_FULLS]):
        lists.drop(state, layout.row_of(ints[entries + i]))
    for i in range(ints[fields + layout.SLOT_SEMIS]):
        lists.drop(state, layout.row_of(ints[entries + pool.full_limit + i]))
    ints[fields + layout.SLOT_FULLS] = 0
    ints[fields + layout.SLOT_SEMIS] = 0
    layout.note_lists(state, slot)
    for w in range(len(state) - 2):
        words[pool.union + slot * (len(state) - 2) + w] = uint64(0)


@part
def join_groups(state: Handle, cell: int) -> int:
    """Make the cell an own stone, joined with the groups beside it; return the captain.

    The member with connections to the most nodes becomes captain.
    """
    pool = layout.pool_of(state)
    ints = int_view(state)
    lists.set_kind(state, cell, layout.OWN_GROUP)
    members = pool.scratch
    ints[members] = cell
    count = 1
    near = pool.near + cell * (layout.NEIGHBOURS + 2)
    while ints[near] >= 0:
        captain = ints[pool.captain + ints[near]]
        near += 1
        if captain < 0 or ints[pool.kind + captain] != layout.OWN_GROUP:
            continue
        listed = False
        for i in range(count):
            listed = listed or ints[members + i] == captain
        if not listed:
            ints[members + count] = captain
            count += 1
    captain = cell
    most = -1
    for i in range(count):
        linked = _linked_count(state, ints[members + i])
        if linked > most:
            captain = ints[members + i]
            most = linked
    for i in range(count):
        member = ints[members + i]
        if member == captain:
            continue
        for other in range(pool.cells):
            if ints[pool.captain + other] == member:
                lists.set_captain(state, other, captain)
    for i in range(count):
        if ints[members + i] != captain:
            _hand_over(state, ints[members + i], captain)
    return captain


@part
def _linked_count(state: Handle, node: int) -> int:
    pool = layout.pool_of(state)
    words = word_view(state)
    size = pool.node_words
    count = 0
    for i in range(size):
        count += popcount(words[pool.linked + node * size + i])
    return count


@part
def _hand_over(state: Handle, member: int, captain: int) -> None:
    """Move a member's connections to the captain, to be combined with its own; inner ones go."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    nodes = pool.nodes
    for y in range(nodes):
        slot = ints[pool.slot_of + member * nodes + y]
        if slot < 0:
            continue
        fields = layout.slot_at(state, slot)
        fulls = ints[fields + layout.SLOT_FULLS]
        semis = ints[fields + layout.SLOT_SEMIS]
        if fulls + semis == 0:
            continue
        other = ints[pool.captain + y]
        clear_pair(state, slot)
        if other == captain:
            continue
        # a cleared list keeps its entries in place
        to = layout.slot_of_pair(state, captain, other)
        entries = fields + layout.SLOT_LISTS
        for i in range(fulls):
            entry = ints[entries + i]
            if lists.put_full(state, to, entry):
                _queue_at(state, layout.row_of(entry), captain)
        entries += pool.full_limit
        for i in range(semis):
            entry = ints[entries + i]
            if lists.put_semi(state, to, entry):
                ints[pool.state + layout.row_of(entry)] |= layout.NEW_SEMI
        lists.queue_or(state, to)


@part
def _queue_at(state: Handle, row: int, node: int) -> None:
    """Queue the AND rule on a row at its end ``node``."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    end_a = ints[pool.captain + ints[layout.row_at(state, row) + layout.ROW_A]] == node
    lists.queue_full(state, row, layout.PENDING_A if end_a else layout.PENDING_B)


@part
def queue_group(state: Handle, captain: int) -> None:
    """Queue the AND rule over a new group, whose lists may be longer than those of a cell."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    nodes = pool.nodes
    for y in range(nodes):
        slot = ints[pool.slot_of + captain * nodes + y]
        if slot < 0:
            continue
        lists.touch(state, slot)
        layout.note_bounds(state, slot)
        fields = layout.slot_at(state, slot)
        for i in range(ints[fields + layout.SLOT_FULLS]):
            _queue_at(state, layout.row_of(ints[fields + layout.SLOT_LISTS + i]), captain)


@part
def smallest_full(state: Handle, slot: int) -> int:
    """Return the slot's full row with the fewest cells, of equals the smallest number."""
    ints = int_view(state)
    fields = layout.slot_at(state, slot)
    first = ints[fields + layout.SLOT_LISTS]
    best = layout.row_of(first)
    for i in range(1, ints[fields + layout.SLOT_FULLS]):
        entry = ints[fields + layout.SLOT_LISTS + i]
        if layout.size_of(entry) > layout.size_of(first):
            break
        if _number_below(state, layout.row_of(entry), best):
            best = layout.row_of(entry)
    return best


@part
def _number_below(state: Handle, row: int, other: int) -> bool:
    pool = layout.pool_of(state)
    words = word_view(state)
    W = len(state) - 2
    for w in range(W - 1, -1, -1):
        mine = words[pool.carrier + row * W + w]
        theirs = words[pool.carrier + other * W + w]
        if mine != theirs:
            return mine < theirs
    return False
