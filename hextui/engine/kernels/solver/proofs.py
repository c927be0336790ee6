"""Proofs found so far, tried on other positions.

Source: docs/methods.md#proofs-of-other-positions. If the side to move loses a position, the
winner's stones and carrier prove it wherever the winner has these stones and the loser none on
the carrier: the loser's stones elsewhere do not matter. A proof that needs one stone more is a
threat: the winner to be can play it, if the other side does not move on the carrier or the cell.

A store of proofs is uint64[2, 2 * W + 1, N], flat: for the winner Black, then White, the words
of N sets of stones, of N carriers, and N checksums. Each thread writes in a part of its own, in
a ring, and reads all; an entry torn by a writer has a wrong checksum.
"""

from typing import Any

import numpy as np
from numpy import uint64
from numpy.typing import NDArray

from hextui.engine.kernels.bits import lowest, popcount
from hextui.engine.kernels.compiling import kernel, part
from hextui.engine.kernels.solver import layout as at
from hextui.engine.kernels.solver.fill import code_of, stones_of
from hextui.engine.kernels.solver.table import mix
from hextui.engine.kernels.solver.whole import whole
from hextui.engine.kernels.views import Handle, int_view, word_view

# more cost more time to try than they save
MOST_PROOFS = 4096

# so many proofs are tried at once
BLOCK = 64

# no set of stones of a proof
EMPTY = ~uint64(0)

NOTHING, WON, LOST, THREATENED = range(4)

# threats of one position that are looked at
MOST_THREATS = 64


def make_store(width: int, most_bytes: int) -> NDArray[np.uint64]:
    """Return an empty store of proofs, sets of ``width`` words: all ones, which fit no position."""
    words = 2 * (2 * width + 1)
    return np.full(words * min(MOST_PROOFS, most_bytes // (8 * words)), EMPTY)


@part
def deduce(
    room: Handle, proofs: Any, level: int, left: int, used: int, carrier: int
) -> tuple[int, int]:
    """Try all proofs on a level's position: what they say, and the winning move or -1.

    WON and LOST come with a carrier. THREATENED: ``left``, the moves to look at, is cut to what
    meets the opponent's threats; ``used`` is joined with what these need.
    """
    ints = int_view(room)
    mover = whole(ints[ints[at.FIELDS] + level * at.LEVEL_FIELDS + at.L_MOVER])
    _write_sides(room, level)
    best, key = _scan(room, proofs, mover, False)
    if best >= 0:
        _copy_carrier(room, proofs, mover, best, carrier)
        return WON, key
    opponent = 3 - mover
    best, _ = _scan(room, proofs, opponent, True)
    if best >= 0:
        _copy_carrier(room, proofs, opponent, best, carrier)
        return LOST, -1
    return (THREATENED if _meet_threats(room, proofs, opponent, left, used) else NOTHING), -1


@part
def _write_sides(room: Handle, level: int) -> None:
    """Write the sets of cells that are black or dead, white or dead, white, black."""
    ints, words = int_view(room), word_view(room)
    W = len(room) - 2
    stones, sides = stones_of(room, level), ints[at.SIDES]
    for w in range(4 * W):
        words[sides + w] = uint64(0)
    for cell in range(ints[at.CELLS]):
        stone = ints[stones + cell]
        bit, w = uint64(1) << uint64(cell & 63), cell >> 6
        if stone & 1:
            words[sides + w] |= bit
        if stone & 2:
            words[sides + W + w] |= bit
        if stone == 2:
            words[sides + 2 * W + w] |= bit
        if stone == 1:
            words[sides + 3 * W + w] |= bit


@part
def _scan(room: Handle, proofs: Any, winner: int, moves_last: bool) -> tuple[int, int]:
    """Return the proof that applies with the smallest carrier, and the stone that it lacks, or -1.

    If the winner is not to move, proofs that lack a stone are only noted as threats.
    """
    ints, words = int_view(room), word_view(room)
    W = len(room) - 2
    count = len(proofs) // (2 * (2 * W + 1))
    first = (winner - 1) * (2 * W + 1) * count
    have, against = ints[at.SIDES] + (winner - 1) * W, ints[at.SIDES] + (winner + 1) * W
    threats = 0
    best, least, key = -1, 1 << 20, -1
    for block in range(0, count, BLOCK):
        size = min(BLOCK, count - block)
        # proofs are written in order, so a block is empty if its first one is
        if proofs[first + block] == EMPTY:
            continue
        if not some_may_fit(room, proofs, first + block, size, have, against):
            continue
        for i in range(block, block + size):
            missing = _count_missing(room, proofs, first + i, count, have, against)
            if missing > 1 or not _is_whole(room, proofs, first + i, count):
                continue
            if missing and moves_last:
                if threats < MOST_THREATS:
                    ints[ints[at.SCRATCH] + threats] = i
                    threats += 1
                continue
            cells = 0
            for w in range(W):
                cells += popcount(proofs[first + (W + w) * count + i] & ~words[have + w])
            if cells < least:
                best, least, key = i, cells, -1
                for w in range(W):
                    gap = proofs[first + w * count + i] & ~words[have + w]
                    if gap:
                        key = w * 64 + lowest(gap)
    ints[at.THREATS] = threats
    return best, key


@part
def _count_missing(
    room: Handle, proofs: Any, entry: int, count: int, have: int, against: int
) -> int:
    """Return how many stones a proof lacks, more than 1 if anything is in its way."""
    words = word_view(room)
    W = len(room) - 2
    wrong, missing = uint64(0), 0
    for w in range(W):
        stones = proofs[entry + w * count]
        wrong |= (stones | proofs[entry + (W + w) * count]) & words[against + w]
        missing += popcount(stones & ~words[have + w])
    return 2 if wrong else missing


@kernel
def some_may_fit(room: Handle, proofs: Any, first: int, size: int, have: int, against: int) -> bool:
    """Tell whether each word fits in some of ``size`` proofs: few blocks are looked at closer.

    Fits: nothing is in the way, at most one stone is missing. The loop has no branches, so that
    one instruction takes several proofs.
    """
    words = word_view(room)
    W = len(room) - 2
    count = len(proofs) // (2 * (2 * W + 1))
    for w in range(W):
        at_stones, at_carriers = first + w * count, first + (W + w) * count
        stones = proofs[at_stones : at_stones + size]
        carriers = proofs[at_carriers : at_carriers + size]
        others, lacked = words[against + w], ~words[have + w]
        some = False
        for i in range(len(stones)):
            missing = stones[i] & lacked
            wrong = (stones[i] | carriers[i]) & others | missing & (missing - uint64(1))
            some |= wrong == uint64(0)
        if not some:
            return False
    return True


@part
def _is_whole(room: Handle, proofs: Any, entry: int, count: int) -> bool:
    W = len(room) - 2
    check = uint64(0)
    for w in range(2 * W):
        check = mix(check ^ proofs[entry + w * count])
    return check == proofs[entry + 2 * W * count]


@part
def _copy_carrier(room: Handle, proofs: Any, winner: int, entry: int, carrier: int) -> None:
    """Write the empty cells that a proof needs, the stone that is missing included."""
    ints, words = int_view(room), word_view(room)
    W = len(room) - 2
    count = len(proofs) // (2 * (2 * W + 1))
    first = (winner - 1) * (2 * W + 1) * count + entry
    have = ints[at.SIDES] + (winner - 1) * W
    for w in range(W):
        needed = proofs[first + w * count] | proofs[first + (W + w) * count]
        words[carrier + w] = needed & ~words[have + w]


@part
def _meet_threats(room: Handle, proofs: Any, opponent: int, left: int, used: int) -> bool:
    """Cut ``left`` to what meets all threats noted, those that cut most first."""
    ints, words = int_view(room), word_view(room)
    W = len(room) - 2
    threats, listed = whole(ints[at.THREATS]), ints[at.SCRATCH]
    carrier = ints[at.QUOTED]
    some = False
    while True:
        chosen, most = -1, 0
        for i in range(threats):
            _copy_carrier(room, proofs, opponent, ints[listed + i], carrier)
            cut = 0
            for w in range(W):
                cut += popcount(words[left + w] & ~words[carrier + w])
            if cut > most:
                chosen, most = i, cut
        if chosen < 0:
            return some
        some = True
        _copy_carrier(room, proofs, opponent, ints[listed + chosen], carrier)
        for w in range(W):
            words[left + w] &= words[carrier + w]
            words[used + w] |= words[carrier + w]


@part
def keep_proof(room: Handle, proofs: Any, level: int, carrier: int) -> None:
    """Store the proof of a level that its side to move loses, with the stones it needs."""
    ints, words = int_view(room), word_view(room)
    W = len(room) - 2
    winner = 3 - whole(ints[ints[at.FIELDS] + level * at.LEVEL_FIELDS + at.L_MOVER])
    count = len(proofs) // (2 * (2 * W + 1))
    if count < ints[at.THREADS]:
        return
    share = count // ints[at.THREADS]
    place = ints[at.NEXT_PROOF + winner] % share
    ints[at.NEXT_PROOF + winner] = place + 1
    first = (winner - 1) * (2 * W + 1) * count + ints[at.THREAD] * share + place
    own = ints[at.SIDES]
    _find_needed_stones(room, level, winner, carrier, own)
    check = uint64(0)
    for w in range(2 * W):
        word = words[own + w] if w < W else words[carrier + w - W]
        proofs[first + w * count] = word
        check = mix(check ^ word)
    proofs[first + 2 * W * count] = check


@part
def _find_needed_stones(room: Handle, level: int, winner: int, carrier: int, needed: int) -> None:
    """Write the winner's stones that matter if all cells outside the carrier are the loser's.

    A stone that its surroundings make dead can as well be the loser's.
    """
    ints, words = int_view(room), word_view(room)
    stones, tried = stones_of(room, level), ints[at.TRY_STONES]
    cells = ints[at.CELLS]
    for w in range(len(room) - 2):
        words[needed + w] = uint64(0)
    for cell in range(cells):
        inside = words[carrier + (cell >> 6)] >> uint64(cell & 63) & uint64(1)
        kind = 0 if inside else 3 - winner
        ints[tried + cell] = winner if ints[stones + cell] == winner else kind
    changed = True
    while changed:
        changed = False
        for cell in range(cells):
            if (
                ints[tried + cell] == winner
                and ints[ints[at.DEAD_CODE] + code_of(room, tried, cell)]
            ):
                ints[tried + cell] = 3 - winner
                changed = True
    for cell in range(cells):
        if ints[tried + cell] == winner:
            words[needed + (cell >> 6)] |= uint64(1) << uint64(cell & 63)
