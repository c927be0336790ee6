"""Evaluators: each ranks every legal move; one a file, one interface, one registry."""

from hextui.engine.evaluators.base import Evaluator, RankedMove, Ranking, Workbench
from hextui.engine.evaluators.registry import evaluator, names

__all__ = ["Evaluator", "RankedMove", "Ranking", "Workbench", "evaluator", "names"]
