"""A ranking whose every number can be read: 42 weights of currents and of patterns around a cell.

See docs/methods.md#patterns. The sum of its terms times their weights decides a move's probability.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hextui.engine.evaluators.base import PROBABILITY, Evaluator, Source
from hextui.engine.evaluators.network_policy import likely_moves
from hextui.engine.evaluators.resistance import Resistance
from hextui.engine.explanation import Facts, Term
from hextui.engine.ranking import Ranking, rank_by_value

if TYPE_CHECKING:
    from hextui.engine.evaluators.workbench import Workbench
LISTED = 7  # so many terms, those that weigh most, are listed one by one; the others together


@dataclass(frozen=True)
class Patterns(Evaluator):
    """Ranks cells by how likely a strong player is to choose them, by printed weights."""

    method = "patterns"
    short = "patt"
    about = "currents and shapes, weighted"
    scale = PROBABILITY
    source = Source(
        authors="R. Coulom",
        year=2007,
        title="Computing Elo ratings of move patterns in the game of Go",
        where="strengths of patterns, multiplied",
        link="https://www.remi-coulom.fr/Amsterdam2007/",
    )

    def rank(self, bench: "Workbench") -> Iterator[Ranking]:
        from hextui.engine.evaluators.pattern_terms import probabilities, weighed

        empties = bench.position.empties
        _, sums = weighed(bench)
        shares = probabilities(sums[list(empties)]).tolist()
        yield rank_by_value(self.name, dict(zip(empties, shares, strict=True)))

    def worth(self, bench: "Workbench", ranking: Ranking) -> float:
        """Return what ``resistance`` does: the weights are of moves, not of positions."""
        return Resistance().worth(bench, ranking)

    def turned(self, worth: float) -> float:
        return Resistance().turned(worth)

    def facts(self, bench: "Workbench", move: int, ranking: Ranking) -> Facts:
        from hextui.engine.evaluators.pattern_terms import TERMS, shipped_pattern_weights, weighed

        terms, sums = weighed(bench)
        weights = shipped_pattern_weights()
        products = terms[move] * weights
        order = sorted(products.nonzero()[0].tolist(), key=lambda place: -abs(products[place]))
        first = order[:LISTED]
        rest = order[LISTED:]
        listed = [
            Term(
                f"t{place + 1}",
                float(products[place]),
                numbers=(float(weights[place]), float(terms[move, place])),
                name=TERMS[place],
            )
            for place in first
        ]
        if rest:
            listed.append(Term("others", float(products[rest].sum()), numbers=(len(rest),)))
        value = ranking.by_cell[move].value
        return Facts(
            (Term("p", value), Term("z", float(sums[move])), *listed), (likely_moves(ranking),)
        )
