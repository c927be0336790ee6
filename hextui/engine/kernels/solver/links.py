"""Keep the two connection searches at the stones of the path; read the edge-to-edge connections.

The cost of an update depends on what changed, so it is done only when a level is expanded: stones
that the path no longer has are undone, new ones are played. A dead cell is gone for both colours.
The new stones of a level are one ply: one pass over the lists, one run to the fixpoint, one frame
to undo.
"""

import numpy as np
from numpy import uint64

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.connections import state as state_at
from hextui.engine.kernels.connections.fixpoint import to_fixpoint
from hextui.engine.kernels.connections.lists import (
    drop,
    offer_full,
    offer_semi,
    offer_templates,
    premise_candidate,
    queue_or,
    set_captain,
    set_kind,
    touch,
)
from hextui.engine.kernels.connections.state import note_lists, pool_of, row_at, row_of, slot_at
from hextui.engine.kernels.connections.updates import (
    begin_ply,
    clear_pair,
    join_groups,
    queue_group,
    search,
    undo,
)
from hextui.engine.kernels.memory import Handle, int_view, whole, word_view
from hextui.engine.kernels.solver import layout as at
from hextui.engine.kernels.solver.layout import header_of

# the trail is full: what was played since cannot be undone
BROKEN = 2


@part
def follow(memory: Handle, links: Handle, color: int) -> None:
    """Bring a colour's connections to the stones of the current level, a batch a level.

    A search that cannot be updated is made afresh at the root.
    """
    header = header_of(memory)
    pool = pool_of(links)
    ints = int_view(memory)
    ends = header.batch_end + color * header.levels
    level = whole(header.level)
    path_end = header.fields + at.L_PATH_END
    end = ints[path_end + level * at.LEVEL_FIELDS]
    kept = min(ints[at.VALID + color], end)
    header.builds += 1
    if kept < ints[at.BASE + color] or pool.overflow == BROKEN:
        start_afresh(memory, links, color, 0)
        kept = 0
    batches = whole(ints[at.BATCHES + color])
    while batches > 0 and ints[ends + batches] > kept:
        undo(links)
        batches -= 1
    held = whole(ints[ends + batches])
    first = level
    while first > 0 and ints[path_end + (first - 1) * at.LEVEL_FIELDS] > held:
        first -= 1
    while held < end:
        until = whole(ints[path_end + first * at.LEVEL_FIELDS])
        first += 1
        play_stones(memory, links, color, held, until)
        held = until
        batches += 1
        ints[ends + batches] = held
        if pool.overflow == BROKEN:
            start_afresh(memory, links, color, level)
            return
    ints[at.BATCHES + color] = batches
    ints[at.VALID + color] = end


@part
def start_afresh(memory: Handle, links: Handle, color: int, level: int) -> None:
    """Search a colour's connections at a level from scratch."""
    header = header_of(memory)
    ints = int_view(memory)
    cells = header.cells
    stones = header.stones + level * (cells + at.BORDERS)
    captains = np.empty(cells, np.int32)
    own = np.empty(cells, np.bool_)
    for cell in range(cells):
        own[cell] = ints[stones + cell] == color
        captains[cell] = cell if ints[stones + cell] == 0 else -1
    waiting = header.scratch
    for first in range(cells):
        if not own[first] or captains[first] >= 0:
            continue
        captains[first] = first
        ints[waiting] = first
        head, tail = waiting, waiting + 1
        while head < tail:
            near = header.near + 6 * ints[head]
            head += 1
            for i in range(6):
                other = whole(ints[near + i])
                if other < cells and own[other] and captains[other] < 0:
                    captains[other] = first
                    ints[tail] = other
                    tail += 1
    search(links, captains, own)
    end = ints[header.fields + level * at.LEVEL_FIELDS + at.L_PATH_END]
    ints[at.VALID + color] = ints[at.BASE + color] = end
    ints[at.BATCHES + color] = 0
    ints[header.batch_end + color * header.levels] = end


@part
def edge_lists(links: Handle) -> tuple[int, int, int]:
    """Return where the edge-to-edge full rows are listed, their number, and that of semis.

    Small ones come first. The semis' list stands ``FULL_LIMIT`` ints behind the fulls'.
    """
    pool = pool_of(links)
    state = int_view(links)
    cells, nodes = pool.cells, pool.nodes
    slot = state[pool.slot_of + cells * nodes + cells + 1]
    if slot < 0:
        return 0, 0, 0
    fields = slot_at(links, slot)
    fulls, semis = state[fields + state_at.SLOT_FULLS], state[fields + state_at.SLOT_SEMIS]
    return fields + state_at.SLOT_LISTS, whole(fulls), whole(semis)


@part
def smallest_row(links: Handle, listed: int) -> int:
    """Return the row of a list with the fewest cells, the first of equals."""
    return whole(row_of(int_view(links)[listed]))


@part
def copy_carrier(memory: Handle, links: Handle, row: int, target: int) -> None:
    """Write a row's carrier to the memory's words."""
    pool = pool_of(links)
    words, carriers = word_view(memory), word_view(links)
    W = len(memory) - 2
    for w in range(W):
        words[target + w] = carriers[pool.carrier + row * W + w]


@part
def must_play(memory: Handle, links: Handle, left: int, used: int) -> bool:
    """Cut ``left`` to what all edge-to-edge semis of the opponent share; True if there is one.

    The carriers that cut it, small ones first, are joined in ``used``.
    """
    pool = pool_of(links)
    words, carriers, state = word_view(memory), word_view(links), int_view(links)
    W = len(memory) - 2
    listed, _, count = edge_lists(links)
    listed += pool.full_limit
    for i in range(count):
        carrier = pool.carrier + row_of(state[listed + i]) * W
        cut = uint64(0)
        for w in range(W):
            cut |= words[left + w] & ~carriers[carrier + w]
        if cut or i == 0:
            for w in range(W):
                words[left + w] &= carriers[carrier + w]
                words[used + w] |= carriers[carrier + w]
    return count > 0


@part
def play_stones(memory: Handle, links: Handle, color: int, start: int, end: int) -> None:
    """Play the stones of PATH from ``start`` to ``end``: own ones, and cells that are gone."""
    header = header_of(memory)
    pool = pool_of(links)
    ints, words, state = int_view(memory), word_view(memory), int_view(links)
    W = len(memory) - 2
    own, gone = header.new_stones, header.new_stones + W
    for w in range(2 * W):
        words[own + w] = uint64(0)
    begin_ply(links)
    for i in range(start, end):
        entry = whole(ints[header.path + i])
        cell = entry >> 2
        if entry & 3 == color:
            words[own + (cell >> 6)] |= uint64(1) << uint64(cell & 63)
        else:
            words[gone + (cell >> 6)] |= uint64(1) << uint64(cell & 63)
            _remove_node(links, cell)
    pool.old_rows = pool.rows
    group = -1
    for i in range(start, end):
        entry = whole(ints[header.path + i])
        if entry & 3 == color:
            captain = whole(join_groups(links, entry >> 2))
            # a former captain can be a member now
            if group >= 0 and state[pool.captain + group] != captain:
                pool.old_rows = 0
            group = captain
    pool.group = group
    _sweep(memory, links)
    for i in range(start, end):
        entry = whole(ints[header.path + i])
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
def _sweep(memory: Handle, links: Handle) -> None:
    """Drop the carriers with cells that are gone, take own stones out of the others."""
    header = header_of(memory)
    pool = pool_of(links)
    words = word_view(memory)
    state, carriers = int_view(links), word_view(links)
    W = len(memory) - 2
    own, gone = header.new_stones, header.new_stones + W
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
        kept, count = _keep_untouched(memory, links, lists, fulls, union, old, 0)
        state[fields + state_at.SLOT_FULLS] = kept
        full_count = count
        semis = state[fields + state_at.SLOT_SEMIS]
        kept, count = _keep_untouched(memory, links, semi_lists, semis, union, old, count)
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
    memory: Handle, links: Handle, listed: int, length: int, union: int, old: int, count: int
) -> tuple[int, int]:
    """Keep the rows of a list without new stones; note those with own ones only in ``old``.

    Returns the new length and the number of rows noted.
    """
    header = header_of(memory)
    pool = pool_of(links)
    words = word_view(memory)
    state, carriers = int_view(links), word_view(links)
    W = len(memory) - 2
    own, gone = header.new_stones, header.new_stones + W
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
