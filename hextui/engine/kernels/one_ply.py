"""Both colours' short paths after every move, by differential connection search.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 6.1: for each
move, update the connections, build both networks, count, take the move back.
"""

from typing import Any

from hextui.engine.kernels.compiling import kernel, part
from hextui.engine.kernels.connections.state import pool_of
from hextui.engine.kernels.connections.updates import play_opponent, play_own, undo
from hextui.engine.kernels.paths import room as at
from hextui.engine.kernels.paths.counting import count_paths
from hextui.engine.kernels.paths.reduction import network_of_search
from hextui.engine.kernels.paths.room import net_of
from hextui.engine.kernels.places import places
from hextui.engine.kernels.views import Handle, real_view

# columns of the results of one colour after one move
DISTANCE, RAW, REFUSED, EXACT, FIELDS = places(1, at.LEVELS, at.LEVELS, 1)


@kernel
def count_after_moves(
    mover: Handle, other: Handle, room: Handle, cells: Any, slack: int, results: Any
) -> None:
    """Count both colours' paths of d to d + slack links after each move.

    ``mover``, ``other``: connection searches of the side to move and of its opponent. ``cells``:
    int32[n, 2], each move as the one and as the other search has it. ``results``: int64[n, 2,
    FIELDS], written: mover, then opponent; distance (paths/room.py: CUT if cut off), raw counts,
    refused counts, and 1 if exact.
    """
    for i in range(len(cells)):
        play_own(mover, int(cells[i, 0]))
        play_opponent(other, int(cells[i, 1]))
        _count(mover, room, slack, results[i, 0])
        _count(other, room, slack, results[i, 1])
        undo(mover)
        undo(other)


@part
def _count(search: Handle, room: Handle, slack: int, result: Any) -> None:
    pool = pool_of(search)
    network_of_search(room, search, slack)
    count_paths(room)
    reals = real_view(room)
    result[DISTANCE] = net_of(room).distance
    exact = pool.overflow == 0
    for level in range(slack + 1):
        result[RAW + level] = int(reals[at.RESULT_RAW + level])
        result[REFUSED + level] = int(reals[at.RESULT_REFUSED + level])
        exact = exact and reals[at.RESULT_EXACT + level] == 1.0
    result[EXACT] = 1 if exact else 0
