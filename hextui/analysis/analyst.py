"""Asks an engine about the position on the screen: the newest question only.

A request replaces the one before. Snapshots carry the number of their request, so that a late
one is never taken for current.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from hextui.engine.position import Position
from hextui.engine.search.line_settings import LineSettings
from hextui.engines.engine import Answer, Asked, Done, Event, Failed, Interrupted, Lane
from hextui.engines.snapshot import Progress, Snapshot

if TYPE_CHECKING:
    from hextui.engine.connection import Connection
    from hextui.engines.budget import SolverBudget
    from hextui.engines.questions import ListConnections, Premises


@dataclass(frozen=True)
class AnalysisSettings:
    """How lines are searched, and what the solver may take; without a budget nothing is solved."""

    lines: LineSettings = field(default_factory=LineSettings)
    budget: "SolverBudget | None" = None


class Analyst:
    """Has requested positions analysed. ``emit`` gets every snapshot, in a thread of the engine's.

    ``open_lane`` makes whom to ask, when that is first needed. ``evaluators`` are names of the
    registry. ``lines_by`` is the evaluator of the lines, '' for none.
    """

    def __init__(
        self,
        emit: Callable[[Snapshot], None],
        open_lane: Callable[[], Lane],
        evaluators: Sequence[str],
        lines_by: str = "",
        settings: AnalysisSettings | None = None,
    ) -> None:
        self._emit = emit
        self._open_lane = open_lane
        self._lanes: dict[str, Lane] = {}
        self._evaluators = tuple(evaluators)
        self._lines_by = lines_by
        self._settings = settings or AnalysisSettings()
        self._lock = threading.Lock()
        self._generation = 0
        self._asked: Asked | None = None
        self._newest: Snapshot | None = None

    def request(self, position: Position, again: bool = False) -> int:
        """Analyse a position instead of the last one; return the number its snapshots carry.

        ``again``: if it was analysed to the end, the later stages go on from there.
        """
        from hextui.engines.questions import Analyse

        settings = self._settings
        question = Analyse(
            position, self._evaluators, self._lines_by, settings.lines, settings.budget, again
        )
        self.cancel()
        with self._lock:
            generation = self._generation
            self._newest = Snapshot(position, generation)
        self._asked = self._lane("live").ask(
            question, partial(self._hear, generation, question.evaluators)
        )
        return generation

    @property
    def evaluators(self) -> tuple[str, ...]:
        """The names of the evaluators that rank, in the order in which they do."""
        return self._evaluators

    @property
    def lines_by(self) -> str:
        """The name of the evaluator that lines are searched with."""
        return self._lines_by

    def choose_evaluators(self, names: Sequence[str]) -> None:
        """Rank by these evaluators from the next request on."""
        self._evaluators = tuple(names)

    def choose_lines_by(self, name: str) -> None:
        """Search lines with this evaluator from the next request on."""
        self._lines_by = name

    def look_up(
        self,
        question: "ListConnections | Premises",
        hear: "Callable[[tuple[Connection, ...]], object]",
    ) -> None:
        """Have connections listed; ``hear`` gets them, or () if they cannot be had."""

        def take(event: Event) -> None:
            match event:
                case Answer(value):
                    hear(value)
                case Failed():
                    hear(())

        self._lane("connections").ask(question, take)

    def cancel(self) -> None:
        """Stop analysing; the next request starts again."""
        with self._lock:
            self._generation += 1
            self._newest = None
        if self._asked is not None:
            self._asked.stop()
            self._asked = None

    def close(self) -> None:
        """Stop for good."""
        self.cancel()
        for lane in self._lanes.values():
            lane.close()

    def _lane(self, name: str) -> Lane:
        """Return a lane, opened when it is first used."""
        if name not in self._lanes:
            self._lanes[name] = self._open_lane()
        return self._lanes[name]

    def _hear(self, generation: int, evaluators: tuple[str, ...], event: Event) -> None:
        """Take what the engine says to a request that these evaluators were to rank for."""
        with self._lock:
            before = self._newest
            if generation != self._generation or before is None:
                return
            match event:
                case Answer(value):
                    snapshot = replace(value, generation=generation)
                    if snapshot.evaluators and self._evaluators == evaluators:
                        # without names that are no evaluators: those of an older version, say
                        self._evaluators = snapshot.evaluators
                case Interrupted():
                    # what was known stays on the screen
                    progress = Progress(0, 0, "the engine starts again")
                    snapshot = replace(before, final=False, error=None, progress=progress)
                case Failed(line):
                    snapshot = replace(before, error=line)
                case Done():
                    return
            self._newest = snapshot
        self._emit(snapshot)
