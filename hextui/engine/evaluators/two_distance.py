"""Two-distance: how far an edge is if the opponent blocks the best way at every step.

Source: J. van Rijswijck's two-distance, see docs/methods.md#two-distance. In the reduced
network d2(x, edge) is 1 if x is linked to the edge, else 1 plus the second smallest d2 over
x's neighbours. A cell's potential is the sum over both own edges; small is good.
"""

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass

from hextui.engine.evaluators.base import Workbench, rank_by_value
from hextui.engine.network import Network
from hextui.engine.ranking import Ranking


def two_distances(network: Network, edge: int) -> dict[int, float]:
    """Return d2 of each cell of a network to one edge (its node), inf where there is none."""
    near = network.neighbours
    distance = {node: math.inf for node in near if node < network.board.cells}
    offers: dict[int, int] = dict.fromkeys(distance, 0)
    waiting = [(1.0, node) for node in near[edge] if node in distance]
    for _, node in waiting:
        offers[node] = 2
    heapq.heapify(waiting)
    while waiting:
        value, node = heapq.heappop(waiting)
        if distance[node] <= value:
            continue
        distance[node] = value
        for other in near[node]:
            if other in distance and distance[other] == math.inf:
                offers[other] += 1
                # nodes come off the heap in order, so the second offer is the second smallest
                if offers[other] == 2:
                    heapq.heappush(waiting, (value + 1, other))
    return distance


@dataclass(frozen=True)
class TwoDistance:
    """Ranks cells by the sum of both colours' potentials, the smallest first.

    ``links``: in networks with virtual links (the default), else plain ones. A cell without a
    finite potential in one network has value inf. Inferior cells are not filled in.
    """

    links: bool = True

    @property
    def name(self) -> str:
        """The name in the registry."""
        return "two-distance" if self.links else "two-distance:plain"

    @property
    def source(self) -> str:
        """Where the method comes from."""
        return "J. van Rijswijck's two-distance: docs/methods.md#two-distance"

    def rank(self, bench: Workbench) -> Iterator[Ranking]:
        """Yield the one, final ranking."""
        position = bench.position
        networks = [
            bench.network(c, self.links) for c in (position.to_move.opponent, position.to_move)
        ]
        cells = position.board.cells
        tables = [two_distances(n, edge) for n in networks for edge in (cells, cells + 1)]
        yield rank_by_value(
            self.name,
            {cell: sum(t.get(cell, math.inf) for t in tables) for cell in position.empties},
            lowest_first=True,
        )

    def worth(self, bench: Workbench, ranking: Ranking) -> float:
        """Return by how much the own best potential is smaller than the opponent's.

        A potential that more cells attain breaks ties: it is worth up to half a step more.
        """
        mover = bench.position.to_move
        (own, ways), (other, blocks) = (
            self._best(bench.network(c, self.links)) for c in (mover, mover.opponent)
        )
        if own == other:
            return (ways - blocks) / (2 * bench.board.cells)
        return other - own + (ways - blocks) / (2 * bench.board.cells)

    @staticmethod
    def _best(network: Network) -> tuple[float, int]:
        """Return the smallest potential of a cell, and how many cells attain it."""
        cells = network.board.cells
        first, second = (two_distances(network, edge) for edge in (cells, cells + 1))
        potentials = [first[cell] + second[cell] for cell in first]
        best = min(potentials, default=math.inf)
        return best, potentials.count(best)

    def turned(self, worth: float) -> float:
        """Return the worth to the other side."""
        return -worth
