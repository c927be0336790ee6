"""Going down from a level to the next: a move, what it fills in, and the stones of the path."""

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.solver import layout as at
from hextui.engine.kernels.solver.expand import block_of, fields_of
from hextui.engine.kernels.solver.fill import play_and_fill, stones_of
from hextui.engine.kernels.solver.layout import desk_of
from hextui.engine.kernels.solver.whole import whole
from hextui.engine.kernels.views import Handle, int_view, word_view


@part
def go_down(room: Handle, cell: int) -> None:
    """Make the position after a move the next level, and that the current one."""
    desk = desk_of(room)
    ints, words = int_view(room), word_view(room)
    level = whole(desk.level)
    fields = fields_of(room, level)
    mover = ints[fields + at.L_MOVER]
    ints[fields + at.LEVEL_FIELDS + at.L_MOVER] = 3 - mover
    stones, to = stones_of(room, level), stones_of(room, level + 1)
    for i in range(desk.cells):
        ints[to + i] = ints[stones + i]
    block, to_block = block_of(room, level), block_of(room, level + 1)
    for i in range(at.HASHES):
        words[to_block + i] = words[block + i]
    start = whole(ints[fields + at.L_PATH_END])
    _lay_path(room, to, to_block, cell, mover, start)
    desk.level = level + 1


@part
def _lay_path(room: Handle, stones: int, block: int, cell: int, mover: int, start: int) -> None:
    """Play the move of the next level; the path up to the first new stone stays valid."""
    desk = desk_of(room)
    ints = int_view(room)
    path, before = desk.path, desk.scratch
    valid = max(ints[at.VALID + 1], ints[at.VALID + 2])
    for i in range(start, valid):
        ints[before + i] = ints[path + i]
    end = play_and_fill(room, stones, block, cell, mover, start)
    ints[fields_of(room, desk.level + 1) + at.L_PATH_END] = end
    same = start
    while same < min(end, valid) and ints[before + same] == ints[path + same]:
        same += 1
    if same < min(end, valid):
        for color in range(1, 3):
            ints[at.VALID + color] = min(ints[at.VALID + color], same)
