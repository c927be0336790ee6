"""What the tree search took a move for, and how its number comes about."""

from hextui.engine.evaluators.base import Workbench
from hextui.engine.explaining.shared import explanation
from hextui.engine.explanation import Explanation, Source, Term
from hextui.engine.ranking import Ranking

ROSIN = Source(
    "C. D. Rosin",
    2011,
    "Multi-armed bandits with episode context. Annals of Mathematics and AI 61, 203-230",
    "the choice of the line that is looked at next",
    "https://doi.org/10.1007/s10472-011-9258-6",
)
SENTENCE = (
    "What the move is worth, from 0 to 1, by the balance of the resistances, and by what the "
    "network says, in the positions that a search looked at after it; only 1 and 0 are proved."
)


def explain(move: int, bench: Workbench, ranking: Ranking) -> Explanation:
    """Return what the search took a move for."""
    position = bench.position
    best = ranking.moves[0]
    return explanation(
        position,
        position,
        move,
        ranking,
        sentence=SENTENCE,
        formula="the mean over the positions looked at, weighted by visits",
        direction="Moves that are proved to win come first, then those visited most.",
        source=ROSIN,
        terms=(
            Term("v", ranking.by_cell[move].value, "what it is worth"),
            Term("v_best", best.value, f"what {bench.board.name(best.cell)} is worth"),
        ),
        paintings=(),
        notes=(ranking.note,) if ranking.note else (),
    )
