"""The cache of expansions that all threads share, without locks: what it holds costs no search.

A cache is an array of words. An entry is a checksum, the number of children, the moves that are
left and what cut them (two sets), the currents of all cells, and three words a child: cell and
whether its position is turned, then its two hashes. The checksum mixes the position's hashes with
the rest, so an entry torn by two writers is a miss. The first hash chooses the entry; what it held
is replaced.
"""

from typing import Any

from numpy import uint64

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.solver import layout as at
from hextui.engine.kernels.solver.expand import block_of, fields_of, set_of
from hextui.engine.kernels.solver.layout import desk_of
from hextui.engine.kernels.solver.order import flows_of
from hextui.engine.kernels.solver.table import mix
from hextui.engine.kernels.solver.whole import whole
from hextui.engine.kernels.views import Handle, int_view, word_view

CHECK, COUNT, SETS = range(3)
CHILD_WORDS = 3
TURNED = 1 << 16


def entry_words(cells: int, width: int) -> int:
    """Return how many words an entry takes, its sets of cells ``width``."""
    return SETS + 2 * width + (1 + CHILD_WORDS) * cells


@part
def recall(room: Handle, cache: Any, level: int) -> bool:
    """Take a level's children from the cache, if they are there; False leaves anything there."""
    desk = desk_of(room)
    ints, words = int_view(room), word_view(room)
    entry = _entry_of(room, cache, level)
    if entry < 0:
        return False
    count = whole(cache[entry + COUNT])
    if not 0 <= count <= desk.cells:
        return False
    check = _start_check(room, level, count)
    entry_sets = entry + SETS
    left, sets = set_of(room, level, at.S_LEFT), 2 * (len(room) - 2)
    for i in range(sets):
        words[left + i] = cache[entry_sets + i]
        check = mix(check ^ words[left + i])
    first, held = level * desk.cells, entry_sets + sets
    flows = flows_of(room, level)
    for cell in range(desk.cells):
        words[flows + cell] = cache[held]
        check = mix(check ^ words[flows + cell])
        held += 1
    for child in range(first, first + count):
        move = cache[held]
        ints[desk.child_cell + child] = whole(move & uint64(TURNED - 1))
        ints[desk.child_turned + child] = 1 if move & uint64(TURNED) else 0
        ints[desk.child_phi + child] = ints[desk.child_delta + child] = 1
        check = mix(check ^ move)
        for i in range(2):
            hashed = cache[held + 1 + i]
            words[desk.child_hash + 2 * child + i] = hashed
            check = mix(check ^ hashed)
        held += CHILD_WORDS
    ints[fields_of(room, level) + at.L_COUNT] = count
    return check == cache[entry + CHECK]


@part
def remember(room: Handle, cache: Any, level: int) -> None:
    """Put a level's children, just made, into the cache."""
    desk = desk_of(room)
    ints, words = int_view(room), word_view(room)
    entry = _entry_of(room, cache, level)
    if entry < 0:
        return
    count = whole(ints[fields_of(room, level) + at.L_COUNT])
    check = _start_check(room, level, count)
    cache[entry + COUNT] = uint64(count)
    entry_sets = entry + SETS
    left, sets = set_of(room, level, at.S_LEFT), 2 * (len(room) - 2)
    for i in range(sets):
        cache[entry_sets + i] = words[left + i]
        check = mix(check ^ words[left + i])
    first, held = level * desk.cells, entry_sets + sets
    flows = flows_of(room, level)
    for cell in range(desk.cells):
        cache[held] = words[flows + cell]
        check = mix(check ^ words[flows + cell])
        held += 1
    for child in range(first, first + count):
        move = uint64(ints[desk.child_cell + child])
        if ints[desk.child_turned + child]:
            move |= uint64(TURNED)
        cache[held] = move
        check = mix(check ^ move)
        for i in range(2):
            hashed = words[desk.child_hash + 2 * child + i]
            cache[held + 1 + i] = hashed
            check = mix(check ^ hashed)
        held += CHILD_WORDS
    cache[entry + CHECK] = check


@part
def _entry_of(room: Handle, cache: Any, level: int) -> int:
    """Return where a level's entry begins; -1 without a cache."""
    desk = desk_of(room)
    size = SETS + 2 * (len(room) - 2) + (1 + CHILD_WORDS) * whole(desk.cells)
    entries = len(cache) // size
    if entries == 0:
        return -1
    return whole(word_view(room)[block_of(room, level) + at.H_ONE] % uint64(entries)) * size


@part
def _start_check(room: Handle, level: int, count: int) -> Any:
    words, block = word_view(room), block_of(room, level)
    check = mix(words[block + at.H_ONE] ^ uint64(count))
    return mix(check ^ words[block + at.H_TWO])
