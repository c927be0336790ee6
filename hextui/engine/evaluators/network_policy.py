"""The learned network's ranking: how likely each move is to be a strong player's choice.

See docs/network.md. The network sees stones alone, no connections, and proves nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hextui.engine.evaluators.base import PROBABILITY, Evaluator, Source, per_cent_text
from hextui.engine.explanation import Facts, Illustration, Shows, Term
from hextui.engine.ranking import Ranking, rank_by_value

if TYPE_CHECKING:
    from hextui.engine.evaluators.workbench import Workbench
LEAST_LIKELY = 0.001  # less likely moves are not drawn


@dataclass(frozen=True)
class NetworkPolicy(Evaluator):
    """Ranks cells by the probabilities that the learned network gives them; they add up to 1."""

    method = "network"
    short = "net"
    about = "learned from games"
    scale = PROBABILITY
    source = Source(
        "D. J. Wu",
        2019,
        "Accelerating self-play learning in Go",
        "residual blocks with global pooling; policy and value heads",
        "https://arxiv.org/abs/1902.10565",
    )

    def rank(self, bench: "Workbench") -> Iterator[Ranking]:
        policy, win = bench.opinions
        yield rank_by_value(
            self.name,
            {cell: float(policy[0, cell]) for cell in bench.position.empties},
            note=f"{per_cent_text(float(win[0]))}% for the side to move",
        )

    def worth(self, bench: "Workbench", ranking: Ranking) -> float:
        """Return the network's win probability of the side to move."""
        return float(bench.opinions.win[0])

    def facts(self, bench: "Workbench", move: int, ranking: Ranking) -> Facts:
        terms = (Term("p", ranking.by_cell[move].value), Term("w", self.worth(bench, ranking)))
        return Facts(terms, (likely_moves(ranking),))


def likely_moves(ranking: Ranking) -> Illustration:
    """Return the picture of the moves' probabilities, but for very small ones."""
    amounts = tuple((m.cell, m.value) for m in ranking.moves if m.value >= LEAST_LIKELY)
    return Illustration(Shows.LIKELY_MOVES, amounts=amounts)
