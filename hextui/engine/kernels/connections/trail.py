"""The trail: what a ply changes is saved before its first change, and restored by undo."""

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.connections.slots import set_needed, set_pair_bit, slot_at
from hextui.engine.kernels.connections.state import (
    ADJACENT,
    CAPTAIN,
    FULL_LIMIT,
    KIND,
    LINKED,
    NEEDED,
    OVERFLOW,
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
    STAMP,
    TRAIL,
    TRAIL_AT,
    TRAIL_LIMIT,
    TRAIL_WORD_LIMIT,
    TRAIL_WORDS,
    TRAIL_WORDS_AT,
    UNION,
)
from hextui.engine.kernels.views import Handle, int_view, word_view


@part
def touch(state: Handle, slot: int) -> None:
    """Save the slot's lists on the trail before their first change in this ply."""
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    at = slot_at(state, slot)
    if ints[at + SLOT_STAMP] == ints[STAMP]:
        return
    ints[at + SLOT_STAMP] = ints[STAMP]
    fulls, semis = ints[at + SLOT_FULLS], ints[at + SLOT_SEMIS]
    length = fulls + semis + SLOT_RECORD
    top, word_top = ints[TRAIL], ints[TRAIL_WORDS]
    if top + length > ints[TRAIL_LIMIT] or word_top + 2 * W > ints[TRAIL_WORD_LIMIT]:
        ints[OVERFLOW] = 2
        return
    to = ints[TRAIL_AT] + top
    lists = at + SLOT_LISTS
    for i in range(fulls):
        ints[to + i] = ints[lists + i]
    semi_lists = lists + ints[FULL_LIMIT]
    for i in range(semis):
        ints[to + fulls + i] = ints[semi_lists + i]
    end = to + length
    ints[end - 6] = ints[at + SLOT_FULL_BOUND]
    ints[end - 5] = ints[at + SLOT_SEMI_BOUND]
    ints[end - 4] = fulls
    ints[end - 3] = semis
    ints[end - 2] = slot
    ints[end - 1] = RECORD_SLOT
    ints[TRAIL] = top + length
    saved = ints[TRAIL_WORDS_AT] + word_top
    for w in range(W):
        words[saved + w] = words[ints[UNION] + slot * W + w]
        words[saved + W + w] = words[ints[NEEDED] + slot * W + w]
    ints[TRAIL_WORDS] = word_top + 2 * W


@part
def restore(state: Handle, end: int) -> None:
    """Restore a slot from the trail record that ends at ``end``, the last one with words."""
    ints, words = int_view(state), word_view(state)
    W = len(state) - 2
    slot, semis, fulls = ints[end - 2], ints[end - 3], ints[end - 4]
    at = slot_at(state, slot)
    saved = end - SLOT_RECORD - fulls - semis
    lists = at + SLOT_LISTS
    for i in range(fulls):
        ints[lists + i] = ints[saved + i]
    semi_lists = lists + ints[FULL_LIMIT]
    for i in range(semis):
        ints[semi_lists + i] = ints[saved + fulls + i]
    a, b = ints[at + SLOT_A], ints[at + SLOT_B]
    if (fulls > 0) != (ints[at + SLOT_FULLS] > 0):
        set_pair_bit(state, ints[LINKED], a, b, fulls > 0)
    touching = ints[end - 6] == 0
    if touching != (ints[at + SLOT_FULL_BOUND] == 0):
        set_pair_bit(state, ints[ADJACENT], a, b, touching)
    ints[at + SLOT_FULL_BOUND] = ints[end - 6]
    ints[at + SLOT_SEMI_BOUND] = ints[end - 5]
    ints[at + SLOT_FULLS] = fulls
    ints[at + SLOT_SEMIS] = semis
    ints[TRAIL_WORDS] -= 2 * W
    words_at = ints[TRAIL_WORDS_AT] + ints[TRAIL_WORDS]
    for w in range(W):
        words[ints[UNION] + slot * W + w] = words[words_at + w]
        set_needed(state, slot, w, words[words_at + W + w])


@part
def set_captain(state: Handle, node: int, captain: int) -> None:
    """Change a node's captain; the old one goes on the trail."""
    ints = int_view(state)
    _save(state, RECORD_CAPTAIN, node, ints[ints[CAPTAIN] + node])
    ints[ints[CAPTAIN] + node] = captain


@part
def set_kind(state: Handle, node: int, kind: int) -> None:
    """Change a node's kind; the old one goes on the trail."""
    ints = int_view(state)
    _save(state, RECORD_KIND, node, ints[ints[KIND] + node])
    ints[ints[KIND] + node] = kind


@part
def _save(state: Handle, record: int, node: int, old: int) -> None:
    ints = int_view(state)
    top = ints[TRAIL]
    if top + 3 > ints[TRAIL_LIMIT]:
        ints[OVERFLOW] = 2
        return
    to = ints[TRAIL_AT] + top
    ints[to], ints[to + 1], ints[to + 2] = old, node, record
    ints[TRAIL] = top + 3
