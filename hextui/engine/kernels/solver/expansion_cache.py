"""The cache of expansions that all threads share, without locks.

An entry is the position's second hash, a checksum, the work below it, the number of children, the
moves that are left and what cut them (two sets), the currents of all cells and the resistance, and
three words a child: cell and whether its position is turned, then its two hashes. An entry torn by
two writers has a wrong checksum. The first hash chooses a bucket of four, of which the one with the
least work is replaced; the work of the others counts for less from then on, until it is updated.
"""

from typing import Any

from numpy import uint64

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.memory import Handle, int_view, whole, word_view
from hextui.engine.kernels.solver import layout as at
from hextui.engine.kernels.solver.layout import block_of, fields_of, header_of, set_of
from hextui.engine.kernels.solver.order import flows_of, write_first_numbers
from hextui.engine.kernels.solver.transposition_table import mix

KEY, CHECK, WORK, COUNT, SETS = range(5)
CHILD_WORDS = 3
TURNED = 1 << 16
WAYS = 4

# work is counted in PARTS of a position; each entry stored in the bucket reduces it by one of
# FORGOTTEN parts, so that of two with the same work the older one is replaced
PARTS = 1 << 16
FORGOTTEN = 8


def entry_words(cells: int, width: int) -> int:
    """Return how many words an entry takes, its sets of cells ``width``."""
    return SETS + 2 * width + 1 + (1 + CHILD_WORDS) * cells


@part
def recall(memory: Handle, cache: Any, level: int) -> bool:
    """Load a level's children from the cache if it has them; after False they are undefined."""
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    entry = _find(memory, cache, level)
    if entry < 0:
        return False
    count = whole(cache[entry + COUNT])
    if not 0 <= count <= header.cells:
        return False
    check = _start_check(memory, level, count)
    entry_sets = entry + SETS
    left = set_of(memory, level, at.S_LEFT)
    sets = 2 * (len(memory) - 2)
    for i in range(sets):
        words[left + i] = cache[entry_sets + i]
        check = mix(check ^ words[left + i])
    first = level * header.cells
    place = entry_sets + sets
    flows = flows_of(memory, level)
    for cell in range(header.cells + 1):
        words[flows + cell] = cache[place]
        check = mix(check ^ words[flows + cell])
        place += 1
    for child in range(first, first + count):
        move = cache[place]
        ints[header.child_cell + child] = whole(move & uint64(TURNED - 1))
        ints[header.child_turned + child] = 1 if move & uint64(TURNED) else 0
        check = mix(check ^ move)
        for i in range(2):
            hashed = cache[place + 1 + i]
            words[header.child_hash + 2 * child + i] = hashed
            check = mix(check ^ hashed)
        place += CHILD_WORDS
    ints[fields_of(memory, level) + at.L_COUNT] = count
    write_first_numbers(memory, level)
    return check == cache[entry + CHECK]


@part
def remember(memory: Handle, cache: Any, level: int) -> None:
    """Store a level's new children in the cache."""
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    entry = _choose(memory, cache, level)
    if entry < 0:
        return
    cache[entry + KEY] = word_view(memory)[block_of(memory, level) + at.H_TWO]
    note_work(memory, cache, level)
    count = whole(ints[fields_of(memory, level) + at.L_COUNT])
    check = _start_check(memory, level, count)
    cache[entry + COUNT] = uint64(count)
    entry_sets = entry + SETS
    left = set_of(memory, level, at.S_LEFT)
    sets = 2 * (len(memory) - 2)
    for i in range(sets):
        cache[entry_sets + i] = words[left + i]
        check = mix(check ^ words[left + i])
    first = level * header.cells
    place = entry_sets + sets
    flows = flows_of(memory, level)
    for cell in range(header.cells + 1):
        cache[place] = words[flows + cell]
        check = mix(check ^ words[flows + cell])
        place += 1
    for child in range(first, first + count):
        move = uint64(ints[header.child_cell + child])
        if ints[header.child_turned + child]:
            move |= uint64(TURNED)
        cache[place] = move
        check = mix(check ^ move)
        for i in range(2):
            hashed = words[header.child_hash + 2 * child + i]
            cache[place + 1 + i] = hashed
            check = mix(check ^ hashed)
        place += CHILD_WORDS
    cache[entry + CHECK] = check


@part
def note_work(memory: Handle, cache: Any, level: int) -> None:
    """Update the work below a level, if the cache has it."""
    entry = _find(memory, cache, level)
    if entry >= 0:
        work = max(whole(int_view(memory)[fields_of(memory, level) + at.L_WORK]), 1)
        cache[entry + WORK] = uint64(work) * uint64(PARTS)


@part
def forget(memory: Handle, cache: Any, level: int) -> None:
    """Free the entry of a solved level."""
    entry = _find(memory, cache, level)
    if entry >= 0:
        cache[entry + KEY] = cache[entry + WORK] = uint64(0)


@part
def _bucket_of(memory: Handle, cache: Any, level: int) -> int:
    """Return where a level's bucket begins; -1 without a cache."""
    size = WAYS * _size_of_entry(memory)
    buckets = len(cache) // size
    if buckets == 0:
        return -1
    return whole(word_view(memory)[block_of(memory, level) + at.H_ONE] % uint64(buckets)) * size


@part
def _size_of_entry(memory: Handle) -> int:
    return SETS + 2 * (len(memory) - 2) + 1 + (1 + CHILD_WORDS) * whole(header_of(memory).cells)


@part
def _find(memory: Handle, cache: Any, level: int) -> int:
    """Return where a level's entry begins, -1 if there is none."""
    entry = _bucket_of(memory, cache, level)
    size = _size_of_entry(memory)
    if entry < 0:
        return -1
    key = word_view(memory)[block_of(memory, level) + at.H_TWO]
    for _ in range(WAYS):
        if cache[entry + KEY] == key:
            return entry
        entry += size
    return -1


@part
def _choose(memory: Handle, cache: Any, level: int) -> int:
    """Return the entry to replace: the level's own, or the one with the least work; -1 if none."""
    own = _find(memory, cache, level)
    first = _bucket_of(memory, cache, level)
    size = _size_of_entry(memory)
    if own >= 0 or first < 0:
        return own
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
def _start_check(memory: Handle, level: int, count: int) -> Any:
    words = word_view(memory)
    block = block_of(memory, level)
    check = mix(words[block + at.H_ONE] ^ uint64(count))
    return mix(check ^ words[block + at.H_TWO])
