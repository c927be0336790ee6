"""The S_n rule: which paths are refused because a shorter one already holds all they use.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 4.1.3; see
docs/methods.md#accepted-paths. The set S of a path is its interior cells and the carriers of its
links. A path is refused if its set is part of the set of a path
of a lower level. It is enough to look at the maximal sets (*masks*) of lower levels.

Refused paths are counted, to be taken from all paths: the search for them goes on only while
some mask holds all that the path has used so far.
"""

from numpy import int64, uint64

from hextui.engine.kernels.bits import lowest
from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.paths import room as at
from hextui.engine.kernels.paths.masks import collect_masks, index_masks
from hextui.engine.kernels.paths.room import net_of
from hextui.engine.kernels.views import Handle, int_view, real_view, word_view


@part
def count_refused(room: Handle) -> None:
    """Count the refused paths of levels 1 to the network's slack, in all and by cell.

    At a limit, or if STOP is set, the level and those above are marked as not exact, and none
    of their paths is refused.
    """
    net = net_of(room)
    reals = real_view(room)
    net.masks = 0
    narrow = (room[0], room[1])
    for level in range(1, net.slack + 1):
        # the set of a path of this level has at least so many cells
        fewest = net.distance - 1 + level
        complete = collect_masks(room, level - 1, fewest)
        index_masks(room)
        complete = complete and list_sublinks(room) and search_refused(narrow, level)
        if not complete:
            for above in range(level, net.slack + 1):
                reals[at.RESULT_EXACT + above] = 0.0
            for i in range(level * net.cells, at.LEVELS * net.cells):
                reals[net.refused + i] = 0.0
            return


@part
def list_sublinks(room: Handle) -> bool:
    """List the directed links that lie in some mask, each with the bitset of those masks.

    Returns False if there is no room for the bitsets.
    """
    net = net_of(room)
    ints, words = int_view(room), word_view(room)
    W = len(room) - 2
    cells, used, index = net.cells, net.index_words, net.index
    first, member = net.first, net.member
    sublink, row = 0, net.row
    for node_cost in range(at.LEVELS * net.locals):
        ints[net.sub_first + node_cost] = sublink
        tail = ints[member + node_cost // at.LEVELS]
        for link in range(ints[first + node_cost], ints[first + node_cost + 1]):
            target = ints[net.head + link]
            head = ints[member + target]
            # a path does not come back to its first edge nor go on from its second
            if head == cells or tail == cells + 1:
                continue
            if (sublink + 1) * used > net.row_limit:
                return False
            found = uint64(0)
            for i in range(used):
                block = index + i * cells
                holders = ~uint64(0)
                if tail < cells:
                    holders &= words[block + tail]
                if head < cells:
                    holders &= words[block + head]
                for w in range(W):
                    rest = words[net.carrier + ints[net.via + link] * W + w]
                    while rest and holders:
                        holders &= words[block + w * 64 + lowest(rest)]
                        rest &= rest - uint64(1)
                words[row + i] = holders
                found |= holders
            if found:
                ints[net.sub_head + sublink] = target
                sublink += 1
                row += used
    ints[net.sub_first + at.LEVELS * net.locals] = sublink
    return True


@part
def note_endings(room: Handle, level: int) -> None:
    """Write, for each cost and node, the masks that hold a way of this cost to the second edge."""
    net = net_of(room)
    ints, words = int_view(room), word_view(room)
    count, used = net.locals, net.index_words
    first, head, row, ending = net.sub_first, net.sub_head, net.row, net.ending
    for i in range((level + 1) * count * used):
        words[ending + i] = uint64(0)
    for i in range(used):
        words[ending + i] = ~uint64(0)
    for total in range(level + 1):
        for node in range(1, count):
            to = ending + (total * count + node) * used
            links = first + at.LEVELS * node
            for cost in range(total + 1):
                for link in range(ints[links + cost], ints[links + cost + 1]):
                    onward = ending + ((total - cost) * count + ints[head + link]) * used
                    for i in range(used):
                        words[to + i] |= words[onward + i] & words[row + link * used + i]


@part
def search_refused(room: Handle, level: int) -> bool:
    """Count the paths of a level whose set lies in a mask, in all and through each cell.

    A state is a node, the cost still to spend, and the masks that hold all used so far, with
    the node before it where a path could turn back to that. Beginnings of paths that meet in a
    state are gone on with together. Returns False if a limit or STOP ended the search.
    """
    net = net_of(room)
    ints, reals = int_view(room), real_view(room)
    note_endings(room, level)
    if not expand_states(room, level):
        return False
    ways_on, through = net.ways_on, net.refused + level * net.cells
    for state in range(net.states - 1, -1, -1):
        fields = net.state + state * at.STATE_FIELDS
        begin, end = ints[fields + at.STATE_NEXT], ints[fields + at.STATE_NEXT_END]
        for following in range(net.next + begin, net.next + end):
            reals[ways_on + state] += reals[ways_on + ints[following]]
        if state > 0:
            cell = ints[net.member + ints[fields + at.STATE_NODE]]
            reals[through + cell] += reals[net.ways_to + state] * reals[ways_on + state]
    reals[at.RESULT_REFUSED + level] = reals[ways_on]
    return True


@part
def expand_states(room: Handle, level: int) -> bool:
    """List all states with two links or more to go, the states that follow, the ways to each.

    A state leads to states that are one link nearer to the second edge; so they come in the
    order of the queue. Returns False if there are too many, or if STOP is set.
    """
    net = net_of(room)
    ints, words, reals = int_view(room), word_view(room), real_view(room)
    used, second, member = net.index_words, net.from_second, net.member
    net.states = net.candidates = net.nexts = 0
    net.table_size = at.SMALLEST_TABLE
    if used > net.candidate_limit:
        return False
    for i in range(used):
        words[net.candidate + i] = ~uint64(0)
        ints[net.candidate_word + i] = i
    before, end = int64(-1), int64(used)
    if find_state(room, int64(net.start), level, before, end) < 0:
        return False
    reals[net.ways_to] = 1.0
    state = int64(0)
    while state < net.states:
        if net.stop:
            return False
        fields = net.state + state * at.STATE_FIELDS
        ints[fields + at.STATE_NEXT] = net.nexts
        node = ints[fields + at.STATE_NODE]
        if ints[second + ints[member + node]] + ints[fields + at.STATE_REST] == 2:
            end_paths(room, state, level)
        elif not expand_state(room, state):
            return False
        ints[fields + at.STATE_NEXT_END] = net.nexts
        state += 1
    return True


@part
def end_paths(room: Handle, state: int | int64, level: int) -> None:
    """Count the ways on from a state with two links to go."""
    net = net_of(room)
    ints, words, reals = int_view(room), word_view(room), real_view(room)
    used, count = net.index_words, net.locals
    candidate, word_of = net.candidate, net.candidate_word
    head, row, ending = net.sub_head, net.row, net.ending
    through, member = net.refused + level * net.cells, net.member
    ways_to, ways_on = reals[net.ways_to + state], 0.0
    fields = net.state + state * at.STATE_FIELDS
    total, before = ints[fields + at.STATE_REST], ints[fields + at.STATE_BEFORE]
    begin, end = ints[fields + at.STATE_MASKS], ints[fields + at.STATE_MASKS_END]
    links = net.sub_first + at.LEVELS * ints[fields + at.STATE_NODE]
    for cost in range(total + 1):
        onward = ending + (total - cost) * count * used
        for link in range(ints[links + cost], ints[links + cost + 1]):
            target = ints[head + link]
            if target == before:
                continue
            for i in range(begin, end):
                word = ints[word_of + i]
                holders = words[candidate + i] & words[row + link * used + word]
                if holders & words[onward + target * used + word]:
                    ways_on += 1.0
                    reals[through + ints[member + target]] += ways_to
                    break
    reals[net.ways_on + state] = ways_on


@part
def expand_state(room: Handle, state: int | int64) -> bool:
    """List the states that follow a state; returns False if there is no room."""
    net = net_of(room)
    ints, words, reals = int_view(room), word_view(room), real_view(room)
    used, count = net.index_words, net.locals
    candidate, word_of = net.candidate, net.candidate_word
    head, row = net.sub_head, net.row
    fields = net.state + state * at.STATE_FIELDS
    node, total = ints[fields + at.STATE_NODE], ints[fields + at.STATE_REST]
    begin, end = ints[fields + at.STATE_MASKS], ints[fields + at.STATE_MASKS_END]
    before, ways_to = ints[fields + at.STATE_BEFORE], reals[net.ways_to + state]
    links = net.sub_first + at.LEVELS * node
    for cost in range(total + 1):
        onward = net.ending + (total - cost) * count * used
        for link in range(ints[links + cost], ints[links + cost + 1]):
            target = int64(ints[head + link])
            if target == before:
                continue
            top = int64(net.candidates)
            for i in range(begin, end):
                word = ints[word_of + i]
                holders = words[candidate + i] & words[row + link * used + word]
                holders &= words[onward + target * used + word]
                words[candidate + top] = holders
                ints[word_of + top] = word
                top += holders != uint64(0)
            if top == net.candidates:
                continue
            # only a path with all its cost still to spend could have turned back
            found = find_state(room, target, total - cost, node if total == 2 else -1, top)
            if found < 0 or net.nexts == net.next_limit:
                return False
            reals[net.ways_to + found] += ways_to
            ints[net.next + net.nexts] = found
            net.nexts += 1
    return True


@part
def find_state(
    room: Handle, node: int | int64, rest: int, before: int | int64, masks_end: int | int64
) -> int:
    """Return the number of a state, added if it is new; -1 if there is no room.

    Its masks stand after the last state's. The hash table needs no clearing: an entry counts
    if the state it names says that it stands there.
    """
    net = net_of(room)
    ints, words, reals = int_view(room), word_view(room), real_view(room)
    candidate, word_of = net.candidate, net.candidate_word
    begin, table = net.candidates, net.table
    label = uint64((node * 4 + rest) * 512 + before + 1)
    for i in range(begin, masks_end):
        label = (label ^ (label >> uint64(29))) * uint64(0x9E3779B97F4A7C15)
        label ^= words[candidate + i] + uint64(ints[word_of + i])
    label = (label ^ (label >> uint64(32))) * uint64(0x9E3779B97F4A7C15)
    place = int(label >> uint64(32)) & (net.table_size - 1)
    while True:
        state = ints[table + place]
        fields = net.state + state * at.STATE_FIELDS
        if state < 0 or state >= net.states or ints[fields + at.STATE_PLACE] != place:
            break
        if words[net.label + state] == label:
            same = ints[fields + at.STATE_NODE] == node and ints[fields + at.STATE_REST] == rest
            same = same and ints[fields + at.STATE_BEFORE] == before
            shift = ints[fields + at.STATE_MASKS] - begin
            same = same and ints[fields + at.STATE_MASKS_END] - shift == masks_end
            i = begin
            while same and i < masks_end:
                same = words[candidate + i] == words[candidate + i + shift]
                same = same and ints[word_of + i] == ints[word_of + i + shift]
                i += 1
            if same:
                return state
        place = (place + 1) & (net.table_size - 1)

    state = net.states
    # beyond the last state's masks there must be room to try one more
    if state == net.state_limit or masks_end + net.index_words > net.candidate_limit:
        return -1
    fields = net.state + state * at.STATE_FIELDS
    ints[fields + at.STATE_NODE] = node
    ints[fields + at.STATE_REST] = rest
    ints[fields + at.STATE_BEFORE] = before
    ints[fields + at.STATE_MASKS] = begin
    ints[fields + at.STATE_MASKS_END] = masks_end
    ints[fields + at.STATE_PLACE] = place
    ints[table + place] = state
    words[net.label + state] = label
    reals[net.ways_to + state] = reals[net.ways_on + state] = 0.0
    net.states = state + 1
    net.candidates = masks_end
    if 2 * state >= net.table_size:
        enlarge_table(room)
    return state


@part
def enlarge_table(room: Handle) -> None:
    """Make the hash table four times larger."""
    net = net_of(room)
    ints, words = int_view(room), word_view(room)
    table, size = net.table, 4 * net.table_size
    net.table_size = size
    states = net.state + at.STATE_PLACE
    for i in range(size):
        ints[table + i] = -1
    for state in range(net.states):
        place = int(words[net.label + state] >> uint64(32)) & (size - 1)
        while ints[table + place] >= 0:
            place = (place + 1) & (size - 1)
        ints[table + place] = state
        ints[states + state * at.STATE_FIELDS] = place
