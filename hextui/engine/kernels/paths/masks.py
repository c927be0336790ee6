"""The sets of cells that shorter paths use, and an index of the maximal ones.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 4.1.3; see
docs/methods.md#accepted-paths. The set S of a path, its *mask* here, is its interior cells and the
carriers of its links.
"""

from numpy import uint64

from hextui.engine.kernels.bits import lowest, popcount
from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.paths import room as at
from hextui.engine.kernels.paths.room import net_of
from hextui.engine.kernels.views import Handle, int_view, real_view, word_view


@part
def collect_masks(room: Handle, level: int, fewest: int) -> bool:
    """Append the sets S of the paths of a level (0 or 1) that have at least so many cells.

    Returns False if there are more paths than the limit allows, or if STOP is set.
    """
    net = net_of(room)
    ints, words, reals = int_view(room), word_view(room), real_view(room)
    W = len(room) - 2
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
            if max(paths, masks + 1) > net.mask_limit or net.stop:
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
def index_masks(room: Handle) -> None:
    """Keep the maximal masks, and index them: for each cell, which of them contain it.

    The index has one word a cell for each 64 masks. Masks are taken from large to small, so
    the index itself finds those that an earlier one contains. Then it is made again in the order
    in which the masks were collected: what paths have in common at their beginnings stands
    together, in few words.
    """
    net = net_of(room)
    ints, words = int_view(room), word_view(room)
    W = len(room) - 2
    cells, index, order = net.cells, net.index, net.order
    sort_masks(room)
    # a bit for each mask that is kept, where nothing has been written yet
    chosen, chosen_words = net.row, (net.masks + 63) >> 6
    for i in range(chosen_words):
        words[chosen + i] = uint64(0)
    kept, members = 0, net.queue
    last = -1  # where the mask begins that contained the one before
    for i in range(net.masks):
        if net.stop:
            break
        number = ints[order + i]
        mask = net.mask + number * W
        if last >= 0 and _is_part(room, mask, last):
            continue
        end = _list_members(room, mask)
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
        _add_to_index(room, kept, end)
        ints[order + kept] = number
        words[chosen + (number >> 6)] |= uint64(1) << uint64(number & 63)
        kept += 1
    kept = 0
    for i in range(chosen_words):
        rest = words[chosen + i]
        while rest:
            number = i * 64 + lowest(rest)
            rest &= rest - uint64(1)
            _add_to_index(room, kept, _list_members(room, net.mask + number * W))
            kept += 1
    net.index_words = (kept + 63) >> 6


@part
def _is_part(room: Handle, mask: int, other: int) -> bool:
    """Tell whether one mask is part of another."""
    words = word_view(room)
    outside = uint64(0)
    for w in range(len(room) - 2):
        outside |= words[mask + w] & ~words[other + w]
    return outside == uint64(0)


@part
def _list_members(room: Handle, mask: int) -> int:
    """Write the cells of a mask to QUEUE; return where they end."""
    net = net_of(room)
    ints, words = int_view(room), word_view(room)
    end = int(net.queue)
    for w in range(len(room) - 2):
        rest = words[mask + w]
        while rest:
            ints[end] = w * 64 + lowest(rest)
            end += 1
            rest &= rest - uint64(1)
    return end


@part
def _add_to_index(room: Handle, number: int, end: int) -> None:
    """Note a mask, with its cells in QUEUE up to ``end``, under its number in the index."""
    net = net_of(room)
    ints, words = int_view(room), word_view(room)
    cells = net.cells
    block = net.index + (number >> 6) * cells
    if number & 63 == 0:
        for cell in range(cells):
            words[block + cell] = uint64(0)
    for member in range(net.queue, end):
        words[block + ints[member]] |= uint64(1) << uint64(number & 63)


@part
def sort_masks(room: Handle) -> None:
    """Write the order of the masks, those with the most cells first."""
    net = net_of(room)
    ints, words = int_view(room), word_view(room)
    W = len(room) - 2
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
