"""Inferior cells, compiled (hextui/engine/inferior.py has the rules).

``links[side, node]`` is the set of nodes linked to a node in a colour's network: bit ``c`` stands
for cell ``c``, the two bits after the cells for the colour's edges. Side 0 is Black. A set is
uint64[V].
"""

from typing import Any

import numpy as np
from numpy import uint64

from hextui.engine.kernels.compiling import kernel, part
from hextui.engine.kernels.memory import lowest, popcount

NONE, CLIQUE, REGION, PAIR, DEAD_AFTER_REPLY, DEAD_AFTER, CAPTURED_AFTER = range(7)
"""Which rule made a cell inferior."""


@kernel
def find_inferior(
    around: Any, stones: Any, mover: int, rules: Any, partners: Any, better: Any
) -> None:
    """Find the inferior cells of a side to move (0 is Black); fill dead and captured ones in.

    ``around``: uint64[2, cells + 2, V], the neighbours and own edges of each cell. ``stones``:
    uint8[cells], filled in. Written: ``rules`` int8[cells], ``partners`` int32[2, cells] in the
    pairs that a side captures, ``better`` int32[cells], the killer or the dominator of a cell.
    """
    cells = len(stones)
    width = around.shape[2]
    links = np.zeros_like(around)
    empties = np.zeros(width, np.uint64)
    groups = np.zeros((cells, width), np.uint64)
    owners = np.zeros(cells, np.int64)
    while True:
        count = _find_groups(around, stones, groups, owners)
        for group in range(count):
            if _has(groups[group], cells) and _has(groups[group], cells + 1):
                return
        _link(around, stones, groups[:count], owners, links, empties)
        if _fill_dead(links, empties, groups[:count], owners, stones, mover, rules):
            continue
        killed = np.zeros((2, cells, width), np.uint64)
        if not _fill_pair(links, empties, stones, killed, rules, partners):
            break
    for killer in range(cells):
        for cell in range(cells):
            if rules[cell] == NONE and _has(killed[1 - mover, killer], cell):
                rules[cell], better[cell] = DEAD_AFTER_REPLY, killer
    _find_dominated(links, empties, killed[mover], stones, mover, rules, better)


@kernel
def _has(nodes: Any, node: int) -> bool:
    return bool(nodes[node >> 6] >> uint64(node & 63) & uint64(1))


@kernel
def _flip(nodes: Any, node: int) -> None:
    nodes[node >> 6] ^= uint64(1) << uint64(node & 63)


@kernel
def _next(nodes: Any, node: int) -> int:
    """Return the first node of a set from ``node`` on, -1 if there is none."""
    word_index = node >> 6
    if word_index >= len(nodes):
        return -1
    word = nodes[word_index] >> uint64(node & 63) << uint64(node & 63)
    while not word:
        word_index += 1
        if word_index == len(nodes):
            return -1
        word = nodes[word_index]
    return 64 * word_index + lowest(word)


@part
def _find_groups(around: Any, stones: Any, groups: Any, owners: Any) -> int:
    """Write what each group of stones touches, the stones included; return how many there are."""
    cells = len(stones)
    grouped = np.zeros(cells, np.bool_)
    waiting = np.empty(cells, np.int64)
    count = 0
    for first in range(cells):
        if stones[first] == 0 or grouped[first]:
            continue
        side = stones[first] - 1
        grouped[first] = True
        waiting[0] = first
        head, end = 0, 1
        touched = groups[count]
        touched[:] = 0
        while head < end:
            near = around[side, waiting[head]]
            head += 1
            touched |= near
            cell = _next(near, 0)
            while 0 <= cell < cells:
                if stones[cell] == stones[first] and not grouped[cell]:
                    grouped[cell] = True
                    waiting[end] = cell
                    end += 1
                cell = _next(near, cell + 1)
        owners[count] = side
        count += 1
    return count


@part
def _link(around: Any, stones: Any, groups: Any, owners: Any, links: Any, empties: Any) -> None:
    """Write the empty cells and the links of both networks; groups come to touch these alone."""
    cells = len(stones)
    empties[:] = 0
    links[:] = 0
    for cell in range(cells):
        if stones[cell] == 0:
            _flip(empties, cell)
    for node in (cells, cells + 1):
        _flip(empties, node)  # for a moment: what may be linked
    for side in range(2):
        for cell in range(cells):
            if stones[cell] == 0:
                links[side, cell] = around[side, cell] & empties
    for group in range(len(groups)):
        nodes = groups[group]
        nodes &= empties
        node = _next(nodes, 0)
        while node >= 0:
            links[owners[group], node] |= nodes
            _flip(links[owners[group], node], node)
            node = _next(nodes, node + 1)
    for node in (cells, cells + 1):
        _flip(empties, node)
        for side in range(2):
            for cell in range(cells):
                if _has(links[side, cell], node) and not _has(links[side, node], cell):
                    _flip(links[side, node], cell)


@kernel
def _is_clique(links: Any, nodes: Any) -> bool:
    """Return whether all nodes of a set are linked to each other."""
    node = _next(nodes, 0)
    while node >= 0:
        linked = links[node]
        for w in range(len(nodes)):
            rest = nodes[w] & ~linked[w]
            if w == node >> 6:
                rest &= ~(uint64(1) << uint64(node & 63))
            if rest:
                return False
        node = _next(nodes, node + 1)
    return True


@kernel
def _is_dead(links: Any, cell: int) -> bool:
    return _is_clique(links[0], links[0, cell]) or _is_clique(links[1], links[1, cell])


@part
def _fill_dead(
    links: Any, empties: Any, groups: Any, owners: Any, stones: Any, mover: int, rules: Any
) -> bool:
    """Put stones of the side to move on dead cells; tell whether there were any."""
    cells = len(stones)
    filled = False
    cut_off = _cut_off(links, empties, groups, owners, cells)
    for cell in range(cells):
        if stones[cell] != 0:
            continue
        if _is_dead(links, cell):
            rules[cell] = CLIQUE
        elif _has(cut_off, cell):
            rules[cell] = REGION
        else:
            continue
        stones[cell] = mover + 1
        filled = True
    return filled


@part
def _cut_off(links: Any, empties: Any, groups: Any, owners: Any, cells: int) -> Any:
    """Return the cells that a group's surroundings, a clique, or nothing cut off from its edges."""
    width = len(empties)
    unreached = np.zeros(width, np.uint64)
    nothing = np.zeros(width, np.uint64)
    for side in range(2):
        _add_unreached(links[side], empties, nothing, cells, unreached)
    for group in range(len(groups)):
        _add_unreached(links[owners[group]], empties, groups[group], cells, unreached)
    return unreached


@part
def _add_unreached(links: Any, empties: Any, clique: Any, cells: int, unreached: Any) -> None:
    """Add the empty cells that no path from an edge reaches without a node of ``clique``."""
    width = len(empties)
    reached = np.zeros(width, np.uint64)
    waiting = np.zeros(width, np.uint64)
    for edge in (cells, cells + 1):
        if not _has(clique, edge):
            _flip(reached, edge)
            _flip(waiting, edge)
    node = _next(waiting, 0)
    while node >= 0:
        _flip(waiting, node)
        linked = links[node]
        for w in range(width):
            fresh = linked[w] & ~reached[w] & ~clique[w]
            reached[w] |= fresh
            waiting[w] |= fresh
        node = _next(waiting, 0)
    for w in range(width):
        unreached[w] |= empties[w] & ~reached[w] & ~clique[w]


@part
def _put(links: Any, after: Any, side: int, cell: int) -> None:
    """Write to ``after``, a copy of ``links``, what a stone changes in both networks."""
    joined = links[side, cell]
    node = _next(joined, 0)
    while node >= 0:
        after[side, node] |= joined
        _flip(after[side, node], node)
        _flip(after[side, node], cell)
        node = _next(joined, node + 1)
    lost = links[1 - side, cell]
    node = _next(lost, 0)
    while node >= 0:
        _flip(after[1 - side, node], cell)
        node = _next(lost, node + 1)
    after[0, cell] = 0
    after[1, cell] = 0


@part
def _take_back(links: Any, after: Any, cell: int) -> None:
    """Make ``after`` a copy of ``links`` again."""
    for side in range(2):
        near = links[side, cell]
        after[side, cell] = near
        node = _next(near, 0)
        while node >= 0:
            after[side, node] = links[side, node]
            node = _next(near, node + 1)


@part
def _write_near(links: Any, empties: Any, cell: int, near: Any) -> None:
    """Write the empty cells whose surroundings a stone on ``cell`` changes."""
    near[:] = 0
    for side in range(2):
        touched = links[side, cell] & empties
        near |= touched
        other = _next(touched, 0)
        while other >= 0:
            near |= links[side, other]
            other = _next(touched, other + 1)
    near &= empties
    if _has(near, cell):
        _flip(near, cell)


@part
def _write_killed(
    links: Any, after: Any, empties: Any, side: int, cell: int, near: Any, killed: Any
) -> None:
    """Write the cells that a stone makes dead; ``after``, a copy of ``links``, is restored."""
    _write_near(links, empties, cell, near)
    _put(links, after, side, cell)
    killed[:] = 0
    other = _next(near, 0)
    while other >= 0:
        if _is_dead(after, other):
            _flip(killed, other)
        other = _next(near, other + 1)
    _take_back(links, after, cell)


@part
def _fill_pair(
    links: Any, empties: Any, stones: Any, killed: Any, rules: Any, partners: Any
) -> bool:
    """Fill in the first captured pair, if any; write what stones make dead to ``killed``."""
    cells = len(stones)
    after = links.copy()
    near = np.empty_like(empties)
    for side in range(2):
        for first in range(cells):
            if stones[first] == 0:
                _write_killed(links, after, empties, side, first, near, killed[side, first])
        for cell in range(cells):
            other = _next(killed[side, cell], cell + 1)
            while other >= 0:
                if _has(killed[side, other], cell):
                    stones[cell] = stones[other] = side + 1
                    rules[cell] = rules[other] = PAIR
                    partners[side, cell], partners[side, other] = other, cell
                    return True
                other = _next(killed[side, cell], other + 1)
    return False


@part
def _find_dominated(
    links: Any, empties: Any, killed: Any, stones: Any, mover: int, rules: Any, better: Any
) -> None:
    """Write which moves are dominated, and by which; who dominates most comes first.

    Only moves that are not vulnerable take part. Of moves that dominate each other one is kept.
    """
    cells = len(stones)
    width = len(empties)
    captured = np.zeros((cells, width), np.uint64)
    count = np.full(cells, -1)
    after = links.copy()
    then = links.copy()
    for cell in range(cells):
        if stones[cell] == 0 and rules[cell] == NONE:
            _write_captured(links, after, then, empties, mover, cell, captured[cell])
            count[cell] = 0
            for w in range(width):
                count[cell] += popcount(killed[cell, w] | captured[cell, w])
    kept = np.zeros(cells, np.bool_)
    for most in range(count.max(), -1, -1):
        for cell in range(cells):
            if count[cell] != most or rules[cell] != NONE:
                continue
            kept[cell] = True
            for worse in range(cells):
                if count[worse] < 0 or kept[worse] or rules[worse] != NONE:
                    continue
                if _has(killed[cell], worse):
                    rules[worse], better[worse] = DEAD_AFTER, cell
                elif _has(captured[cell], worse):
                    rules[worse], better[worse] = CAPTURED_AFTER, cell


@part
def _write_captured(
    links: Any, after: Any, then: Any, empties: Any, side: int, cell: int, captured: Any
) -> None:
    """Write which cells near a stone belong to pairs that its owner captures with it."""
    width = len(empties)
    near = np.empty(width, np.uint64)
    room = np.empty(width, np.uint64)
    _write_near(links, empties, cell, near)
    _put(links, after, side, cell)
    _put(links, then, side, cell)
    _flip(empties, cell)
    count = 0
    for w in range(width):
        count += popcount(near[w])
    others = np.empty(count, np.int64)
    killed = np.empty((count, width), np.uint64)
    other = _next(near, 0)
    for i in range(count):
        others[i] = other
        _write_killed(after, then, empties, side, other, room, killed[i])
        other = _next(near, other + 1)
    for i in range(count):
        for j in range(count):
            if i != j and _has(killed[i], others[j]) and _has(killed[j], others[i]):
                _flip(captured, others[i])
                break
    _flip(empties, cell)
    _take_back(links, after, cell)
    _take_back(links, then, cell)
