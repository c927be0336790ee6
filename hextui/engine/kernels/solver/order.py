"""Scores of moves: the electric current through each cell in both colours' networks.

Source: V. Anshelevich's circuits, see docs/methods.md#resistance. Linked nodes are joined by
a conductance of 1, doubled at each end that is an own group or edge, divided by one plus the
number of cells that all full connections of the pair need.

Moves that have won elsewhere in the search come earlier (the history heuristic). The wins are
int64[3, cells], by the mover's colour; all threads count in one array, where losing one of two
simultaneous wins does no harm.
"""

from typing import Any

from numpy import uint64

from hextui.engine.kernels.bits import lowest, popcount
from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.connections import state as state_at
from hextui.engine.kernels.connections.state import pool_of
from hextui.engine.kernels.solver.layout import desk_of
from hextui.engine.kernels.solver.whole import whole
from hextui.engine.kernels.views import Handle, int_view, real_view, word_view

# keeps the matrix regular where a part is cut off from the second edge
LEAK = 1e-7

# what a win counts, and at which sum all are halved
WIN = 64
MOST_WINS = 4096


@part
def flows_of(room: Handle, level: int) -> int:
    """Return where the currents of a level begin, those of the colour that has just moved.

    So those of a position are the rows of its level and of the one above, which may be -1.
    """
    desk = desk_of(room)
    return desk.flows + (level + 1) * desk.cells


@part
def write_currents(room: Handle, links: Handle, flows: int) -> float:
    """Write the current through each empty cell in a colour's network, 0 elsewhere.

    Returns the resistance between the edges; where they are cut off it is that of the leak.
    """
    desk = desk_of(room)
    pool = pool_of(links)
    ints, reals, state = int_view(room), real_view(room), int_view(links)
    cells = pool.cells
    size = _number_nodes(room, links)
    matrix = desk.matrix
    for cell in range(cells):
        reals[flows + cell] = 0.0
    place_of, node_at = desk.node_of, desk.node_of + pool.nodes
    stride = size + 1  # the last column is the right-hand side, then the potential
    for i in range(size * stride):
        reals[matrix + i] = 0.0
    _write_conductances(room, links, size)
    source = whole(ints[place_of + cells])
    reals[matrix + source * stride + size] = 1.0
    _solve(room, size)
    for i in range(size):
        node = whole(ints[node_at + i])
        if node >= cells or state[pool.kind + node] != state_at.EMPTY_CELL:
            continue
        here, flow = reals[matrix + i * stride + size], 0.0
        for j in range(size):
            # the lower half still has the conductances
            low, high = (j, i) if j < i else (i, j)
            strength = -reals[matrix + high * stride + low]
            flow += strength * abs(here - reals[matrix + j * stride + size])
        flow += _to_ground(room, links, node) * abs(here)
        reals[flows + node] = flow / 2
    return float(reals[matrix + source * stride + size])


@part
def add_wins(room: Handle, wins: Any, mover: int) -> None:
    """Raise the scores of moves that have won other positions, up to twice."""
    desk = desk_of(room)
    reals = real_view(room)
    most = 1
    for cell in range(desk.cells):
        most = max(most, wins[mover, cell])
    for cell in range(desk.cells):
        reals[desk.score + cell] *= 1.0 + wins[mover, cell] / most


@part
def note_win(wins: Any, mover: int, cell: int) -> None:
    """Count a move that won; old ones count less and less."""
    wins[mover, cell] += WIN
    if wins[mover, cell] > MOST_WINS:
        for other in range(wins.shape[1]):
            wins[mover, other] >>= 1


@part
def _number_nodes(room: Handle, links: Handle) -> int:
    """Number the nodes of the network but the second edge, which is the ground."""
    desk = desk_of(room)
    pool = pool_of(links)
    ints, state = int_view(room), int_view(links)
    nodes, cells = pool.nodes, pool.cells
    place_of, node_at = desk.node_of, desk.node_of + nodes
    size = 0
    for node in range(nodes):
        kind = state[pool.kind + node]
        known = kind != state_at.ABSENT and node != cells + 1
        if kind == state_at.OWN_GROUP:
            known = state[pool.captain + node] == node
        ints[place_of + node] = size if known else -1
        if known:
            ints[node_at + size] = node
            size += 1
    return size


@part
def _write_conductances(room: Handle, links: Handle, size: int) -> None:
    """Write the matrix: conductances off the diagonal, negative, their sums on it."""
    desk = desk_of(room)
    pool = pool_of(links)
    ints, reals, masks = int_view(room), real_view(room), word_view(links)
    nodes, node_words = pool.nodes, pool.node_words
    place_of, node_at = desk.node_of, desk.node_of + nodes
    matrix, stride = desk.matrix, size + 1
    ground = whole(pool.cells + 1)
    for i in range(size):
        node = int(ints[node_at + i])
        reals[matrix + i * stride + i] += LEAK
        for w in range(node >> 6, node_words):
            near = masks[pool.linked + node * node_words + w]
            if w == node >> 6:
                near &= ~uint64(0) << uint64(node & 63)
            while near:
                other = w * 64 + lowest(near)
                near &= near - uint64(1)
                strength = _conductance(links, node, other)
                reals[matrix + i * stride + i] += strength
                if other == ground:
                    continue
                j = ints[place_of + other]
                reals[matrix + j * stride + j] += strength
                reals[matrix + i * stride + j] = -strength
                reals[matrix + j * stride + i] = -strength


@part
def _to_ground(room: Handle, links: Handle, node: int) -> float:
    pool = pool_of(links)
    masks = word_view(links)
    node_words, ground = pool.node_words, whole(pool.cells + 1)
    linked = masks[pool.linked + node * node_words + (ground >> 6)]
    if linked >> uint64(ground & 63) & uint64(1):
        return _conductance(links, node, ground)
    return 0.0


@part
def _conductance(links: Handle, a: int, b: int) -> float:
    pool = pool_of(links)
    state, masks = int_view(links), word_view(links)
    W = len(links) - 2
    slot = state[pool.slot_of + a * pool.nodes + b]
    needed = 0
    for w in range(W):
        needed += popcount(masks[pool.needed + slot * W + w])
    strength = 1.0 / (1 + needed)
    kind = pool.kind
    if state[kind + a] != state_at.EMPTY_CELL:
        strength *= 2.0
    if state[kind + b] != state_at.EMPTY_CELL:
        strength *= 2.0
    return strength


@part
def _solve(room: Handle, size: int) -> None:
    """Solve by elimination in the upper half; the matrix is symmetric and dominant."""
    desk = desk_of(room)
    reals = real_view(room)
    matrix, stride = desk.matrix, size + 1
    for k in range(size):
        pivot = matrix + k * stride
        inverse = 1.0 / reals[pivot + k]
        for i in range(k + 1, size):
            upper = reals[pivot + i]
            if upper == 0.0:
                continue
            factor = upper * inverse
            row = matrix + i * stride
            for j in range(i, size + 1):
                reals[row + j] -= factor * reals[pivot + j]
    for k in range(size - 1, -1, -1):
        pivot = matrix + k * stride
        total = reals[pivot + size]
        for j in range(k + 1, size):
            total -= reals[pivot + j] * reals[matrix + j * stride + size]
        reals[pivot + size] = total / reals[pivot + k]
