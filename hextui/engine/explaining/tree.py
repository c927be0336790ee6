"""What the tree search took a move for, and how its number comes about."""

from collections.abc import Iterator

from hextui.engine.evaluators.base import Workbench
from hextui.engine.evaluators.tree_evaluator import TreeEvaluator, grown
from hextui.engine.explaining.shared import explanation
from hextui.engine.explanation import Explanation, Source, Term
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking
from hextui.engine.search.tree_growth import TreeSettings
from hextui.engine.search.tree_search import SearchedMove, TreeSearch, ValueParts
from hextui.engine.search.win_chance import FIRST_WEIGHT, LEAST, NETWORK_STRETCH, STRETCH

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
FORMULA = (
    "v = 1 / (1 + exp(-a L(1 - m) - b L(1 - H))), m = (e + S + k max(e, E)) / (1 + n + k), "
    "e = 1 / (1 + exp(-(c_h L(h) + c_R ln(R' / R)) - c_0)), R of the side to move next; "
    f"L(p) = ln(p / (1 - p)), p at least {LEAST:g} and at most {1 - LEAST:g}"
)


def explain(
    evaluator: TreeEvaluator, bench: Workbench, move: int
) -> Iterator[Ranking | Explanation]:
    """Yield the rankings as the tree grows, and last why the move, an empty cell, has its value."""
    search = TreeSearch(bench.board, threads=evaluator.threads)
    search.look_at(bench.position)
    ranking = None
    for ranking in grown(search, evaluator.limit, evaluator.name):
        yield ranking
    assert ranking is not None
    moves = {one.cell: one for one in search.moves()}
    yield _explained(bench.position, moves[move], ranking, search.settings)


def _explained(
    position: Position, searched: SearchedMove, ranking: Ranking, settings: TreeSettings
) -> Explanation:
    best, parts = ranking.moves[0], searched.parts
    decided = "It is proved, so nothing is reckoned."
    return explanation(
        position,
        position,
        searched.cell,
        ranking,
        sentence=SENTENCE,
        formula=decided if parts is None else FORMULA,
        direction="Moves that are proved to win come first, then those visited most.",
        source=ROSIN,
        terms=(
            Term("v", searched.value, "what it is worth"),
            Term("v_best", best.value, f"what {position.board.name(best.cell)} is worth"),
            *(() if parts is None else _terms(parts, position, settings)),
        ),
        paintings=(),
        notes=(ranking.note,) if ranking.note else (),
    )


def _terms(parts: ValueParts, position: Position, settings: TreeSettings) -> Iterator[Term]:
    """Yield what the formula is reckoned from."""
    own, other = parts.resistances
    mover = position.to_move
    yield Term("n", parts.visits, "visits to replies that may win")
    yield Term("S", parts.total, "sum of these replies' values")
    yield Term("e", parts.estimate, "first estimate, to the next side")
    yield Term("E", parts.before, "the same before the move")
    yield Term("h", parts.chance, "network's chance of the next side")
    yield Term("H", parts.chance_before, "the same before the move")
    yield Term("R", own, "resistance after the move", mover.opponent)
    yield Term("R", other, "resistance after the move", mover)
    yield Term("c_h", settings.network, "weight of the chance")
    yield Term("c_R", settings.resistance, "weight of the resistances")
    yield Term("c_0", settings.tempo, "what the turn is worth")
    yield Term("k", FIRST_WEIGHT, "visits that first estimates weigh")
    yield Term("a", STRETCH, "stretch to how often games are won")
    yield Term("b", NETWORK_STRETCH, "the same of the network's chance")
