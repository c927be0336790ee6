"""Short paths between a colour's edges: the sets S_k, their exact counts, k-contribution.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), sections 3 and 4.1.3. S_k
holds the simple paths of d + k links, d the distance of the edges in a reduced network, k = 0, 1,
2. With virtual links, a path is accepted unless all the cells it uses, interior nodes and
carriers, are part of what one path with fewer links uses.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hextui.engine.guards import check_node
from hextui.engine.kernels.connections import state as connection_state
from hextui.engine.kernels.paths import room as network_memory
from hextui.engine.kernels.paths.counting import count_all
from hextui.engine.kernels.paths.reduction import network_of_arrays
from hextui.engine.network import Network, PathRoom, link_tables

LEVELS = network_memory.LEVELS


@dataclass(frozen=True, eq=False)
class PathCounts:
    """The paths of levels 0 to k in one network; k = 2 where they are counted, not listed.

    ``distance`` d in links, None if the edges are cut off (then all counts are 0). ``raw[k]``
    counts all paths of d + k links, ``accepted[k]`` those that the rule accepts. Where
    ``exact_levels[k]`` is False a limit stopped the search and ``accepted[k]`` is an upper
    bound, or ``raw[k]`` is so large (2^53 over the number of nodes) that it is rounded.

    The arrays are read-only float64[k + 1, cells]: ``raw_through[k, u]`` and
    ``accepted_through[k, u]`` count the paths of level k with cell u on them.
    """

    distance: int | None
    raw: tuple[int, ...]
    accepted: tuple[int, ...]
    exact_levels: tuple[bool, ...]
    raw_through: NDArray[np.float64] = field(repr=False)
    accepted_through: NDArray[np.float64] = field(repr=False)
    contribution: NDArray[np.float64] = field(repr=False)
    """k-contribution (eq. 6) float64[k + 1, cells]: the share of the accepted paths of levels 0 to
    k that pass through the cell, 0 to 1; 0 where there are none."""

    @property
    def exact(self) -> bool:
        """Whether all levels are exact."""
        return all(self.exact_levels)


def count_paths(network: Network, room: PathRoom | None = None) -> PathCounts:
    """Count the short paths of a network, within the limits of ``room`` (of its board).

    Raises ValueError for a room of another board, or a network with nodes that are not there.
    """
    board = network.board
    room = room or PathRoom(board)
    room.check_fits(board)
    for node in (min(network.nodes), max(network.nodes)):
        check_node(board, node)
    nodes = np.zeros((2, board.cells + 2), np.int32)
    nodes[0, list(network.nodes)] = connection_state.EMPTY_CELL
    nodes[0, board.cells :] = connection_state.OWN_EDGE
    nodes[1] = np.arange(board.cells + 2)
    linked, row_of = link_tables(board, network.arrays)
    carriers = room.fitted(network.arrays.carriers)
    room.net["stop"] = 0
    network_of_arrays(room.handle, nodes, linked, row_of, carriers, LEVELS - 1)
    count_all(room.handle)

    results = room.words[: network_memory.RESULTS].view(np.float64).reshape(3, LEVELS)
    raw, refused = results[:2].astype(np.int64).tolist()
    through = _by_cell(room, "through")
    accepted_through = through - _by_cell(room, "refused")
    accepted = (raw[0] - refused[0], raw[1] - refused[1], raw[2] - refused[2])
    sums = np.maximum(np.cumsum(accepted), 1)
    contribution = np.cumsum(accepted_through, axis=0) / sums[:, np.newaxis]
    for array in (through, accepted_through, contribution):
        array.flags.writeable = False
    return PathCounts(
        network.distance,
        (raw[0], raw[1], raw[2]),
        accepted,
        (bool(results[2, 0]), bool(results[2, 1]), bool(results[2, 2])),
        through,
        accepted_through,
        contribution,
    )


def _by_cell(room: PathRoom, name: str) -> NDArray[np.float64]:
    """Return a copy of a table of the room as float64[3, cells]."""
    size = LEVELS * room.board.cells
    table = room.words[room.net[name] :][:size].view(np.float64)
    return table.reshape(LEVELS, room.board.cells).copy()
