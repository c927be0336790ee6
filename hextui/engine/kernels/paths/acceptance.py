"""The S_n rule: which paths are refused because a shorter one already holds all they use.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 4.1.3;
docs/methods.md#accepted-paths. The set S of a path, its *mask*, is its interior cells and the
carriers of its links. A path is refused if its mask is a subset of that of a path of a lower level.
Refused paths are counted while some maximal mask contains all that the path has used so far.
"""

from numpy import int64, uint64

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.memory import Handle, int_view, lowest, popcount, real_view, word_view
from hextui.engine.kernels.paths import layout as at
from hextui.engine.kernels.paths.layout import net_of


@part
def count_refused(memory: Handle) -> None:
    """Count the refused paths of levels 1 to the network's slack, in all and by cell.

    At a limit the level and those above are marked as not exact, none of their paths refused.
    """
    net, reals = net_of(memory), real_view(memory)
    net.masks = 0
    narrow = (memory[0], memory[1])
    for level in range(1, net.slack + 1):
        # the set of a path of this level has at least so many cells
        fewest = net.distance - 1 + level
        complete = collect_masks(memory, level - 1, fewest)
        index_masks(memory)
        complete = complete and list_sublinks(memory) and search_refused(narrow, level)
        if not complete:
            for above in range(level, net.slack + 1):
                reals[at.RESULT_EXACT + above] = 0.0
            for i in range(level * net.cells, at.LEVELS * net.cells):
                reals[net.refused + i] = 0.0
            return


@part
def list_sublinks(memory: Handle) -> bool:
    """List the directed links in some mask, each with the bitset of these; False without space."""
    net, ints, words = net_of(memory), int_view(memory), word_view(memory)
    W = len(memory) - 2
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
def note_endings(memory: Handle, level: int) -> None:
    """Write, for each cost and node, the masks that contain a path of it to the second edge."""
    net, ints, words = net_of(memory), int_view(memory), word_view(memory)
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
def search_refused(memory: Handle, level: int) -> bool:
    """Count the paths of a level whose set lies in a mask, in all and by cell; False at a limit.

    A state is a node, the remaining cost, and the masks that contain all used so far, with the node
    before it where a path could turn back. Path beginnings with one state continue together.
    """
    net, ints, reals = net_of(memory), int_view(memory), real_view(memory)
    note_endings(memory, level)
    if not expand_states(memory, level):
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
def expand_states(memory: Handle, level: int) -> bool:
    """List all states with two links or more to go, the states that follow, the ways to each.

    The order of the queue serves, as a state leads one link nearer. False if there are too many.
    """
    net = net_of(memory)
    ints, words, reals = int_view(memory), word_view(memory), real_view(memory)
    used, second, member = net.index_words, net.from_second, net.member
    net.states = net.candidates = net.nexts = 0
    net.table_size = at.SMALLEST_TABLE
    if used > net.candidate_limit:
        return False
    for i in range(used):
        words[net.candidate + i] = ~uint64(0)
        ints[net.candidate_word + i] = i
    before, end = int64(-1), int64(used)
    if find_state(memory, int64(net.start), level, before, end) < 0:
        return False
    reals[net.ways_to] = 1.0
    state = int64(0)
    while state < net.states:
        fields = net.state + state * at.STATE_FIELDS
        ints[fields + at.STATE_NEXT] = net.nexts
        node = ints[fields + at.STATE_NODE]
        if ints[second + ints[member + node]] + ints[fields + at.STATE_REST] == 2:
            end_paths(memory, state, level)
        elif not expand_state(memory, state):
            return False
        ints[fields + at.STATE_NEXT_END] = net.nexts
        state += 1
    return True


@part
def end_paths(memory: Handle, state: int | int64, level: int) -> None:
    """Count the ways on from a state with two links to go."""
    net = net_of(memory)
    ints, words, reals = int_view(memory), word_view(memory), real_view(memory)
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
def expand_state(memory: Handle, state: int | int64) -> bool:
    """List the states that follow a state; returns False if there is no space."""
    net = net_of(memory)
    ints, words, reals = int_view(memory), word_view(memory), real_view(memory)
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
            # only a path that has spent no cost yet could have turned back
            found = find_state(memory, target, total - cost, node if total == 2 else -1, top)
            if found < 0 or net.nexts == net.next_limit:
                return False
            reals[net.ways_to + found] += ways_to
            ints[net.next + net.nexts] = found
            net.nexts += 1
    return True


@part
def find_state(
    memory: Handle, node: int | int64, rest: int, before: int | int64, masks_end: int | int64
) -> int:
    """Return the number of a state, added if it is new; -1 if there is no space.

    Its masks stand after the last state's. The hash table needs no clearing: an entry counts
    only if the state it names refers back to it.
    """
    net = net_of(memory)
    ints, words, reals = int_view(memory), word_view(memory), real_view(memory)
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
    # beyond the last state's masks there must be space to try one more
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
        enlarge_table(memory)
    return state


@part
def enlarge_table(memory: Handle) -> None:
    """Make the hash table four times larger."""
    net, ints, words = net_of(memory), int_view(memory), word_view(memory)
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


@part
def collect_masks(memory: Handle, level: int, fewest: int) -> bool:
    """Append the sets S of a level's paths with at least so many cells; False at the limit."""
    net = net_of(memory)
    ints, words, reals = int_view(memory), word_view(memory), real_view(memory)
    W = len(memory) - 2
    count, cells, behind = net.locals, net.cells, net.behind
    first, head, via = net.first, net.head, net.via
    frame, frame_mask = net.frame, net.frame_mask
    paths, masks = 0, net.masks

    ints[frame + at.FRAME_NODE] = net.start
    ints[frame + at.FRAME_LINK] = ints[first + at.LEVELS * net.start]
    ints[frame + at.FRAME_REST] = level
    for w in range(W):
        words[frame_mask + w] = uint64(0)
    while frame >= net.frame:
        link = ints[frame + at.FRAME_LINK]
        rest = ints[frame + at.FRAME_REST]
        links = first + at.LEVELS * ints[frame + at.FRAME_NODE]
        if link == ints[links + rest + 1]:
            frame -= at.FRAME_FIELDS
            frame_mask -= W
            continue
        ints[frame + at.FRAME_LINK] = link + 1
        if link >= ints[links + 1]:
            rest -= 1  # its cost is 1, for rest was 0 or 1
        node = ints[head + link]
        if reals[behind + rest * count + node] == 0.0:
            continue
        if node == 0:
            paths += 1
            if max(paths, masks + 1) > net.mask_limit:
                return False
        mask = net.mask + masks * W if node == 0 else frame_mask + W
        size = 0
        for w in range(W):
            carrier = words[net.carrier + ints[via + link] * W + w]
            words[mask + w] = words[frame_mask + w] | carrier
            size += popcount(words[mask + w])
        if node == 0:
            masks += size >= fewest
            continue
        cell = ints[net.member + node]
        if cell < cells:
            words[mask + (cell >> 6)] |= uint64(1) << uint64(cell & 63)
        frame += at.FRAME_FIELDS
        frame_mask += W
        ints[frame + at.FRAME_NODE] = node
        ints[frame + at.FRAME_LINK] = ints[first + at.LEVELS * node]
        ints[frame + at.FRAME_REST] = rest
    net.masks = masks
    return True


@part
def index_masks(memory: Handle) -> None:
    """Keep the maximal masks, and index them: for each cell, which of them contain it.

    The index has one word a cell for each 64 masks. Masks are taken from large to small, so the
    index finds those that an earlier one contains; then it is made again in the order in which they
    were collected, as what paths have in common at their beginnings then stands in few words.
    """
    net, ints, words = net_of(memory), int_view(memory), word_view(memory)
    W = len(memory) - 2
    cells, index, order = net.cells, net.index, net.order
    sort_masks(memory)
    # a bit for each mask that is kept, where nothing has been written yet
    chosen, chosen_words = net.row, (net.masks + 63) >> 6
    for i in range(chosen_words):
        words[chosen + i] = uint64(0)
    kept, members = 0, net.queue
    last = -1  # where the mask begins that contained the one before
    for i in range(net.masks):
        number = ints[order + i]
        mask = net.mask + number * W
        if last >= 0 and _is_part(memory, mask, last):
            continue
        end = _list_members(memory, mask)
        holders, block = uint64(0), index
        while block < index + ((kept + 63) >> 6) * cells and holders == uint64(0):
            holders = ~uint64(0)
            for member in range(members, end):
                holders &= words[block + ints[member]]
                if holders == uint64(0):
                    break
            block += cells
        if holders:
            holder = 64 * ((block - index) // cells - 1) + lowest(holders)
            last = net.mask + ints[order + holder] * W
            continue
        _add_to_index(memory, kept, end)
        ints[order + kept] = number
        words[chosen + (number >> 6)] |= uint64(1) << uint64(number & 63)
        kept += 1
    kept = 0
    for i in range(chosen_words):
        rest = words[chosen + i]
        while rest:
            number = i * 64 + lowest(rest)
            rest &= rest - uint64(1)
            _add_to_index(memory, kept, _list_members(memory, net.mask + number * W))
            kept += 1
    net.index_words = (kept + 63) >> 6


@part
def _is_part(memory: Handle, mask: int, other: int) -> bool:
    """Return whether one mask is part of another."""
    words = word_view(memory)
    outside = uint64(0)
    for w in range(len(memory) - 2):
        outside |= words[mask + w] & ~words[other + w]
    return outside == uint64(0)


@part
def _list_members(memory: Handle, mask: int) -> int:
    """Write the cells of a mask to QUEUE; return where they end."""
    net, ints, words = net_of(memory), int_view(memory), word_view(memory)
    end = int(net.queue)
    for w in range(len(memory) - 2):
        rest = words[mask + w]
        while rest:
            ints[end] = w * 64 + lowest(rest)
            end += 1
            rest &= rest - uint64(1)
    return end


@part
def _add_to_index(memory: Handle, number: int, end: int) -> None:
    """Add a mask, with its cells in QUEUE up to ``end``, under its number in the index."""
    net, ints, words = net_of(memory), int_view(memory), word_view(memory)
    cells = net.cells
    block = net.index + (number >> 6) * cells
    if number & 63 == 0:
        for cell in range(cells):
            words[block + cell] = uint64(0)
    for member in range(net.queue, end):
        words[block + ints[member]] |= uint64(1) << uint64(number & 63)


@part
def sort_masks(memory: Handle) -> None:
    """Write the order of the masks, those with the most cells first."""
    net, ints, words = net_of(memory), int_view(memory), word_view(memory)
    W = len(memory) - 2
    cells, begin = net.cells, net.queue
    for i in range(cells + 3):
        ints[begin + i] = 0
    for fill in range(2):
        for i in range(net.masks):
            missing = cells
            for w in range(W):
                missing -= popcount(words[net.mask + i * W + w])
            if fill == 0:
                ints[begin + missing + 1] += 1
            else:
                ints[net.order + ints[begin + missing]] = i
                ints[begin + missing] += 1
        if fill == 0:
            for i in range(cells + 1):
                ints[begin + i + 1] += ints[begin + i]
