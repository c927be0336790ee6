"""The links of a cell in the networks of both colours.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 2.1 and figs. 3 to 5.
"""

from collections.abc import Iterable

from hextui.engine.board import Color
from hextui.engine.evaluators.base import Workbench
from hextui.engine.explaining.shared import color_order, names
from hextui.engine.explanation import CellSet, Painting, Role
from hextui.engine.guards import check_empty
from hextui.engine.player_texts import player
from hextui.words.names import counted


def link_paintings(bench: Workbench, cell: int) -> tuple[Painting, ...]:
    """Return paintings of a cell's links: of each colour all, then each one with a carrier.

    Raises ValueError if the cell is not empty: networks have no stones.
    """
    check_empty(bench.position, cell)
    found: list[Painting] = []
    for color in color_order(bench.position.to_move):
        found += _of_color(bench, cell, color)
    return tuple(found)


def _of_color(bench: Workbench, cell: int, color: Color) -> list[Painting]:
    network, board, owner = bench.network(color), bench.board, player(color)
    carriers = {
        link.ends[link.ends[0] == cell]: sorted(link.carrier)
        for link in network.links
        if cell in link.ends
    }
    virtual = [node for node, carrier in carriers.items() if carrier]

    def painting(text: str, nodes: Iterable[int], carrier: Iterable[int]) -> Painting:
        linked = tuple(node for node in nodes if node < board.cells)
        sets = (CellSet(Role.CARRIER, tuple(carrier)), CellSet(Role.LINKED, linked))
        return Painting(f"links in {owner}'s network", text, color, sets)

    text = f"In {owner}'s network {board.name(cell)} has {counted(len(carriers), 'link')}."
    near = [node for node in carriers if node not in virtual]
    if near:
        text += f" Beside it, or joined to it by {owner}'s stones: {names(network, near)}."
    if virtual:
        text += f" By virtual links: {names(network, virtual)}."
    found = [painting(text, carriers, ())]
    for place, node in enumerate(virtual, start=1):
        text = (
            f"Virtual link {place} of {len(virtual)}: {board.name(cell)} to "
            f"{network.node_name(node)} over {names(network, carriers[node])}."
        )
        found.append(painting(text, [node], carriers[node]))
    return found
