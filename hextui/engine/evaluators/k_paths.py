"""E_k: distance and number of short paths in both networks, one ply ahead.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 5, eqs. 8 to 10, and section
6.1. For each colour E_kX = d_X - sum of x^(i+1) n_i over i = 0..k; E_k = E_kW / E_kB. Black
maximises it, White minimises it. It is inf where White is cut off and 0 where Black is. Numbers
are compared exactly, as ratios of integers.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from hextui.engine.board import Color
from hextui.engine.evaluators.base import (
    After,
    Counts,
    TieOrder,
    Workbench,
    best_ratio,
    inverse,
    rank_by_value,
)
from hextui.engine.evaluators.fresh import search_after_moves
from hextui.engine.evaluators.long_paths import MOST_K, list_after_moves
from hextui.engine.evaluators.one_ply import count_after_moves
from hextui.engine.paths import LEVELS
from hextui.engine.ranking import Ranking

DEFAULT_X = Fraction(1, 100_000)


@dataclass(frozen=True, eq=False, slots=True)
class Ratio:
    """A ratio of integers above 0, compared exactly; quicker than a Fraction, being not reduced."""

    above: int
    below: int

    def __float__(self) -> float:
        return self.above / self.below

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ratio) and self.above * other.below == other.above * self.below

    def __lt__(self, other: "Ratio") -> bool:
        return self.above * other.below < other.above * self.below

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class KPaths:
    """Ranks moves by E_k after them.

    ``x`` weighs paths one link longer. ``raw`` counts all paths, not only those that the rule
    of section 4.1.3 accepts. ``nodes`` measures d in the nodes between the edges, not in links:
    where edges are linked d is 0, and E_k is inf (Black's) or 0 (White's). ``fresh`` searches each
    position after a move from the beginning, so that what is counted is what its networks have. If
    some E_kX is not positive, x is divided by ten, again and again, for the whole ranking, and the
    note says so.
    """

    k: int
    x: Fraction = DEFAULT_X
    raw: bool = False
    nodes: bool = False
    fresh: bool = False
    order: TieOrder = field(default_factory=TieOrder)

    def __post_init__(self) -> None:
        if not 0 <= self.k <= MOST_K:
            raise ValueError(f"k is 0 to {MOST_K}, not {self.k}")
        if not 0 < self.x < 1:
            raise ValueError(f"x lies between 0 and 1, not {self.x}")

    @property
    def name(self) -> str:
        """The name in the registry."""
        options = "".join(
            (
                ",raw" if self.raw else "",
                ",nodes" if self.nodes else "",
                ",fresh" if self.fresh else "",
                f",x={float(self.x):g}" if self.x != DEFAULT_X else "",
                self.order.suffix,
            )
        )
        return f"k-paths:{self.k}{options}"

    @property
    def source(self) -> str:
        """Where the method comes from."""
        return "Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 5, eqs. 8 to 10"

    def with_seed(self, seed: int) -> "KPaths":
        """Return the same evaluator with another seed for ties; only random ones use it."""
        return replace(self, order=replace(self.order, seed=seed))

    def rank(self, bench: Workbench) -> Iterator[Ranking]:
        """Yield the one, final ranking; until then partial ones that are not."""
        total = len(bench.position.empties)
        if not total:
            yield Ranking(self.name, ())
        x, ratios = self.x, dict[int, Ratio | float]()
        for found in self.counts(bench):
            fresh = {cell: after for cell, after in found.items() if cell not in ratios}
            usable = self.usable_x(fresh, x)
            if usable != x:
                x, fresh = usable, found
            ratios |= {cell: self._ratio(after, x) for cell, after in fresh.items()}
            yield rank_by_value(
                self.name,
                ratios,
                lowest_first=bench.position.to_move is Color.WHITE,
                order=self.order,
                exact=all(after.black.exact and after.white.exact for after in found.values()),
                final=len(found) == total,
                note=f"x reduced to {float(x):g}: some E_k was not positive" if x != self.x else "",
            )

    def counts(self, bench: Workbench) -> Iterator[dict[int, After]]:
        """Yield both colours' counts after every move by cell, more of them each time.

        Raises ValueError for a k above 2 that would take too long here.
        """
        if self.k >= LEVELS:
            return list_after_moves(bench, self.k, self.fresh)
        return search_after_moves(bench) if self.fresh else count_after_moves(bench, self.k)

    def worth(self, bench: Workbench, ranking: Ranking) -> float:
        """Return the best move's E_k, for White its inverse."""
        return best_ratio(ranking, bench.position.to_move)

    def turned(self, worth: float) -> float:
        """Return the worth to the other side."""
        return inverse(worth)

    def usable_x(self, found: dict[int, After], x: Fraction) -> Fraction:
        """Return ``x``, or so much less that every E_kX is positive."""
        sides = [
            counts
            for after in found.values()
            for counts in after
            if counts.distance is not None and not self._joined(counts)
        ]
        while any(self._value(counts, x) <= 0 for counts in sides):
            x /= 10
        return x

    def _ratio(self, after: After, x: Fraction) -> Ratio | float:
        if after.white.distance is None or self._joined(after.black):
            return math.inf
        if after.black.distance is None or self._joined(after.white):
            return 0.0
        return Ratio(self._value(after.white, x), self._value(after.black, x))

    def _joined(self, counts: Counts) -> bool:
        """Whether the edges are linked, and that counts as won."""
        return self.nodes and counts.distance == 1

    def _value(self, counts: Counts, x: Fraction) -> int:
        """E_kX, eqs. 8 and 9, times the denominator of x^(k+1): an integer, so compared fast."""
        assert counts.distance is not None
        paths = counts.raw if self.raw else counts.accepted
        above, below = x.as_integer_ratio()
        weight, total = 1, counts.distance - self.nodes
        for n in paths[: self.k + 1]:
            weight *= above
            total = total * below - weight * n
        return total
