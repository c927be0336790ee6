"""k-contribution: how often short paths between the edges pass a cell.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 3, eq. 6.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from hextui.engine.board import Color
from hextui.engine.evaluators.base import Workbench, rank_by_value
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
        if not 0 <= self.k <= 2:
            raise ValueError(f"k is 0, 1 or 2, not {self.k}")

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

    def rank(self, bench: Workbench) -> Iterator[Ranking]:
        """Yield the one, final ranking."""
        counts = [bench.paths(color) for color in self.colors(bench.position.to_move)]
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
