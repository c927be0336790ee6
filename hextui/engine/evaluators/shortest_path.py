"""E: the ratio of both colours' distances, one ply ahead.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 6, eq. 11.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from hextui.engine.board import Color
from hextui.engine.evaluators.base import FRESH, RATIO, SEED, Evaluator, honjo
from hextui.engine.evaluators.k_paths import NODES, KPaths
from hextui.engine.explanation import Facts, Illustration, Note, Remark, Shows, Term
from hextui.engine.ranking import Ranking, Ties, rank_by_value

if TYPE_CHECKING:
    from hextui.engine.evaluators.workbench import After, Workbench


@dataclass(frozen=True)
class ShortestPath(Evaluator):
    """Ranks moves by E = d_W / d_B after them.

    The small random r of eq. 11 only orders equal moves. With ``nodes``, E is inf or 0 where the
    edges are linked.
    """

    method = "shortest-path"
    short = "short"
    about = "distances after the move"
    scale = RATIO
    source = honjo("section 6, eq. 11")

    nodes: Annotated[bool, NODES] = False
    fresh: Annotated[bool, FRESH] = False
    ties: Annotated[Ties, "Orders equal moves: random, first or last."] = Ties.RANDOM
    seed: Annotated[int, SEED] = 0

    def rank(self, bench: "Workbench") -> Iterator[Ranking]:
        total = len(bench.position.empties)
        paths = KPaths(0, nodes=self.nodes, fresh=self.fresh)
        for counts in paths.counts(bench):
            yield rank_by_value(
                self.name,
                {cell: self._ratio(after) for cell, after in counts.items()},
                lowest_first=bench.position.to_move is Color.WHITE,
                ties=self.ties,
                seed=self.seed,
                final=len(counts) == total,
                counts={cell: paths.shown_counts(after)[:1] for cell, after in counts.items()},
            )

    def _ratio(self, after: "After") -> float:
        """Return d_W / d_B: inf where White is cut off, 0 where Black is; equality is exact."""
        white, black = after.white.distance, after.black.distance
        if white is None or (self.nodes and black == 1):
            return math.inf
        if black is None:
            return 0.0
        return (white - self.nodes) / (black - self.nodes)

    def facts(self, bench: "Workbench", move: int, ranking: Ranking) -> Facts:
        from hextui.engine.evaluators.path_counts import networks_after
        from hextui.engine.evaluators.path_pictures import path_parts, update_notes
        from hextui.engine.paths import PathSets

        *_, after_moves = KPaths(0, fresh=self.fresh).counts(bench)
        networks = networks_after(bench, move, self.fresh)
        terms = []
        pictures = []
        for color, counts in zip(Color, after_moves[move], strict=True):
            if counts.distance is None:
                terms.append(Term("d", math.inf, color))
                continue
            terms.append(Term("d", counts.distance - self.nodes, color))
            parts = path_parts(PathSets(networks[color]).first())
            pictures.append(Illustration(Shows.SHORTEST, color, parts, count=counts.raw[0]))
        notes = (Note(Remark.RANDOM_TIES), *update_notes(bench, move, after_moves[move], 0))
        return Facts(tuple(terms), tuple(pictures), notes, after=True)
