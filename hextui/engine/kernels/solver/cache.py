"""The cache of expansions that all threads share, without locks: what it holds costs no search.

A cache is an array of words. An entry is the position's second hash, a checksum, the work below
the position, the number of children, the moves that are left and what cut them (two sets), the
currents of all cells, and three words a child: cell and whether its position is turned, then its
two hashes. The checksum mixes the position's hashes with the rest but the work, so an entry torn by
two writers is a miss.

The first hash chooses a bucket of four; of these the one with the least work is replaced, and the
work of the others counts for less from then on, until it is noted again. So positions that the
search comes back to again and again are kept, and those that are solved make room.
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

KEY, CHECK, WORK, COUNT, SETS = range(5)
CHILD_WORDS = 3
TURNED = 1 << 16
WAYS = 4

# work is held in such parts of a position, and for each entry that is put beside it one of
# FORGOTTEN parts is forgotten, so that of two with the same work the older one goes
PARTS = 1 << 16
FORGOTTEN = 8


def entry_words(cells: int, width: int) -> int:
    """Return how many words an entry takes, its sets of cells ``width``."""
    return SETS + 2 * width + (1 + CHILD_WORDS) * cells


@part
def recall(room: Handle, cache: Any, level: int) -> bool:
    """Take a level's children from the cache, if they are there; False leaves anything there."""
    desk = desk_of(room)
    ints, words = int_view(room), word_view(room)
    entry = _find(room, cache, level)
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
    entry = _choose(room, cache, level)
    if entry < 0:
        return
    cache[entry + KEY] = word_view(room)[block_of(room, level) + at.H_TWO]
    note_work(room, cache, level)
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
def note_work(room: Handle, cache: Any, level: int) -> None:
    """Note the work that is known below a level, if the cache has it."""
    entry = _find(room, cache, level)
    if entry >= 0:
        work = max(whole(int_view(room)[fields_of(room, level) + at.L_WORK]), 1)
        cache[entry + WORK] = uint64(work) * uint64(PARTS)


@part
def forget(room: Handle, cache: Any, level: int) -> None:
    """Make room where the cache has a level that is solved."""
    entry = _find(room, cache, level)
    if entry >= 0:
        cache[entry + KEY] = cache[entry + WORK] = uint64(0)


@part
def _bucket_of(room: Handle, cache: Any, level: int) -> int:
    """Return where a level's bucket begins; -1 without a cache."""
    size = WAYS * _size_of_entry(room)
    buckets = len(cache) // size
    if buckets == 0:
        return -1
    return whole(word_view(room)[block_of(room, level) + at.H_ONE] % uint64(buckets)) * size


@part
def _size_of_entry(room: Handle) -> int:
    return SETS + 2 * (len(room) - 2) + (1 + CHILD_WORDS) * whole(desk_of(room).cells)


@part
def _find(room: Handle, cache: Any, level: int) -> int:
    """Return where a level's entry begins, -1 if there is none."""
    entry, size = _bucket_of(room, cache, level), _size_of_entry(room)
    if entry < 0:
        return -1
    key = word_view(room)[block_of(room, level) + at.H_TWO]
    for _ in range(WAYS):
        if cache[entry + KEY] == key:
            return entry
        entry += size
    return -1


@part
def _choose(room: Handle, cache: Any, level: int) -> int:
    """Return the entry to replace: the level's own, or the one with the least work; -1 if none."""
    found = _find(room, cache, level)
    first, size = _bucket_of(room, cache, level), _size_of_entry(room)
    if found >= 0 or first < 0:
        return found
    chosen = first
    for way in range(1, WAYS):
        entry = first + way * size
        if cache[entry + WORK] < cache[chosen + WORK]:
            chosen = entry
    for way in range(WAYS):
        entry = first + way * size
        # read once: another thread may write meanwhile
        work = cache[entry + WORK]
        cache[entry + WORK] = work - work // uint64(FORGOTTEN)
    return chosen


@part
def _start_check(room: Handle, level: int, count: int) -> Any:
    words, block = word_view(room), block_of(room, level)
    check = mix(words[block + at.H_ONE] ^ uint64(count))
    return mix(check ^ words[block + at.H_TWO])
