"""k-contribution: how often short paths between the edges pass a cell.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 3, eq. 6.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from hextui.engine.board import Color
from hextui.engine.evaluators.base import Workbench, rank_by_value
from hextui.engine.evaluators.long_paths import MOST_K, check_cost, listing, with_image
from hextui.engine.paths import LEVELS, PathCounts
from hextui.engine.ranking import Ranking

View = Literal["own", "opponent", "both"]


@dataclass(frozen=True)
class Contribution:
    """Ranks cells by their k-contribution in a network with virtual links.

    ``view``: the network of the side to move (attack), of its opponent (defence), or the sum.
    """

    view: View
    k: int

    def __post_init__(self) -> None:
        if not 0 <= self.k <= MOST_K:
            raise ValueError(f"k is 0 to {MOST_K}, not {self.k}")

    @property
    def name(self) -> str:
        """The name in the registry."""
        return f"contribution-{self.view}:{self.k}"

    @property
    def source(self) -> str:
        """Where the method comes from."""
        return (
            "Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 3, eq. 6; section 4.1.3"
        )

    def colors(self, mover: Color) -> tuple[Color, ...]:
        """Return whose networks count when a side is to move."""
        return {"own": (mover,), "opponent": (mover.opponent,), "both": (mover, mover.opponent)}[
            self.view
        ]

    def counts(self, bench: Workbench, color: Color) -> PathCounts:
        """Return the path counts of a network up to k.

        Raises ValueError for a k above 2 that would take too long here.
        """
        return next(found for found in self._counting(bench, color) if found is not None)

    def _counting(self, bench: Workbench, color: Color) -> Iterator[PathCounts | None]:
        """Yield the counts at last; None before, while paths are listed."""
        if self.k < LEVELS:
            yield bench.paths(color)
            return
        symmetric = bench.outlook(color).orientation.symmetric
        for found in listing(bench.network(color), self.k):
            yield with_image(found) if found is not None and symmetric else found

    def rank(self, bench: Workbench) -> Iterator[Ranking]:
        """Yield the final ranking; while paths are listed one by one, one without moves.

        Raises TooCostlyError for a k above 2 that would take too long here.
        """
        colors = self.colors(bench.position.to_move)
        counts: list[PathCounts] = []
        if self.k >= LEVELS:
            for color in colors:
                check_cost([bench.network(color)], self.k, 1)
        for color in colors:
            for found in self._counting(bench, color):
                if found is None:
                    yield Ranking(self.name, (), exact=False, final=False, note="listing paths")
                else:
                    counts.append(found)
        yield rank_by_value(
            self.name,
            {
                cell: float(sum(c.contribution[self.k, cell] for c in counts))
                for cell in bench.position.empties
            },
            exact=all(c.exact for c in counts),
        )

    def worth(self, bench: Workbench, ranking: Ranking) -> float:
        """Return the contribution of the best move."""
        return ranking.moves[0].value

    def turned(self, worth: float) -> float:
        """Return the worth to the other side."""
        return -worth
