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
from hextui.engine.kernels.solver.cache import recall, remember
from hextui.engine.kernels.solver.expand import (
    OPEN,
    add_killers,
    block_of,
    expand,
    fields_of,
    set_of,
    shrink_carrier,
    try_move,
)
from hextui.engine.kernels.solver.fill import (
    fill_in,
    is_symmetric,
    is_turned,
    pass_turn,
    play_and_fill,
    put,
    stones_of,
)
from hextui.engine.kernels.solver.order import note_win
from hextui.engine.kernels.solver.proofs import LOST, WON, keep_proof
from hextui.engine.kernels.solver.table import delta_of, find, pack, phi_of, store, turn_set
from hextui.engine.kernels.solver.whole import whole
from hextui.engine.kernels.views import Handle, int_view, word_view

# how much longer an expansion takes than a look at a level, so that slices are of a length
EXPANSION_STEPS = 16

# what a level's L_EXPANDED says
NEW, EXPANDED, SOLVED = range(3)


@kernel
def set_root(room: Handle, stones: Any, mover: int) -> None:
    """Make a position level 0, filled in. ``stones``: int32[cells], 0 empty, 1, 2."""
    ints, words = int_view(room), word_view(room)
    W, cells = len(room) - 2, ints[at.CELLS]
    fields, own, block = fields_of(room, 0), stones_of(room, 0), block_of(room, 0)
    for i in range(at.HASHES + at.SETS_A_LEVEL * W):
        words[block + i] = uint64(0)
    for i in range(2):
        # the empty board's hashes, so that none is 0
        words[block + at.H_ONE + i] = words[ints[at.ZOBRIST] + 4 * cells * i]
        words[block + at.H_TURNED_ONE + i] = words[block + at.H_ONE + i]
    waiting = 0
    for cell in range(cells):
        ints[own + cell] = 0
    for cell in range(cells):
        if stones[cell]:
            put(room, own, block, cell, stones[cell])
        else:
            ints[ints[at.QUEUE] + waiting] = cell
            ints[ints[at.QUEUED] + cell] = 1
            waiting += 1
    if mover == 2:
        pass_turn(room, block)
    if ints[at.FILL]:
        fill_in(room, own, block, waiting, -1)
    else:
        for cell in range(cells):
            ints[ints[at.QUEUED] + cell] = 0
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
    ints[at.LEVEL] = 0


@kernel
def look_up(room: Handle, table: Any) -> bool:
    """Copy the table's entry of level 0 to ENTRY, its carrier not turned; False if none."""
    ints, words = int_view(room), word_view(room)
    W = len(room) - 2
    block = block_of(room, 0)
    turned = is_turned(room, block)
    key = block + (at.H_TURNED_ONE if turned else at.H_ONE)
    if not find(room, table, words[key], words[key + 1], ints[at.ENTRY]):
        return False
    if turned:
        carrier = ints[at.ENTRY] + table_at.CARRIER
        turn_set(room, carrier, ints[at.QUOTED])
        for w in range(W):
            words[carrier + w] = words[ints[at.QUOTED] + w]
        best = whole(words[ints[at.ENTRY] + table_at.WORK] & uint64(0xFFFF)) - 1
        if best >= 0:
            words[ints[at.ENTRY] + table_at.WORK] ^= uint64(best + 1) ^ uint64(
                ints[at.CELLS] - best
            )
    return True


@kernel
def run(
    room: Handle,
    table: Any,
    cache: Any,
    proofs: Any,
    wins: Any,
    black: Handle,
    white: Handle,
    peers: Any,
    steps: int,
) -> bool:
    """Go on with the search; True if level 0 is decided, False after so many steps.

    A step is a look at one level; an expansion counts for several. ``peers``: uint64[threads +
    1, levels], the hashes on the paths of all threads, 0 from where another one has solved the
    position; the first word of the last row tells all to stop, and is set by whoever decides
    level 0. ``table``, ``cache``, ``proofs``, ``wins``: see the files of these names, order.py.
    """
    ints = int_view(room)
    last = len(peers) - 1
    while steps > 0 and ints[at.LEVEL] >= 0 and peers[last, 0] == uint64(0):
        steps -= 1
        ints[at.STEPS] += 1
        if ints[at.THREADS] > 1:
            _leave_solved(room, peers)
        level = whole(ints[at.LEVEL])
        fields = fields_of(room, level)
        if ints[fields + at.L_EXPANDED] == NEW:
            if recall(room, cache, level):
                ints[fields + at.L_EXPANDED] = EXPANDED
            else:
                steps -= EXPANSION_STEPS - 1
                outcome = expand(room, proofs, wins, black, white)
                ints[fields + at.L_WORK] += 1
                ints[fields + at.L_EXPANDED] = EXPANDED if outcome == OPEN else SOLVED
                if outcome == OPEN:
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
            _leave(room, table, proofs, wins, peers)
        else:
            _enter(room, table, peers)
    if ints[at.LEVEL] >= 0:
        return False
    if ints[at.THREADS] > 1:
        peers[last, 0] = uint64(1)
    return True


@part
def _leave_solved(room: Handle, peers: Any) -> None:
    """Go back to above the first position of the path that another thread has solved."""
    ints = int_view(room)
    thread, last = whole(ints[at.THREAD]), whole(ints[at.LEVEL])
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
    ints[at.LEVEL] = solved - 1


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
    ints, words = int_view(room), word_view(room)
    W = len(room) - 2
    first = level * ints[at.CELLS]
    entry = ints[at.ENTRY]
    for child in range(first, first + ints[fields_of(room, level) + at.L_COUNT]):
        cell = whole(ints[ints[at.CHILD_CELL] + child])
        if not _is_left(room, level, cell):
            continue
        key = ints[at.CHILD_HASH] + 2 * child
        if not find(room, table, words[key], words[key + 1], entry):
            continue
        numbers = words[entry + table_at.NUMBERS]
        phi, delta = phi_of(numbers), delta_of(numbers)
        ints[ints[at.CHILD_PHI] + child] = phi
        ints[ints[at.CHILD_DELTA] + child] = delta
        if phi and delta:
            continue
        try_move(room, level, cell)
        if ints[ints[at.CHILD_TURNED] + child]:
            turn_set(room, entry + table_at.CARRIER, ints[at.QUOTED])
        else:
            for w in range(W):
                words[ints[at.QUOTED] + w] = words[entry + table_at.CARRIER + w]
        captured = ints[at.TRY_SETS] + at.HASHES + at.S_CAPTURED * W
        _conclude(room, level, cell, phi == 0, captured)
        if delta == 0:
            return


@part
def _conclude(room: Handle, level: int, cell: int, refuted: bool, captured: int) -> None:
    """Take in a solved child; its winner's carrier is in QUOTED.

    ``captured``: the sets of cells that the move let each colour capture; those of the winner
    join the carrier.
    """
    ints, words = int_view(room), word_view(room)
    W = len(room) - 2
    fields = fields_of(room, level)
    mover = whole(ints[fields + at.L_MOVER])
    winner = 3 - mover if refuted else mover
    carrier = ints[at.QUOTED]
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
    if ints[at.ROTATION] and is_symmetric(room, block_of(room, level)):
        turn_set(room, carrier, carrier + W)
        _refute(room, level, ints[at.CELLS] - 1 - cell, carrier + W)


@part
def _refute(room: Handle, level: int, cell: int, carrier: int) -> None:
    ints, words = int_view(room), word_view(room)
    left, used = set_of(room, level, at.S_LEFT), set_of(room, level, at.S_USED)
    for w in range(len(room) - 2):
        words[used + w] |= words[carrier + w]
        if ints[at.CARRIERS]:
            words[left + w] &= words[carrier + w]
    words[left + (cell >> 6)] &= ~(uint64(1) << uint64(cell & 63))


@part
def _count(room: Handle, level: int) -> None:
    """Compute a level's numbers from its children; without any left it is lost."""
    ints, words = int_view(room), word_view(room)
    fields = fields_of(room, level)
    first = level * ints[at.CELLS]
    last = first + ints[fields + at.L_COUNT]
    live = 0
    for child in range(first, last):
        live += _is_left(room, level, whole(ints[ints[at.CHILD_CELL] + child]))
    if live == 0:
        add_killers(room, level)
        carrier, used = set_of(room, level, at.S_CARRIER), set_of(room, level, at.S_USED)
        for w in range(len(room) - 2):
            words[carrier + w] = words[used + w]
        _decide(room, level, LOST)
        return
    window = ints[at.WIDENING_BASE] + (ints[at.WIDENING_PERMILLE] * live + 999) // 1000
    phi, delta = at.INFINITE, 0
    for child in range(first, last):
        if not _is_left(room, level, whole(ints[ints[at.CHILD_CELL] + child])):
            continue
        delta += ints[ints[at.CHILD_PHI] + child]
        if window > 0:
            phi = min(phi, ints[ints[at.CHILD_DELTA] + child])
            window -= 1
    ints[fields + at.L_PHI] = phi
    ints[fields + at.L_DELTA] = min(delta, at.INFINITE - 1)


@part
def _enter(room: Handle, table: Any, peers: Any) -> None:
    """Go down to the child that is nearest to a win for the side to move."""
    ints, words = int_view(room), word_view(room)
    level = whole(ints[at.LEVEL])
    fields = fields_of(room, level)
    chosen, second = _choose(room, level, peers)
    cell = whole(ints[ints[at.CHILD_CELL] + chosen])
    phi, delta = ints[ints[at.CHILD_PHI] + chosen], ints[ints[at.CHILD_DELTA] + chosen]
    ints[fields + at.L_CHOSEN] = chosen
    below, mover = fields + at.LEVEL_FIELDS, ints[fields + at.L_MOVER]
    ints[below + at.L_MOVER] = 3 - mover
    most = ints[fields + at.L_MAX_DELTA] - (ints[fields + at.L_DELTA] - phi)
    ints[below + at.L_MAX_PHI] = max(most, phi + 1)
    other = max(second, delta)
    other += 1 + other * ints[at.EPSILON_PERMILLE] // 1000
    most = min(ints[fields + at.L_MAX_PHI], other)
    ints[below + at.L_MAX_DELTA] = max(most, delta + 1)
    ints[below + at.L_PHI], ints[below + at.L_DELTA] = phi, delta
    ints[below + at.L_BEST] = -1
    ints[below + at.L_EXPANDED] = NEW
    stones, to = stones_of(room, level), stones_of(room, level + 1)
    for i in range(ints[at.CELLS]):
        ints[to + i] = ints[stones + i]
    block, to_block = block_of(room, level), block_of(room, level + 1)
    for i in range(at.HASHES):
        words[to_block + i] = words[block + i]
    start = whole(ints[fields + at.L_PATH_END])
    _lay_path(room, to, to_block, cell, mover, start)
    key = ints[at.CHILD_HASH] + 2 * chosen
    work = 0
    if find(room, table, words[key], words[key + 1], ints[at.ENTRY]):
        work = whole(words[ints[at.ENTRY] + table_at.WORK] >> uint64(32))
    ints[below + at.L_WORK] = ints[below + at.L_STORED] = work
    ints[at.LEVEL] = level + 1
    if ints[at.THREADS] > 1:
        peers[ints[at.THREAD], level + 1] = words[key]


@part
def _lay_path(room: Handle, stones: int, block: int, cell: int, mover: int, start: int) -> None:
    """Play the move of the next level; the path up to the first new stone stays valid."""
    ints = int_view(room)
    path, before = ints[at.PATH], ints[at.SCRATCH]
    valid = max(ints[at.VALID + 1], ints[at.VALID + 2])
    for i in range(start, valid):
        ints[before + i] = ints[path + i]
    end = play_and_fill(room, stones, block, cell, mover, start)
    ints[fields_of(room, ints[at.LEVEL] + 1) + at.L_PATH_END] = end
    same = start
    while same < min(end, valid) and ints[before + same] == ints[path + same]:
        same += 1
    if same < min(end, valid):
        for color in range(1, 3):
            ints[at.VALID + color] = min(ints[at.VALID + color], same)


@part
def _choose(room: Handle, level: int, peers: Any) -> tuple[int, int]:
    """Return the child of the window with the least delta, and the least of the others.

    A child on which another thread is at work counts as half as far again.
    """
    ints, words = int_view(room), word_view(room)
    fields = fields_of(room, level)
    first = level * ints[at.CELLS]
    last = first + ints[fields + at.L_COUNT]
    live = 0
    for child in range(first, last):
        live += _is_left(room, level, whole(ints[ints[at.CHILD_CELL] + child]))
    window = ints[at.WIDENING_BASE] + (ints[at.WIDENING_PERMILLE] * live + 999) // 1000
    best, least, second = -1, at.INFINITE, at.INFINITE
    for child in range(first, last):
        if window == 0:
            break
        if not _is_left(room, level, whole(ints[ints[at.CHILD_CELL] + child])):
            continue
        window -= 1
        delta = whole(ints[ints[at.CHILD_DELTA] + child])
        if ints[at.THREADS] > 1:
            for thread in range(ints[at.THREADS]):
                if (
                    thread != ints[at.THREAD]
                    and peers[thread, level + 1] == words[ints[at.CHILD_HASH] + 2 * child]
                ):
                    delta = min(delta + delta // 2 + 1, at.INFINITE - 1)
        if delta < least or best < 0:
            best, least, second = child, delta, least
        else:
            second = min(second, delta)
    return best, second


@part
def _leave(room: Handle, table: Any, proofs: Any, wins: Any, peers: Any) -> None:
    """Store the current level, and tell the one above what came of it."""
    ints, words = int_view(room), word_view(room)
    W = len(room) - 2
    level = whole(ints[at.LEVEL])
    fields, block = fields_of(room, level), block_of(room, level)
    phi, delta = ints[fields + at.L_PHI], ints[fields + at.L_DELTA]
    solved = ints[fields + at.L_EXPANDED] == SOLVED
    carrier, quoted = set_of(room, level, at.S_CARRIER), ints[at.QUOTED]
    best = ints[fields + at.L_BEST]
    mover = whole(ints[fields + at.L_MOVER])
    if solved and ints[at.SHRINK]:
        if phi == 0:
            shrink_carrier(room, level, mover, whole(best))
        else:
            shrink_carrier(room, level, 3 - mover, -1)
    if phi == 0 and best >= 0:
        note_win(wins, mover, whole(best))
    if delta == 0 and ints[at.DEDUCE] and ints[fields + at.L_WORK] > 1:
        keep_proof(room, proofs, level, carrier)
    if is_turned(room, block):
        turn_set(room, carrier, quoted)
        best = ints[at.CELLS] - 1 - best if best >= 0 else -1
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
    ints[at.LEVEL] = level - 1
    if ints[at.THREADS] > 1:
        peers[ints[at.THREAD], level] = uint64(0)
        if solved:
            for thread in range(ints[at.THREADS]):
                if peers[thread, level] == words[key]:
                    peers[thread, level] = uint64(0)
    if level == 0:
        return
    above = fields - at.LEVEL_FIELDS
    chosen = ints[above + at.L_CHOSEN]
    ints[ints[at.CHILD_PHI] + chosen], ints[ints[at.CHILD_DELTA] + chosen] = phi, delta
    done = ints[fields + at.L_WORK] - ints[fields + at.L_STORED]
    ints[above + at.L_WORK] = min(ints[above + at.L_WORK] + done, at.INFINITE)
    if solved:
        for w in range(W):
            words[quoted + w] = words[carrier + w]
        cell = whole(ints[ints[at.CHILD_CELL] + chosen])
        _conclude(room, level - 1, cell, phi == 0, set_of(room, level, at.S_CAPTURED))
