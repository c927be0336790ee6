"""E_k with the k-contribution of the move in it: what Honjo et al. leave to do in section 7.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), sections 4.3, 5 and 7; the form is
ours. With s, the mean of the cell's k-contributions in both networks before the move, Black
maximises E_k (1 + y s), White minimises E_k / (1 + y s), E_k being that after the move.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

from hextui.engine.board import Color
from hextui.engine.evaluators.base import FRESH, RATIO, Evaluator, honjo
from hextui.engine.evaluators.contribution import BothContribution
from hextui.engine.evaluators.k_paths import KPaths
from hextui.engine.ranking import Ranking, rank_by_value

if TYPE_CHECKING:
    from hextui.engine.evaluators.workbench import Workbench
    from hextui.engine.explanation import Facts


@dataclass(frozen=True)
class KMixed(Evaluator):
    """Ranks moves by E_k after them and the k-contribution of their cells before.

    The default ``y`` decides only among moves with equal distances, except on very large boards.
    """

    method = "k-mixed"
    short = "mixed"
    about = "k-paths with contribution"
    listed = ("1",)
    scale = RATIO
    source = honjo("section 7, eqs. 6 and 8 to 10; the form is this program's")

    k: Annotated[int, "Counts paths of up to d + k links, k = 0 to 2."]
    y: Annotated[float, "Weight of the contribution, 0 to 100."] = 0.1
    fresh: Annotated[bool, FRESH] = False

    def __post_init__(self) -> None:
        if not 0 <= self.k <= 2:
            raise ValueError(f"k is 0, 1 or 2, not {self.k}")
        if not 0 <= self.y <= 100:
            raise ValueError(f"y lies between 0 and 100, not {self.y}")

    @property
    def paths(self) -> KPaths:
        return KPaths(self.k, fresh=self.fresh)

    def rank(self, bench: "Workbench") -> Iterator[Ranking]:
        mover = bench.position.to_move
        counts = [bench.paths(color) for color in Color]
        shares = sum(paths.contribution[self.k] for paths in counts) / len(counts)
        for ranking in self.paths.rank(bench):
            values = {}
            for move in ranking.moves:
                factor = 1 + self.y * float(shares[move.cell])
                values[move.cell] = move.value * (factor if mover is Color.BLACK else 1 / factor)
            yield rank_by_value(
                self.name,
                values,
                lowest_first=mover is Color.WHITE,
                exact=ranking.exact and all(paths.exact for paths in counts),
                final=ranking.final,
                note=ranking.note,
            )

    def facts(self, bench: "Workbench", move: int, ranking: Ranking) -> "Facts":
        from hextui.engine.explanation import Term

        *_, e_k = self.paths.rank(bench)
        after = self.paths.facts(bench, move, ranking)
        terms = []
        pictures = []
        for color in Color:
            side_terms, shown = BothContribution(self.k).share(bench, move, color)
            terms += [term for term in side_terms if term.symbol == "share"]
            pictures += [replace(picture, before=True) for picture in shown]
        y = Term("y", self.y)
        value = Term("E", e_k.by_cell[move].value)
        return replace(
            after, terms=(*after.terms, value, *terms, y), pictures=(*after.pictures, *pictures)
        )
