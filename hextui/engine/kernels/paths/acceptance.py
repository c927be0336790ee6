"""Listed paths, and the S_n rule: which are refused because a shorter one holds all they use.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 4.1.3;
docs/methods.md#accepted-paths. The set S of a path, its *mask*, is its interior cells and the
carriers of its links. A path is refused if its mask is a subset of that of a path of a lower level.
Paths are followed depth first, with the maximal masks that contain all that is used so far.
"""

from numpy import int64, uint64

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.memory import Handle, int_view, lowest, popcount, real_view, word_view
from hextui.engine.kernels.paths import layout as at
from hextui.engine.kernels.paths.layout import net_of


@part
def search_levels(memory: Handle) -> None:
    """Count the refused paths of each level, and what counting.py cannot count without a list.

    At a limit the level and those above are marked as not exact, none of their paths refused.
    """
    net = net_of(memory)
    reals = real_view(memory)
    net.masks = net.paths = net.steps = 0
    find_last_links(memory)
    for level in range(net.slack + 1):
        listed = level >= at.COUNTED or net.mode != 0
        if not (listed or net.virtual):
            continue
        net.index_words = 0
        complete = net.masks <= net.mask_limit
        if complete and level > 0 and net.virtual:
            index_masks(memory)
            complete = list_rows(memory)
            if complete:
                note_endings(memory, level)
        if complete and search_paths(memory, level, listed):
            continue
        for above in range(level if listed else max(level, 1), net.slack + 1):
            reals[at.RESULT_EXACT + above] = 0.0
            reals[at.RESULT_REFUSED + above] = 0.0
        for i in range(level * net.cells, at.LEVELS * net.cells):
            reals[net.refused + i] = 0.0
        return


@part
def find_last_links(memory: Handle) -> None:
    """Write each node's link to the second edge, -1 where there is none."""
    net = net_of(memory)
    ints = int_view(memory)
    for node in range(net.locals):
        ints[net.last + node] = -1
        links = net.first + at.COSTS * node
        for link in range(ints[links], ints[links + 1]):
            if ints[net.head + link] == 0:
                ints[net.last + node] = link


@part
def list_rows(memory: Handle) -> bool:
    """Write for each directed link the bitset of masks that contain it; False without space."""
    net = net_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    W = len(memory) - 2
    cells = net.cells
    used = net.index_words
    index = net.index
    first, member = net.first, net.member
    number, row = 0, net.row
    for node in range(net.locals):
        tail = ints[member + node]
        for link in range(ints[first + at.COSTS * node], ints[first + at.COSTS * (node + 1)]):
            ints[net.row_of + link] = -1
            head = ints[member + ints[net.head + link]]
            # a path does not come back to its first edge nor go on from its second
            if head == cells or tail == cells + 1:
                continue
            if (number + 1) * used > net.row_limit:
                return False
            any_mask = uint64(0)
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
                any_mask |= holders
            if any_mask:
                ints[net.row_of + link] = number
                number += 1
                row += used
    return True


@part
def note_endings(memory: Handle, level: int) -> None:
    """Write, for each cost and node, the masks that contain a walk of it to the second edge."""
    net = net_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    count, used = net.locals, net.index_words
    first = net.first
    head = net.head
    ending = net.ending
    for i in range((level + 1) * count * used):
        words[ending + i] = uint64(0)
    for i in range(used):
        words[ending + i] = ~uint64(0)
    for total in range(level + 1):
        for node in range(1, count):
            to = ending + (total * count + node) * used
            links = first + at.COSTS * node
            for cost in range(min(total + 1, at.COSTS)):
                for link in range(ints[links + cost], ints[links + cost + 1]):
                    row = net.row + ints[net.row_of + link] * used
                    onward = ending + ((total - cost) * count + ints[head + link]) * used
                    if row >= net.row:
                        for i in range(used):
                            words[to + i] |= words[onward + i] & words[row + i]


@part
def search_paths(memory: Handle, level: int, listed: bool) -> bool:
    """Count the refused paths of a level, if ``listed`` all of them, in all and by cell.

    Keeps the masks of accepted ones for the next level. False at the limit of steps.
    """
    net = net_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    reals = real_view(memory)
    count = net.locals
    behind = net.behind
    second = net.from_second
    member = net.member
    for i in range(count):
        ints[net.on_path + i] = 0
    ints[net.on_path + net.start] = 1
    for i in range(net.index_words):
        words[net.candidate + i] = ~uint64(0)
        ints[net.candidate_word + i] = i
    for w in range(len(memory) - 2):
        words[net.frame_mask + w] = uint64(0)
    begin_frame(memory, int64(0), int64(net.start), int64(level), int64(0), int64(net.index_words))
    keeping = net.virtual == 1 and level < net.slack
    masked = keeping or net.mode != 0
    depth = int64(0)
    while depth >= 0:
        fields = net.frame + depth * at.FRAME_FIELDS
        node = ints[fields + at.FRAME_NODE]
        link = int64(ints[fields + at.FRAME_LINK])
        rest = int64(ints[fields + at.FRAME_REST])
        end = int64(ints[fields + at.FRAME_MASKS_END])
        links = net.first + at.COSTS * node
        if link == ints[links + min(rest + 1, at.COSTS)]:
            end_frame(memory, level, depth, listed)
            ints[net.on_path + node] = 0
            depth -= 1
            continue
        ints[fields + at.FRAME_LINK] = link + 1
        for cost in range(1, at.COSTS):
            if link >= ints[links + cost]:
                rest -= 1
        target = int64(ints[net.head + link])
        if ints[net.on_path + target] == 1 or (target == 0 and rest > 0):
            continue
        if rest < at.COUNTED and reals[behind + rest * count + target] == 0.0:
            continue
        top = narrow_masks(memory, fields, link, rest)
        if top == end and not listed and not keeping:
            continue
        if net.mode & at.DISJOINT and not is_apart(memory, depth, link):
            continue
        begin_frame(memory, depth + 1, target, rest, end, top)
        if masked:
            use_link(memory, depth, depth + 1, link)
        togo = ints[second + ints[member + target]] + rest
        if togo == 2 and net.mode == 0 and not keeping:
            end_paths(memory, level, depth + 1, listed)
            end_frame(memory, level, depth + 1, listed)
            continue
        if togo > 1 or (target > 0 and net.mode & at.PARALLEL):
            depth += 1
            ints[net.on_path + target] = 1
            net.steps += 1
            if net.steps > net.step_limit:
                return False
            continue
        # a whole path: from the target only its link to the second edge is left, if anything
        if target > 0:
            last = int64(ints[net.last + target])
            if net.mode & at.DISJOINT and not is_apart(memory, depth + 1, last):
                continue
            if masked:
                use_link(memory, depth + 1, depth + 1, last)
        reals[net.ways + 2 * (depth + 1)] = 1.0
        reals[net.ways + 2 * (depth + 1) + 1] = 1.0 if top > end else 0.0
        end_frame(memory, level, depth + 1, listed)
        if keeping and top == end:
            keeping = keep_mask(memory, depth + 1, int64(net.distance + level))
    reals[at.RESULT_REFUSED + level] = reals[net.ways + 1]
    if listed:
        reals[at.RESULT_RAW + level] = reals[net.ways]
    return True


@part
def narrow_masks(memory: Handle, fields: int, link: int64, rest: int64) -> int64:
    """Write the masks of a frame that contain a link and a way on too; return where they end."""
    net = net_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    used = net.index_words
    word_of = net.candidate_word
    candidate = net.candidate
    begin = ints[fields + at.FRAME_MASKS]
    end = ints[fields + at.FRAME_MASKS_END]
    top = int64(end)
    if begin < end and ints[net.row_of + link] >= 0:
        row = net.row + ints[net.row_of + link] * used
        onward = net.ending + (rest * net.locals + ints[net.head + link]) * used
        for i in range(begin, end):
            word = ints[word_of + i]
            holders = words[candidate + i] & words[row + word] & words[onward + word]
            words[candidate + top] = holders
            ints[word_of + top] = word
            if holders:
                top += 1
    return top


@part
def end_paths(memory: Handle, level: int, depth: int64, listed: bool) -> None:
    """Count the paths from a frame with two links to go, without frames of their own."""
    net = net_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    reals = real_view(memory)
    used = net.index_words
    fields = net.frame + depth * at.FRAME_FIELDS
    node = ints[fields + at.FRAME_NODE]
    cost = ints[fields + at.FRAME_REST]
    begin = ints[fields + at.FRAME_MASKS]
    end = ints[fields + at.FRAME_MASKS_END]
    head = net.head
    row_of = net.row_of
    on_path = net.on_path
    member = net.member
    candidate = net.candidate
    word_of = net.candidate_word
    row = net.row
    ending = net.ending
    through = net.through + level * net.cells
    through_refused = net.refused + level * net.cells
    links = net.first + at.COSTS * node + cost
    paths = 0.0
    refused = 0.0
    for link in range(ints[links], ints[links + 1]):
        target = ints[head + link]
        if ints[on_path + target] == 1:
            continue
        cell = ints[member + target]
        if begin < end and ints[row_of + link] >= 0:
            this = row + ints[row_of + link] * used
            last = ending + target * used
            for i in range(begin, end):
                word = ints[word_of + i]
                if words[candidate + i] & words[this + word] & words[last + word]:
                    refused += 1.0
                    reals[through_refused + cell] += 1.0
                    break
        if listed:
            paths += 1.0
            reals[through + cell] += 1.0
    reals[net.ways + 2 * depth] = paths if listed else refused
    reals[net.ways + 2 * depth + 1] = refused


@part
def begin_frame(
    memory: Handle, depth: int64, node: int64, rest: int64, begin: int64, end: int64
) -> None:
    """Write a frame: a node, the cost that is left there, and where the masks stand."""
    net = net_of(memory)
    ints = int_view(memory)
    reals = real_view(memory)
    fields = net.frame + depth * at.FRAME_FIELDS
    ints[fields + at.FRAME_NODE] = node
    ints[fields + at.FRAME_LINK] = ints[net.first + at.COSTS * node]
    ints[fields + at.FRAME_REST] = rest
    ints[fields + at.FRAME_MASKS] = begin
    ints[fields + at.FRAME_MASKS_END] = end
    reals[net.ways + 2 * depth] = reals[net.ways + 2 * depth + 1] = 0.0


@part
def end_frame(memory: Handle, level: int, depth: int64, listed: bool) -> None:
    """Add the paths through a frame to those of the frame before it and of its cells."""
    net = net_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    reals = real_view(memory)
    W = len(memory) - 2
    ways = net.ways + 2 * depth
    paths = reals[ways]
    refused = reals[ways + 1]
    if depth == 0 or paths == 0.0:
        return
    reals[ways - 2] += paths
    reals[ways - 1] += refused
    through = net.through + level * net.cells
    through_refused = net.refused + level * net.cells
    if net.mode & at.CARRIERS:
        mask = net.frame_mask + depth * W
        for w in range(W):
            new = words[mask + w] & ~words[mask - W + w]
            while new:
                cell = w * 64 + lowest(new)
                new &= new - uint64(1)
                reals[through + cell] += paths
                reals[through_refused + cell] += refused
        return
    cell = ints[net.member + ints[net.frame + depth * at.FRAME_FIELDS + at.FRAME_NODE]]
    if cell < net.cells:
        reals[through_refused + cell] += refused
        if listed:
            reals[through + cell] += paths


@part
def use_link(memory: Handle, before: int64, depth: int64, link: int64) -> None:
    """Write a frame's mask: that of a frame before, with a link's carrier and where it leads."""
    net = net_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    W = len(memory) - 2
    mask = net.frame_mask + depth * W
    mask_before = net.frame_mask + before * W
    carrier = net.carrier + ints[net.via + link] * W
    for w in range(W):
        words[mask + w] = words[mask_before + w] | words[carrier + w]
    cell = int64(ints[net.member + ints[net.head + link]])
    if cell < net.cells:
        words[mask + (cell >> 6)] |= uint64(1) << uint64(cell & 63)


@part
def is_apart(memory: Handle, depth: int64, link: int64) -> bool:
    """Return whether nothing that a link uses is in a frame's mask."""
    net = net_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    W = len(memory) - 2
    mask = net.frame_mask + depth * W
    carrier = net.carrier + ints[net.via + link] * W
    shared = uint64(0)
    for w in range(W):
        shared |= words[mask + w] & words[carrier + w]
    cell = int64(ints[net.member + ints[net.head + link]])
    if cell < net.cells:
        shared |= words[mask + (cell >> 6)] >> uint64(cell & 63) & uint64(1)
    return shared == uint64(0)


@part
def keep_mask(memory: Handle, depth: int64, fewest: int64) -> bool:
    """Keep a path's mask if it has so many cells; False, and too many masks, at the limit."""
    net = net_of(memory)
    words = word_view(memory)
    W = len(memory) - 2
    mask = net.frame_mask + depth * W
    kept = net.mask + net.masks * W
    size = 0
    for w in range(W):
        words[kept + w] = words[mask + w]
        size += popcount(words[mask + w])
    net.paths += 1
    if net.paths > net.mask_limit:
        net.masks = net.mask_limit + 1
    elif size >= fewest:
        net.masks += 1
    return net.masks <= net.mask_limit


@part
def index_masks(memory: Handle) -> None:
    """Keep the maximal masks, and index them: for each cell, which of them contain it.

    The index has one word a cell for each 64 masks. Masks are taken from large to small, so the
    index finds those that an earlier one contains; then it is made again in the order in which they
    were collected, as what paths have in common at their beginnings then stands in few words.
    """
    net = net_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    W = len(memory) - 2
    cells = net.cells
    index = net.index
    order = net.order
    sort_masks(memory)
    # a bit for each mask that is kept, where nothing has been written yet
    chosen = net.row
    chosen_words = (net.masks + 63) >> 6
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
        holders = uint64(0)
        block = index
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
    net = net_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
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
    net = net_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
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
    net = net_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
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
