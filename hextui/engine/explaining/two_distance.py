"""The two-distances of a cell to its four sides, and the two ways to each."""

import math

from hextui.engine.evaluators.base import Workbench
from hextui.engine.evaluators.two_distance import TwoDistance, two_distances
from hextui.engine.explaining.shared import color_order, explanation
from hextui.engine.explanation import CellSet, Explanation, Painting, Role, Source, Term
from hextui.engine.network import Network
from hextui.engine.player_texts import player
from hextui.engine.ranking import Ranking

RIJSWIJCK = Source(
    "J. van Rijswijck",
    2000,
    "Are bees better than fruitflies? Experiments with a Hex playing program. LNCS 1822, 13-25",
    "two-distance",
    "https://pdfkul.com/are-bees-better-than-fruitflies_5acb4e8d7f8b9a7a6b8b456c.html",
)
SENTENCE = (
    "How far the cell is from all four sides, if at every step the opponent blocks the best way "
    "on and the second best is taken."
)


def explain(evaluator: TwoDistance, bench: Workbench, move: int, ranking: Ranking) -> Explanation:
    """Return why a cell has its sum of two-distances."""
    terms: list[Term] = []
    paintings: list[Painting] = []
    for color in color_order(bench.position.to_move):
        network = bench.network(color, evaluator.links)
        for side in (bench.board.cells, bench.board.cells + 1):
            distances = two_distances(network, side)
            name = network.node_name(side)
            distance = distances.get(move, math.inf)
            terms.append(Term(f"d2({name})", distance, f"two-distance to {name}", color))
            paintings += _ways(network, side, distances, move)
    return explanation(
        bench.position,
        bench.position,
        move,
        ranking,
        sentence=SENTENCE,
        formula="d2(top) + d2(bottom) + d2(left) + d2(right); d2(x) = 1 beside the side, "
        "else 1 + the second smallest d2 of the neighbours",
        direction="The smallest sum is the best for the side to move.",
        source=RIJSWIJCK,
        terms=tuple(terms),
        paintings=tuple(paintings),
    )


def _ways(network: Network, side: int, distances: dict[int, float], move: int) -> list[Painting]:
    """Return paintings of the best way to a side and of the second best."""
    name, owner = network.node_name(side), player(network.color)
    group = f"ways to {name}"
    if side in network.neighbours.get(move, ()):
        text = f"{network.board.name(move)} is linked to {name}: d2 is 1."
        return [Painting(group, text, network.color, (CellSet(Role.WAY, (move,)),))]
    two = _nearest(network, distances, move)
    if len(two) < 2:
        text = f"{owner} has no two ways from {network.board.name(move)} to {name}."
        return [Painting(group, text, network.color, (CellSet(Role.WAY, (move,)),))]
    first, second = (_way_on(network, side, distances, cell) for cell in two)
    texts = (
        f"The best way, which the opponent blocks: {_told(network, move, first, name)}; "
        f"d2({network.board.name(two[0])}) = {distances[two[0]]:g}.",
        f"The second best, which counts: {_told(network, move, second, name)}; "
        f"d2({network.board.name(two[1])}) = {distances[two[1]]:g}, so d2 is "
        f"{distances[two[1]] + 1:g}.",
    )
    return [
        Painting(group, texts[0], network.color, (CellSet(Role.WAY, (move, *first)),)),
        Painting(
            group,
            texts[1],
            network.color,
            (CellSet(Role.WAY, (move, *second)), CellSet(Role.BLOCKED, (first[0],))),
        ),
    ]


def _nearest(network: Network, distances: dict[int, float], cell: int) -> list[int]:
    """Return the two neighbours with the smallest distances, fewer if not so many reach."""
    near = [n for n in network.neighbours.get(cell, ()) if distances.get(n, math.inf) < math.inf]
    return sorted(near, key=lambda n: (distances[n], n))[:2]


def _way_on(network: Network, side: int, distances: dict[int, float], cell: int) -> list[int]:
    """Return a way on to the side, at each step by the second best neighbour."""
    cells = [cell]
    while side not in network.neighbours[cells[-1]]:
        cells.append(_nearest(network, distances, cells[-1])[1])
    return cells


def _told(network: Network, move: int, cells: list[int], side: str) -> str:
    return "-".join([*map(network.board.name, (move, *cells)), side])
