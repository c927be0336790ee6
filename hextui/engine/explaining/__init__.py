"""Why an evaluator gives a move its number: a file a family of evaluators."""

from collections.abc import Iterator

from hextui.engine.evaluators import Evaluator, Workbench
from hextui.engine.evaluators.blocking import Blocking
from hextui.engine.evaluators.contribution import Contribution
from hextui.engine.evaluators.k_mixed import KMixed
from hextui.engine.evaluators.k_paths import KPaths
from hextui.engine.evaluators.network_policy import NetworkPolicy
from hextui.engine.evaluators.patterns import Patterns
from hextui.engine.evaluators.resistance import Resistance
from hextui.engine.evaluators.shortest_path import ShortestPath
from hextui.engine.evaluators.tree_evaluator import TreeEvaluator
from hextui.engine.evaluators.two_distance import TwoDistance
from hextui.engine.explaining import (
    blocking,
    contribution,
    k_mixed,
    k_paths,
    network_policy,
    patterns,
    resistance,
    shortest_path,
    tree,
    two_distance,
)
from hextui.engine.explanation import Explanation
from hextui.engine.guards import check_empty
from hextui.engine.ranking import Ranking


def explanation_of(evaluator: Evaluator, bench: Workbench, move: int) -> Explanation:
    """Return why the evaluator gives a move, a cell, its value; raises ValueError as `explain`."""
    *_, found = explain(evaluator, bench, move)
    assert isinstance(found, Explanation)
    return found


def explain(evaluator: Evaluator, bench: Workbench, move: int) -> Iterator[Ranking | Explanation]:
    """Yield the rankings on the way, and last why the move, a cell, has its value.

    Raises ValueError if the cell is not empty, or the evaluator of another family.
    """
    check_empty(bench.position, move)
    if isinstance(evaluator, TreeEvaluator):
        yield from tree.explain(evaluator, bench, move)
        return
    ranking = None
    for ranking in evaluator.rank(bench):
        yield ranking
    assert ranking is not None
    match evaluator:
        case KPaths():
            yield k_paths.explain(evaluator, bench, move, ranking)
        case KMixed():
            yield k_mixed.explain(evaluator, bench, move, ranking)
        case ShortestPath():
            yield shortest_path.explain(evaluator, bench, move, ranking)
        case Contribution():
            yield contribution.explain(evaluator, bench, move, ranking)
        case Resistance():
            yield resistance.explain(evaluator, bench, move, ranking)
        case TwoDistance():
            yield two_distance.explain(evaluator, bench, move, ranking)
        case Blocking():
            yield blocking.explain(evaluator, bench, move, ranking)
        case NetworkPolicy():
            yield network_policy.explain(evaluator, bench, move, ranking)
        case Patterns():
            yield patterns.explain(evaluator, bench, move, ranking)
        case _:
            raise ValueError(f"{evaluator.name} has no explanation")
