"""What a move's patterns and currents weigh, and the chance that follows."""

import numpy as np

from hextui.engine.evaluators.base import Workbench
from hextui.engine.evaluators.pattern_terms import TERMS
from hextui.engine.evaluators.patterns import Patterns, shipped_pattern_weights
from hextui.engine.explaining.shared import explanation, likely_moves
from hextui.engine.explanation import Explanation, Source, Term
from hextui.engine.ranking import Ranking
from hextui.words.names import counted

COULOM = Source(
    "R. Coulom",
    2007,
    "Computing Elo ratings of move patterns in the game of Go",
    "strengths of patterns, multiplied",
    "https://www.remi-coulom.fr/Amsterdam2007/",
)
SENTENCE = (
    "How likely the move is to be a strong player's choice here, by the currents through the cell "
    "and the patterns around it; the weights were learned from games."
)
LISTED = 7
"""So many terms are told one by one, those that weigh most; the others together."""


def explain(evaluator: Patterns, bench: Workbench, move: int, ranking: Ranking) -> Explanation:
    """Return what a move's terms weigh."""
    position = bench.position
    terms, sums = evaluator.weighed(bench)
    weights = shipped_pattern_weights()
    products = terms[move] * weights
    order = sorted(np.flatnonzero(products).tolist(), key=lambda place: -abs(products[place]))
    told, rest = order[:LISTED], order[LISTED:]
    listed = [
        Term(
            f"t{place + 1}",
            float(products[place]),
            f"{weights[place]:g} x {terms[move, place]:.3g}, {TERMS[place]}",
        )
        for place in told
    ]
    if rest:
        together = float(products[rest].sum())
        listed.append(Term("others", together, counted(len(rest), "smaller term")))
    return explanation(
        position,
        position,
        move,
        ranking,
        sentence=SENTENCE,
        formula="p = exp(z) / sum of exp(z) of all moves; z = sum of weights times terms t",
        direction="The highest chance is the best for the side to move.",
        source=COULOM,
        terms=(
            Term("p", ranking.by_cell[move].value, "chance that the move is chosen"),
            Term("z", float(sums[move]), "sum of what its terms weigh"),
            *listed,
        ),
        paintings=(likely_moves(ranking, "the weights hold"),),
    )
