"""What a position of the search is: decided by a connection, or its moves, best first.

Sources: docs/methods.md#must-play-regions-and-carriers and docs/methods.md#inferior-cells.
Children are what the side to move must play, without inferior moves:

- vulnerable: the opponent has a reply, the killer, that makes the stone dead. If all other moves
  lose, these do too; the killers of those not refuted otherwise join the winner's carrier.
- dominated: after another, kept move the cell is filled in as dead or as captured by the mover.
  No carrier is needed: with that move the winner's carrier holds without the cell.
- turned: in a position that a turn by 180 degrees maps to itself, one of each two moves.
"""

from typing import Any

from numpy import uint64

from hextui.engine.kernels.bits import lowest, popcount
from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.connections import state as state_at
from hextui.engine.kernels.connections.state import pool_of
from hextui.engine.kernels.solver import layout as at
from hextui.engine.kernels.solver.fill import (
    fill_in,
    is_symmetric,
    is_turned,
    killer_of,
    play_and_fill,
    stones_of,
)
from hextui.engine.kernels.solver.layout import desk_of
from hextui.engine.kernels.solver.links import (
    copy_carrier,
    edge_lists,
    follow,
    must_play,
    smallest_row,
)
from hextui.engine.kernels.solver.order import flows_of, write_currents
from hextui.engine.kernels.solver.proofs import LOST, THREATENED, WON, deduce
from hextui.engine.kernels.solver.replies import raise_replies
from hextui.engine.kernels.solver.whole import whole
from hextui.engine.kernels.views import Handle, int_view, real_view, word_view

OPEN = 0


@part
def fields_of(room: Handle, level: int) -> int:
    """Return where a level's fields begin in ints."""
    desk = desk_of(room)
    return desk.fields + level * at.LEVEL_FIELDS


@part
def block_of(room: Handle, level: int) -> int:
    """Return where a level's words begin: hashes, then sets."""
    desk = desk_of(room)
    return desk.sets + level * (at.HASHES + at.SETS_A_LEVEL * (len(room) - 2))


@part
def set_of(room: Handle, level: int, which: int) -> int:
    """Return where one of a level's sets begins in words."""
    return block_of(room, level) + at.HASHES + which * (len(room) - 2)


@part
def expand(room: Handle, proofs: Any, black: Handle, white: Handle, both: bool) -> int:
    """Make the children of the current level: WON, LOST (with its carrier), or OPEN.

    ``both``: look at the connections of the side to move too. Else only those of the colour that
    has just moved are brought up, the currents of the other are those of the level above, and a win
    by a connection shows a move later.
    """
    desk = desk_of(room)
    ints, words = int_view(room), word_view(room)
    W = len(room) - 2
    level = whole(desk.level)
    fields, stones = fields_of(room, level), stones_of(room, level)
    mover = whole(ints[fields + at.L_MOVER])
    own, other = (black, white) if mover == 1 else (white, black)
    left, used = set_of(room, level, at.S_LEFT), set_of(room, level, at.S_USED)
    carrier = set_of(room, level, at.S_CARRIER)
    desk.expansions += 1

    for w in range(W):
        words[left + w] = words[used + w] = uint64(0)
    empties = 0
    for cell in range(desk.cells):
        if ints[stones + cell] == 0:
            words[left + (cell >> 6)] |= uint64(1) << uint64(cell & 63)
            empties += 1
    threatened = False
    if desk.deduce:
        outcome, threatened = try_proofs(room, proofs, level)
        if outcome != OPEN:
            return outcome
    if both and _is_joined(room, own, mover):
        return WON
    follow(room, other, 3 - mover)
    listed, fulls, _ = edge_lists(other)
    if fulls:
        copy_carrier(room, other, smallest_row(other, listed), carrier)
        return LOST
    if empties == 0:
        # filled in to the last cell: who is not joined has lost
        for w in range(W):
            words[carrier + w] = uint64(0)
        return WON

    if desk.must_play and must_play(room, other, left, used):
        threatened = True
    count = _candidates(room, level, threatened)
    if count == 0 and threatened:
        add_killers(room, level)
        for w in range(W):
            words[carrier + w] = words[used + w]
        return LOST
    ints[fields + at.L_COUNT] = count
    if desk.order == at.ORDER_RESISTANCE:
        if both:
            write_currents(room, own, flows_of(room, level - 1))
        write_currents(room, other, flows_of(room, level))
    _score_moves(room, level)
    sort_moves(room, level)
    return OPEN


@part
def _is_joined(room: Handle, own: Handle, mover: int) -> bool:
    """Tell whether the side to move has a connection of its edges; write its carrier and move."""
    pool = pool_of(own)
    ints = int_view(room)
    level = whole(desk_of(room).level)
    follow(room, own, mover)
    listed, fulls, semis = edge_lists(own)
    if fulls == 0 and semis:
        listed += pool.full_limit
    if fulls + semis == 0:
        return False
    row = smallest_row(own, listed)
    copy_carrier(room, own, row, set_of(room, level, at.S_CARRIER))
    key = int_view(own)[pool.row + row * state_at.ROW_FIELDS + state_at.ROW_KEY]
    ints[fields_of(room, level) + at.L_BEST] = key
    return True


@part
def _score_moves(room: Handle, level: int) -> None:
    """Write SCORE: the currents of both colours, raised for what refuted other moves."""
    desk = desk_of(room)
    reals = real_view(room)
    flows, above = flows_of(room, level), flows_of(room, level - 1)
    for cell in range(desk.cells):
        flow = reals[flows + cell] + reals[above + cell]
        reals[desk.score + cell] = flow if desk.order == at.ORDER_RESISTANCE else 0.0
    raise_replies(room, level)


@part
def try_proofs(room: Handle, proofs: Any, level: int) -> tuple[int, bool]:
    """Try the proofs of other positions on a level: WON, LOST or OPEN, and whether they cut it."""
    ints = int_view(room)
    left, used = set_of(room, level, at.S_LEFT), set_of(room, level, at.S_USED)
    outcome, best = deduce(room, proofs, level, left, used, set_of(room, level, at.S_CARRIER))
    if outcome == WON:
        ints[fields_of(room, level) + at.L_BEST] = best
    if outcome in (WON, LOST):
        return outcome, False
    return OPEN, outcome == THREATENED


@part
def add_killers(room: Handle, level: int) -> None:
    """Join the killers of the vulnerable moves that are not refuted in the used cells."""
    desk = desk_of(room)
    ints, words = int_view(room), word_view(room)
    if not desk.vulnerable:
        return
    stones = stones_of(room, level)
    opponent = 3 - ints[fields_of(room, level) + at.L_MOVER]
    left, used = set_of(room, level, at.S_LEFT), set_of(room, level, at.S_USED)
    for w in range(len(room) - 2):
        rest = words[left + w]
        while rest:
            cell = w * 64 + lowest(rest)
            rest &= rest - uint64(1)
            killer = killer_of(room, stones, cell, opponent)
            if killer >= 0:
                words[used + (killer >> 6)] |= uint64(1) << uint64(killer & 63)


@part
def shrink_carrier(room: Handle, level: int, winner: int, move: int) -> None:
    """Take out of a solved level's carrier what fill-in gives the loser, or makes dead.

    All cells outside the carrier count as the loser's, as the carrier says. ``move``: the
    winner's next move, or -1. It is played first, so that the carrier holds with this move.
    """
    desk = desk_of(room)
    ints, words = int_view(room), word_view(room)
    W = len(room) - 2
    stones, tried, sets = stones_of(room, level), desk.try_stones, desk.try_sets
    carrier = set_of(room, level, at.S_CARRIER)
    captured = sets + at.HASHES + at.S_CAPTURED * W
    for w in range(2 * W):
        words[captured + w] = uint64(0)
    waiting = 0
    for cell in range(desk.cells):
        ints[tried + cell] = winner if cell == move else ints[stones + cell]
        if ints[tried + cell] != 0:
            continue
        if words[carrier + (cell >> 6)] >> uint64(cell & 63) & uint64(1):
            ints[desk.queue + waiting] = cell
            ints[desk.queued + cell] = 1
            waiting += 1
        else:
            ints[tried + cell] = 3 - winner
    fill_in(room, tried, sets, waiting, -1, 3 - winner)
    for cell in range(desk.cells):
        stone = ints[tried + cell]
        if ints[stones + cell] == 0 and stone != 0 and stone != winner:
            words[carrier + (cell >> 6)] &= ~(uint64(1) << uint64(cell & 63))


@part
def _candidates(room: Handle, level: int, threatened: bool) -> int:
    """Write the moves to look at, with the hashes of the positions they lead to."""
    desk = desk_of(room)
    count = 0
    if desk.vulnerable:
        count = _list_moves(room, level, True)
        if count == 0 and threatened:
            return 0
    if count == 0:
        # without any refutation the killers alone prove nothing
        count = _list_moves(room, level, False)
    if desk.dominated:
        count = _drop_dominated(room, level, count)
    return count


@part
def _list_moves(room: Handle, level: int, without_vulnerable: bool) -> int:
    desk = desk_of(room)
    ints, words = int_view(room), word_view(room)
    W = len(room) - 2
    stones, block = stones_of(room, level), block_of(room, level)
    left = set_of(room, level, at.S_LEFT)
    mover = whole(ints[fields_of(room, level) + at.L_MOVER])
    last = desk.cells - 1
    symmetric = desk.rotation and is_symmetric(room, block)
    first = level * desk.cells
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
            if without_vulnerable and killer_of(room, stones, cell, 3 - mover) >= 0:
                continue
            ints[desk.child_cell + first + count] = cell
            _note_child(room, level, count, try_move(room, level, cell))
            count += 1
    return count


@part
def try_move(room: Handle, level: int, cell: int) -> bool:
    """Play a move of a level and fill in, in TRY_STONES and TRY_SETS; tell if it fills any cell."""
    desk = desk_of(room)
    ints, words = int_view(room), word_view(room)
    stones, block = stones_of(room, level), block_of(room, level)
    tried, sets = desk.try_stones, desk.try_sets
    for i in range(desk.cells):
        ints[tried + i] = ints[stones + i]
    for i in range(at.HASHES):
        words[sets + i] = words[block + i]
    mover = whole(ints[fields_of(room, level) + at.L_MOVER])
    return play_and_fill(room, tried, sets, cell, mover, -1) >= 0


@part
def _note_child(room: Handle, level: int, place: int, fills: bool) -> None:
    """Write the hash of the move just tried, and which cells it fills in for the mover."""
    desk = desk_of(room)
    ints, words = int_view(room), word_view(room)
    W = len(room) - 2
    at_child = level * desk.cells + place
    sets = desk.try_sets
    turned = is_turned(room, sets)
    from_hash = sets + (at.H_TURNED_ONE if turned else at.H_ONE)
    words[desk.child_hash + 2 * at_child] = words[from_hash]
    words[desk.child_hash + 2 * at_child + 1] = words[from_hash + 1]
    ints[desk.child_turned + at_child] = 1 if turned else 0
    ints[desk.child_phi + at_child] = 1
    ints[desk.child_delta + at_child] = 1
    if not desk.dominated:
        return
    stones = stones_of(room, level)
    cell = whole(ints[desk.child_cell + at_child])
    mover = whole(ints[fields_of(room, level) + at.L_MOVER])
    dominates = desk.dominates + place * W
    needed = sets + at.HASHES + (at.S_CAPTURED + 2 - mover) * W
    for w in range(W):
        words[dominates + w] = uint64(0)
    if not fills:
        return
    for other in range(desk.cells):
        after = ints[desk.try_stones + other]
        if ints[stones + other] == 0 and other != cell and (after == mover or after == at.DEAD):
            words[dominates + (other >> 6)] |= uint64(1) << uint64(other & 63)
    for w in range(W):
        # what the opponent's stones need empty is part of its carrier
        words[dominates + w] &= ~words[needed + w]


@part
def _drop_dominated(room: Handle, level: int, count: int) -> int:
    """Drop the moves that a kept one dominates; what dominates most is kept first."""
    desk = desk_of(room)
    ints, words = int_view(room), word_view(room)
    W = len(room) - 2
    first = level * desk.cells
    cells, keep, most = desk.child_cell + first, desk.scratch, desk.scratch + count
    dominates, moves = desk.dominates, desk.quoted
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
            _move_child(room, first + i, first + kept)
            kept += 1
    return kept


@part
def _move_child(room: Handle, source: int, target: int) -> None:
    desk = desk_of(room)
    ints, words = int_view(room), word_view(room)
    for begin in (desk.child_cell, desk.child_turned, desk.child_phi, desk.child_delta):
        ints[begin + target] = ints[begin + source]
    for i in range(2):
        words[desk.child_hash + 2 * target + i] = words[desk.child_hash + 2 * source + i]


@part
def sort_moves(room: Handle, level: int) -> None:
    """Sort the children by falling score, equal ones by cell; all are still new."""
    desk = desk_of(room)
    ints, words, reals = int_view(room), word_view(room), real_view(room)
    first = level * desk.cells
    cells, turned = desk.child_cell + first, desk.child_turned + first
    hashes, score = desk.child_hash + 2 * first, desk.score
    for i in range(1, ints[fields_of(room, level) + at.L_COUNT]):
        cell, side = ints[cells + i], ints[turned + i]
        one, two = words[hashes + 2 * i], words[hashes + 2 * i + 1]
        j = i
        while j > 0 and reals[score + ints[cells + j - 1]] < reals[score + cell] - 1e-9:
            ints[cells + j] = ints[cells + j - 1]
            ints[turned + j] = ints[turned + j - 1]
            words[hashes + 2 * j] = words[hashes + 2 * j - 2]
            words[hashes + 2 * j + 1] = words[hashes + 2 * j - 1]
            j -= 1
        ints[cells + j], ints[turned + j] = cell, side
        words[hashes + 2 * j], words[hashes + 2 * j + 1] = one, two
