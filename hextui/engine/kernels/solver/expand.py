"""Expand a position of the search: decide it by a connection, or list its moves, best first.

Sources: docs/methods.md#must-play-regions-and-carriers and docs/methods.md#inferior-cells. Children
are what the side to move must play, without vulnerable moves, whose killers join the winner's
carrier if all others lose; without dominated ones, after whose dominator the cell is filled in;
and, in a position that is its own image, one of each two turned moves.
"""

from typing import Any

from numpy import uint64

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.connections import state as state_at
from hextui.engine.kernels.connections.state import pool_of
from hextui.engine.kernels.memory import (
    Handle,
    int_view,
    lowest,
    popcount,
    real_view,
    whole,
    word_view,
)
from hextui.engine.kernels.solver import fill, links
from hextui.engine.kernels.solver import layout as at
from hextui.engine.kernels.solver.layout import block_of, fields_of, header_of, set_of, stones_of
from hextui.engine.kernels.solver.order import flows_of, write_currents, write_first_numbers
from hextui.engine.kernels.solver.proofs import LOST, THREATENED, WON, deduce

OPEN = 0


@part
def expand(memory: Handle, proofs: Any, black: Handle, white: Handle, both: bool) -> int:
    """Make the children of the current level: WON, LOST (with its carrier), or OPEN.

    ``both``: look at the connections of the side to move too. Else the currents of the other colour
    are those of the level above, and a win by a connection shows a move later.
    """
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    W = len(memory) - 2
    level = whole(header.level)
    fields = fields_of(memory, level)
    stones = stones_of(memory, level)
    mover = whole(ints[fields + at.L_MOVER])
    own, other = (black, white) if mover == 1 else (white, black)
    left = set_of(memory, level, at.S_LEFT)
    used = set_of(memory, level, at.S_USED)
    carrier = set_of(memory, level, at.S_CARRIER)
    header.expansions += 1

    for w in range(W):
        words[left + w] = words[used + w] = uint64(0)
    empties = 0
    for cell in range(header.cells):
        if ints[stones + cell] == 0:
            words[left + (cell >> 6)] |= uint64(1) << uint64(cell & 63)
            empties += 1
    threatened = False
    if header.deduce:
        outcome, threatened = try_proofs(memory, proofs, level)
        if outcome != OPEN:
            return outcome
    if both and _is_joined(memory, own, mover):
        return WON
    links.follow(memory, other, 3 - mover)
    listed, fulls, _ = links.edge_lists(other)
    if fulls:
        links.copy_carrier(memory, other, links.smallest_row(other, listed), carrier)
        return LOST
    if empties == 0:
        # filled in to the last cell: who is not joined has lost
        for w in range(W):
            words[carrier + w] = uint64(0)
        return WON

    if header.must_play and links.must_play(memory, other, left, used):
        threatened = True
    count = _candidates(memory, level, threatened)
    if count == 0 and threatened:
        add_killers(memory, level)
        for w in range(W):
            words[carrier + w] = words[used + w]
        return LOST
    ints[fields + at.L_COUNT] = count
    if header.order == at.ORDER_RESISTANCE:
        if both:
            write_currents(memory, own, flows_of(memory, level - 1))
        write_currents(memory, other, flows_of(memory, level))
    _score_moves(memory, level)
    sort_moves(memory, level)
    write_first_numbers(memory, level)
    return OPEN


@part
def _is_joined(memory: Handle, own: Handle, mover: int) -> bool:
    """Return whether the side to move has a connection of its edges; write its carrier and move."""
    pool = pool_of(own)
    ints = int_view(memory)
    level = whole(header_of(memory).level)
    links.follow(memory, own, mover)
    listed, fulls, semis = links.edge_lists(own)
    if fulls == 0 and semis:
        listed += pool.full_limit
    if fulls + semis == 0:
        return False
    row = links.smallest_row(own, listed)
    links.copy_carrier(memory, own, row, set_of(memory, level, at.S_CARRIER))
    key = int_view(own)[pool.row + row * state_at.ROW_FIELDS + state_at.ROW_KEY]
    ints[fields_of(memory, level) + at.L_BEST] = key
    return True


@part
def _score_moves(memory: Handle, level: int) -> None:
    """Write SCORE: the currents of both colours, raised for what refuted other moves."""
    header = header_of(memory)
    reals = real_view(memory)
    flows = flows_of(memory, level)
    above = flows_of(memory, level - 1)
    for cell in range(header.cells):
        flow = reals[flows + cell] + reals[above + cell]
        reals[header.score + cell] = flow if header.order == at.ORDER_RESISTANCE else 0.0
    raise_replies(memory, level)


@part
def try_proofs(memory: Handle, proofs: Any, level: int) -> tuple[int, bool]:
    """Try the proofs of other positions on a level: WON, LOST or OPEN, and whether they cut it."""
    ints = int_view(memory)
    left = set_of(memory, level, at.S_LEFT)
    used = set_of(memory, level, at.S_USED)
    outcome, best = deduce(memory, proofs, level, left, used, set_of(memory, level, at.S_CARRIER))
    if outcome == WON:
        ints[fields_of(memory, level) + at.L_BEST] = best
    if outcome in (WON, LOST):
        return outcome, False
    return OPEN, outcome == THREATENED


@part
def add_killers(memory: Handle, level: int) -> None:
    """Join the killers of the vulnerable moves that are not refuted in the used cells."""
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    if not header.vulnerable:
        return
    stones = stones_of(memory, level)
    opponent = 3 - ints[fields_of(memory, level) + at.L_MOVER]
    left = set_of(memory, level, at.S_LEFT)
    used = set_of(memory, level, at.S_USED)
    for w in range(len(memory) - 2):
        rest = words[left + w]
        while rest:
            cell = w * 64 + lowest(rest)
            rest &= rest - uint64(1)
            killer = fill.killer_of(memory, stones, cell, opponent)
            if killer >= 0:
                words[used + (killer >> 6)] |= uint64(1) << uint64(killer & 63)


@part
def shrink_carrier(memory: Handle, level: int, winner: int, move: int) -> None:
    """Take out of a solved level's carrier what fill-in gives the loser, or makes dead.

    All outside it is the loser's. The winner's ``move``, or -1, is played first.
    """
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    W = len(memory) - 2
    stones = stones_of(memory, level)
    tried = header.try_stones
    sets = header.try_sets
    carrier = set_of(memory, level, at.S_CARRIER)
    captured = sets + at.HASHES + at.S_CAPTURED * W
    for w in range(2 * W):
        words[captured + w] = uint64(0)
    waiting = 0
    for cell in range(header.cells):
        ints[tried + cell] = winner if cell == move else ints[stones + cell]
        if ints[tried + cell] != 0:
            continue
        if words[carrier + (cell >> 6)] >> uint64(cell & 63) & uint64(1):
            ints[header.queue + waiting] = cell
            ints[header.queued + cell] = 1
            waiting += 1
        else:
            ints[tried + cell] = 3 - winner
    fill.fill_in(memory, tried, sets, waiting, -1, 3 - winner)
    for cell in range(header.cells):
        stone = ints[tried + cell]
        if ints[stones + cell] == 0 and stone != 0 and stone != winner:
            words[carrier + (cell >> 6)] &= ~(uint64(1) << uint64(cell & 63))


@part
def _candidates(memory: Handle, level: int, threatened: bool) -> int:
    """Write the moves to look at, with the hashes of the positions they lead to."""
    header = header_of(memory)
    count = 0
    if header.vulnerable:
        count = _list_moves(memory, level, True)
        if count == 0 and threatened:
            return 0
    if count == 0:
        # without any refutation the killers alone prove nothing
        count = _list_moves(memory, level, False)
    if header.dominated:
        count = _drop_dominated(memory, level, count)
    return count


@part
def _list_moves(memory: Handle, level: int, without_vulnerable: bool) -> int:
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    W = len(memory) - 2
    stones = stones_of(memory, level)
    block = block_of(memory, level)
    left = set_of(memory, level, at.S_LEFT)
    mover = whole(ints[fields_of(memory, level) + at.L_MOVER])
    last = header.cells - 1
    symmetric = header.rotation and fill.is_symmetric(memory, block)
    first = level * header.cells
    count = 0
    for w in range(W):
        rest = words[left + w]
        while rest:
            cell = w * 64 + lowest(rest)
            rest &= rest - uint64(1)
            turned = last - cell
            if (
                symmetric
                and turned < cell
                and words[left + (turned >> 6)] >> uint64(turned & 63) & uint64(1)
            ):
                continue
            if without_vulnerable and fill.killer_of(memory, stones, cell, 3 - mover) >= 0:
                continue
            ints[header.child_cell + first + count] = cell
            _note_child(memory, level, count, try_move(memory, level, cell))
            count += 1
    return count


@part
def try_move(memory: Handle, level: int, cell: int) -> bool:
    """Play a move of a level and fill in, in TRY_STONES and TRY_SETS; tell if it fills any cell."""
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    stones = stones_of(memory, level)
    block = block_of(memory, level)
    tried, sets = header.try_stones, header.try_sets
    for i in range(header.cells):
        ints[tried + i] = ints[stones + i]
    for i in range(at.HASHES):
        words[sets + i] = words[block + i]
    mover = whole(ints[fields_of(memory, level) + at.L_MOVER])
    return fill.play_and_fill(memory, tried, sets, cell, mover, -1) >= 0


@part
def _note_child(memory: Handle, level: int, place: int, fills: bool) -> None:
    """Write the hash of the move just tried, and which cells it fills in for the mover."""
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    W = len(memory) - 2
    at_child = level * header.cells + place
    sets = header.try_sets
    turned = fill.is_turned(memory, sets)
    from_hash = sets + (at.H_TURNED_ONE if turned else at.H_ONE)
    words[header.child_hash + 2 * at_child] = words[from_hash]
    words[header.child_hash + 2 * at_child + 1] = words[from_hash + 1]
    ints[header.child_turned + at_child] = 1 if turned else 0
    if not header.dominated:
        return
    stones = stones_of(memory, level)
    cell = whole(ints[header.child_cell + at_child])
    mover = whole(ints[fields_of(memory, level) + at.L_MOVER])
    dominates = header.dominates + place * W
    needed = sets + at.HASHES + (at.S_CAPTURED + 2 - mover) * W
    for w in range(W):
        words[dominates + w] = uint64(0)
    if not fills:
        return
    for other in range(header.cells):
        after = ints[header.try_stones + other]
        if ints[stones + other] == 0 and other != cell and (after == mover or after == at.DEAD):
            words[dominates + (other >> 6)] |= uint64(1) << uint64(other & 63)
    for w in range(W):
        # what the opponent's stones need empty is part of its carrier
        words[dominates + w] &= ~words[needed + w]


@part
def _drop_dominated(memory: Handle, level: int, count: int) -> int:
    """Drop the moves that a kept one dominates; what dominates most is kept first."""
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    W = len(memory) - 2
    first = level * header.cells
    cells = header.child_cell + first
    keep = header.scratch
    most = header.scratch + count
    dominates, moves = header.dominates, header.quoted
    for w in range(W):
        words[moves + w] = uint64(0)
    for i in range(count):
        cell = whole(ints[cells + i])
        words[moves + (cell >> 6)] |= uint64(1) << uint64(cell & 63)
    some = False
    for i in range(count):
        dominated = 0
        for w in range(W):
            dominated += popcount(words[dominates + i * W + w] & words[moves + w])
        ints[keep + i] = -1  # not looked at; then 1 kept, 0 dropped
        ints[most + i] = dominated
        some |= dominated > 0
    if not some:
        return count
    while True:
        chosen = -1
        for i in range(count):
            if ints[keep + i] < 0 and (chosen < 0 or ints[most + i] > ints[most + chosen]):
                chosen = i
        if chosen < 0 or ints[most + chosen] == 0:
            break  # those left drop nothing
        ints[keep + chosen] = 1
        for j in range(count):
            cell = whole(ints[cells + j])
            inside = words[dominates + chosen * W + (cell >> 6)] >> uint64(cell & 63) & uint64(1)
            if ints[keep + j] < 0 and inside:
                ints[keep + j] = 0
    kept = 0
    for i in range(count):
        if ints[keep + i]:
            _move_child(memory, first + i, first + kept)
            kept += 1
    return kept


@part
def _move_child(memory: Handle, source: int, target: int) -> None:
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    for begin in (header.child_cell, header.child_turned, header.child_phi, header.child_delta):
        ints[begin + target] = ints[begin + source]
    for i in range(2):
        words[header.child_hash + 2 * target + i] = words[header.child_hash + 2 * source + i]


@part
def sort_moves(memory: Handle, level: int) -> None:
    """Sort the children by falling score, equal ones by cell; all are still new."""
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    reals = real_view(memory)
    first = level * header.cells
    cells = header.child_cell + first
    turned = header.child_turned + first
    hashes = header.child_hash + 2 * first
    score = header.score
    for i in range(1, ints[fields_of(memory, level) + at.L_COUNT]):
        cell = ints[cells + i]
        side = ints[turned + i]
        hash_one = words[hashes + 2 * i]
        hash_two = words[hashes + 2 * i + 1]
        j = i
        while j > 0 and reals[score + ints[cells + j - 1]] < reals[score + cell] - 1e-9:
            ints[cells + j] = ints[cells + j - 1]
            ints[turned + j] = ints[turned + j - 1]
            words[hashes + 2 * j] = words[hashes + 2 * j - 2]
            words[hashes + 2 * j + 1] = words[hashes + 2 * j - 1]
            j -= 1
        ints[cells + j], ints[turned + j] = cell, side
        words[hashes + 2 * j], words[hashes + 2 * j + 1] = hash_one, hash_two


@part
def forget_replies(memory: Handle, level: int) -> None:
    """Reset the counts of a level's replies."""
    header = header_of(memory)
    ints = int_view(memory)
    row = header.replies + level * header.cells
    for cell in range(header.cells):
        ints[row + cell] = 0


@part
def note_reply(memory: Handle, level: int, cell: int) -> None:
    """Count a move that has refuted one of a level's; -1, where none was needed, is not counted."""
    header = header_of(memory)
    if cell >= 0:
        int_view(memory)[header.replies + level * header.cells + cell] += 1


@part
def raise_replies(memory: Handle, level: int) -> None:
    """Raise in SCORE the moves that refuted others above, the most frequent one to twice.

    Each level counts which cell has refuted how many of its moves since the search entered it; a
    position sums the counts of the levels where the same side was to move.
    """
    header = header_of(memory)
    ints = int_view(memory)
    reals = real_view(memory)
    counts, most = header.scratch, 1
    for cell in range(header.cells):
        count = 0
        for above in range(level - 1, -1, -2):
            count += ints[header.replies + above * header.cells + cell]
        ints[counts + cell] = count
        most = max(most, count)
    for cell in range(header.cells):
        reals[header.score + cell] *= 1.0 + ints[counts + cell] / most
