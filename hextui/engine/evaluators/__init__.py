"""Evaluators: each ranks every legal move; one a file, one interface, one registry."""

from hextui.engine.evaluators.base import Evaluator, Workbench
from hextui.engine.evaluators.registry import evaluator, names
from hextui.engine.ranking import RankedMove, Ranking

__all__ = ["Evaluator", "RankedMove", "Ranking", "Workbench", "evaluator", "names"]
