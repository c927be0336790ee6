"""Both colours' networks after a move, as one-ply evaluators see them.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 6.1: connections are updated
after the move, in the canonical orientation; here the networks are carried back from there.
"""

import numpy as np

from hextui.engine.board import Color
from hextui.engine.evaluators.base import Orientation, Workbench
from hextui.engine.network import LinkArrays, Network, network
from hextui.engine.widths import width_of


def networks_after(bench: Workbench, cell: int) -> dict[Color, Network]:
    """Return each colour's network, with virtual links, after the mover's stone on a cell."""
    seen, orientation = bench.in_canonical_orientation()
    position, board = orientation.position, orientation.position.board
    place = orientation.cell_of.index(cell)
    # of two cells that change places under a turn, one is counted, and serves for both
    turned = position.rotated() == position and board.rotate(place) < place
    if turned:
        place = board.rotate(place)
    found = {}
    for color in Color:
        search = seen.search(color)
        search.play(place, position.to_move)
        try:
            table = search.table()
        finally:
            search.undo()
        there = network(table.position, color, table, seen.room)
        back = carried_back(there, orientation, bench, turned)
        found[back.color] = back
    return found


def carried_back(there: Network, orientation: Orientation, bench: Workbench, turn: bool) -> Network:
    """Return a network of a canonical position as a network of the bench's board.

    ``turn``: it is turned by 180 degrees on the way.
    """
    board, cells = bench.board, bench.board.cells
    node_of = np.arange(cells + 2, dtype=np.int32)
    node_of[:cells] = orientation.cell_of
    if turn:
        node_of[:cells] = node_of[:cells][::-1]
    if node_of[0] != 0:  # the first side has become the second
        node_of[cells:] = node_of[cells:][::-1]
    ends = np.sort(node_of[there.arrays.ends], axis=1)
    carriers = np.zeros((len(ends), width_of(cells)), np.uint64)
    for link, row in zip(there.links, carriers, strict=True):
        for cell in node_of[list(link.carrier)].tolist():
            row[cell >> 6] |= np.uint64(1) << np.uint64(cell & 63)
    order = np.lexsort((ends[:, 1], ends[:, 0]))
    return Network(
        board,
        there.color.opponent if orientation.mirrored else there.color,
        tuple(sorted(node_of[list(there.nodes)].tolist())),
        there.distance,
        LinkArrays(ends[order], carriers[order]),
    )
