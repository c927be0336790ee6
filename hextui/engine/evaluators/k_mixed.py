"""E_k with the k-contribution of the move in it: what Honjo et al. leave to do in section 7.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), sections 4.3, 5 and 7; how the two
are put together is ours. With s, the mean of the k-contributions that the cell has in both networks
before the move, from 0 to 1: Black maximises E_k (1 + y s), White minimises E_k / (1 + y s), E_k
being that after the move, eqs. 8 to 10. Wins stay inf or 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from hextui.engine.board import Color
from hextui.engine.evaluators.base import Workbench, best_ratio, inverse, rank_by_value
from hextui.engine.evaluators.k_paths import KPaths
from hextui.engine.ranking import Ranking

DEFAULT_Y = 0.1


@dataclass(frozen=True)
class KMixed:
    """Ranks moves by E_k after them and the k-contribution of their cells before.

    ``y`` weighs the contribution. At the default it decides among moves after which the distances
    are the same, except on boards so large that one link more or less changes E_k by less.
    ``fresh``: E_k is that of `KPaths` with it.
    """

    k: int
    y: float = DEFAULT_Y
    fresh: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.k <= 2:
            raise ValueError(f"k is 0, 1 or 2, not {self.k}")
        if not 0 <= self.y <= 100:
            raise ValueError(f"y lies between 0 and 100, not {self.y}")

    @property
    def name(self) -> str:
        """The name in the registry."""
        weight = "" if self.y == DEFAULT_Y else f",y={self.y:g}"
        return f"k-mixed:{self.k}{weight}" + (",fresh" if self.fresh else "")

    @property
    def source(self) -> str:
        """Where the method comes from."""
        return "Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 7; eqs. 6, 8 to 10"

    @property
    def paths(self) -> KPaths:
        """The evaluator whose E_k is in it."""
        return KPaths(self.k, fresh=self.fresh)

    def rank(self, bench: Workbench) -> Iterator[Ranking]:
        """Yield the one, final ranking; until then partial ones that are not."""
        mover = bench.position.to_move
        counts = [bench.paths(color) for color in Color]
        shares = sum(found.contribution[self.k] for found in counts) / len(counts)
        for ranking in self.paths.rank(bench):
            values = {}
            for move in ranking.moves:
                factor = 1 + self.y * float(shares[move.cell])
                values[move.cell] = move.value * (factor if mover is Color.BLACK else 1 / factor)
            yield rank_by_value(
                self.name,
                values,
                lowest_first=mover is Color.WHITE,
                exact=ranking.exact and all(found.exact for found in counts),
                final=ranking.final,
                note=ranking.note,
            )

    def worth(self, bench: Workbench, ranking: Ranking) -> float:
        """Return the best move's value, for White its inverse."""
        return best_ratio(ranking, bench.position.to_move)

    def turned(self, worth: float) -> float:
        """Return the worth to the other side."""
        return inverse(worth)
