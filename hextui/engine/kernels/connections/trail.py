"""The trail: what a ply changes is saved before its first change, and restored by undo."""

from numpy import uint64

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.connections.slots import set_pair_bit, slot_at
from hextui.engine.kernels.connections.state import (
    ABSENT,
    RECORD_CAPTAIN,
    RECORD_KIND,
    RECORD_SLOT,
    SLOT_A,
    SLOT_B,
    SLOT_FULL_BOUND,
    SLOT_FULLS,
    SLOT_LISTS,
    SLOT_RECORD,
    SLOT_SEMI_BOUND,
    SLOT_SEMIS,
    SLOT_STAMP,
    pool_of,
)
from hextui.engine.kernels.views import Handle, int_view, word_view


@part
def touch(state: Handle, slot: int) -> None:
    """Save the slot's lists on the trail before their first change in this ply."""
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    at = slot_at(state, slot)
    if ints[at + SLOT_STAMP] == pool.stamp:
        return
    ints[at + SLOT_STAMP] = pool.stamp
    fulls, semis = ints[at + SLOT_FULLS], ints[at + SLOT_SEMIS]
    length = fulls + semis + SLOT_RECORD
    top, word_top = pool.trail, pool.trail_words
    if top + length > pool.trail_limit or word_top + 2 * W > pool.trail_word_limit:
        pool.overflow = 2
        return
    to = pool.trail_at + top
    lists = at + SLOT_LISTS
    for i in range(fulls):
        ints[to + i] = ints[lists + i]
    semi_lists = lists + pool.full_limit
    for i in range(semis):
        ints[to + fulls + i] = ints[semi_lists + i]
    end = to + length
    ints[end - 6] = ints[at + SLOT_FULL_BOUND]
    ints[end - 5] = ints[at + SLOT_SEMI_BOUND]
    ints[end - 4] = fulls
    ints[end - 3] = semis
    ints[end - 2] = slot
    ints[end - 1] = RECORD_SLOT
    pool.trail = top + length
    saved = pool.trail_words_at + word_top
    for w in range(W):
        words[saved + w] = words[pool.union + slot * W + w]
        words[saved + W + w] = words[pool.needed + slot * W + w]
    pool.trail_words = word_top + 2 * W


@part
def restore(state: Handle, end: int) -> None:
    """Restore a slot from the trail record that ends at ``end``, the last one with words."""
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    slot, semis, fulls = ints[end - 2], ints[end - 3], ints[end - 4]
    at = slot_at(state, slot)
    saved = end - SLOT_RECORD - fulls - semis
    lists = at + SLOT_LISTS
    for i in range(fulls):
        ints[lists + i] = ints[saved + i]
    semi_lists = lists + pool.full_limit
    for i in range(semis):
        ints[semi_lists + i] = ints[saved + fulls + i]
    a, b = ints[at + SLOT_A], ints[at + SLOT_B]
    if (fulls > 0) != (ints[at + SLOT_FULLS] > 0):
        set_pair_bit(state, pool.linked, a, b, fulls > 0)
    touching = ints[end - 6] == 0
    if touching != (ints[at + SLOT_FULL_BOUND] == 0):
        set_pair_bit(state, pool.adjacent, a, b, touching)
    ints[at + SLOT_FULL_BOUND] = ints[end - 6]
    ints[at + SLOT_SEMI_BOUND] = ints[end - 5]
    ints[at + SLOT_FULLS] = fulls
    ints[at + SLOT_SEMIS] = semis
    pool.trail_words -= 2 * W
    words_at = pool.trail_words_at + pool.trail_words
    for w in range(W):
        words[pool.union + slot * W + w] = words[words_at + w]
        words[pool.needed + slot * W + w] = words[words_at + W + w]


@part
def set_captain(state: Handle, node: int, captain: int) -> None:
    """Change a node's captain; the old one goes on the trail."""
    pool = pool_of(state)
    ints = int_view(state)
    _save(state, RECORD_CAPTAIN, node, ints[pool.captain + node])
    ints[pool.captain + node] = captain


@part
def set_kind(state: Handle, node: int, kind: int) -> None:
    """Take an empty cell, for an own stone or for good; its kind goes on the trail."""
    pool = pool_of(state)
    ints, words = int_view(state), word_view(state)
    _save(state, RECORD_KIND, node, ints[pool.kind + node])
    ints[pool.kind + node] = kind
    bit = uint64(1) << uint64(node & 63)
    words[pool.empties + (node >> 6)] &= ~bit
    if kind == ABSENT:
        words[pool.gone + (node >> 6)] |= bit


@part
def _save(state: Handle, record: int, node: int, old: int) -> None:
    pool = pool_of(state)
    ints = int_view(state)
    top = pool.trail
    if top + 3 > pool.trail_limit:
        pool.overflow = 2
        return
    to = pool.trail_at + top
    ints[to], ints[to + 1], ints[to + 2] = old, node, record
    pool.trail = top + 3
