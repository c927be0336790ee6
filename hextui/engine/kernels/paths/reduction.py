"""The reduced network of one colour, or the part of it that short paths can use.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 2.1;
docs/methods.md#readings-of-the-2010-paper. A pair of nodes has one link, with the smallest carrier,
and more only in a network without groups (``parallel``).
Own groups are replaced, in the order of their first cells, by links among all their neighbours,
whose carrier is the union of both without the ends; the one with the fewest cells stays, of equals
the smallest as a number (bit c is cell c). Kernels without sets of cells take the handle without
its zeros, so that they are compiled once, not for each number of words; some ints are made int64
for the same reason.
"""

from typing import Any

from numpy import int64, uint64

from hextui.engine.kernels.compiling import kernel, part
from hextui.engine.kernels.connections import state as search_at
from hextui.engine.kernels.connections.state import pool_of
from hextui.engine.kernels.connections.updates import smallest_full
from hextui.engine.kernels.memory import Handle, int_view, lowest, popcount, word_view
from hextui.engine.kernels.paths import layout as at
from hextui.engine.kernels.paths.layout import net_of


@kernel
def edge_distance(memory: Handle, search: Handle) -> int:
    """Return the distance of the edges in the network of a search; CUT if there is no path."""
    pool = pool_of(search)
    kind = pool.kind
    captain = pool.captain
    linked = pool.linked
    survey((memory[0], memory[1]), (search[0], search[1]), kind, captain, linked, 0)
    return net_of(memory).distance


@part
def network_of_search(memory: Handle, search: Handle, slack: int) -> None:
    """Prepare the count of paths of up to d + slack links in the network of a search."""
    pool = pool_of(search)
    net = net_of(memory)
    ints = int_view(search)
    words = word_view(search)
    mine = int_view(memory)
    my_words = word_view(memory)
    W = len(memory) - 2
    nodes = pool.nodes
    survey(
        (memory[0], memory[1]), (search[0], search[1]), pool.kind, pool.captain, pool.linked, slack
    )
    for pair in range(net.pairs):
        a = mine[net.pair + 2 * pair]
        b = mine[net.pair + 2 * pair + 1]
        row = smallest_full(search, ints[pool.slot_of + a * nodes + b])
        for w in range(W):
            carrier = words[pool.carrier + row * W + w]
            my_words[net.carrier + pair * W + w] = carrier
    _reduce_groups(memory)
    _direct_links(memory)


@kernel
def network_of_arrays(
    memory: Handle, nodes: Any, linked: Any, row_of: Any, carriers: Any, slack: int
) -> None:
    """Prepare the same from arrays; with slack WHOLE all of the network, as pairs.

    ``nodes``: int32[2, M], kinds and captains. ``linked``: uint64[M, WN], a bitset a node.
    A pair's links are the rows ``row_of[a, b]`` to ``row_of[b, a]``, a < b, int32[M, M], of
    ``carriers``, uint64[rows, W].
    """
    net = net_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    W = len(memory) - 2
    narrow = (memory[0], memory[1])
    for node in range(net.nodes):
        ints[net.kind + node] = nodes[0, node]
        ints[net.captain + node] = nodes[1, node]
        for i in range(net.node_words):
            words[net.linked + node * net.node_words + i] = linked[node, i]
    survey(narrow, narrow, net.kind, net.captain, net.linked, slack)
    for pair in range(net.pairs):
        a = ints[net.pair + 2 * pair]
        b = ints[net.pair + 2 * pair + 1]
        for w in range(W):
            words[net.carrier + pair * W + w] = carriers[row_of[a, b], w]
        for row in range(row_of[a, b] + 1, row_of[b, a] + 1):
            ints[net.pair + 2 * net.pairs], ints[net.pair + 2 * net.pairs + 1] = a, b
            for w in range(W):
                words[net.carrier + net.pairs * W + w] = carriers[row, w]
            net.pairs += 1
    _reduce_groups(memory)
    _direct_links(memory)


@part
def survey(
    memory: Handle, source: Handle, kind: int, captain: int, linked: int, slack: int
) -> None:
    """Find the distance, and choose the nodes and pairs on paths of up to d + slack links.

    ``kind``, ``captain``, ``linked``: where these arrays begin in ``source``. WHOLE chooses all.
    """
    net = net_of(memory)
    ints = int_view(memory)
    nodes, cells = net.nodes, net.cells
    _distances(memory, source, kind, linked, int64(cells), net.from_first)
    _distances(memory, source, kind, linked, cells + 1, net.from_second)
    distance = ints[net.from_first + cells + 1]
    cut = distance > nodes
    net.distance = at.CUT if cut else distance
    net.slack = slack
    net.reach = 4 * nodes if slack == at.WHOLE else distance + slack
    net.members = net.locals = net.pairs = 0
    if slack == at.WHOLE or not cut:
        _choose_cells(memory, source, kind)
        _choose_groups(memory, source, kind, captain)
        _choose_pairs(memory, source, linked)


@part
def _distances(
    memory: Handle, source: Handle, kind: int, linked: int, start: int | int64, distance: int
) -> None:
    """Write the links from ``start`` to each node, nodes + 1 if there is no path.

    A group's number is one less than that of the nearest cells reached through it.
    """
    net = net_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    kinds = int_view(source)
    links = word_view(source)
    nodes, size = net.nodes, net.node_words
    unseen = net.chosen
    # cells and edges in a queue from the left, groups on a stack from the right
    head = net.queue
    bottom = net.queue + 2 * nodes
    tail, top = head, bottom
    for i in range(size):
        words[unseen + i] = ~uint64(0)
    for node in range(nodes):
        ints[distance + node] = nodes + 1
    ints[distance + start] = 0
    words[unseen + (start >> 6)] ^= uint64(1) << uint64(start & 63)
    ints[tail] = start
    tail += 1
    while head < tail or top < bottom:
        if top < bottom:
            node = ints[top]
            top += 1
        else:
            node = ints[head]
            head += 1
        for i in range(size):
            new = links[linked + node * size + i] & words[unseen + i]
            words[unseen + i] ^= new
            while new:
                other = i * 64 + lowest(new)
                new &= new - uint64(1)
                if kinds[kind + other] == search_at.OWN_GROUP:
                    ints[distance + other] = ints[distance + node]
                    top -= 1
                    ints[top] = other
                else:
                    ints[distance + other] = ints[distance + node] + 1
                    ints[tail] = other
                    tail += 1


@part
def _choose_cells(memory: Handle, source: Handle, kind: int) -> None:
    """Number the cells and edges within reach, nearest to the second edge first."""
    net = net_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    kinds = int_view(source)
    nodes = net.nodes
    first, second = net.from_first, net.from_second
    local_of, begin = net.local_of, net.queue
    for i in range(net.node_words):
        words[net.chosen + i] = uint64(0)
    for i in range(nodes + 3):
        ints[begin + i] = 0
    for node in range(nodes):
        ints[local_of + node] = -1
        if kinds[kind + node] == search_at.ABSENT or kinds[kind + node] == search_at.OWN_GROUP:
            continue
        if ints[first + node] + ints[second + node] <= net.reach:
            ints[local_of + node] = 0
            ints[begin + ints[second + node] + 1] += 1
    for i in range(nodes + 2):
        ints[begin + i + 1] += ints[begin + i]
    net.locals = ints[begin + nodes + 2]
    for node in range(nodes):
        if ints[local_of + node] == 0:
            place = begin + ints[second + node]
            _choose(memory, node, ints[place])
            ints[place] += 1
    net.members = net.locals
    net.start = ints[local_of + net.cells]


@part
def _choose_groups(memory: Handle, source: Handle, kind: int, captain: int) -> None:
    """Number the groups within reach, in the order of their first cells."""
    net = net_of(memory)
    ints = int_view(memory)
    sources = int_view(source)
    for cell in range(net.cells):
        group = sources[captain + cell]
        if group < 0 or sources[kind + group] != search_at.OWN_GROUP:
            continue
        if ints[net.local_of + group] >= 0:
            continue
        around = ints[net.from_first + group] + 1 + ints[net.from_second + group]
        if around <= net.reach:
            _choose(memory, group, net.members)
            net.members += 1


@part
def _choose(memory: Handle, node: int, local: int) -> None:
    net = net_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    ints[net.local_of + node] = local
    ints[net.member + local] = node
    words[net.chosen + (node >> 6)] |= uint64(1) << uint64(node & 63)


@part
def _choose_pairs(memory: Handle, source: Handle, linked: int) -> None:
    """List the linked pairs of chosen nodes that a path within reach can use."""
    net = net_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    links = word_view(source)
    size, chosen = net.node_words, net.chosen
    pair = net.pair
    for local in range(net.members):
        node = int64(ints[net.member + local])
        for i in range(node >> 6, size):
            near = links[linked + node * size + i] & words[chosen + i]
            if i == node >> 6:
                near &= ~uint64(0) << uint64(node & 63)
            while near:
                other = i * 64 + lowest(near)
                near &= near - uint64(1)
                if _usable(memory, node, other) or _usable(memory, other, node):
                    ints[pair] = node
                    ints[pair + 1] = other
                    pair += 2
    net.pairs = (pair - net.pair) >> 1


@part
def _usable(memory: Handle, a: int | int64, b: int | int64) -> bool:
    """Return whether a path within reach can go from a to b."""
    net = net_of(memory)
    ints = int_view(memory)
    return ints[net.from_first + a] + 1 + ints[net.from_second + b] <= net.reach


@part
def _reduce_groups(memory: Handle) -> None:
    """Replace each group, in turn, by links among all its neighbours."""
    net = net_of(memory)
    ints = int_view(memory)
    kept, members = net.locals, net.members
    if members == kept:
        return
    local_of = net.local_of
    slot = net.slot
    near = net.queue
    for i in range(members * members):
        ints[slot + i] = -1
    for pair in range(net.pairs):
        a = ints[local_of + ints[net.pair + 2 * pair]]
        b = ints[local_of + ints[net.pair + 2 * pair + 1]]
        ints[slot + a * members + b] = ints[slot + b * members + a] = pair
    for group in range(kept, members):
        count = 0
        for i in range(members):
            # groups before this one are gone
            if (i < kept or i > group) and ints[slot + group * members + i] >= 0:
                ints[near + count] = i
                count += 1
        for i in range(count):
            _join_with_nearer(memory, group, i)


@part
def _join_with_nearer(memory: Handle, group: int, i: int) -> None:
    """Link the i-th neighbour of a group with those before it, through the group."""
    net = net_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    W = len(memory) - 2
    members = net.members
    near = net.queue
    reach = net.reach
    first = net.from_first
    second = net.from_second
    member = net.member
    carrier = net.carrier
    to_group = net.slot + group * members
    local = ints[near + i]
    to_local = net.slot + local * members
    mine = carrier + ints[to_group + local] * W
    a = ints[member + local]
    after_first = ints[first + a] + 1
    after_second = ints[second + a] + 1
    for j in range(near, near + i):
        b = ints[member + ints[j]]
        if after_first + ints[second + b] > reach and after_second + ints[first + b] > reach:
            continue
        theirs = carrier + ints[to_group + ints[j]] * W
        pair = ints[to_local + ints[j]]
        if pair < 0:
            pair = net.pairs
            net.pairs = pair + 1
            ints[net.pair + 2 * pair] = a
            ints[net.pair + 2 * pair + 1] = b
            ints[to_local + ints[j]] = pair
            ints[net.slot + ints[j] * members + local] = pair
        else:
            # mostly the union is the carrier, or larger even if both ends are in it
            differ = uint64(0)
            more = 0
            for w in range(W):
                union = words[mine + w] | words[theirs + w]
                old = words[carrier + pair * W + w]
                differ |= union ^ old
                more += popcount(union) - popcount(old)
            if differ == uint64(0) or more > 2 or not _smaller_union(memory, mine, theirs, pair):
                continue
        _write_union(memory, mine, theirs, pair)


@part
def _write_union(memory: Handle, first: int, second: int, pair: int) -> None:
    """Set a pair's carrier to two sets of cells, without the pair's ends."""
    net = net_of(memory)
    words = word_view(memory)
    carrier = net.carrier + pair * (len(memory) - 2)
    for w in range(len(memory) - 2):
        words[carrier + w] = (words[first + w] | words[second + w]) & ~_ends(memory, pair, w)


@part
def _smaller_union(memory: Handle, first: int, second: int, pair: int) -> bool:
    """Return whether that set has fewer cells than the carrier, or as many and a smaller number."""
    net = net_of(memory)
    words = word_view(memory)
    carrier = net.carrier + pair * (len(memory) - 2)
    more, below = 0, False
    for w in range(len(memory) - 2):
        union = (words[first + w] | words[second + w]) & ~_ends(memory, pair, w)
        more += popcount(union) - popcount(words[carrier + w])
        if union != words[carrier + w]:
            below = union < words[carrier + w]
    return more < 0 or (more == 0 and below)


@part
def _ends(memory: Handle, pair: int, word: int) -> uint64:
    """Return a word of the set of a pair's ends."""
    net = net_of(memory)
    ints = int_view(memory)
    ends = uint64(0)
    for i in range(2):
        node = ints[net.pair + 2 * pair + i]
        if node >> 6 == word and node < net.cells:
            ends |= uint64(1) << uint64(node & 63)
    return ends


@part
def _direct_links(memory: Handle) -> None:
    """List the directed links of each chosen cell and edge, by cost.

    The cost, 0 to 2, is by how much the shortest way on to the second edge, through the link, is
    longer than the shortest of all. Paths of length d + e have total cost e.
    """
    net = net_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    W = len(memory) - 2
    second = net.from_second
    pair_at = net.pair
    local_of = net.local_of
    count = net.locals
    first = net.first
    bucket = net.bucket
    unused = at.COSTS * count  # sorts after all others
    for i in range(unused + 3):
        ints[first + i] = 0
    used = uint64(0)
    for pair in range(net.pairs):
        a = int64(ints[pair_at + 2 * pair])
        b = int64(ints[pair_at + 2 * pair + 1])
        local_a = ints[local_of + a]
        local_b = ints[local_of + b]
        cells = local_a < count and local_b < count
        uphill = ints[second + b] - ints[second + a]
        there = at.COSTS * local_a + 1 + uphill if cells and _usable(memory, a, b) else unused
        back = at.COSTS * local_b + 1 - uphill if cells and _usable(memory, b, a) else unused
        ints[bucket + 2 * pair], ints[bucket + 2 * pair + 1] = there, back
        ints[first + there + 2] += 1
        ints[first + back + 2] += 1
        if cells:
            for w in range(W):
                used |= words[net.carrier + pair * W + w]
    for i in range(unused):
        ints[first + i + 2] += ints[first + i + 1]
    for turn in range(2 * net.pairs):
        place = first + ints[bucket + turn] + 1
        link = ints[place]
        ints[place] = link + 1
        ints[net.head + link] = ints[local_of + ints[pair_at + (turn ^ 1)]]
        ints[net.via + link] = turn >> 1
    net.virtual = 1 if used else 0
