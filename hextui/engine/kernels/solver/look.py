"""One look at a position for a search that keeps a tree of its own.

What ``expand`` says of it, and beside the currents through its cells both colours' resistances.
"""

from typing import Any

from hextui.engine.kernels.compiling import kernel
from hextui.engine.kernels.solver import layout as at
from hextui.engine.kernels.solver.descent import go_down
from hextui.engine.kernels.solver.expand import OPEN, expand, fields_of
from hextui.engine.kernels.solver.layout import desk_of
from hextui.engine.kernels.solver.order import flows_of, write_currents
from hextui.engine.kernels.solver.whole import whole
from hextui.engine.kernels.views import Handle, int_view, real_view


@kernel
def look(
    room: Handle, proofs: Any, black: Handle, white: Handle, moves: Any
) -> tuple[int, float, float]:
    """Play moves from level 0 and look there: WON, LOST or OPEN, and the mover's resistance.

    Behind it stands the other side's; both are 0 unless it is OPEN. ``moves``: int32[n], cells
    that are empty where they are played. The moves to look at and SCORE, the currents of both
    colours added, are left at the last level, those of a position that is not OPEN undefined.
    """
    desk = desk_of(room)
    ints, reals = int_view(room), real_view(room)
    desk.level = 0
    for i in range(len(moves)):
        go_down(room, whole(moves[i]))
    fields = fields_of(room, whole(desk.level))
    ints[fields + at.L_BEST] = -1
    outcome = whole(expand(room, proofs, black, white, True))
    if outcome != OPEN:
        return outcome, 0.0, 0.0
    own, other = (black, white) if ints[fields + at.L_MOVER] == 1 else (white, black)
    level = whole(desk.level)
    flows, above = flows_of(room, level), flows_of(room, level - 1)
    mine = write_currents(room, own, above)
    theirs = write_currents(room, other, flows)
    for cell in range(desk.cells):
        reals[desk.score + cell] = reals[flows + cell] + reals[above + cell]
    return outcome, mine, theirs
