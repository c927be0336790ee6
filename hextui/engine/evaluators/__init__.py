"""Evaluators: each ranks every legal move; one a file, listed once in `EVALUATORS`.

A name is a method, and after a colon its options, separated by commas: ``k-paths:1``,
``k-paths:1,raw,x=1e-4``, ``shortest-path:seed=7``, ``resistance:plain``.
"""

from hextui.engine.evaluators.base import Evaluator, Scale
from hextui.engine.evaluators.blocking import Blocking
from hextui.engine.evaluators.contribution import (
    BothContribution,
    OpponentContribution,
    OwnContribution,
)
from hextui.engine.evaluators.k_mixed import KMixed
from hextui.engine.evaluators.k_paths import KPaths
from hextui.engine.evaluators.network_policy import NetworkPolicy
from hextui.engine.evaluators.patterns import Patterns
from hextui.engine.evaluators.resistance import Resistance
from hextui.engine.evaluators.shortest_path import ShortestPath
from hextui.engine.evaluators.tree_evaluator import TreeEvaluator
from hextui.engine.evaluators.two_distance import TwoDistance

EVALUATORS: tuple[type[Evaluator], ...] = (
    # larger k first: what is counted there serves the smaller ones and shortest-path too
    KPaths,
    KMixed,
    ShortestPath,
    OwnContribution,
    OpponentContribution,
    BothContribution,
    Resistance,
    TwoDistance,
    Blocking,
    TreeEvaluator,
    NetworkPolicy,
    Patterns,
)
"""All evaluators, in the order in which they are offered."""

__all__ = ["EVALUATORS", "Evaluator", "evaluator", "names", "scale_of"]


def names() -> tuple[str, ...]:
    """Return the names of all evaluators as they are listed."""
    return tuple(
        f"{each.method}:{options}" if options else each.method
        for each in EVALUATORS
        for options in each.listed
    )


def class_of(name: str) -> type[Evaluator] | None:
    """Return the class of an evaluator by its name, None if there is none.

    >>> class_of("blocking:seed=7").scale.unit, class_of("nobody")
    ('log10 odds', None)
    """
    method = name.strip().partition(":")[0]
    return next((each for each in EVALUATORS if each.method == method), None)


def evaluator(name: str) -> Evaluator:
    """Return the evaluator with this name and options; raises ValueError with one clear line."""
    found = class_of(name)
    if found is None:
        raise ValueError(f"no evaluator {name!r}; there are {', '.join(names())}")
    try:
        return found.parse(name.strip().partition(":")[2])
    except ValueError as error:
        raise ValueError(f"evaluator {name!r}: {error}") from None


def improves(name: str) -> bool:
    """Return whether an evaluator's rankings improve as long as it may go on: the tree search.

    >>> improves("search:nodes=400"), improves("resistance")
    (True, False)
    """
    found = class_of(name)
    return found is not None and found.improves


def scale_of(name: str) -> Scale | None:
    """Return the scale on which an evaluator's values are read, None where they are as they are."""
    found = class_of(name)
    return found.scale if found is not None and found.scale.short else None
