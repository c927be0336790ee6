"""Moves that have refuted others on the path: below it they come earlier.

What refutes one move often refutes the next one, and still does after an exchange elsewhere. So
each level counts which cell has refuted how many of its moves, from when the search enters it, and
a position sums what the levels count where the same side was to move. Counts of the path alone,
unlike those of all positions searched (the history heuristic), say the same whatever else was
searched before.
"""

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.solver.layout import desk_of
from hextui.engine.kernels.views import Handle, int_view, real_view


@part
def forget_replies(room: Handle, level: int) -> None:
    """Begin to count a level's replies."""
    desk = desk_of(room)
    ints = int_view(room)
    row = desk.replies + level * desk.cells
    for cell in range(desk.cells):
        ints[row + cell] = 0


@part
def note_reply(room: Handle, level: int, cell: int) -> None:
    """Count a move that has refuted one of a level's; -1, where none was needed, is not counted."""
    desk = desk_of(room)
    if cell >= 0:
        int_view(room)[desk.replies + level * desk.cells + cell] += 1


@part
def raise_replies(room: Handle, level: int) -> None:
    """Raise in SCORE what refuted moves of the levels above, the most frequent one to twice."""
    desk = desk_of(room)
    ints, reals = int_view(room), real_view(room)
    counts, most = desk.scratch, 1
    for cell in range(desk.cells):
        count = 0
        for above in range(level - 1, -1, -2):
            count += ints[desk.replies + above * desk.cells + cell]
        ints[counts + cell] = count
        most = max(most, count)
    for cell in range(desk.cells):
        reals[desk.score + cell] *= 1.0 + ints[counts + cell] / most
