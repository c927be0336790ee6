"""E: the ratio of both colours' distances, one ply ahead (2010 paper, section 6, eq. 11)."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from hextui.engine.board import Color
from hextui.engine.evaluators.base import (
    After,
    Ranking,
    TieOrder,
    Ties,
    Workbench,
    best_ratio,
    inverse,
    rank_by_value,
)
from hextui.engine.evaluators.one_ply import count_after_moves


@dataclass(frozen=True)
class ShortestPath:
    """Ranks moves by E = d_W / d_B after them.

    The small random r of eq. 11 only chooses among equal moves: the ``seed`` draws the order
    in which they are listed, and they keep their common rank.
    """

    seed: int = 0

    @property
    def name(self) -> str:
        """The name in the registry."""
        return f"shortest-path:seed={self.seed}" if self.seed else "shortest-path"

    @property
    def source(self) -> str:
        """Where the method comes from."""
        return "seed 002, section 6, eq. 11; one ply as in section 6.1"

    def with_seed(self, seed: int) -> "ShortestPath":
        """Return the same evaluator with another seed."""
        return replace(self, seed=seed)

    def rank(self, bench: Workbench) -> Iterator[Ranking]:
        """Yield the one, final ranking; until then partial ones that are not."""
        total = len(bench.position.empties)
        if not total:
            yield Ranking(self.name, ())
        for found in count_after_moves(bench, 0):
            yield rank_by_value(
                self.name,
                {cell: ratio(after) for cell, after in found.items()},
                lowest_first=bench.position.to_move is Color.WHITE,
                order=TieOrder(Ties.RANDOM, self.seed),
                final=len(found) == total,
            )

    def worth(self, bench: Workbench, ranking: Ranking) -> float:
        """Return the best move's E, for White its inverse."""
        return best_ratio(ranking, bench.position.to_move)

    def turned(self, worth: float) -> float:
        """Return the worth to the other side."""
        return inverse(worth)


def ratio(after: After) -> "Fraction | float":
    """Return d_W / d_B: inf where White is cut off, 0 where Black is."""
    if after.white.distance is None:
        return math.inf
    if after.black.distance is None:
        return Fraction(0)
    return Fraction(after.white.distance, after.black.distance)
