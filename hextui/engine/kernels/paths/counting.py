"""Short paths of a reduced network, counted exactly, also through each cell; circuits solved.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 3;
docs/methods.md#short-paths, and for circuits #resistance. A path of level e has d + e links, e = 0,
1, 2. Walks are counted by cost (see reduction.py), and at cost 2 those that turn back at once over
a link are subtracted: all others are paths. Counts are float64: exact below 2^53, and reported as
not exact above.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hextui.engine.kernels.compiling import kernel, part
from hextui.engine.kernels.connections.state import pool_of
from hextui.engine.kernels.connections.updates import play_stone, undo
from hextui.engine.kernels.memory import Handle, int_view, places, real_view
from hextui.engine.kernels.paths import layout as at
from hextui.engine.kernels.paths.acceptance import search_levels
from hextui.engine.kernels.paths.layout import net_of
from hextui.engine.kernels.paths.reduction import network_of_search

EXACT_LIMIT = 2.0**53


@kernel
def count_all(memory: Handle, mode: int) -> None:
    """Count the paths, those the S_n rule refuses, and all through each cell.

    ``mode``: bits of CARRIERS, DISJOINT and PARALLEL.
    """
    count_paths(memory, mode)
    if net_of(memory).mode == 0 and net_of(memory).distance != at.CUT:
        count_through(_without_sets(memory))


@part
def _without_sets(memory: Handle) -> Handle:
    """Return the handle of parts that use no sets of cells: they are compiled for one width."""
    return memory[0], memory[1]


@part
def count_paths(memory: Handle, mode: int) -> None:
    """Count the paths of levels 0 to the network's slack, and those the S_n rule refuses."""
    net = net_of(memory)
    reals = real_view(memory)
    levels = net.slack + 1
    # without virtual links paths use what they pass, and nothing twice
    net.mode = mode if net.virtual else 0
    for i in range(at.RESULTS):
        reals[i] = 0.0
    for level in range(levels):
        reals[at.RESULT_EXACT + level] = 1.0
    for i in range(at.LEVELS * net.cells):
        reals[net.refused + i] = reals[net.through + i] = 0.0
    if net.distance == at.CUT:
        return
    count_behind(_without_sets(memory))
    for level in range(min(levels, at.COUNTED)):
        paths = reals[net.behind + level * net.locals + net.start]
        reals[at.RESULT_RAW + level] = paths
        # no intermediate sum is larger than this
        if paths * net.nodes >= EXACT_LIMIT:
            for above in range(level, levels):
                reals[at.RESULT_EXACT + above] = 0.0
    if net.virtual or levels > at.COUNTED:
        search_levels(memory)


@part
def count_behind(memory: Handle) -> None:
    """Count each node's ways on to the second edge, by cost 0, 1, 2.

    Those of the first edge are the numbers of paths, n_k. A number at cost c holds for nodes that a
    path reaches with a cost of up to slack - c. Where pairs have several links, that at cost 2
    counts ways that turn back, too.
    """
    net = net_of(memory)
    ints = int_view(memory)
    reals = real_view(memory)
    nodes, behind = net.locals, net.behind
    first, head = net.first, net.head
    for level in range(min(net.slack + 1, at.COUNTED)):
        for node in range(nodes):
            total = 1.0 if node == 0 and level == 0 else 0.0
            links = first + at.COSTS * node
            for cost in range(level + 1):
                rest = behind + (level - cost) * nodes
                for link in range(ints[links + cost], ints[links + cost + 1]):
                    total += reals[rest + ints[head + link]]
            if level == 2 and not net.mode & at.PARALLEL:
                # ways that turn back at once over a link, as the module's docstring says
                turns = ints[links + at.COSTS] - ints[links]
                if node != 0:
                    turns -= 1
                total -= turns * reals[behind + node]
            reals[behind + level * nodes + node] = total


@part
def count_ahead(memory: Handle) -> None:
    """Count the ways from the first edge to each node, by cost 0, 1, 2; where the mode is 0."""
    net = net_of(memory)
    ints = int_view(memory)
    reals = real_view(memory)
    nodes = net.locals
    ahead = net.ahead
    start = net.start
    first = net.first
    head = net.head
    levels = min(net.slack + 1, at.COUNTED)
    for i in range(levels * nodes):
        reals[ahead + i] = 0.0
    reals[ahead + start] = 1.0
    for level in range(levels):
        for node in range(nodes - 1, -1, -1):
            links = first + at.COSTS * node
            if level == 2:
                # ways that turn back at once, as in count_behind
                turns = ints[links + at.COSTS] - ints[links]
                if node != start:
                    turns -= 1
                reals[ahead + 2 * nodes + node] -= turns * reals[ahead + node]
            ways = reals[ahead + level * nodes + node]
            for cost in range(levels - level):
                reached = ahead + (level + cost) * nodes
                for link in range(ints[links + cost], ints[links + cost + 1]):
                    reals[reached + ints[head + link]] += ways


@part
def count_through(memory: Handle) -> None:
    """After ``count_paths``: count all paths of each level through each cell, sigma_i(u)."""
    net = net_of(memory)
    ints = int_view(memory)
    reals = real_view(memory)
    cells, through = net.cells, net.through
    count_ahead(memory)
    count = net.locals
    ahead = net.ahead
    behind = net.behind
    for node in range(count):
        cell = ints[net.member + node]
        if cell < cells:
            for level in range(min(net.slack + 1, at.COUNTED)):
                total = 0.0
                for cost in range(level + 1):
                    before = reals[ahead + cost * count + node]
                    total += before * reals[behind + (level - cost) * count + node]
                reals[through + level * cells + cell] += total
    if net.slack < 2:
        return
    # shortest paths that turn aside to this cell and back, and those counted twice with them
    for node in range(count):
        shortest = reals[ahead + node] * reals[behind + node]
        cell = ints[net.member + node]
        if cell < cells:
            reals[through + 2 * cells + cell] += 2.0 * shortest
        links = net.first + at.COSTS * node
        for link in range(ints[links], ints[links + at.COSTS]):
            cell = ints[net.member + ints[net.head + link]]
            if cell < cells:
                reals[through + 2 * cells + cell] -= shortest


# columns of the results of one colour after one move, by differential connection search
# (section 6.1): update the connections, build both networks, count, undo the move
DISTANCE, RAW, REFUSED, EXACT, FIELDS = places(1, at.LEVELS, at.LEVELS, 1)


@kernel
def count_after_moves(
    mover: Handle, other: Handle, memory: Handle, cells: Any, slack: int, results: Any
) -> None:
    """Count both colours' paths of d to d + slack links after each move.

    ``mover``, ``other``: connection searches of both sides. ``cells``: int32[n, 2], each move as
    the one and as the other has it. ``results``: int64[n, 2, FIELDS], written: mover, then
    opponent; distance (CUT if cut off), raw counts, refused counts, and 1 if exact.
    """
    for i in range(len(cells)):
        play_stone(mover, int(cells[i, 0]), True)
        play_stone(other, int(cells[i, 1]), False)
        _count(mover, memory, slack, results[i, 0])
        _count(other, memory, slack, results[i, 1])
        undo(mover)
        undo(other)


@part
def _count(search: Handle, memory: Handle, slack: int, result: Any) -> None:
    pool = pool_of(search)
    network_of_search(memory, search, slack)
    count_paths(memory, 0)
    reals = real_view(memory)
    result[DISTANCE] = net_of(memory).distance
    exact = pool.overflow == 0
    for level in range(slack + 1):
        result[RAW + level] = int(reals[at.RESULT_RAW + level])
        result[REFUSED + level] = int(reals[at.RESULT_REFUSED + level])
        exact = exact and reals[at.RESULT_EXACT + level] == 1.0
    result[EXACT] = 1 if exact else 0


@kernel
def solve_symmetric(matrix: NDArray[np.float64], right: NDArray[np.float64]) -> None:
    """Solve ``matrix`` x = ``right`` in place: ``right`` becomes x, the matrix is used up.

    float64[n, n], symmetric and positive definite, and float64[n], C contiguous. Only the upper
    half is read, and nothing outside the band of a row, from the diagonal to its last number. A
    linear algebra library takes threads, which wait for each other on a busy machine.
    """
    size = len(right)
    end = np.empty(size, np.int64)  # one behind the last number of a row
    for i in range(size):
        end[i] = size
        while matrix[i, end[i] - 1] == 0.0:
            end[i] -= 1
    for k in range(size):
        inverse = 1.0 / matrix[k, k]
        for i in range(k + 1, end[k]):
            if matrix[k, i] != 0.0:
                factor = matrix[k, i] * inverse
                for j in range(i, end[k]):
                    matrix[i, j] -= factor * matrix[k, j]
                right[i] -= factor * right[k]
                end[i] = max(end[i], end[k])
    for k in range(size - 1, -1, -1):
        total = right[k]
        for j in range(k + 1, end[k]):
            total -= matrix[k, j] * right[j]
        right[k] = total / matrix[k, k]
