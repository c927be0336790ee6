"""Proofs found so far, applied to other positions.

Source: docs/methods.md#proofs-of-other-positions. The winner's stones and carrier prove a loss
wherever the winner has these stones and the loser none on the carrier, turned by 180 degrees too. A
proof that needs one stone more is a threat: the winner plays it, unless the other side moves on the
carrier or the cell. A store is uint64[2, 2 * W + 1, N], flat: for the winner Black, then White, the
words of N sets of stones, of N carriers, and N checksums. Each thread writes to its own ring
buffer, and reads all; an entry torn by a writer has a wrong checksum.
"""

from typing import Any

import numpy as np
from numpy import uint64
from numpy.typing import NDArray

from hextui.engine.kernels.compiling import kernel, part
from hextui.engine.kernels.memory import Handle, int_view, lowest, popcount, whole, word_view
from hextui.engine.kernels.solver import layout as at
from hextui.engine.kernels.solver.fill import code_of
from hextui.engine.kernels.solver.layout import header_of, stones_of
from hextui.engine.kernels.solver.transposition_table import mix, turn_in_place

# a larger number would cost more time to try than it saves
MOST_PROOFS = 4096

# so many proofs are tried at once
BLOCK = 64

# no set of stones of a proof
EMPTY = ~uint64(0)

NOTHING, WON, LOST, THREATENED = range(4)

# more cells than any board has
NONE = 1 << 20


def make_store(width: int, most_bytes: int) -> NDArray[np.uint64]:
    """Return an empty store of proofs, sets of ``width`` words: all ones, which fit no position."""
    words = 2 * (2 * width + 1)
    return np.full(words * min(MOST_PROOFS, most_bytes // (8 * words)), EMPTY)


@part
def deduce(
    memory: Handle, proofs: Any, level: int, left: int, used: int, carrier: int
) -> tuple[int, int]:
    """Try all proofs, turned ones too, on a level: the outcome, and a winning move or -1.

    WON and LOST come with a carrier. THREATENED: ``left`` is cut to what meets the opponent's
    threats, ``used`` joined with what these need.
    """
    header = header_of(memory)
    ints = int_view(memory)
    W = len(memory) - 2
    mover = whole(ints[header.fields + level * at.LEVEL_FIELDS + at.L_MOVER])
    header.threats = 0
    _write_sides(memory, level, False)
    outcome, key = _try_sides(memory, proofs, mover, carrier)
    if outcome != NOTHING:
        return outcome, key
    unturned = whole(header.threats)
    _write_sides(memory, level, True)
    outcome, key = _try_sides(memory, proofs, mover, carrier)
    if outcome != NOTHING:
        turn_in_place(memory, carrier)
        return outcome, header.cells - 1 - key if key >= 0 else -1
    for threat in range(unturned, header.threats):
        turn_in_place(memory, header.threat_cells + threat * W)
    return (THREATENED if _meet_threats(memory, left, used) else NOTHING), -1


@part
def _try_sides(memory: Handle, proofs: Any, mover: int, carrier: int) -> tuple[int, int]:
    """Try all proofs on SIDES: WON with the move or -1, LOST, or NOTHING, with threats noted."""
    won, key = _scan(memory, proofs, mover, False, carrier)
    if won:
        return WON, key
    lost, _ = _scan(memory, proofs, 3 - mover, True, carrier)
    return (LOST if lost else NOTHING), -1


@part
def _write_sides(memory: Handle, level: int, turned: bool) -> None:
    """Write the sets of cells black or dead, white or dead, white, black; ``turned`` or not.

    The first two are a winner's own cells, in the order of the colours; the last two are the
    stones against it, in the same order. A dead cell, 3, has the bits of both colours.
    """
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    W = len(memory) - 2
    stones = stones_of(memory, level)
    sides = header.sides
    for w in range(4 * W):
        words[sides + w] = uint64(0)
    for cell in range(header.cells):
        stone = ints[stones + cell]
        place = header.cells - 1 - cell if turned else cell
        bit = uint64(1) << uint64(place & 63)
        w = place >> 6
        if stone & 1:
            words[sides + w] |= bit
        if stone & 2:
            words[sides + W + w] |= bit
        if stone == 2:
            words[sides + 2 * W + w] |= bit
        if stone == 1:
            words[sides + 3 * W + w] |= bit


@part
def _scan(
    memory: Handle, proofs: Any, winner: int, threats_too: bool, carrier: int
) -> tuple[bool, int]:
    """Find the proof with the fewest empty cells that applies: whether there is one.

    Also returns the stone that it lacks, or -1, and writes its carrier. With ``threats_too`` a
    proof that lacks a stone is noted as a threat instead.
    """
    header = header_of(memory)
    words = word_view(memory)
    W = len(memory) - 2
    count = len(proofs) // (2 * (2 * W + 1))
    first = (winner - 1) * (2 * W + 1) * count
    have = header.sides + (winner - 1) * W
    against = header.sides + (2 + winner - 1) * W
    threats = whole(header.threats)
    least = NONE
    key = -1
    for block in range(0, count, BLOCK):
        size = min(BLOCK, count - block)
        # proofs are written in order, so a block is empty if its first one is
        if proofs[first + block] == EMPTY:
            continue
        if not some_may_fit(memory, proofs, first + block, size, have, against):
            continue
        for i in range(block, block + size):
            if _count_missing(memory, proofs, first + i, count, have, against) > 1:
                continue
            # another thread may overwrite it meanwhile, so what counts is a copy
            if not _copy_proof(memory, proofs, first + i):
                continue
            missing = _count_missing(memory, words, header.proof, 1, have, against)
            if missing > 1:
                continue
            if missing and threats_too:
                if threats < at.MOST_THREATS:
                    _write_needed(memory, have, header.threat_cells + threats * W)
                    threats += 1
                continue
            cells = 0
            for w in range(W):
                cells += popcount(words[header.proof + W + w] & ~words[have + w])
            if cells < least:
                least = cells
                key = -1
                _write_needed(memory, have, carrier)
                for w in range(W):
                    gap = words[header.proof + w] & ~words[have + w]
                    if gap:
                        key = w * 64 + lowest(gap)
    header.threats = threats
    return least < NONE, key


@part
def _copy_proof(memory: Handle, proofs: Any, entry: int) -> bool:
    """Copy a proof's stones and carrier to PROOF; False if it is torn."""
    header = header_of(memory)
    words = word_view(memory)
    W = len(memory) - 2
    count = len(proofs) // (2 * (2 * W + 1))
    check = uint64(0)
    for w in range(2 * W):
        words[header.proof + w] = proofs[entry + w * count]
        check = mix(check ^ words[header.proof + w])
    return check == proofs[entry + 2 * W * count]


@part
def _count_missing(
    memory: Handle, proofs: Any, entry: int, stride: int, have: int, against: int
) -> int:
    """Return how many stones a proof lacks, more than 1 if anything is in its way."""
    words = word_view(memory)
    W = len(memory) - 2
    wrong = uint64(0)
    missing = 0
    for w in range(W):
        stones = proofs[entry + w * stride]
        wrong |= (stones | proofs[entry + (W + w) * stride]) & words[against + w]
        missing += popcount(stones & ~words[have + w])
    return 2 if wrong else missing


@part
def _write_needed(memory: Handle, have: int, needed: int) -> None:
    """Write the empty cells that the copied proof needs, the stone that is missing included."""
    header = header_of(memory)
    words = word_view(memory)
    W = len(memory) - 2
    for w in range(W):
        both = words[header.proof + w] | words[header.proof + W + w]
        words[needed + w] = both & ~words[have + w]


@kernel
def some_may_fit(
    memory: Handle, proofs: Any, first: int, size: int, have: int, against: int
) -> bool:
    """Return whether each word fits in some of ``size`` proofs: few blocks are examined closer.

    Nothing is in the way, at most one stone is missing. Without branches the loop is vectorised.
    """
    words = word_view(memory)
    W = len(memory) - 2
    count = len(proofs) // (2 * (2 * W + 1))
    for w in range(W):
        at_stones = first + w * count
        at_carriers = first + (W + w) * count
        stones = proofs[at_stones : at_stones + size]
        carriers = proofs[at_carriers : at_carriers + size]
        others = words[against + w]
        lacked = ~words[have + w]
        some = False
        for i in range(len(stones)):
            missing = stones[i] & lacked
            wrong = (stones[i] | carriers[i]) & others | missing & (missing - uint64(1))
            some |= wrong == uint64(0)
        if not some:
            return False
    return True


@part
def _meet_threats(memory: Handle, left: int, used: int) -> bool:
    """Cut ``left`` to what meets all threats noted, those that cut most first."""
    header = header_of(memory)
    words = word_view(memory)
    W = len(memory) - 2
    some = False
    while True:
        chosen = -1
        most = 0
        for threat in range(header.threats):
            needed = header.threat_cells + threat * W
            cut = 0
            for w in range(W):
                cut += popcount(words[left + w] & ~words[needed + w])
            if cut > most:
                chosen, most = needed, cut
        if chosen < 0:
            return some
        some = True
        for w in range(W):
            words[left + w] &= words[chosen + w]
            words[used + w] |= words[chosen + w]


@part
def keep_proof(memory: Handle, proofs: Any, level: int, carrier: int) -> None:
    """Store the proof of a level that its side to move loses, with the stones it needs."""
    header = header_of(memory)
    ints = int_view(memory)
    W = len(memory) - 2
    winner = 3 - whole(ints[header.fields + level * at.LEVEL_FIELDS + at.L_MOVER])
    count = len(proofs) // (2 * (2 * W + 1))
    if count < header.threads:
        return
    share = count // header.threads
    place = ints[at.NEXT_PROOF + winner] % share
    ints[at.NEXT_PROOF + winner] = place + 1
    first = (winner - 1) * (2 * W + 1) * count + header.thread * share + place
    own = header.sides
    _find_needed_stones(memory, level, winner, carrier, own)
    write_proof(memory, proofs, first, own, carrier)


@part
def write_proof(memory: Handle, proofs: Any, entry: int, stones: int, carrier: int) -> None:
    """Write a proof, whose stones and carrier are in the memory's words, to its place."""
    words = word_view(memory)
    W = len(memory) - 2
    count = len(proofs) // (2 * (2 * W + 1))
    check = uint64(0)
    for w in range(2 * W):
        word = words[stones + w] if w < W else words[carrier + w - W]
        proofs[entry + w * count] = word
        check = mix(check ^ word)
    proofs[entry + 2 * W * count] = check


@part
def _find_needed_stones(memory: Handle, level: int, winner: int, carrier: int, needed: int) -> None:
    """Write the winner's stones that matter if all cells outside the carrier are the loser's."""
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    stones = stones_of(memory, level)
    tried = header.try_stones
    cells = header.cells
    for w in range(len(memory) - 2):
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
                and ints[header.dead_code + code_of(memory, tried, cell)]
            ):
                ints[tried + cell] = 3 - winner
                changed = True
    for cell in range(cells):
        if ints[tried + cell] == winner:
            words[needed + (cell >> 6)] |= uint64(1) << uint64(cell & 63)
