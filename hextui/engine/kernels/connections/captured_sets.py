"""Cells that carriers may have in common: own stones capture them.

Source: docs/methods.md#virtual-connections. Two empty cells below a cell of the second row are
captured by a stone there: whoever plays on one of them, the other is answered, and the edge is
reached. Inside the carrier of a connection two cells are captured where they join the same, if all
that is outside it is the opponent's.
"""

from numpy import uint64

from hextui.engine.kernels.bits import lowest, popcount
from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.connections.slots import slot_at
from hextui.engine.kernels.connections.state import (
    EMPTY_CELL,
    NEIGHBOURS,
    SLOT_A,
    SLOT_B,
    pool_of,
)
from hextui.engine.kernels.views import Handle, int_view, word_view

# shared cells that are looked at inside a carrier: more cost time and are rarely captured
MOST_INSIDE = 2


@part
def may_share(state: Handle, row: int, x: int, y: int, z: int) -> int:
    """Return how many cells of a carrier a stone on one of three nodes may capture at most."""
    pool = pool_of(state)
    words = word_view(state)
    W = len(state) - 2
    carrier, captures = pool.carrier + row * W, pool.captures
    count = 0
    for w in range(W):
        some = words[captures + x * W + w] | words[captures + y * W + w]
        count += popcount(words[carrier + w] & (some | words[captures + z * W + w]))
    return count


@part
def add_captured(state: Handle, x: int, y: int, z: int) -> bool:
    """Add to the candidate the pairs that own stones on three nodes capture, as far as needed.

    False if not all cells in CAPTURED are of such pairs, of two empty cells, no cell in two pairs.
    """
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    candidate = pool.carrier + pool.rows * W
    shared, used = pool.captured, pool.captured + W
    for w in range(W):
        words[used + w] = uint64(0)
    for place in range(3):
        node = z if place == 0 else x if place == 1 else y
        if ints[pool.kind + node] != EMPTY_CELL:
            continue
        pair = pool.captures + node * W
        met, wrong = uint64(0), uint64(0)
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
    """Tell whether the cells in CAPTURED are of pairs that stones there and on the key capture.

    The pairs are of cells of the candidate, and all that is outside it is the opponent's.
    """
    pool = pool_of(state)
    words = word_view(state)
    W = len(state) - 2
    shared, used = pool.captured, pool.captured + W
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
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    candidate, used = pool.carrier + pool.rows * W, pool.captured + W
    near = pool.near + cell * (NEIGHBOURS + 2)
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
    """Tell whether all that a cell joins is joined by a stone on the other one beside it.

    What counts are cells of the candidate, own groups, edges and the key.
    """
    pool = pool_of(state)
    words = word_view(state)
    W = len(state) - 2
    size = pool.node_words
    touched, joined = pool.adjacent + cell * size, pool.scratch_words
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
    pool = pool_of(state)
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
    """Write the cells that semis of a pair may have in common: own stones on its ends capture them.

    The pairs of both ends, if they have no cell in common; none are ever written without sharing.
    """
    pool = pool_of(state)
    if not pool.sharing:
        return
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    at = slot_at(state, slot)
    for w in range(W):
        words[pool.captured + w] = uint64(0)
    for field in range(SLOT_A, SLOT_B + 1):
        node = ints[at + field]
        if ints[pool.kind + node] != EMPTY_CELL:
            continue
        pair = pool.captures + node * W
        wrong = uint64(0)
        for w in range(W):
            barred = words[pool.captured + w] | ~words[pool.empties + w]
            wrong |= words[pair + w] & barred
        if wrong or _has(state, pair, ints[at + SLOT_A]) or _has(state, pair, ints[at + SLOT_B]):
            continue
        for w in range(W):
            words[pool.captured + w] |= words[pair + w]


@part
def add_pairs_in_common(state: Handle, slot: int, size: int) -> None:
    """Add to the candidate the captured pairs in which all its premises have a cell in common."""
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
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
    at = slot_at(state, slot)
    for field in range(SLOT_A, SLOT_B + 1):
        pair = pool.captures + ints[at + field] * W
        met, wrong = uint64(0), uint64(0)
        for w in range(W):
            met |= words[pair + w] & words[common + w]
            wrong |= words[pair + w] & ~words[pool.captured + w]
        if met and not wrong:
            for w in range(W):
                words[pool.carrier + pool.rows * W + w] |= words[pair + w]


@part
def _has(state: Handle, at: int, node: int) -> bool:
    """Tell whether a set of cells holds a node; edges are in none."""
    if node >> 6 >= len(state) - 2:
        return False
    return word_view(state)[at + (node >> 6)] >> uint64(node & 63) & uint64(1) != uint64(0)
