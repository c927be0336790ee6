"""Descend from a level to the next: a move, its fill-in, and the stones of the path."""

from typing import Any

from hextui.engine.kernels.compiling import kernel, part
from hextui.engine.kernels.memory import Handle, int_view, whole, word_view
from hextui.engine.kernels.solver import layout as at
from hextui.engine.kernels.solver.expand import expand
from hextui.engine.kernels.solver.fill import play_and_fill
from hextui.engine.kernels.solver.layout import block_of, fields_of, header_of, stones_of


@part
def go_down(memory: Handle, cell: int) -> None:
    """Make the position after a move the next level, and the current one."""
    header = header_of(memory)
    ints = int_view(memory)
    words = word_view(memory)
    level = whole(header.level)
    fields = fields_of(memory, level)
    mover = ints[fields + at.L_MOVER]
    ints[fields + at.LEVEL_FIELDS + at.L_MOVER] = 3 - mover
    stones = stones_of(memory, level)
    to = stones_of(memory, level + 1)
    for i in range(header.cells):
        ints[to + i] = ints[stones + i]
    block = block_of(memory, level)
    to_block = block_of(memory, level + 1)
    for i in range(at.HASHES):
        words[to_block + i] = words[block + i]
    start = whole(ints[fields + at.L_PATH_END])
    _lay_path(memory, to, to_block, cell, mover, start)
    header.level = level + 1


@part
def _lay_path(memory: Handle, stones: int, block: int, cell: int, mover: int, start: int) -> None:
    """Play the move of the next level; the path up to the first new stone stays valid."""
    header = header_of(memory)
    ints = int_view(memory)
    path, before = header.path, header.scratch
    valid = max(ints[at.VALID + 1], ints[at.VALID + 2])
    for i in range(start, valid):
        ints[before + i] = ints[path + i]
    end = play_and_fill(memory, stones, block, cell, mover, start)
    ints[fields_of(memory, header.level + 1) + at.L_PATH_END] = end
    same = start
    while same < min(end, valid) and ints[before + same] == ints[path + same]:
        same += 1
    if same < min(end, valid):
        for color in range(1, 3):
            ints[at.VALID + color] = min(ints[at.VALID + color], same)


@kernel
def look(memory: Handle, proofs: Any, black: Handle, white: Handle, moves: Any) -> int:
    """Play moves from level 0 and expand; return WON, LOST or OPEN.

    ``moves``: int32[n], cells that are empty when they are played. The children are left at the
    last level; they are undefined unless the position is OPEN.
    """
    header = header_of(memory)
    ints = int_view(memory)
    header.level = 0
    for i in range(len(moves)):
        go_down(memory, whole(moves[i]))
    ints[fields_of(memory, whole(header.level)) + at.L_BEST] = -1
    return whole(expand(memory, proofs, black, white, True))
