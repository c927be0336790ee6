"""H-search: the AND rule, and the captured cells that carriers may have in common.

Source: V. Anshelevich (https://doi.org/10.1016/S0004-3702(01)00154-0), as described by Honjo et al.
2010 (https://hdl.handle.net/2115/51049), section 2.2.2 (AND deduction). Captured cells:
docs/methods.md#virtual-connections. A stone on the second row captures the two empty cells below
it. Inside a carrier two cells are captured where they join the same, all outside it being the
opponent's.
"""

from typing import Any

from numpy import uint64

from hextui.engine.kernels.compiling import inline_part, part
from hextui.engine.kernels.connections import state as layout
from hextui.engine.kernels.connections.lists import offer_full, offer_semi, premise_candidate
from hextui.engine.kernels.memory import Handle, int_view, lowest, popcount, word_view

# cells of the smallest full connection of two nodes that do not touch
LEAST_FULL = 2


@part
def apply_and(state: Handle, row: int) -> None:
    """Combine a full connection with the others at each end where that is pending."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    status = pool.state + row
    pending = ints[status] & (layout.PENDING_A | layout.PENDING_B)
    ints[status] &= ~(layout.PENDING_A | layout.PENDING_B)
    fields = layout.row_at(state, row)
    a = ints[pool.captain + ints[fields + layout.ROW_A]]
    b = ints[pool.captain + ints[fields + layout.ROW_B]]
    if pending & layout.PENDING_A:
        _combine(state, row, b, a)
    if pending & layout.PENDING_B:
        _combine(state, row, a, b)


@part
def _combine(state: Handle, row: int, x: int, z: int) -> None:
    """Apply the AND rule to the full x-z and every full z-y that is no longer pending at z."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    kind_x = ints[pool.kind + x]
    kind_z = ints[pool.kind + z]
    if kind_z == layout.OWN_EDGE and not pool.and_over_edges:
        return
    nodes, kinds = pool.nodes, pool.kind
    slots_of_x = pool.slot_of + x * nodes
    slots_of_z = pool.slot_of + z * nodes
    size = ints[layout.row_at(state, row) + layout.ROW_SIZE]
    bound = layout.SLOT_FULL_BOUND
    if kind_z == layout.EMPTY_CELL:
        size = size + 1
        bound = layout.SLOT_SEMI_BOUND
    only_new = z != pool.group and _is_shrunk(state, row)
    sharing = pool.sharing and _may_be_captured(state, row)
    joins_own = pool.sharing and kind_x >= layout.OWN_GROUP
    # between two empty cells carriers are small, so most partners can be skipped
    cell_space = (
        pool.cell_bound - size if kind_x == layout.EMPTY_CELL and not sharing else layout.NO_BOUND
    )
    x_word = x >> 6
    x_bit = uint64(1) << uint64(x & 63)
    first = pool.carrier + row * (len(state) - 2)
    for i in range(pool.node_words):
        partners = _partners(state, first, x, z, i, cell_space)
        if i == x_word:
            partners &= ~x_bit
        while partners:
            y = i * 64 + lowest(partners)
            partners &= partners - uint64(1)
            slot = ints[slots_of_x + y]
            if slot >= 0:
                most = ints[layout.slot_at(state, slot) + bound]
            else:
                most = layout.size_bound(state, x, y)
            at_edges = may_share(state, row, x, y, z) if sharing else 0
            inside = MOST_INSIDE if joins_own and ints[kinds + y] >= layout.OWN_GROUP else 0
            if most - size + max(at_edges, inside) > 0:
                partner_slot = layout.slot_at(state, ints[slots_of_z + y])
                if not only_new or ints[partner_slot + layout.SLOT_STAMP] == pool.stamp:
                    _combine_with(
                        state,
                        row,
                        x,
                        y,
                        z,
                        slot,
                        partner_slot,
                        most - size,
                        size,
                        bound,
                        at_edges,
                        inside,
                        only_new,
                    )


@inline_part
def _partners(state: Handle, first: int, x: int, z: int, i: int, cell_space: int) -> Any:
    """Return word ``i`` of the nodes y with fulls z-y that the full x-z may be combined with.

    ``first``: where the carrier of x-z begins; ``cell_space``: what a carrier z-y must be smaller
    than if y is an empty cell. x itself may be among them.
    """
    pool = layout.pool_of(state)
    words = word_view(state)
    W = len(state) - 2
    node_words = pool.node_words
    partners = words[pool.linked + z * node_words + i]
    partners &= ~words[pool.adjacent + x * node_words + i]
    if i < W:
        partners &= ~words[first + i]
        if cell_space <= 0:
            partners &= ~words[pool.empties + i]
        elif cell_space <= LEAST_FULL:
            partners &= words[pool.adjacent + z * node_words + i] | ~words[pool.empties + i]
    return partners


@inline_part
def _combine_with(
    state: Handle,
    row: int,
    x: int,
    y: int,
    z: int,
    slot: int,
    partner_slot: int,
    space: int,
    size: int,
    bound: int,
    at_edges: int,
    inside: int,
    only_new: bool,
) -> None:
    """Combine the full x-z with the fulls of one pair z-y, smallest first.

    ``size``: cells of x-z and the key. ``at_edges``, ``inside``: how many cells the carriers may
    share. ``only_new``: skip the fulls from before the stone that is being played.
    """
    pool = layout.pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    W = len(state) - 2
    carriers = pool.carrier
    old_rows = pool.old_rows
    first = carriers + row * W
    shared = max(at_edges, inside)
    x_word = x >> 6
    x_bit = uint64(1) << uint64(x & 63)
    for j in range(ints[partner_slot + layout.SLOT_FULLS]):
        entry = ints[partner_slot + layout.SLOT_LISTS + j]
        if layout.size_of(entry) >= space + shared:
            return
        partner = layout.row_of(entry)
        if only_new and partner < old_rows:
            continue
        second = carriers + partner * W
        overlap = uint64(0)
        for w in range(W):
            overlap |= words[first + w] & words[second + w]
        if shared == 0 if overlap else layout.size_of(entry) >= space:
            continue
        if (x_word < W and words[second + x_word] & x_bit) or _pending_at(state, partner, z):
            continue
        candidate = carriers + pool.rows * W
        for w in range(W):
            words[candidate + w] = words[first + w] | words[second + w]
        if overlap and not _is_explained(state, first, second, x, y, z, at_edges, inside):
            continue
        if slot < 0:
            slot = layout.slot_of_pair(state, x, y)
        _offer_union(state, row, partner, slot, z)
        space = ints[layout.slot_at(state, slot) + bound] - size


@part
def _is_explained(
    state: Handle, first: int, second: int, x: int, y: int, z: int, at_edges: int, inside: int
) -> bool:
    """Return whether own stones capture what two carriers share; add it to the candidate."""
    words = word_view(state)
    captured = layout.pool_of(state).captured
    for w in range(len(state) - 2):
        words[captured + w] = words[first + w] & words[second + w]
    if at_edges > 0 and add_captured(state, x, y, z):
        return True
    return inside > 0 and are_captured_inside(state, z)


@inline_part
def _offer_union(state: Handle, row: int, partner: int, slot: int, z: int) -> None:
    """Offer the candidate: a semi with the key z if that is an empty cell, else a full."""
    pool = layout.pool_of(state)
    premise_candidate(state, 0, row)
    premise_candidate(state, 1, partner)
    if int_view(state)[pool.kind + z] == layout.EMPTY_CELL:
        candidate = pool.carrier + pool.rows * (len(state) - 2)
        word_view(state)[candidate + (z >> 6)] |= uint64(1) << uint64(z & 63)
        offer_semi(state, slot, layout.RULE_AND, z, 2)
    else:
        offer_full(state, slot, layout.RULE_AND, 2)


@part
def _may_be_captured(state: Handle, row: int) -> bool:
    """Return whether a row's carrier has cells that a stone somewhere captures."""
    pool = layout.pool_of(state)
    words = word_view(state)
    W = len(state) - 2
    some = uint64(0)
    for w in range(W):
        some |= words[pool.carrier + row * W + w] & words[pool.capturable + w]
    return some != uint64(0)


@part
def _is_shrunk(state: Handle, row: int) -> bool:
    """Return whether a full is an older full without the cell of the stone being played.

    With partners from before the stone such a row gives nothing new.
    """
    pool = layout.pool_of(state)
    ints = int_view(state)
    fields = layout.row_at(state, row)
    if ints[fields + layout.ROW_RULE] != layout.RULE_STONE:
        return False
    premise = ints[pool.premise + ints[fields + layout.ROW_PREMISE]]
    return ints[layout.row_at(state, premise) + layout.ROW_KIND] == layout.FULL


@part
def _pending_at(state: Handle, row: int, node: int) -> bool:
    """Return whether the AND rule is still to be applied to the row at this end."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    waiting = ints[pool.state + row] & (layout.PENDING_A | layout.PENDING_B)
    if not waiting:
        return False
    fields = layout.row_at(state, row)
    if ints[pool.captain + ints[fields + layout.ROW_A]] == node:
        return waiting & layout.PENDING_A != 0
    return waiting & layout.PENDING_B != 0


# most shared cells to examine inside a carrier: more cost time and are rarely captured
MOST_INSIDE = 2


@part
def may_share(state: Handle, row: int, x: int, y: int, z: int) -> int:
    """Return how many cells of a carrier a stone on one of three nodes may capture at most."""
    pool = layout.pool_of(state)
    words = word_view(state)
    W = len(state) - 2
    carrier = pool.carrier + row * W
    captures = pool.captures
    count = 0
    for w in range(W):
        some = words[captures + x * W + w] | words[captures + y * W + w]
        count += popcount(words[carrier + w] & (some | words[captures + z * W + w]))
    return count


@part
def add_captured(state: Handle, x: int, y: int, z: int) -> bool:
    """Add to the candidate the pairs that own stones on three nodes capture, as far as needed.

    False if not all cells in CAPTURED are of such pairs, of empty cells, no cell in two.
    """
    pool = layout.pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    W = len(state) - 2
    candidate = pool.carrier + pool.rows * W
    shared = pool.captured
    used = pool.captured + W
    for w in range(W):
        words[used + w] = uint64(0)
    for place in range(3):
        if place == 0:
            node = z
        elif place == 1:
            node = x
        else:
            node = y
        if ints[pool.kind + node] != layout.EMPTY_CELL:
            continue
        pair = pool.captures + node * W
        met = uint64(0)
        wrong = uint64(0)
        for w in range(W):
            met |= words[pair + w] & words[shared + w]
            wrong |= words[pair + w] & (words[used + w] | ~words[pool.empties + w])
        if met == uint64(0) or wrong:
            continue
        if _has(state, pair, x) or _has(state, pair, y) or _has(state, pair, z):
            continue
        for w in range(W):
            words[used + w] |= words[pair + w]
    left = uint64(0)
    for w in range(W):
        left |= words[shared + w] & ~words[used + w]
    if left:
        return False
    for w in range(W):
        words[candidate + w] |= words[used + w]
    return True


@part
def are_captured_inside(state: Handle, key: int) -> bool:
    """Return whether stones in CAPTURED and on the key capture these cells, with others inside."""
    pool = layout.pool_of(state)
    words = word_view(state)
    W = len(state) - 2
    shared = pool.captured
    used = pool.captured + W
    count = 0
    for w in range(W):
        count += popcount(words[shared + w])
        words[used + w] = uint64(0)
    if count > MOST_INSIDE:
        return False
    for w in range(W):
        while words[shared + w] & ~words[used + w]:
            if not _pair_up(state, w * 64 + lowest(words[shared + w] & ~words[used + w]), key):
                return False
    return True


@part
def _pair_up(state: Handle, cell: int, key: int) -> bool:
    """Look for a cell that is captured with this one, and note that both are used."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    W = len(state) - 2
    candidate = pool.carrier + pool.rows * W
    used = pool.captured + W
    near = pool.near + cell * (layout.NEIGHBOURS + 2)
    while ints[near] >= 0:
        other = ints[near]
        near += 1
        if not _has(state, candidate, other) or _has(state, used, other):
            continue
        if _joins_no_more(state, cell, other, key) and _joins_no_more(state, other, cell, key):
            words[used + (cell >> 6)] |= uint64(1) << uint64(cell & 63)
            words[used + (other >> 6)] |= uint64(1) << uint64(other & 63)
            return True
    return False


@part
def _joins_no_more(state: Handle, cell: int, other: int, key: int) -> bool:
    """Return whether all that a cell joins is joined by a stone on the other one beside it."""
    pool = layout.pool_of(state)
    words = word_view(state)
    W = len(state) - 2
    size = pool.node_words
    touched = pool.adjacent + cell * size
    joined = pool.scratch_words
    _write_joined(state, other, key, joined)
    more = uint64(0)
    for i in range(size):
        counts = ~uint64(0)
        if i < W:
            counts = words[pool.carrier + pool.rows * W + i] | ~words[pool.empties + i]
        if i == key >> 6:
            counts |= uint64(1) << uint64(key & 63)
        if i == other >> 6:
            counts &= ~(uint64(1) << uint64(other & 63))
        more |= words[touched + i] & counts & ~words[joined + i]
    return more == uint64(0)


@part
def _write_joined(state: Handle, cell: int, key: int, to: int) -> None:
    """Write the nodes that a stone on a cell joins, by its groups and by the key if they touch."""
    pool = layout.pool_of(state)
    words = word_view(state)
    W = len(state) - 2
    size, adjacent = pool.node_words, pool.adjacent
    touched = adjacent + cell * size
    with_key = words[touched + (key >> 6)] >> uint64(key & 63) & uint64(1) != uint64(0)
    for i in range(size):
        words[to + i] = words[touched + i]
        if with_key:
            words[to + i] |= words[adjacent + key * size + i]
    for i in range(size):
        groups = words[to + i]
        if i < W:
            groups &= ~words[pool.empties + i]
        while groups:
            group = i * 64 + lowest(groups)
            groups &= groups - uint64(1)
            for j in range(size):
                words[to + j] |= words[adjacent + group * size + j]


@part
def write_captured(state: Handle, slot: int) -> None:
    """Write the cells that semis of a pair may share: disjoint pairs that its ends capture."""
    pool = layout.pool_of(state)
    if not pool.sharing:
        return
    ints = int_view(state)
    words = word_view(state)
    W = len(state) - 2
    fields = layout.slot_at(state, slot)
    for w in range(W):
        words[pool.captured + w] = uint64(0)
    for field in range(layout.SLOT_A, layout.SLOT_B + 1):
        node = ints[fields + field]
        if ints[pool.kind + node] != layout.EMPTY_CELL:
            continue
        pair = pool.captures + node * W
        wrong = uint64(0)
        for w in range(W):
            barred = words[pool.captured + w] | ~words[pool.empties + w]
            wrong |= words[pair + w] & barred
        if (
            wrong
            or _has(state, pair, ints[fields + layout.SLOT_A])
            or _has(state, pair, ints[fields + layout.SLOT_B])
        ):
            continue
        for w in range(W):
            words[pool.captured + w] |= words[pair + w]


@part
def add_pairs_in_common(state: Handle, slot: int, size: int) -> None:
    """Add to the candidate the captured pairs in which all its premises have a cell in common."""
    pool = layout.pool_of(state)
    ints = int_view(state)
    words = word_view(state)
    W = len(state) - 2
    common = pool.captured + W
    met = uint64(0)
    for w in range(W):
        words[common + w] = words[pool.captured + w]
        for i in range(size):
            premise = ints[pool.premise + pool.premises + i]
            words[common + w] &= words[pool.carrier + premise * W + w]
        met |= words[common + w]
    if met == uint64(0):
        return
    fields = layout.slot_at(state, slot)
    for field in range(layout.SLOT_A, layout.SLOT_B + 1):
        pair = pool.captures + ints[fields + field] * W
        met = uint64(0)
        wrong = uint64(0)
        for w in range(W):
            met |= words[pair + w] & words[common + w]
            wrong |= words[pair + w] & ~words[pool.captured + w]
        if met and not wrong:
            for w in range(W):
                words[pool.carrier + pool.rows * W + w] |= words[pair + w]


@part
def _has(state: Handle, cells: int, node: int) -> bool:
    """Return whether a set of cells holds a node; edges are in none."""
    if node >> 6 >= len(state) - 2:
        return False
    return word_view(state)[cells + (node >> 6)] >> uint64(node & 63) & uint64(1) != uint64(0)
