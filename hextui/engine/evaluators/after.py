"""Both colours' networks after a move, as one-ply evaluators see them.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 6.1: connections are updated
after the move.
"""

from hextui.engine.board import Color
from hextui.engine.evaluators.base import Workbench
from hextui.engine.evaluators.fresh import bench_after
from hextui.engine.network import Network, network
from hextui.engine.orientation import Orientation


def networks_after(bench: Workbench, cell: int, fresh: bool = False) -> dict[Color, Network]:
    """Return each colour's network, with virtual links, after the mover's stone on a cell.

    ``fresh``: the position after the move is searched from the beginning, not updated.
    """
    if fresh:
        child = bench_after(bench, cell)
        return {color: child.network(color) for color in Color}
    position = bench.position
    seen = bench.outlook(position.to_move).orientation
    place = int(seen.seen_at[cell])
    # of two cells that change places under a turn the first is counted, and serves for both
    if seen.symmetric and place > seen.position.board.rotate(place):
        turned = Orientation(position.rotated(), turned=True)
        found = _networks(bench, bench.board.rotate(cell))
        return {color: there.carried_back(turned) for color, there in found.items()}
    return _networks(bench, cell)


def _networks(bench: Workbench, cell: int) -> dict[Color, Network]:
    found = {}
    for color in Color:
        outlook = bench.outlook(color)
        search, orientation = outlook.search, outlook.orientation
        own = color is bench.position.to_move
        stone = search.color if own else search.color.opponent
        search.play(int(orientation.seen_at[cell]), stone)
        try:
            table = search.table()
        finally:
            search.undo()
        there = network(table.position, search.color, table, bench.room)
        found[color] = there.carried_back(orientation)
    return found
