"""Betweenness: how many shortest paths of the networks, between all pairs of nodes, pass a cell.

Source: Takada et al. 2015 (https://doi.org/10.1007/978-3-319-27992-3_21). The abstract alone can be
read freely; docs/methods.md#betweenness says what of this is our reading.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from hextui.engine.evaluators.base import PLAIN, Evaluator, Scale, Source
from hextui.engine.explanation import Facts, Illustration, Shows, Term
from hextui.engine.ranking import Ranking, rank_by_value

if TYPE_CHECKING:
    from hextui.engine.evaluators.workbench import Workbench

DIGITS = 9  # floating point leaves noise behind this decimal place, which would break exact ties


@dataclass(frozen=True)
class Betweenness(Evaluator):
    """Ranks cells by their betweenness in both networks, and in those of the shortest paths."""

    method = "betweenness"
    short = "betw"
    listed = ("", "local=0", "local=1")
    scale = Scale("share of the pairs of nodes", high=2.0)
    source = Source(
        authors="K. Takada, M. Honjo, H. Iizuka, M. Yamamoto",
        year=2015,
        title="Developing computer Hex using global and local evaluation based on board network "
        "characteristics. LNCS 9525, 235-246",
        where="betweenness of the board network and of the shortest path network; our reading",
        link="https://doi.org/10.1007/978-3-319-27992-3_21",
    )

    local: Annotated[float, "The weight of the shortest paths' networks, 0 to 1."] = 0.5
    plain: Annotated[bool, PLAIN] = False

    def __post_init__(self) -> None:
        if not 0 <= self.local <= 1:
            raise ValueError(f"local is 0 to 1, not {self.local:g}")

    @property
    def about(self) -> str:
        """What it measures, in at most 28 characters."""
        if self.local == 0:
            return "between nodes of the board"
        return "between nodes of short paths" if self.local == 1 else "between all pairs of nodes"

    def rank(self, bench: "Workbench") -> Iterator[Ranking]:
        position = bench.position
        mover = position.to_move
        values = dict.fromkeys(position.empties, 0.0)
        for color in (mover, mover.opponent):
            board, paths = bench.betweenness(color, not self.plain)
            shares = (1 - self.local) * board + self.local * paths
            for cell in values:
                values[cell] += float(shares[cell])
        yield rank_by_value(self.name, {c: round(v, DIGITS) for c, v in values.items()})

    def facts(self, bench: "Workbench", move: int, ranking: Ranking) -> Facts:
        mover = bench.position.to_move
        terms = []
        pictures = []
        for color in (mover, mover.opponent):
            for symbol, shows, shares in zip(
                ("b", "s"),
                (Shows.BETWEEN_ON_BOARD, Shows.BETWEEN_ON_PATHS),
                bench.betweenness(color, not self.plain),
                strict=True,
            ):
                terms.append(Term(symbol, float(shares[move]), color))
                passed = [(cell, share) for cell, share in enumerate(shares.tolist()) if share]
                pictures.append(Illustration(shows, color, amounts=tuple(passed)))
        return Facts(tuple(terms), tuple(pictures))
