"""Scores of moves: the electric current through each cell in both colours' networks.

The first proof numbers of moves follow from the resistances of these networks.

Source: V. Anshelevich's circuits, see docs/methods.md#resistance. Linked nodes are joined by
a conductance of 1, doubled at each end that is an own group or edge, divided by one plus the
number of cells that all full connections of the pair need.
"""

from numpy import uint64

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.connections import state as state_at
from hextui.engine.kernels.connections.state import pool_of
from hextui.engine.kernels.memory import (
    Handle,
    int_view,
    lowest,
    popcount,
    real_view,
    whole,
    word_view,
)
from hextui.engine.kernels.solver import layout as at
from hextui.engine.kernels.solver.layout import fields_of, header_of

# keeps the matrix regular where a part is cut off from the second edge
LEAK = 1e-7

# the first proof and disproof number of a move if both colours have the same resistance, and the
# largest one
EQUAL, LARGEST = 8.0, 256.0


@part
def flows_of(memory: Handle, level: int) -> int:
    """Return where a level's currents begin, those of the colour that has just moved.

    The resistance of that colour follows the currents of all cells.
    """
    header = header_of(memory)
    return header.flows + (level + 1) * (header.cells + 1)


@part
def write_first_numbers(memory: Handle, level: int) -> None:
    """Write the proof and disproof number that all moves of a level begin with.

    If both resistances are the same, these are equal. For a side to move with a smaller one, moves
    are easier to prove and harder to refute, by the square of the ratio. Both numbers are 1 or
    more and finite, so they only choose what is searched first: they decide nothing.
    """
    header = header_of(memory)
    ints = int_view(memory)
    reals = real_view(memory)
    phi = delta = 1
    if header.heuristic and header.order == at.ORDER_RESISTANCE:
        other = reals[flows_of(memory, level) + header.cells]
        own = reals[flows_of(memory, level - 1) + header.cells]
        ratio = max(other, LEAK) / max(own, LEAK)
        phi = whole(min(max(EQUAL * ratio * ratio, 1.0), LARGEST))
        delta = whole(min(max(EQUAL / (ratio * ratio), 1.0), LARGEST))
    first = level * header.cells
    for child in range(first, first + ints[fields_of(memory, level) + at.L_COUNT]):
        ints[header.child_phi + child] = phi
        ints[header.child_delta + child] = delta


@part
def write_currents(memory: Handle, links: Handle, flows: int) -> None:
    """Write the current through each empty cell, 0 elsewhere, and the resistance after them."""
    header = header_of(memory)
    pool = pool_of(links)
    ints = int_view(memory)
    reals = real_view(memory)
    state = int_view(links)
    cells = pool.cells
    size, banded = _number_nodes(memory, links)
    matrix = header.matrix
    for cell in range(cells):
        reals[flows + cell] = 0.0
    place_of = header.node_of
    node_at = header.node_of + pool.nodes
    stride = size + 1  # the last column is the right-hand side, then the potential
    for i in range(size * stride):
        reals[matrix + i] = 0.0
    _write_conductances(memory, links, size, banded)
    source = whole(ints[place_of + cells])
    reals[matrix + source * stride + size] = 1.0
    _solve(memory, size, banded)
    for i in range(size):
        node = whole(ints[node_at + i])
        if node >= cells or state[pool.kind + node] != state_at.EMPTY_CELL:
            continue
        reals[flows + node] = _flow_through(memory, links, size, i)
    reals[flows + cells] = reals[matrix + source * stride + size]


@part
def _flow_through(memory: Handle, links: Handle, size: int, place: int) -> float:
    """Return the current through an empty cell, half of what flows along its links."""
    header = header_of(memory)
    pool = pool_of(links)
    ints = int_view(memory)
    reals = real_view(memory)
    masks = word_view(links)
    matrix = header.matrix
    stride = size + 1
    node = whole(ints[header.node_of + pool.nodes + place])
    potential = reals[matrix + place * stride + size]
    flow = 0.0
    for w in range(pool.node_words):
        near = masks[pool.linked + node * pool.node_words + w]
        while near:
            other = w * 64 + lowest(near)
            near &= near - uint64(1)
            if other > pool.cells:
                flow += _conductance(links, node, other) * abs(potential)
                continue
            there = whole(ints[header.node_of + other])
            # the lower half still has the conductances
            low, high = (there, place) if there < place else (place, there)
            strength = -reals[matrix + high * stride + low]
            flow += strength * abs(potential - reals[matrix + there * stride + size])
    return flow / 2


@part
def _number_nodes(memory: Handle, links: Handle) -> tuple[int, int]:
    """Number the nodes of the network but the second edge, which is the ground.

    Empty cells come first, as their rows of the matrix are zero beyond a band, to BAND_END.
    """
    header = header_of(memory)
    pool = pool_of(links)
    ints = int_view(memory)
    state = int_view(links)
    nodes, cells = pool.nodes, pool.cells
    place_of = header.node_of
    node_at = header.node_of + nodes
    size = 0
    for node in range(cells):
        ints[place_of + node] = -1
        if state[pool.kind + node] == state_at.EMPTY_CELL:
            ints[place_of + node], ints[node_at + size] = size, node
            ints[header.band_end + size] = size + 1
            size += 1
    banded = size
    for node in range(cells + 1):
        kind = state[pool.kind + node]
        group = kind == state_at.OWN_GROUP and state[pool.captain + node] == node
        if group or kind == state_at.OWN_EDGE:
            ints[place_of + node], ints[node_at + size] = size, node
            ints[header.band_end + size] = banded
            size += 1
    return size, banded


@part
def _write_conductances(memory: Handle, links: Handle, size: int, banded: int) -> None:
    """Write the matrix: conductances off the diagonal, negative, their sums on it."""
    header = header_of(memory)
    pool = pool_of(links)
    ints = int_view(memory)
    reals = real_view(memory)
    masks = word_view(links)
    nodes, node_words = pool.nodes, pool.node_words
    place_of = header.node_of
    node_at = header.node_of + nodes
    matrix = header.matrix
    stride = size + 1
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
                first, second = (j, i) if j < i else (i, j)
                if second < banded:
                    ints[header.band_end + first] = max(ints[header.band_end + first], second + 1)


@part
def _conductance(links: Handle, a: int, b: int) -> float:
    pool = pool_of(links)
    state = int_view(links)
    masks = word_view(links)
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
def _solve(memory: Handle, size: int, banded: int) -> None:
    """Solve by elimination in the upper half; the matrix is symmetric and dominant.

    Of the first ``banded`` columns a row has only those before its BAND_END.
    """
    header = header_of(memory)
    ints = int_view(memory)
    reals = real_view(memory)
    matrix = header.matrix
    stride = size + 1
    band_end = header.band_end
    for k in range(size):
        inverse = 1.0 / reals[matrix + k * stride + k]
        for i in range(k + 1, ints[band_end + k]):
            _eliminate(memory, size, banded, k, inverse, i)
        for i in range(max(k + 1, banded), size):
            _eliminate(memory, size, banded, k, inverse, i)
    for k in range(size - 1, -1, -1):
        pivot = matrix + k * stride
        total = reals[pivot + size]
        for j in range(k + 1, ints[band_end + k]):
            total -= reals[pivot + j] * reals[matrix + j * stride + size]
        for j in range(max(k + 1, banded), size):
            total -= reals[pivot + j] * reals[matrix + j * stride + size]
        reals[pivot + size] = total / reals[pivot + k]


@part
def _eliminate(memory: Handle, size: int, banded: int, k: int, inverse: float, i: int) -> None:
    """Take a multiple of row ``k`` from row ``i`` so that its column ``k`` would become 0."""
    header = header_of(memory)
    ints = int_view(memory)
    reals = real_view(memory)
    stride = size + 1
    band_end = header.band_end
    pivot = header.matrix + k * stride
    row = header.matrix + i * stride
    upper = reals[pivot + i]
    if upper == 0.0:
        return
    factor = upper * inverse
    until = whole(ints[band_end + k])
    ints[band_end + i] = max(ints[band_end + i], until)
    for j in range(i, until):
        reals[row + j] -= factor * reals[pivot + j]
    for j in range(max(i, banded), size + 1):
        reals[row + j] -= factor * reals[pivot + j]
