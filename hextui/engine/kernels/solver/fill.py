"""Stones, hashes and fill-in of a position, to a fixpoint: dead, captured and inferior cells.

Source: docs/methods.md#inferior-cells. A cell is dead if its ring says so (see layout.py). Two
adjacent empty cells are captured by a colour if its stone on either one makes the other one dead.
The middle of a shut bay is permanently inferior for one colour, and gets a stone of the other. A
position is an array of stones (with border cells) and a block of words: four hashes, of the
position and of it turned by 180 degrees, then sets of cells (see layout.py).
"""

from numpy import uint64

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.memory import Handle, int_view, lowest, whole, word_view
from hextui.engine.kernels.solver import layout as at
from hextui.engine.kernels.solver.layout import header_of

# the bits of a killer code that stand for black stones
OF_FIRST = uint64(0b010101010101)


@part
def code_of(memory: Handle, stones: int, cell: int) -> int:
    """Return the code of the ring of six cells around a cell."""
    header = header_of(memory)
    ints = int_view(memory)
    near = header.near + 6 * cell
    return (
        ints[stones + ints[near]]
        | ints[stones + ints[near + 1]] << 2
        | ints[stones + ints[near + 2]] << 4
        | ints[stones + ints[near + 3]] << 6
        | ints[stones + ints[near + 4]] << 8
        | ints[stones + ints[near + 5]] << 10
    )


@part
def put(memory: Handle, stones: int, block: int, cell: int, kind: int) -> None:
    """Put a stone (or DEAD) on an empty cell and update the hashes."""
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    cells = header.cells
    ints[stones + cell] = kind
    first = header.zobrist + kind * cells
    second = first + 4 * cells
    turned = cells - 1 - cell
    words[block + at.H_ONE] ^= words[first + cell]
    words[block + at.H_TWO] ^= words[second + cell]
    words[block + at.H_TURNED_ONE] ^= words[first + turned]
    words[block + at.H_TURNED_TWO] ^= words[second + turned]


@part
def pass_turn(memory: Handle, block: int) -> None:
    """Update the hashes for the other side to move."""
    header = header_of(memory)
    words = word_view(memory)
    # the words of kind 0, empty, are in use for nothing else
    turn = header.zobrist + 8 * header.cells
    for i in range(2):
        words[block + at.H_ONE + i] ^= words[turn + i]
        words[block + at.H_TURNED_ONE + i] ^= words[turn + i]


@part
def fill_in(
    memory: Handle, stones: int, block: int, waiting: int, record: int, inferior: int
) -> int:
    """Fill in what the queued cells' surroundings make dead, captured or inferior.

    The first ``waiting`` entries of QUEUE are empty cells, marked in QUEUED. The cells that each
    colour's stones need empty are written to the block. ``inferior``: the colours of inferior
    fill-in, 3 for both. What is filled is appended to PATH from ``record``, unless negative;
    returns its end.
    """
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    W = len(memory) - 2
    queue = header.queue
    queued = header.queued
    dead = header.dead_code
    captured = block + at.HASHES + at.S_CAPTURED * W
    end = record
    head = 0
    while head < waiting:
        cell = whole(ints[queue + head])
        head += 1
        ints[queued + cell] = 0
        if ints[stones + cell] != 0:
            continue
        code = code_of(memory, stones, cell)
        if ints[dead + code]:
            put(memory, stones, block, cell, at.DEAD)
            if record >= 0:
                ints[header.path + end] = cell << 2 | at.DEAD
            end += 1
            waiting = queue_around(memory, stones, cell, waiting)
            continue
        partner, color = _partner(memory, stones, cell, code)
        if partner >= 0:
            for member in (cell, partner):
                put(memory, stones, block, member, color)
                words[captured + (color - 1) * W + (member >> 6)] |= uint64(1) << uint64(
                    member & 63
                )
                if record >= 0:
                    ints[header.path + end] = member << 2 | color
                end += 1
            waiting = queue_around(memory, stones, cell, waiting)
            waiting = queue_around(memory, stones, partner, waiting)
        else:
            end, waiting = _fill_bays(
                memory, stones, block, cell, code, waiting, record, end, inferior
            )
        if head > 4 * header.cells:
            # move what waits to the front, so that the queue never outgrows its place
            for i in range(head, waiting):
                ints[queue + i - head] = ints[queue + i]
            waiting -= head
            head = 0
    return end


@part
def queue_around(memory: Handle, stones: int, cell: int, waiting: int) -> int:
    """Queue the empty cells around a cell; return the new length of the queue."""
    header = header_of(memory)
    ints = int_view(memory)
    near = header.near + 6 * cell
    for i in range(6):
        other = whole(ints[near + i])
        if ints[stones + other] == 0 and not ints[header.queued + other]:
            ints[header.queued + other] = 1
            ints[header.queue + waiting] = other
            waiting += 1
    return waiting


@part
def _partner(memory: Handle, stones: int, cell: int, code: int) -> tuple[int, int]:
    """Return the other cell of a captured pair, and the colour that captures it, or -1, 0."""
    header = header_of(memory)
    ints = int_view(memory)
    killers = uint64(ints[header.killer_code + code])
    while killers:
        i = lowest(killers) >> 1
        color = (lowest(killers) & 1) + 1
        killers &= killers - uint64(1)
        other = whole(ints[header.near + 6 * cell + i])
        back = 2 * ((i + 3) % 6) + color - 1
        if ints[header.killer_code + code_of(memory, stones, other)] >> back & 1:
            return other, color
    return -1, 0


@part
def _fill_bays(
    memory: Handle,
    stones: int,
    block: int,
    cell: int,
    code: int,
    waiting: int,
    record: int,
    end: int,
    colors: int,
) -> tuple[int, int]:
    """Fill in an empty cell, and those beside it, if inferior; return the ends of both lists."""
    header = header_of(memory)
    ints = int_view(memory)
    beside = ints[header.beside_code + code]
    for i in range(7):
        if not beside >> i & 1:
            continue
        middle = cell if i == 6 else whole(ints[header.near + 6 * cell + i])
        if _put_inferior(memory, stones, block, middle, colors):
            if record >= 0:
                ints[header.path + end] = middle << 2 | ints[stones + middle]
            end += 1
            waiting = queue_around(memory, stones, middle, waiting)
    return end, waiting


@part
def _put_inferior(memory: Handle, stones: int, block: int, cell: int, colors: int) -> bool:
    """Put a stone on the middle of a shut bay of one of the colours; return whether it is one."""
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    bay = ints[header.bay_code + code_of(memory, stones, cell)]
    if bay == 0:
        return False
    color = 2 - (bay & 1)
    i = (bay - 1) >> 1
    near = header.near + 6 * cell
    near_end = whole(ints[near + i])
    far_end = whole(ints[near + (i + 2) % 6])
    if (
        not color & colors
        or not _is_shut(memory, stones, near_end, i, 5, color)
        or not _is_shut(memory, stones, far_end, (i + 2) % 6, 1, color)
    ):
        return False
    put(memory, stones, block, cell, color)
    needed = block + at.HASHES + (at.S_CAPTURED + color - 1) * (len(memory) - 2)
    for other in (cell, near_end, whole(ints[near + (i + 1) % 6]), far_end):
        words[needed + (other >> 6)] |= uint64(1) << uint64(other & 63)
    return True


@part
def _is_shut(memory: Handle, stones: int, end: int, away: int, turn: int, color: int) -> bool:
    """Return whether an end of a bay of ``color`` is shut to the other colour.

    ``away``: the direction to it from the middle; ``turn``: that of the stones beside the bay.
    """
    ints = int_view(memory)
    near = header_of(memory).near + 6 * end
    return (
        ints[stones + ints[near + (away + turn) % 6]] & color
        or ints[stones + ints[near + away]] & 3 - color
        or ints[stones + ints[near + (away + 6 - turn) % 6]] & color
    )


@part
def play_and_fill(
    memory: Handle, stones: int, block: int, cell: int, mover: int, record: int
) -> int:
    """Play a move, fill in, pass the turn; ``record`` as in ``fill_in``. Return the end of PATH."""
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    W = len(memory) - 2
    captured = block + at.HASHES + at.S_CAPTURED * W
    for w in range(2 * W):
        words[captured + w] = uint64(0)
    put(memory, stones, block, cell, mover)
    pass_turn(memory, block)
    end = record
    if record >= 0:
        ints[header.path + record] = cell << 2 | mover
        end += 1
    if header.fill:
        end = fill_in(memory, stones, block, queue_around(memory, stones, cell, 0), end, 3)
    return end


@part
def killer_of(memory: Handle, stones: int, cell: int, opponent: int) -> int:
    """Return a reply of the opponent that makes a stone on the cell dead, -1 if none."""
    header = header_of(memory)
    ints = int_view(memory)
    code = code_of(memory, stones, cell)
    killers = uint64(ints[header.killer_code + code]) & (OF_FIRST << uint64(opponent - 1))
    if killers == uint64(0):
        return -1
    return whole(ints[header.near + 6 * cell + (lowest(killers) >> 1)])


@part
def is_turned(memory: Handle, block: int) -> bool:
    """Return whether the turned position is the one that stands for both."""
    words = word_view(memory)
    return words[block + at.H_TURNED_ONE] < words[block + at.H_ONE]


@part
def is_symmetric(memory: Handle, block: int) -> bool:
    """Return whether a turn by 180 degrees gives the same position."""
    words = word_view(memory)
    return (
        words[block + at.H_TURNED_ONE] == words[block + at.H_ONE]
        and words[block + at.H_TURNED_TWO] == words[block + at.H_TWO]
    )
