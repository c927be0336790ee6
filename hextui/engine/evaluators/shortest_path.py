"""E: the ratio of both colours' distances, one ply ahead.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 6, eq. 11.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hextui.engine.board import Color
from hextui.engine.evaluators.base import (
    After,
    TieOrder,
    Ties,
    Workbench,
    best_ratio,
    inverse,
    rank_by_value,
)
from hextui.engine.evaluators.fresh import search_after_moves
from hextui.engine.evaluators.one_ply import count_after_moves
from hextui.engine.ranking import Ranking


@dataclass(frozen=True)
class ShortestPath:
    """Ranks moves by E = d_W / d_B after them.

    The small random r of eq. 11 only chooses among equal moves: the ``seed`` draws the order
    in which they are listed, and they keep their common rank. ``ties`` lists them otherwise.
    ``nodes`` measures a distance in the nodes between the edges, not in links: edges that are
    linked have distance 0, so E is inf or 0 there. ``fresh`` searches each position after a move
    from the beginning, so that the distances are those of its networks.
    """

    seed: int = 0
    ties: Ties = Ties.RANDOM
    nodes: bool = False
    fresh: bool = False

    @property
    def name(self) -> str:
        """The name in the registry."""
        options = (
            "nodes" if self.nodes else "",
            "fresh" if self.fresh else "",
            f"ties={self.ties}" if self.ties is not Ties.RANDOM else "",
            f"seed={self.seed}" if self.seed else "",
        )
        return ":".join(filter(None, ("shortest-path", ",".join(filter(None, options)))))

    @property
    def source(self) -> str:
        """Where the method comes from."""
        return "Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 6, eq. 11"

    def with_seed(self, seed: int) -> "ShortestPath":
        """Return the same evaluator with another seed."""
        return replace(self, seed=seed)

    def rank(self, bench: Workbench) -> Iterator[Ranking]:
        """Yield the one, final ranking; until then partial ones that are not."""
        total = len(bench.position.empties)
        if not total:
            yield Ranking(self.name, ())
        for found in self.counts(bench):
            yield rank_by_value(
                self.name,
                {cell: ratio(after, self.nodes) for cell, after in found.items()},
                lowest_first=bench.position.to_move is Color.WHITE,
                order=TieOrder(self.ties, self.seed),
                final=len(found) == total,
            )

    def counts(self, bench: Workbench) -> Iterator[dict[int, After]]:
        """Yield both colours' counts after every move by cell, more of them each time."""
        return search_after_moves(bench) if self.fresh else count_after_moves(bench, 0)

    def worth(self, bench: Workbench, ranking: Ranking) -> float:
        """Return the best move's E, for White its inverse."""
        return best_ratio(ranking, bench.position.to_move)

    def turned(self, worth: float) -> float:
        """Return the worth to the other side."""
        return inverse(worth)


def ratio(after: After, nodes: bool = False) -> float:
    """Return d_W / d_B: inf where White is cut off, 0 where Black is.

    ``nodes``: both less 1, and inf where Black's edges are linked. Of such small numbers floats
    are equal exactly where the ratios are.
    """
    white, black = after.white.distance, after.black.distance
    if white is None or (nodes and black == 1):
        return math.inf
    if black is None:
        return 0.0
    return (white - nodes) / (black - nodes)
