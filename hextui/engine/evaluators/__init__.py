"""Evaluators: each ranks every legal move; one a file, listed once in `EVALUATORS`.

Other installed packages may offer more (offered_evaluators.py).

A name is a method, and after a colon its options, separated by commas: ``k-paths:1``,
``k-paths:1,raw,x=1e-4``, ``shortest-path:seed=7``, ``resistance:plain``. A network that the user
brings is named by its file: ``onnx(FILE)``.
"""

import re

from hextui.engine.evaluators.base import Evaluator, Scale
from hextui.engine.evaluators.betweenness import Betweenness
from hextui.engine.evaluators.blocking import Blocking
from hextui.engine.evaluators.contribution import (
    BothContribution,
    OpponentContribution,
    OwnContribution,
)
from hextui.engine.evaluators.k_mixed import KMixed
from hextui.engine.evaluators.k_paths import KPaths
from hextui.engine.evaluators.network_policy import NetworkPolicy
from hextui.engine.evaluators.offered_evaluators import GROUP, OfferedEvaluatorError, offered_class
from hextui.engine.evaluators.onnx_policy import OnnxPolicy
from hextui.engine.evaluators.patterns import Patterns
from hextui.engine.evaluators.resistance import Resistance
from hextui.engine.evaluators.shortest_path import ShortestPath
from hextui.engine.evaluators.tree_evaluator import TreeEvaluator
from hextui.engine.evaluators.two_distance import TwoDistance
from hextui.entry_points import entries_of

EVALUATORS: tuple[type[Evaluator], ...] = (
    # larger k first: what is counted there serves the smaller ones and shortest-path too
    KPaths,
    KMixed,
    ShortestPath,
    OwnContribution,
    OpponentContribution,
    BothContribution,
    Betweenness,
    Resistance,
    TwoDistance,
    Blocking,
    TreeEvaluator,
    NetworkPolicy,
    OnnxPolicy,
    Patterns,
)
"""Our evaluators, in the order in which they are offered."""

__all__ = ["EVALUATORS", "Evaluator", "evaluator", "listed_names", "names", "scale_of"]


def listed_names() -> tuple[str, ...]:
    """Return `names`, and those of evaluators that other packages offer; loads no package."""
    return (*names(), *sorted(entries_of(GROUP).keys() - {each.method for each in EVALUATORS}))


def names() -> tuple[str, ...]:
    """Return the names of our evaluators as they are listed."""
    listed = []
    for each in EVALUATORS:
        for options in each.listed:
            listed.append(f"{each.method}:{options}" if options else each.method)
    return tuple(listed)


def class_of(name: str) -> type[Evaluator] | None:
    """Return the class of an evaluator by its name, None if there is none that can be used.

    >>> class_of("blocking:seed=7").scale.unit, class_of("nobody")
    ('log10 odds', None)
    """
    try:
        return _class_of(name)
    except OfferedEvaluatorError:
        return None


def _split(name: str) -> tuple[str, str]:
    """Return the method of a name, and its options or its file in parentheses."""
    name = name.strip()
    method = re.split(r"[:(]", name, maxsplit=1)[0]
    return method, name[len(method) :].removeprefix(":")


def _class_of(name: str) -> type[Evaluator] | None:
    """Return the class of an evaluator; raises OfferedEvaluatorError like `offered_class`."""
    method, _ = _split(name)
    for each in EVALUATORS:
        if each.method == method:
            return each
    return offered_class(method)


def evaluator(name: str) -> Evaluator:
    """Return the evaluator with this name and options; raises ValueError with one clear line."""
    kind = _class_of(name)
    if kind is None:
        raise ValueError(
            f"no evaluator {name!r}; choose from {', '.join(listed_names())}, onnx(FILE)"
        )
    try:
        return kind.parse(_split(name)[1])
    except ValueError as error:
        raise ValueError(f"evaluator {name!r}: {error}") from None


def improves(name: str) -> bool:
    """Return whether an evaluator's rankings improve as long as it may go on: the tree search.

    >>> improves("search:visits=400"), improves("resistance")
    (True, False)
    """
    kind = class_of(name)
    return kind is not None and kind.improves


def scale_of(name: str) -> Scale | None:
    """Return the scale on which an evaluator's values are read, None where they are as they are."""
    kind = class_of(name)
    return kind.scale if kind is not None and kind.scale.short else None
