"""Several stones at once on a connection search: a move and what it fills in.

The same update as that of single stones in connections/updates.py, with one pass over the lists
and one run to the fixpoint for all of them, and one frame to undo.
"""

from numpy import uint64

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.connections import state as state_at
from hextui.engine.kernels.connections.fixpoint import to_fixpoint
from hextui.engine.kernels.connections.known_templates import offer_templates
from hextui.engine.kernels.connections.lists import (
    drop,
    offer_full,
    offer_semi,
    premise_candidate,
    queue_or,
)
from hextui.engine.kernels.connections.slots import note_lists, row_at, row_of, slot_at
from hextui.engine.kernels.connections.state import pool_of
from hextui.engine.kernels.connections.trail import set_captain, set_kind, touch
from hextui.engine.kernels.connections.updates import (
    begin_ply,
    clear_pair,
    join_groups,
    queue_group,
)
from hextui.engine.kernels.solver.layout import desk_of
from hextui.engine.kernels.solver.whole import whole
from hextui.engine.kernels.views import Handle, int_view, word_view


@part
def play_stones(room: Handle, links: Handle, color: int, start: int, end: int) -> None:
    """Play the stones of PATH from ``start`` to ``end``: own ones, and cells that are gone."""
    desk = desk_of(room)
    pool = pool_of(links)
    ints, words, state = int_view(room), word_view(room), int_view(links)
    W = len(room) - 2
    own, gone = desk.new_stones, desk.new_stones + W
    for w in range(2 * W):
        words[own + w] = uint64(0)
    begin_ply(links)
    for i in range(start, end):
        entry = whole(ints[desk.path + i])
        cell = entry >> 2
        if entry & 3 == color:
            words[own + (cell >> 6)] |= uint64(1) << uint64(cell & 63)
        else:
            words[gone + (cell >> 6)] |= uint64(1) << uint64(cell & 63)
            _remove_node(links, cell)
    pool.old_rows = pool.rows
    group = -1
    for i in range(start, end):
        entry = whole(ints[desk.path + i])
        if entry & 3 == color:
            captain = whole(join_groups(links, entry >> 2))
            # a captain of before can be a member now
            if group >= 0 and state[pool.captain + group] != captain:
                pool.old_rows = 0
            group = captain
    pool.group = group
    _sweep(room, links)
    for i in range(start, end):
        entry = whole(ints[desk.path + i])
        if entry & 3 == color and state[pool.captain + (entry >> 2)] == entry >> 2:
            queue_group(links, entry >> 2)
        if entry & 3 == color:
            offer_templates(links, entry >> 2)
    to_fixpoint(links)


@part
def _remove_node(links: Handle, cell: int) -> None:
    pool = pool_of(links)
    state = int_view(links)
    nodes = pool.nodes
    set_kind(links, cell, state_at.ABSENT)
    set_captain(links, cell, -1)
    for other in range(nodes):
        slot = state[pool.slot_of + cell * nodes + other]
        if slot >= 0:
            clear_pair(links, slot)


@part
def _sweep(room: Handle, links: Handle) -> None:
    """Drop the carriers with cells that are gone, take own stones out of the others."""
    desk = desk_of(room)
    pool = pool_of(links)
    words = word_view(room)
    state, carriers = int_view(links), word_view(links)
    W = len(room) - 2
    own, gone = desk.new_stones, desk.new_stones + W
    old = pool.scratch
    for slot in range(pool.slots):
        met = uint64(0)
        for w in range(W):
            union = carriers[pool.union + slot * W + w]
            met |= union & (words[own + w] | words[gone + w])
        if met == uint64(0):
            continue
        touch(links, slot)
        fields = slot_at(links, slot)
        lists = fields + state_at.SLOT_LISTS
        semi_lists = lists + pool.full_limit
        union = pool.union + slot * W
        for w in range(W):
            carriers[union + w] = uint64(0)
        fulls = state[fields + state_at.SLOT_FULLS]
        kept, count = _keep_untouched(room, links, lists, fulls, union, old, 0)
        state[fields + state_at.SLOT_FULLS] = kept
        full_count = count
        semis = state[fields + state_at.SLOT_SEMIS]
        kept, count = _keep_untouched(room, links, semi_lists, semis, union, old, count)
        state[fields + state_at.SLOT_SEMIS] = kept
        note_lists(links, slot)
        for i in range(count):
            row = whole(state[old + i])
            candidate = pool.carrier + pool.rows * W
            for w in range(W):
                carrier = carriers[pool.carrier + row * W + w]
                carriers[candidate + w] = carrier & ~words[own + w]
            premise_candidate(links, 0, row)
            key = whole(state[row_at(links, row) + state_at.ROW_KEY])
            taken = uint64(0)
            if key >= 0:
                taken = words[own + (key >> 6)] >> uint64(key & 63) & uint64(1)
            if i < full_count or taken:
                offer_full(links, slot, state_at.RULE_STONE, 1)
            else:
                offer_semi(links, slot, state_at.RULE_STONE, key, 1)
        if state[fields + state_at.SLOT_SEMIS]:
            queue_or(links, slot)


@part
def _keep_untouched(
    room: Handle, links: Handle, listed: int, length: int, union: int, old: int, count: int
) -> tuple[int, int]:
    """Keep the rows of a list without new stones; note those with own ones only in ``old``.

    Returns the new length and the number of rows noted.
    """
    desk = desk_of(room)
    pool = pool_of(links)
    words = word_view(room)
    state, carriers = int_view(links), word_view(links)
    W = len(room) - 2
    own, gone = desk.new_stones, desk.new_stones + W
    kept = 0
    for i in range(length):
        entry = state[listed + i]
        row = row_of(entry)
        carrier = pool.carrier + row * W
        cut, shrunk = uint64(0), uint64(0)
        for w in range(W):
            cut |= carriers[carrier + w] & words[gone + w]
            shrunk |= carriers[carrier + w] & words[own + w]
        if cut == uint64(0) and shrunk == uint64(0):
            state[listed + kept] = entry
            kept += 1
            for w in range(W):
                carriers[union + w] |= carriers[carrier + w]
            continue
        drop(links, row)
        if cut == uint64(0):
            state[old + count] = row
            count += 1
    return kept, count
