"""Keep the two connection searches at the stones of the path; read the edge-to-edge connections.

An update is done only when a level is expanded: stones that the path no longer has are undone, new
ones are played, those of a level as one ply. A dead cell is gone for both colours.
"""

import numpy as np
from numpy import uint64

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.connections import state as state_at
from hextui.engine.kernels.connections.state import pool_of, row_of, slot_at
from hextui.engine.kernels.connections.updates import play_stones, search, undo
from hextui.engine.kernels.memory import Handle, int_view, whole, word_view
from hextui.engine.kernels.solver import layout as at
from hextui.engine.kernels.solver.layout import header_of

# the trail is full: what was played since cannot be undone
BROKEN = 2


@part
def follow(memory: Handle, links: Handle, color: int) -> None:
    """Bring a colour's connections to the current level, a batch a level, or search afresh."""
    header = header_of(memory)
    pool = pool_of(links)
    ints = int_view(memory)
    state = int_view(links)
    ends = header.batch_end + color * header.levels
    level = whole(header.level)
    path_end = header.fields + at.L_PATH_END
    end = ints[path_end + level * at.LEVEL_FIELDS]
    kept = min(ints[at.VALID + color], end)
    if kept < ints[at.BASE + color] or pool.overflow == BROKEN:
        start_afresh(memory, links, color, 0)
        kept = 0
    batches = whole(ints[at.BATCHES + color])
    while batches > 0 and ints[ends + batches] > kept:
        undo(links)
        batches -= 1
    played = whole(ints[ends + batches])
    first = level
    while first > 0 and ints[path_end + (first - 1) * at.LEVEL_FIELDS] > played:
        first -= 1
    while played < end:
        until = whole(ints[path_end + first * at.LEVEL_FIELDS])
        first += 1
        for i in range(played, until):
            entry = whole(ints[header.path + i])
            state[pool.new_stones + i - played] = entry >> 2 << 1 | (1 if entry & 3 == color else 0)
        play_stones(links, until - played)
        played = until
        batches += 1
        ints[ends + batches] = played
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
        head = waiting
        tail = waiting + 1
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
    """Return where the edge-to-edge fulls are listed, small first, their number, that of semis."""
    pool = pool_of(links)
    state = int_view(links)
    cells, nodes = pool.cells, pool.nodes
    slot = state[pool.slot_of + cells * nodes + cells + 1]
    if slot < 0:
        return 0, 0, 0
    fields = slot_at(links, slot)
    fulls = state[fields + state_at.SLOT_FULLS]
    semis = state[fields + state_at.SLOT_SEMIS]
    return fields + state_at.SLOT_LISTS, whole(fulls), whole(semis)


@part
def smallest_row(links: Handle, listed: int) -> int:
    """Return the row of a list with the fewest cells, the first of equals."""
    return whole(row_of(int_view(links)[listed]))


@part
def copy_carrier(memory: Handle, links: Handle, row: int, target: int) -> None:
    """Write a row's carrier to the memory's words."""
    pool = pool_of(links)
    words = word_view(memory)
    carriers = word_view(links)
    W = len(memory) - 2
    for w in range(W):
        words[target + w] = carriers[pool.carrier + row * W + w]


@part
def must_play(memory: Handle, links: Handle, left: int, used: int) -> bool:
    """Cut ``left`` to what all edge-to-edge semis of the opponent share; True if there is one."""
    pool = pool_of(links)
    words = word_view(memory)
    carriers = word_view(links)
    state = int_view(links)
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
