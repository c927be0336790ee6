"""Focused depth-first proof-number search on an explicit stack.

Source: docs/methods.md#proof-number-search. Phi and delta of a level are the proof and disproof
numbers of the side to move: phi 0 is a win, phi INFINITE a loss. Phi is the least delta of the
children in the window, the first few that are not refuted; delta is the sum of phi over all that
are not refuted. A child is searched until its numbers reach limits at which another child is
better, or the parent's own limits. A move outside a refuted child's carrier loses too.
"""

from typing import Any

from numpy import uint64

from hextui.engine.kernels.compiling import kernel, part
from hextui.engine.kernels.memory import Handle, int_view, real_view, whole, word_view
from hextui.engine.kernels.solver import expand, fill
from hextui.engine.kernels.solver import layout as at
from hextui.engine.kernels.solver import transposition_table as table_at
from hextui.engine.kernels.solver.descent import go_down
from hextui.engine.kernels.solver.expansion_cache import forget, note_work, recall, remember
from hextui.engine.kernels.solver.layout import block_of, fields_of, header_of, set_of, stones_of
from hextui.engine.kernels.solver.proofs import LOST, WON, keep_proof

# how much longer an expansion takes than a visit of a level, so that slices take equally long
EXPANSION_STEPS = 16

# the search considers one of so many moves that are not refuted, and one more; the second where
# resistances choose the first numbers
WIDENING, WIDENING_BY_RESISTANCE = 4, 8

# a search stays at a move until its number is worse than the next one's by one part in so many
TOLERANCE_DIVISOR = 4

# more than any score
KNOWN = 1e6

# what a level's L_EXPANDED says
NEW, EXPANDED, SOLVED = range(3)


@kernel
def set_root(memory: Handle, stones: Any, mover: int) -> None:
    """Make a position level 0, filled in. ``stones``: int32[cells], 0 empty, 1, 2."""
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    W = len(memory) - 2
    cells = header.cells
    fields = fields_of(memory, 0)
    own = stones_of(memory, 0)
    block = block_of(memory, 0)
    for i in range(at.HASHES + at.SETS_A_LEVEL * W):
        words[block + i] = uint64(0)
    for i in range(2):
        # the empty board's hashes, so that none is 0
        words[block + at.H_ONE + i] = words[header.zobrist + 4 * cells * i]
        words[block + at.H_TURNED_ONE + i] = words[block + at.H_ONE + i]
    waiting = 0
    for cell in range(cells):
        ints[own + cell] = 0
    for cell in range(cells):
        if stones[cell]:
            fill.put(memory, own, block, cell, stones[cell])
        else:
            ints[header.queue + waiting] = cell
            ints[header.queued + cell] = 1
            waiting += 1
    if mover == 2:
        fill.pass_turn(memory, block)
    if header.fill:
        fill.fill_in(memory, own, block, waiting, -1, 3)
    else:
        for cell in range(cells):
            ints[header.queued + cell] = 0
    expand.forget_replies(memory, 0)
    for field in range(at.LEVEL_FIELDS):
        ints[fields + field] = 0
    ints[fields + at.L_MOVER] = mover
    ints[fields + at.L_MAX_PHI] = ints[fields + at.L_MAX_DELTA] = at.INFINITE
    ints[fields + at.L_BEST] = -1
    ints[fields + at.L_PHI] = ints[fields + at.L_DELTA] = 1
    for color in range(1, 3):
        # no search can follow: the first is a fresh one
        ints[at.BASE + color] = cells + 1
        ints[at.VALID + color] = 0
        ints[at.BATCHES + color] = 0
    header.level = 0


@kernel
def look_up(memory: Handle, table: Any) -> bool:
    """Copy the table's entry of level 0 to ENTRY, its carrier not turned; False if none."""
    header = header_of(memory)
    words = word_view(memory)
    block = block_of(memory, 0)
    turned = fill.is_turned(memory, block)
    key = block + (at.H_TURNED_ONE if turned else at.H_ONE)
    if not table_at.find(memory, table, words[key], words[key + 1], header.entry):
        return False
    if turned:
        table_at.turn_in_place(memory, header.entry + table_at.CARRIER)
        best = whole(words[header.entry + table_at.WORK] & uint64(0xFFFF)) - 1
        if best >= 0:
            words[header.entry + table_at.WORK] ^= uint64(best + 1) ^ uint64(header.cells - best)
    return True


@kernel
def run(
    memory: Handle,
    table: Any,
    cache: Any,
    proofs: Any,
    black: Handle,
    white: Handle,
    peers: Any,
    steps: int,
    most: int,
) -> bool:
    """Go on with the search; True if level 0 is decided, False after so many steps.

    A step is one visit of a level; an expansion counts for several. ``most``: it ends, too, once
    the thread has made so many expansions, earlier ones included. ``peers``: uint64[threads + 1,
    levels], the hashes on the paths of all threads, 0 from where another one has solved the
    position; the first word of the last row stops all threads, as does who decides level 0.
    """
    header = header_of(memory)
    ints = int_view(memory)
    last = len(peers) - 1
    while steps > 0 and header.level >= 0 and peers[last, 0] == uint64(0):
        if header.expansions >= most:
            break
        steps -= 1
        header.steps += 1
        if header.threads > 1:
            _leave_solved(memory, peers)
        level = whole(header.level)
        fields = fields_of(memory, level)
        if ints[fields + at.L_EXPANDED] == NEW:
            if recall(memory, cache, level):
                outcome = expand.OPEN
                if header.deduce:
                    # proofs found since the expansion may decide it, or cut its moves
                    outcome, _ = expand.try_proofs(memory, proofs, level)
                ints[fields + at.L_EXPANDED] = EXPANDED
                if outcome != expand.OPEN:
                    _decide(memory, level, outcome)
            else:
                steps -= EXPANSION_STEPS - 1
                outcome = expand.expand(memory, proofs, black, white, level == 0)
                ints[fields + at.L_WORK] += 1
                ints[fields + at.L_EXPANDED] = EXPANDED if outcome == expand.OPEN else SOLVED
                if outcome == expand.OPEN:
                    if ints[fields + at.L_WORK] > 1:
                        put_known_first(memory, table, level)
                    remember(memory, cache, level)
                else:
                    _decide(memory, level, outcome)
        if ints[fields + at.L_EXPANDED] == EXPANDED:
            _look_at_children(memory, table, level)
        if ints[fields + at.L_EXPANDED] == EXPANDED:
            _count(memory, level)
        if (
            ints[fields + at.L_PHI] >= ints[fields + at.L_MAX_PHI]
            or ints[fields + at.L_DELTA] >= ints[fields + at.L_MAX_DELTA]
        ):
            _leave(memory, table, cache, proofs, peers)
        else:
            _enter(memory, table, peers)
    if header.level >= 0:
        return False
    if header.threads > 1:
        peers[last, 0] = uint64(1)
    return True


@part
def put_known_first(memory: Handle, table: Any, level: int) -> None:
    """Sort moves that were searched before to the front: another order would lose their work."""
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    reals = real_view(memory)
    first = level * header.cells
    for child in range(first, first + ints[fields_of(memory, level) + at.L_COUNT]):
        key = header.child_hash + 2 * child
        if table_at.find(memory, table, words[key], words[key + 1], header.entry):
            reals[header.score + ints[header.child_cell + child]] += KNOWN
    expand.sort_moves(memory, level)


@part
def _leave_solved(memory: Handle, peers: Any) -> None:
    """Go back to above the first position of the path that another thread has solved."""
    header = header_of(memory)
    thread = whole(header.thread)
    last = whole(header.level)
    solved = 1
    while solved <= last and peers[thread, solved] != uint64(0):
        solved += 1
    if solved > last:
        return
    above = fields_of(memory, solved - 1)
    for level in range(solved, last + 1):
        _add_work(memory, fields_of(memory, level), above)
        peers[thread, level] = uint64(0)
    header.level = solved - 1


@part
def _decide(memory: Handle, level: int, outcome: int) -> None:
    ints = int_view(memory)
    fields = fields_of(memory, level)
    ints[fields + at.L_EXPANDED] = SOLVED
    ints[fields + at.L_PHI] = 0 if outcome == WON else at.INFINITE
    ints[fields + at.L_DELTA] = at.INFINITE if outcome == WON else 0


@part
def _is_left(memory: Handle, level: int, cell: int) -> bool:
    word = word_view(memory)[set_of(memory, level, at.S_LEFT) + (cell >> 6)]
    return word >> uint64(cell & 63) & uint64(1) != uint64(0)


@part
def _look_at_children(memory: Handle, table: Any, level: int) -> None:
    """Read the table's numbers of the children that are not refuted."""
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    W = len(memory) - 2
    first = level * header.cells
    entry = header.entry
    for child in range(first, first + ints[fields_of(memory, level) + at.L_COUNT]):
        cell = whole(ints[header.child_cell + child])
        if not _is_left(memory, level, cell):
            continue
        key = header.child_hash + 2 * child
        if not table_at.find(memory, table, words[key], words[key + 1], entry):
            continue
        numbers = words[entry + table_at.NUMBERS]
        phi = table_at.phi_of(numbers)
        delta = table_at.delta_of(numbers)
        ints[header.child_phi + child] = phi
        ints[header.child_delta + child] = delta
        if phi and delta:
            continue
        expand.try_move(memory, level, cell)
        if ints[header.child_turned + child]:
            table_at.turn_set(memory, entry + table_at.CARRIER, header.quoted)
        else:
            for w in range(W):
                words[header.quoted + w] = words[entry + table_at.CARRIER + w]
        captured = header.try_sets + at.HASHES + at.S_CAPTURED * W
        if phi == 0:
            reply = whole(words[entry + table_at.WORK] & uint64(0xFFFF)) - 1
            if reply >= 0 and ints[header.child_turned + child]:
                reply = header.cells - 1 - reply
            expand.note_reply(memory, level, reply)
        _conclude(memory, level, cell, phi == 0, captured)
        if delta == 0:
            return


@part
def _conclude(memory: Handle, level: int, cell: int, refuted: bool, captured: int) -> None:
    """Apply the result of a solved child; its winner's carrier is in QUOTED.

    ``captured``: the cells that each colour captured by the move; the winner's join the carrier.
    """
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    W = len(memory) - 2
    fields = fields_of(memory, level)
    mover = whole(ints[fields + at.L_MOVER])
    winner = 3 - mover if refuted else mover
    carrier = header.quoted
    for w in range(W):
        words[carrier + w] |= words[captured + (winner - 1) * W + w]
    if not refuted:
        own = set_of(memory, level, at.S_CARRIER)
        for w in range(W):
            words[own + w] = words[carrier + w]
        words[own + (cell >> 6)] |= uint64(1) << uint64(cell & 63)
        ints[fields + at.L_BEST] = cell
        _decide(memory, level, WON)
        return
    _refute(memory, level, cell, carrier)
    if header.rotation and fill.is_symmetric(memory, block_of(memory, level)):
        table_at.turn_set(memory, carrier, carrier + W)
        _refute(memory, level, header.cells - 1 - cell, carrier + W)


@part
def _refute(memory: Handle, level: int, cell: int, carrier: int) -> None:
    header = header_of(memory)
    words = word_view(memory)
    left = set_of(memory, level, at.S_LEFT)
    used = set_of(memory, level, at.S_USED)
    for w in range(len(memory) - 2):
        words[used + w] |= words[carrier + w]
        if header.carriers:
            words[left + w] &= words[carrier + w]
    words[left + (cell >> 6)] &= ~(uint64(1) << uint64(cell & 63))


@part
def _count(memory: Handle, level: int) -> None:
    """Compute a level's numbers from its children; without any left it is lost."""
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    fields = fields_of(memory, level)
    first = level * header.cells
    last = first + ints[fields + at.L_COUNT]
    live = 0
    for child in range(first, last):
        live += _is_left(memory, level, whole(ints[header.child_cell + child]))
    if live == 0:
        expand.add_killers(memory, level)
        carrier = set_of(memory, level, at.S_CARRIER)
        used = set_of(memory, level, at.S_USED)
        for w in range(len(memory) - 2):
            words[carrier + w] = words[used + w]
        _decide(memory, level, LOST)
        return
    window = _window_of(memory, live)
    phi, delta = at.INFINITE, 0
    for child in range(first, last):
        if not _is_left(memory, level, whole(ints[header.child_cell + child])):
            continue
        delta += ints[header.child_phi + child]
        if window > 0:
            phi = min(phi, ints[header.child_delta + child])
            window -= 1
    ints[fields + at.L_PHI] = phi
    ints[fields + at.L_DELTA] = min(delta, at.INFINITE - 1)


@part
def _window_of(memory: Handle, live: int) -> int:
    """Return how many of so many moves that are not refuted the search considers."""
    among = WIDENING_BY_RESISTANCE if header_of(memory).heuristic else WIDENING
    return 1 + (live + among - 1) // among


@part
def _enter(memory: Handle, table: Any, peers: Any) -> None:
    """Descend to the child that is nearest to a win for the side to move."""
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    level = whole(header.level)
    fields = fields_of(memory, level)
    chosen, second = _choose(memory, level, peers)
    cell = whole(ints[header.child_cell + chosen])
    phi = ints[header.child_phi + chosen]
    delta = ints[header.child_delta + chosen]
    ints[fields + at.L_CHOSEN] = chosen
    below = fields + at.LEVEL_FIELDS
    # a child's phi counts towards our delta, and its delta towards our phi
    of_siblings = ints[fields + at.L_DELTA] - phi
    ints[below + at.L_MAX_PHI] = max(ints[fields + at.L_MAX_DELTA] - of_siblings, phi + 1)
    # search on until it is a quarter worse than the next best child, so that moves change rarely
    tolerated = max(second, delta)
    tolerated += 1 + tolerated // TOLERANCE_DIVISOR
    most = min(ints[fields + at.L_MAX_PHI], tolerated)
    ints[below + at.L_MAX_DELTA] = max(most, delta + 1)
    ints[below + at.L_PHI] = phi
    ints[below + at.L_DELTA] = delta
    ints[below + at.L_BEST] = -1
    ints[below + at.L_EXPANDED] = NEW
    expand.forget_replies(memory, level + 1)
    key = header.child_hash + 2 * chosen
    work = 0
    if table_at.find(memory, table, words[key], words[key + 1], header.entry):
        work = whole(words[header.entry + table_at.WORK] >> uint64(32))
    ints[below + at.L_WORK] = ints[below + at.L_STORED] = work
    go_down(memory, cell)
    if header.threads > 1:
        peers[header.thread, level + 1] = words[key]


@part
def _choose(memory: Handle, level: int, peers: Any) -> tuple[int, int]:
    """Return the child of the window with the least delta, and the least of the others.

    Where the side to move seems to lose, threads share the children: the delta of one that another
    searches counts half as much again. Else they choose another one only if it is as good.
    """
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    fields = fields_of(memory, level)
    first = level * header.cells
    last = first + ints[fields + at.L_COUNT]
    live = 0
    for child in range(first, last):
        live += _is_left(memory, level, whole(ints[header.child_cell + child]))
    window = _window_of(memory, live)
    seems_lost = ints[fields + at.L_PHI] > ints[fields + at.L_DELTA]
    best = -1
    least = at.INFINITE
    second = at.INFINITE
    for child in range(first, last):
        if window == 0:
            break
        if not _is_left(memory, level, whole(ints[header.child_cell + child])):
            continue
        window -= 1
        delta = whole(ints[header.child_delta + child])
        if header.threads > 1:
            for thread in range(header.threads):
                if (
                    thread != header.thread
                    and peers[thread, level + 1] == words[header.child_hash + 2 * child]
                ):
                    farther = delta // 2 if seems_lost else 0
                    delta = min(delta + farther + 1, at.INFINITE - 1)
        if delta < least or best < 0:
            second = least
            least = delta
            best = child
        else:
            second = min(second, delta)
    return best, second


@part
def _add_work(memory: Handle, fields: int, above: int) -> None:
    """Add the work below a level that no table had to that of a level above."""
    ints = int_view(memory)
    done = ints[fields + at.L_WORK] - ints[fields + at.L_STORED]
    ints[above + at.L_WORK] = min(ints[above + at.L_WORK] + done, at.INFINITE)


@part
def _leave(memory: Handle, table: Any, cache: Any, proofs: Any, peers: Any) -> None:
    """Store the current level, and pass its result to the level above."""
    header = header_of(memory)
    ints = int_view(memory)
    level = whole(header.level)
    solved = ints[fields_of(memory, level) + at.L_EXPANDED] == SOLVED
    _settle(memory, cache, proofs, level, solved)
    key = _store(memory, table, level, solved)
    header.level = level - 1
    if header.threads > 1:
        _tell_peers(memory, peers, level, key, solved)
    if level > 0:
        _pass_up(memory, level, solved)


@part
def _settle(memory: Handle, cache: Any, proofs: Any, level: int, solved: bool) -> None:
    """Keep what is known of a level: its work, or, if it is solved, a small carrier and proof."""
    header = header_of(memory)
    ints = int_view(memory)
    fields = fields_of(memory, level)
    mover = whole(ints[fields + at.L_MOVER])
    mover_wins = ints[fields + at.L_PHI] == 0
    mover_loses = ints[fields + at.L_DELTA] == 0
    if solved:
        forget(memory, cache, level)
    else:
        note_work(memory, cache, level)
    if solved and header.shrink:
        if mover_wins:
            expand.shrink_carrier(memory, level, mover, whole(ints[fields + at.L_BEST]))
        else:
            expand.shrink_carrier(memory, level, 3 - mover, -1)
    if mover_loses and header.deduce and ints[fields + at.L_WORK] > 1:
        keep_proof(memory, proofs, level, set_of(memory, level, at.S_CARRIER))


@part
def _store(memory: Handle, table: Any, level: int, solved: bool) -> uint64:
    """Store a level in the table, turned if its position is; return its hash there."""
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    W = len(memory) - 2
    fields = fields_of(memory, level)
    block = block_of(memory, level)
    carrier = set_of(memory, level, at.S_CARRIER)
    best = ints[fields + at.L_BEST]
    if fill.is_turned(memory, block):
        key = block + at.H_TURNED_ONE
        table_at.turn_set(memory, carrier, header.quoted)
        best = header.cells - 1 - best if best >= 0 else -1
    else:
        key = block + at.H_ONE
        for w in range(W):
            words[header.quoted + w] = words[carrier + w]
    table_at.store(
        memory,
        table,
        words[key],
        words[key + 1],
        table_at.pack(ints[fields + at.L_PHI], ints[fields + at.L_DELTA]),
        max(ints[fields + at.L_WORK], 1),
        best,
        header.quoted if solved else -1,
    )
    return words[key]


@part
def _tell_peers(memory: Handle, peers: Any, level: int, key: uint64, solved: bool) -> None:
    """Take a level off what threads are at: our own, and a solved one of all."""
    header = header_of(memory)
    peers[header.thread, level] = uint64(0)
    if solved:
        for thread in range(header.threads):
            if peers[thread, level] == key:
                peers[thread, level] = uint64(0)


@part
def _pass_up(memory: Handle, level: int, solved: bool) -> None:
    """Pass numbers, work and, if it is solved, the conclusion of a level to the one above."""
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    fields = fields_of(memory, level)
    above = fields - at.LEVEL_FIELDS
    chosen = ints[above + at.L_CHOSEN]
    mover_wins = ints[fields + at.L_PHI] == 0
    ints[header.child_phi + chosen] = ints[fields + at.L_PHI]
    ints[header.child_delta + chosen] = ints[fields + at.L_DELTA]
    _add_work(memory, fields, above)
    if solved:
        carrier = set_of(memory, level, at.S_CARRIER)
        for w in range(len(memory) - 2):
            words[header.quoted + w] = words[carrier + w]
        cell = whole(ints[header.child_cell + chosen])
        if mover_wins:
            expand.note_reply(memory, level - 1, whole(ints[fields + at.L_BEST]))
        captured = set_of(memory, level, at.S_CAPTURED)
        _conclude(memory, level - 1, cell, mover_wins, captured)
