"""Cells that carriers may have in common: own stones on the ends capture them.

Two empty cells below a cell of the second row are captured by a stone there: whoever plays on one
of them, the other is answered, and the edge is reached (docs/methods.md#virtual-connections).
"""

from numpy import uint64

from hextui.engine.kernels.bits import popcount
from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.connections.slots import slot_at
from hextui.engine.kernels.connections.state import EMPTY_CELL, SLOT_A, SLOT_B, pool_of
from hextui.engine.kernels.views import Handle, int_view, word_view


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
            words[candidate + w] |= words[pair + w]
    left = uint64(0)
    for w in range(W):
        left |= words[shared + w] & ~words[used + w]
    return left == uint64(0)


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
