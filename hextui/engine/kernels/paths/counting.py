"""Short paths of a reduced network: exact counts, and paths through each cell.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 3; the counting is told in
docs/methods.md#short-paths. A path of level e has d + e links, e = 0, 1, 2. Every walk of level 0
or 1 is a path; one of level 2 is, unless it turns back at once over a link. So walks are counted
by cost (see reduction.py), and at cost 2 those that turn back are taken out. Counts are float64:
exact below 2^53, and reported as not exact above.
"""

from hextui.engine.kernels.compiling import kernel, part
from hextui.engine.kernels.paths import room as at
from hextui.engine.kernels.paths.acceptance import count_refused
from hextui.engine.kernels.paths.room import net_of
from hextui.engine.kernels.views import Handle, int_view, real_view

EXACT_LIMIT = 2.0**53


@kernel
def count_all(room: Handle) -> None:
    """Count the paths, those the S_n rule refuses, and all through each cell."""
    count_paths(room)
    count_through((room[0], room[1]))


@part
def count_paths(room: Handle) -> None:
    """Count the paths of levels 0 to the network's slack, and those the S_n rule refuses."""
    net = net_of(room)
    reals = real_view(room)
    levels = net.slack + 1
    for i in range(at.RESULTS):
        reals[i] = 0.0
    for level in range(levels):
        reals[at.RESULT_EXACT + level] = 1.0
    for i in range(at.LEVELS * net.cells):
        reals[net.refused + i] = 0.0
    if net.distance == at.CUT:
        return
    count_behind((room[0], room[1]))
    for level in range(levels):
        paths = reals[net.behind + level * net.locals + net.start]
        reals[at.RESULT_RAW + level] = paths
        # no number on the way is larger than this
        if paths * net.nodes >= EXACT_LIMIT:
            for above in range(level, levels):
                reals[at.RESULT_EXACT + above] = 0.0
    if net.virtual:
        count_refused(room)


@part
def count_behind(room: Handle) -> None:
    """Count each node's ways on to the second edge, by cost 0, 1, 2.

    The sums at the first edge are n_0, n_1, n_2. A number at cost c holds for a node to which
    a path comes with a cost of up to slack - c; those of other nodes are never used.
    """
    net = net_of(room)
    ints, reals = int_view(room), real_view(room)
    count, behind = net.locals, net.behind
    first, head = net.first, net.head
    for level in range(net.slack + 1):
        for node in range(count):
            total = 1.0 if node == 0 and level == 0 else 0.0
            links = first + at.LEVELS * node
            for cost in range(level + 1):
                rest = behind + (level - cost) * count
                for link in range(ints[links + cost], ints[links + cost + 1]):
                    total += reals[rest + ints[head + link]]
            if level == 2:
                turns = ints[links + at.LEVELS] - ints[links] - (node != 0)
                total -= turns * reals[behind + node]
            reals[behind + level * count + node] = total


@part
def count_ahead(room: Handle) -> None:
    """Count the ways from the first edge to each node, by cost 0, 1, 2."""
    net = net_of(room)
    ints, reals = int_view(room), real_view(room)
    count, ahead, start = net.locals, net.ahead, net.start
    first, head, levels = net.first, net.head, net.slack + 1
    for i in range(levels * count):
        reals[ahead + i] = 0.0
    reals[ahead + start] = 1.0
    for level in range(levels):
        for node in range(count - 1, -1, -1):
            links = first + at.LEVELS * node
            if level == 2:
                turns = ints[links + at.LEVELS] - ints[links] - (node != start)
                reals[ahead + 2 * count + node] -= turns * reals[ahead + node]
            ways = reals[ahead + level * count + node]
            for cost in range(levels - level):
                reached = ahead + (level + cost) * count
                for link in range(ints[links + cost], ints[links + cost + 1]):
                    reals[reached + ints[head + link]] += ways


@part
def count_through(room: Handle) -> None:
    """After ``count_paths``: count all paths of each level through each cell, sigma_i(u)."""
    net = net_of(room)
    ints, reals = int_view(room), real_view(room)
    cells, through = net.cells, net.through
    for i in range(at.LEVELS * cells):
        reals[through + i] = 0.0
    if net.distance == at.CUT:
        return
    count_ahead(room)
    count, ahead, behind = net.locals, net.ahead, net.behind
    for node in range(count):
        cell = ints[net.member + node]
        if cell < cells:
            for level in range(net.slack + 1):
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
        links = net.first + at.LEVELS * node
        for link in range(ints[links], ints[links + at.LEVELS]):
            cell = ints[net.member + ints[net.head + link]]
            if cell < cells:
                reals[through + 2 * cells + cell] -= shortest
