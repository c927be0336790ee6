"""Focused depth-first proof-number search on an explicit stack.

Source: docs/methods.md#proof-number-search. Of every level, phi and delta are the proof and
disproof numbers of the side to move: phi 0 is a win, phi INFINITE a loss. Phi is the least delta
of the children in the window, the first few that are not refuted; delta is the sum of phi over all
that are not refuted. A child is searched until its numbers reach limits that make another child
better, or reach the parent's own limits.

A refuted child's carrier cuts the moves that are left: a move outside it loses to the same
carrier (docs/methods.md#must-play-regions-and-carriers).
"""

from typing import Any

from numpy import uint64

from hextui.engine.kernels.compiling import kernel, part
from hextui.engine.kernels.solver import layout as at
from hextui.engine.kernels.solver import table as table_at
from hextui.engine.kernels.solver.cache import forget, note_work, recall, remember
from hextui.engine.kernels.solver.descent import go_down
from hextui.engine.kernels.solver.expand import (
    OPEN,
    add_killers,
    block_of,
    expand,
    fields_of,
    set_of,
    shrink_carrier,
    sort_moves,
    try_move,
    try_proofs,
)
from hextui.engine.kernels.solver.fill import (
    fill_in,
    is_symmetric,
    is_turned,
    pass_turn,
    put,
    stones_of,
)
from hextui.engine.kernels.solver.layout import desk_of
from hextui.engine.kernels.solver.proofs import LOST, WON, keep_proof
from hextui.engine.kernels.solver.replies import forget_replies, note_reply
from hextui.engine.kernels.solver.table import (
    delta_of,
    find,
    pack,
    phi_of,
    store,
    turn_in_place,
    turn_set,
)
from hextui.engine.kernels.solver.whole import whole
from hextui.engine.kernels.views import Handle, int_view, real_view, word_view

# how much longer an expansion takes than a look at a level, so that slices are of a length
EXPANSION_STEPS = 16

# more than any score
KNOWN = 1e6

# what a level's L_EXPANDED says
NEW, EXPANDED, SOLVED = range(3)


@kernel
def set_root(room: Handle, stones: Any, mover: int) -> None:
    """Make a position level 0, filled in. ``stones``: int32[cells], 0 empty, 1, 2."""
    desk = desk_of(room)
    ints, words = int_view(room), word_view(room)
    W, cells = len(room) - 2, desk.cells
    fields, own, block = fields_of(room, 0), stones_of(room, 0), block_of(room, 0)
    for i in range(at.HASHES + at.SETS_A_LEVEL * W):
        words[block + i] = uint64(0)
    for i in range(2):
        # the empty board's hashes, so that none is 0
        words[block + at.H_ONE + i] = words[desk.zobrist + 4 * cells * i]
        words[block + at.H_TURNED_ONE + i] = words[block + at.H_ONE + i]
    waiting = 0
    for cell in range(cells):
        ints[own + cell] = 0
    for cell in range(cells):
        if stones[cell]:
            put(room, own, block, cell, stones[cell])
        else:
            ints[desk.queue + waiting] = cell
            ints[desk.queued + cell] = 1
            waiting += 1
    if mover == 2:
        pass_turn(room, block)
    if desk.fill:
        fill_in(room, own, block, waiting, -1, 3)
    else:
        for cell in range(cells):
            ints[desk.queued + cell] = 0
    forget_replies(room, 0)
    for field in range(at.LEVEL_FIELDS):
        ints[fields + field] = 0
    ints[fields + at.L_MOVER] = mover
    ints[fields + at.L_MAX_PHI] = ints[fields + at.L_MAX_DELTA] = at.INFINITE
    ints[fields + at.L_BEST] = -1
    ints[fields + at.L_PHI] = ints[fields + at.L_DELTA] = 1
    for color in range(1, 3):
        # no search can follow: the first is a fresh one
        ints[at.BASE + color], ints[at.VALID + color] = cells + 1, 0
        ints[at.BATCHES + color] = 0
    desk.level = 0


@kernel
def look_up(room: Handle, table: Any) -> bool:
    """Copy the table's entry of level 0 to ENTRY, its carrier not turned; False if none."""
    desk = desk_of(room)
    words = word_view(room)
    block = block_of(room, 0)
    turned = is_turned(room, block)
    key = block + (at.H_TURNED_ONE if turned else at.H_ONE)
    if not find(room, table, words[key], words[key + 1], desk.entry):
        return False
    if turned:
        turn_in_place(room, desk.entry + table_at.CARRIER)
        best = whole(words[desk.entry + table_at.WORK] & uint64(0xFFFF)) - 1
        if best >= 0:
            words[desk.entry + table_at.WORK] ^= uint64(best + 1) ^ uint64(desk.cells - best)
    return True


@kernel
def run(
    room: Handle,
    table: Any,
    cache: Any,
    proofs: Any,
    black: Handle,
    white: Handle,
    peers: Any,
    steps: int,
) -> bool:
    """Go on with the search; True if level 0 is decided, False after so many steps.

    A step is a look at one level; an expansion counts for several. ``peers``: uint64[threads +
    1, levels], the hashes on the paths of all threads, 0 from where another one has solved the
    position; the first word of the last row tells all to stop, and is set by whoever decides
    level 0. ``table``, ``cache``, ``proofs``: see the files of these names.
    """
    desk = desk_of(room)
    ints = int_view(room)
    last = len(peers) - 1
    while steps > 0 and desk.level >= 0 and peers[last, 0] == uint64(0):
        steps -= 1
        desk.steps += 1
        if desk.threads > 1:
            _leave_solved(room, peers)
        level = whole(desk.level)
        fields = fields_of(room, level)
        if ints[fields + at.L_EXPANDED] == NEW:
            if recall(room, cache, level):
                outcome = OPEN
                if desk.deduce:
                    # proofs found since the expansion may decide it, or cut its moves
                    outcome, _ = try_proofs(room, proofs, level)
                ints[fields + at.L_EXPANDED] = EXPANDED
                if outcome != OPEN:
                    _decide(room, level, outcome)
            else:
                steps -= EXPANSION_STEPS - 1
                outcome = expand(room, proofs, black, white, level == 0)
                ints[fields + at.L_WORK] += 1
                ints[fields + at.L_EXPANDED] = EXPANDED if outcome == OPEN else SOLVED
                if outcome == OPEN:
                    if ints[fields + at.L_WORK] > 1:
                        put_known_first(room, table, level)
                    remember(room, cache, level)
                else:
                    _decide(room, level, outcome)
        if ints[fields + at.L_EXPANDED] == EXPANDED:
            _look_at_children(room, table, level)
        if ints[fields + at.L_EXPANDED] == EXPANDED:
            _count(room, level)
        if (
            ints[fields + at.L_PHI] >= ints[fields + at.L_MAX_PHI]
            or ints[fields + at.L_DELTA] >= ints[fields + at.L_MAX_DELTA]
        ):
            _leave(room, table, cache, proofs, peers)
        else:
            _enter(room, table, peers)
    if desk.level >= 0:
        return False
    if desk.threads > 1:
        peers[last, 0] = uint64(1)
    return True


@part
def put_known_first(room: Handle, table: Any, level: int) -> None:
    """Sort moves that were searched before to the front: another order would lose their work."""
    desk = desk_of(room)
    ints, words, reals = int_view(room), word_view(room), real_view(room)
    first = level * desk.cells
    for child in range(first, first + ints[fields_of(room, level) + at.L_COUNT]):
        key = desk.child_hash + 2 * child
        if find(room, table, words[key], words[key + 1], desk.entry):
            reals[desk.score + ints[desk.child_cell + child]] += KNOWN
    sort_moves(room, level)


@part
def _leave_solved(room: Handle, peers: Any) -> None:
    """Go back to above the first position of the path that another thread has solved."""
    desk = desk_of(room)
    ints = int_view(room)
    thread, last = whole(desk.thread), whole(desk.level)
    solved = 1
    while solved <= last and peers[thread, solved] != uint64(0):
        solved += 1
    if solved > last:
        return
    above = fields_of(room, solved - 1)
    for level in range(solved, last + 1):
        fields = fields_of(room, level)
        done = ints[fields + at.L_WORK] - ints[fields + at.L_STORED]
        ints[above + at.L_WORK] = min(ints[above + at.L_WORK] + done, at.INFINITE)
        peers[thread, level] = uint64(0)
    desk.level = solved - 1


@part
def _decide(room: Handle, level: int, outcome: int) -> None:
    ints = int_view(room)
    fields = fields_of(room, level)
    ints[fields + at.L_EXPANDED] = SOLVED
    ints[fields + at.L_PHI] = 0 if outcome == WON else at.INFINITE
    ints[fields + at.L_DELTA] = at.INFINITE if outcome == WON else 0


@part
def _is_left(room: Handle, level: int, cell: int) -> bool:
    word = word_view(room)[set_of(room, level, at.S_LEFT) + (cell >> 6)]
    return word >> uint64(cell & 63) & uint64(1) != uint64(0)


@part
def _look_at_children(room: Handle, table: Any, level: int) -> None:
    """Take what the table knows of the children that are not refuted."""
    desk = desk_of(room)
    ints, words = int_view(room), word_view(room)
    W = len(room) - 2
    first = level * desk.cells
    entry = desk.entry
    for child in range(first, first + ints[fields_of(room, level) + at.L_COUNT]):
        cell = whole(ints[desk.child_cell + child])
        if not _is_left(room, level, cell):
            continue
        key = desk.child_hash + 2 * child
        if not find(room, table, words[key], words[key + 1], entry):
            continue
        numbers = words[entry + table_at.NUMBERS]
        phi, delta = phi_of(numbers), delta_of(numbers)
        ints[desk.child_phi + child] = phi
        ints[desk.child_delta + child] = delta
        if phi and delta:
            continue
        try_move(room, level, cell)
        if ints[desk.child_turned + child]:
            turn_set(room, entry + table_at.CARRIER, desk.quoted)
        else:
            for w in range(W):
                words[desk.quoted + w] = words[entry + table_at.CARRIER + w]
        captured = desk.try_sets + at.HASHES + at.S_CAPTURED * W
        if phi == 0:
            reply = whole(words[entry + table_at.WORK] & uint64(0xFFFF)) - 1
            if reply >= 0 and ints[desk.child_turned + child]:
                reply = desk.cells - 1 - reply
            note_reply(room, level, reply)
        _conclude(room, level, cell, phi == 0, captured)
        if delta == 0:
            return


@part
def _conclude(room: Handle, level: int, cell: int, refuted: bool, captured: int) -> None:
    """Take in a solved child; its winner's carrier is in QUOTED.

    ``captured``: the sets of cells that the move let each colour capture; those of the winner
    join the carrier.
    """
    desk = desk_of(room)
    ints, words = int_view(room), word_view(room)
    W = len(room) - 2
    fields = fields_of(room, level)
    mover = whole(ints[fields + at.L_MOVER])
    winner = 3 - mover if refuted else mover
    carrier = desk.quoted
    for w in range(W):
        words[carrier + w] |= words[captured + (winner - 1) * W + w]
    if not refuted:
        own = set_of(room, level, at.S_CARRIER)
        for w in range(W):
            words[own + w] = words[carrier + w]
        words[own + (cell >> 6)] |= uint64(1) << uint64(cell & 63)
        ints[fields + at.L_BEST] = cell
        _decide(room, level, WON)
        return
    _refute(room, level, cell, carrier)
    if desk.rotation and is_symmetric(room, block_of(room, level)):
        turn_set(room, carrier, carrier + W)
        _refute(room, level, desk.cells - 1 - cell, carrier + W)


@part
def _refute(room: Handle, level: int, cell: int, carrier: int) -> None:
    desk = desk_of(room)
    words = word_view(room)
    left, used = set_of(room, level, at.S_LEFT), set_of(room, level, at.S_USED)
    for w in range(len(room) - 2):
        words[used + w] |= words[carrier + w]
        if desk.carriers:
            words[left + w] &= words[carrier + w]
    words[left + (cell >> 6)] &= ~(uint64(1) << uint64(cell & 63))


@part
def _count(room: Handle, level: int) -> None:
    """Compute a level's numbers from its children; without any left it is lost."""
    desk = desk_of(room)
    ints, words = int_view(room), word_view(room)
    fields = fields_of(room, level)
    first = level * desk.cells
    last = first + ints[fields + at.L_COUNT]
    live = 0
    for child in range(first, last):
        live += _is_left(room, level, whole(ints[desk.child_cell + child]))
    if live == 0:
        add_killers(room, level)
        carrier, used = set_of(room, level, at.S_CARRIER), set_of(room, level, at.S_USED)
        for w in range(len(room) - 2):
            words[carrier + w] = words[used + w]
        _decide(room, level, LOST)
        return
    window = desk.widening_base + (desk.widening_permille * live + 999) // 1000
    phi, delta = at.INFINITE, 0
    for child in range(first, last):
        if not _is_left(room, level, whole(ints[desk.child_cell + child])):
            continue
        delta += ints[desk.child_phi + child]
        if window > 0:
            phi = min(phi, ints[desk.child_delta + child])
            window -= 1
    ints[fields + at.L_PHI] = phi
    ints[fields + at.L_DELTA] = min(delta, at.INFINITE - 1)


@part
def _enter(room: Handle, table: Any, peers: Any) -> None:
    """Go down to the child that is nearest to a win for the side to move."""
    desk = desk_of(room)
    ints, words = int_view(room), word_view(room)
    level = whole(desk.level)
    fields = fields_of(room, level)
    chosen, second = _choose(room, level, peers)
    cell = whole(ints[desk.child_cell + chosen])
    phi, delta = ints[desk.child_phi + chosen], ints[desk.child_delta + chosen]
    ints[fields + at.L_CHOSEN] = chosen
    below = fields + at.LEVEL_FIELDS
    most = ints[fields + at.L_MAX_DELTA] - (ints[fields + at.L_DELTA] - phi)
    ints[below + at.L_MAX_PHI] = max(most, phi + 1)
    other = max(second, delta)
    other += 1 + other * desk.epsilon_permille // 1000
    most = min(ints[fields + at.L_MAX_PHI], other)
    ints[below + at.L_MAX_DELTA] = max(most, delta + 1)
    ints[below + at.L_PHI], ints[below + at.L_DELTA] = phi, delta
    ints[below + at.L_BEST] = -1
    ints[below + at.L_EXPANDED] = NEW
    forget_replies(room, level + 1)
    key = desk.child_hash + 2 * chosen
    work = 0
    if find(room, table, words[key], words[key + 1], desk.entry):
        work = whole(words[desk.entry + table_at.WORK] >> uint64(32))
    ints[below + at.L_WORK] = ints[below + at.L_STORED] = work
    go_down(room, cell)
    if desk.threads > 1:
        peers[desk.thread, level + 1] = words[key]


@part
def _choose(room: Handle, level: int, peers: Any) -> tuple[int, int]:
    """Return the child of the window with the least delta, and the least of the others.

    Where the side to move seems to lose all children have to be refuted, so threads share them out:
    one on which another thread is at work counts as half as far again. Where it seems to win one
    child is enough, and threads go to another one only if it is as good.
    """
    desk = desk_of(room)
    ints, words = int_view(room), word_view(room)
    fields = fields_of(room, level)
    first = level * desk.cells
    last = first + ints[fields + at.L_COUNT]
    live = 0
    for child in range(first, last):
        live += _is_left(room, level, whole(ints[desk.child_cell + child]))
    window = desk.widening_base + (desk.widening_permille * live + 999) // 1000
    seems_lost = ints[fields + at.L_PHI] > ints[fields + at.L_DELTA]
    best, least, second = -1, at.INFINITE, at.INFINITE
    for child in range(first, last):
        if window == 0:
            break
        if not _is_left(room, level, whole(ints[desk.child_cell + child])):
            continue
        window -= 1
        delta = whole(ints[desk.child_delta + child])
        if desk.threads > 1:
            for thread in range(desk.threads):
                if (
                    thread != desk.thread
                    and peers[thread, level + 1] == words[desk.child_hash + 2 * child]
                ):
                    farther = delta // 2 if seems_lost else 0
                    delta = min(delta + farther + 1, at.INFINITE - 1)
        if delta < least or best < 0:
            best, least, second = child, delta, least
        else:
            second = min(second, delta)
    return best, second


@part
def _leave(room: Handle, table: Any, cache: Any, proofs: Any, peers: Any) -> None:
    """Store the current level, and tell the one above what came of it."""
    desk = desk_of(room)
    ints, words = int_view(room), word_view(room)
    W = len(room) - 2
    level = whole(desk.level)
    fields, block = fields_of(room, level), block_of(room, level)
    phi, delta = ints[fields + at.L_PHI], ints[fields + at.L_DELTA]
    solved = ints[fields + at.L_EXPANDED] == SOLVED
    carrier, quoted = set_of(room, level, at.S_CARRIER), desk.quoted
    best = ints[fields + at.L_BEST]
    mover = whole(ints[fields + at.L_MOVER])
    if solved:
        forget(room, cache, level)
    else:
        note_work(room, cache, level)
    if solved and desk.shrink:
        if phi == 0:
            shrink_carrier(room, level, mover, whole(best))
        else:
            shrink_carrier(room, level, 3 - mover, -1)
    if delta == 0 and desk.deduce and ints[fields + at.L_WORK] > 1:
        keep_proof(room, proofs, level, carrier)
    if is_turned(room, block):
        turn_set(room, carrier, quoted)
        best = desk.cells - 1 - best if best >= 0 else -1
    else:
        for w in range(W):
            words[quoted + w] = words[carrier + w]
    key = block + (at.H_TURNED_ONE if is_turned(room, block) else at.H_ONE)
    store(
        room,
        table,
        words[key],
        words[key + 1],
        pack(phi, delta),
        max(ints[fields + at.L_WORK], 1),
        best,
        quoted if solved else -1,
    )
    desk.level = level - 1
    if desk.threads > 1:
        peers[desk.thread, level] = uint64(0)
        if solved:
            for thread in range(desk.threads):
                if peers[thread, level] == words[key]:
                    peers[thread, level] = uint64(0)
    if level == 0:
        return
    above = fields - at.LEVEL_FIELDS
    chosen = ints[above + at.L_CHOSEN]
    ints[desk.child_phi + chosen], ints[desk.child_delta + chosen] = phi, delta
    done = ints[fields + at.L_WORK] - ints[fields + at.L_STORED]
    ints[above + at.L_WORK] = min(ints[above + at.L_WORK] + done, at.INFINITE)
    if solved:
        for w in range(W):
            words[quoted + w] = words[carrier + w]
        cell = whole(ints[desk.child_cell + chosen])
        if phi == 0:
            note_reply(room, level - 1, whole(ints[fields + at.L_BEST]))
        _conclude(room, level - 1, cell, phi == 0, set_of(room, level, at.S_CAPTURED))
