"""The chance that the learned network gives a move, beside those of the others."""

from hextui.engine.evaluators.base import Workbench
from hextui.engine.evaluators.network_policy import NetworkPolicy
from hextui.engine.explaining.shared import explanation, likely_moves
from hextui.engine.explanation import Explanation, Source, Term
from hextui.engine.ranking import Ranking

WU = Source(
    "D. J. Wu",
    2019,
    "Accelerating self-play learning in Go",
    "residual blocks with global pooling; policy and value heads",
    "https://arxiv.org/abs/1902.10565",
)
SENTENCE = (
    "How likely the move is to be a strong player's choice here, says a network that learned from "
    "games; it sees the stones alone, and proves nothing."
)


def explain(evaluator: NetworkPolicy, bench: Workbench, move: int, ranking: Ranking) -> Explanation:
    """Return the chance of a move, of all moves, and that to win."""
    position = bench.position
    chance = ranking.by_cell[move].value
    win = evaluator.worth(bench, ranking)
    return explanation(
        position,
        position,
        move,
        ranking,
        sentence=SENTENCE,
        formula="softmax of the network's outputs, the mean of those for the board as it is and "
        "turned by 180 degrees",
        direction="The highest chance is the best for the side to move.",
        source=WU,
        terms=(
            Term("p", chance, "chance that the move is chosen"),
            Term("w", win, "chance that the side to move wins, as the network holds it"),
        ),
        paintings=(likely_moves(ranking, "the network holds"),),
    )
