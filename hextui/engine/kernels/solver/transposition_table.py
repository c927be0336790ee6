"""The transposition table that all threads share, without locks.

An entry is a checksum, proof and disproof number, work with best move, and W words of the winner's
carrier. The checksum mixes the position's second hash, so an entry torn by two writers is a miss.
The first hash chooses a bucket of four, of which the one with the least work is replaced.
"""

from typing import Any

from numpy import uint64

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.memory import Handle, lowest, whole, word_view
from hextui.engine.kernels.solver.layout import header_of

WAYS = 4
CHECK, NUMBERS, WORK, CARRIER = range(4)

MAX_WORK = 2_000_000_000


def entry_words(width: int) -> int:
    """Return how many words an entry takes, its set of cells ``width``."""
    return CARRIER + width


@part
def mix(value: Any) -> Any:
    """Return a word whose bits all depend on all bits of another one."""
    value ^= value >> uint64(31)
    value *= uint64(0x7FB5D329728EA185)
    value ^= value >> uint64(27)
    value *= uint64(0x81DADEF4BC2DD44D)
    return value ^ (value >> uint64(33))


@part
def _checksum(memory: Handle, table: Any, entry: int, hash_two: Any) -> Any:
    W = len(memory) - 2
    check = mix(hash_two ^ table[entry + NUMBERS])
    check = mix(check ^ table[entry + WORK])
    for w in range(W):
        check = mix(check ^ table[entry + CARRIER + w])
    return check


@part
def _bucket(memory: Handle, table: Any, hash_one: Any) -> int:
    size = (len(memory) - 2 + CARRIER) * WAYS
    buckets = uint64(len(table) // size)
    return whole(hash_one % buckets) * size


@part
def find(memory: Handle, table: Any, hash_one: Any, hash_two: Any, copy: int) -> bool:
    """Look a position up; an entry found is copied to ``copy`` in the memory's words."""
    words = word_view(memory)
    size = len(memory) - 2 + CARRIER
    entry = _bucket(memory, table, hash_one)
    for _ in range(WAYS):
        # copied first, because another thread may write meanwhile
        for w in range(size):
            words[copy + w] = table[entry + w]
        check = words[copy + CHECK]
        if words[copy + WORK] != uint64(0) and check == _checksum(memory, words, copy, hash_two):
            return True
        entry += size
    return False


@part
def _is_solved(numbers: Any) -> bool:
    return phi_of(numbers) == 0 or delta_of(numbers) == 0


@part
def store(
    memory: Handle,
    table: Any,
    hash_one: Any,
    hash_two: Any,
    numbers: Any,
    work: int,
    best: int,
    carrier: int,
) -> None:
    """Write an entry. ``numbers``: as ``pack`` makes them; ``carrier``: where in the words."""
    words = word_view(memory)
    W = len(memory) - 2
    size = W + CARRIER
    # built here first: another thread may be writing to the entry, and its words must not get our
    # checksum
    made = header_of(memory).entry
    words[made + NUMBERS] = numbers
    words[made + WORK] = uint64(min(work, MAX_WORK)) << uint64(32) | uint64(best + 1)
    for w in range(W):
        words[made + CARRIER + w] = words[carrier + w] if carrier >= 0 else uint64(0)
    words[made + CHECK] = _checksum(memory, words, made, hash_two)
    entry = _bucket(memory, table, hash_one)
    chosen = entry
    least = -1
    for _ in range(WAYS):
        packed = table[entry + WORK]
        if packed == uint64(0):
            chosen = entry
            break
        if table[entry + CHECK] == _checksum(memory, table, entry, hash_two):
            if phi_of(numbers) and delta_of(numbers) and _is_solved(table[entry + NUMBERS]):
                return  # another thread was faster
            chosen = entry
            break
        old_work = whole(packed >> uint64(32))
        if least < 0 or old_work < least:
            chosen, least = entry, old_work
        entry += size
    for w in range(size):
        table[chosen + w] = words[made + w]


@part
def pack(phi: int, delta: int) -> Any:
    """Return proof and disproof number as one word."""
    return uint64(phi) << uint64(32) | uint64(delta)


@part
def phi_of(numbers: Any) -> int:
    """Return the proof number of a packed word."""
    return whole(numbers >> uint64(32))


@part
def delta_of(numbers: Any) -> int:
    """Return the disproof number of a packed word."""
    return whole(numbers & uint64(0xFFFFFFFF))


@part
def turn_set(memory: Handle, source: int, target: int) -> None:
    """Write the set of cells turned by 180 degrees; the two places are different."""
    header = header_of(memory)
    words = word_view(memory)
    cells = header.cells
    for w in range(len(memory) - 2):
        words[target + w] = uint64(0)
    for w in range(len(memory) - 2):
        rest = words[source + w]
        while rest:
            turned = cells - 1 - (w * 64 + lowest(rest))
            rest &= rest - uint64(1)
            words[target + (turned >> 6)] |= uint64(1) << uint64(turned & 63)


@part
def turn_in_place(memory: Handle, cells: int) -> None:
    """Turn a set of cells by 180 degrees where it stands; QUOTED is lost."""
    words = word_view(memory)
    turned = header_of(memory).quoted
    turn_set(memory, cells, turned)
    for w in range(len(memory) - 2):
        words[cells + w] = words[turned + w]
