"""An attached engine as one of the evaluators: it ranks the moves that it has looked at."""

from collections.abc import Iterator

from hextui.engine.evaluators.base import Workbench
from hextui.engine.ranking import Ranking
from hextui.engines.attached.attached_engine import AttachedEngine
from hextui.engines.attached.engine_names import evaluator_of
from hextui.engines.attached.examining import Examine


class AttachedEvaluator:
    """Ranks moves in an engine's order, by its win rates, or its scores where it has none."""

    def __init__(self, engine: AttachedEngine) -> None:
        self._engine = engine
        self._lane = engine.lane()

    @property
    def name(self) -> str:
        """The name that players and evaluators are asked for by."""
        return evaluator_of(self._engine.config.name)

    @property
    def source(self) -> str:
        """Where the method is told: it is the engine's own."""
        return f"{self._engine.config.name}: docs/engines.md#other-engines"

    def rank(self, bench: Workbench) -> Iterator[Ranking]:
        """Yield rankings that improve until the engine's limit; raises EngineError."""
        for found in self._lane.answers(Examine(bench.position)):
            yield found.ranking

    def worth(self, bench: Workbench, ranking: Ranking) -> float:
        """Return the value of the engine's best move; 0 where it named none."""
        return ranking.moves[0].value if ranking.moves else 0.0

    def turned(self, worth: float) -> float:
        """Return the worth to the other side, worths being win rates."""
        return 1 - worth
