"""Two-distance: how far an edge is if the opponent blocks the best way at every step.

Source: J. van Rijswijck, docs/methods.md#two-distance. In the reduced network d2(x, edge) is 1 if x
is linked to the edge, else 1 plus the second smallest d2 over x's neighbours. A cell's potential is
the sum over both own edges; small is good.
"""

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from hextui.engine.evaluators.base import PLAIN, BestValues, Evaluator, Scale, Source
from hextui.engine.explanation import CellSet, Facts, Illustration, Role, Shows, Term
from hextui.engine.ranking import Ranking, rank_by_value

if TYPE_CHECKING:
    from hextui.engine.evaluators.workbench import Workbench
    from hextui.engine.network import Network


def two_distances(network: "Network", edge: int) -> dict[int, float]:
    """Return d2 of each cell of a network to one edge (its node), inf where there is none."""
    near = network.neighbours
    distance = {node: math.inf for node in near if node < network.board.cells}
    waiting = deque(node for node in near[edge] if node in distance)
    for node in waiting:
        distance[node] = 1.0
    reached = set[int]()  # by one neighbour so far
    while waiting:
        node = waiting.popleft()
        for other in near[node]:
            if distance.get(other) != math.inf:
                continue
            if other in reached:
                # nodes are taken by rising distance, so this neighbour's is the second smallest
                distance[other] = distance[node] + 1
                waiting.append(other)
            reached.add(other)
    return distance


@dataclass(frozen=True)
class TwoDistance(Evaluator):
    """Ranks cells by the sum of both colours' potentials, the smallest first; inf without one."""

    method = "two-distance"
    short = "2-dist"
    about = "distance by second-best moves"
    scale = Scale("steps to all four sides", BestValues.LOW)
    source = Source(
        authors="J. van Rijswijck",
        year=2000,
        title="Are bees better than fruitflies? Experiments with a Hex playing program. "
        "LNCS 1822, 13-25",
        where="two-distance",
        link="https://pdfkul.com/are-bees-better-than-fruitflies_5acb4e8d7f8b9a7a6b8b456c.html",
    )

    plain: Annotated[bool, PLAIN] = False

    def rank(self, bench: "Workbench") -> Iterator[Ranking]:
        position = bench.position
        networks = [
            bench.network(c, not self.plain) for c in (position.to_move.opponent, position.to_move)
        ]
        cells = position.board.cells
        tables = [two_distances(n, edge) for n in networks for edge in (cells, cells + 1)]
        potentials = {}
        for cell in position.empties:
            potentials[cell] = sum(table.get(cell, math.inf) for table in tables)
        yield rank_by_value(self.name, potentials, lowest_first=True)

    def worth(self, bench: "Workbench", ranking: Ranking) -> float:
        """Return the opponent's best potential minus the own one; more cells with it break ties."""
        mover = bench.position.to_move
        (own, ways), (other, blocks) = (
            _best(bench.network(c, not self.plain)) for c in (mover, mover.opponent)
        )
        if own == other:
            return (ways - blocks) / (2 * bench.board.cells)
        return other - own + (ways - blocks) / (2 * bench.board.cells)

    def facts(self, bench: "Workbench", move: int, ranking: Ranking) -> Facts:
        mover = bench.position.to_move
        terms = []
        pictures = []
        for color in (mover, mover.opponent):
            network = bench.network(color, not self.plain)
            for side in (bench.board.cells, bench.board.cells + 1):
                distances = two_distances(network, side)
                symbol = f"d2({network.node_name(side)})"
                terms.append(Term(symbol, distances.get(move, math.inf), color))
                pictures += _ways(network, side, distances, move)
        return Facts(tuple(terms), tuple(pictures))


def _best(network: "Network") -> tuple[float, int]:
    """Return the smallest potential of a cell, and how many cells attain it."""
    cells = network.board.cells
    first, second = (two_distances(network, edge) for edge in (cells, cells + 1))
    potentials = [first[cell] + second[cell] for cell in first]
    best = min(potentials, default=math.inf)
    return best, potentials.count(best)


def _ways(
    network: "Network", side: int, distances: dict[int, float], move: int
) -> list[Illustration]:
    """Return pictures of the best way to a side and of the second best."""
    color = network.color
    move_cells = (CellSet(Role.WAY, (move,)),)
    if side in network.neighbours.get(move, ()):
        return [Illustration(Shows.BESIDE_SIDE, color, move_cells, node=side)]
    two = _nearest(network, distances, move)
    if len(two) < 2:
        return [Illustration(Shows.NO_TWO_WAYS, color, move_cells, node=side)]
    first, second = (_way_on(network, side, distances, cell) for cell in two)
    best = (CellSet(Role.WAY, (move, *first)),)
    other = (CellSet(Role.WAY, (move, *second)), CellSet(Role.BLOCKED, (first[0],)))
    return [
        Illustration(Shows.BEST_WAY, color=color, parts=best, node=side, amount=distances[two[0]]),
        Illustration(
            Shows.SECOND_WAY, color=color, parts=other, node=side, amount=distances[two[1]]
        ),
    ]


def _nearest(network: "Network", distances: dict[int, float], cell: int) -> list[int]:
    """Return the two neighbours with the smallest distances, fewer if not so many reach."""
    near = [n for n in network.neighbours.get(cell, ()) if distances.get(n, math.inf) < math.inf]
    return sorted(near, key=lambda n: (distances[n], n))[:2]


def _way_on(network: "Network", side: int, distances: dict[int, float], cell: int) -> list[int]:
    """Return a way on to the side, at each step by the second best neighbour."""
    cells = [cell]
    while side not in network.neighbours[cells[-1]]:
        cells.append(_nearest(network, distances, cells[-1])[1])
    return cells
