"""Asks engines about the position on the screen: the newest question only.

A request replaces the one before. Snapshots carry the number of their request, so that a late
one is never taken for current. Our own engine and attached ones are asked side by side.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from hextui.analysis.merged_answers import MergedAnswers
from hextui.engine.position import Position
from hextui.engine.search.line_settings import LineSettings
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope
from hextui.engines.attached.engine_config import engine_in
from hextui.engines.engine import Answer, Event, Failed
from hextui.engines.snapshot import Snapshot

if TYPE_CHECKING:
    from hextui.engine.connection import Connection
    from hextui.engines.attached.attached_engines import AttachedEngines
    from hextui.engines.limits import SolverBudget
    from hextui.engines.questions import ListConnections, Premises
    from hextui.engines.supervisor import Lane


@dataclass(frozen=True)
class AnalysisSettings:
    """How lines are searched, and what the solver may take; without a budget nothing is solved."""

    lines: LineSettings = field(default_factory=LineSettings)
    budget: "SolverBudget | None" = None


class Analyst:
    """Has requested positions analysed. ``emit`` gets every snapshot, in a thread of the engine's.

    ``open_lane`` makes whom to ask, when that is first needed. ``evaluators`` are names of the
    registry, and of attached ``engines``. ``lines_by`` is the evaluator of the lines, '' for none.
    """

    def __init__(
        self,
        emit: Callable[[Snapshot], None],
        open_lane: "Callable[[], Lane]",
        evaluators: Sequence[str],
        lines_by: str = "",
        settings: AnalysisSettings | None = None,
        engines: "AttachedEngines | None" = None,
    ) -> None:
        self._emit = emit
        self._open_lane = open_lane
        self._lanes: dict[str, Lane] = {}
        self._evaluators = tuple(evaluators)
        self._lines_by = lines_by
        self._settings = settings or AnalysisSettings()
        self._engines = engines
        self._scope = ALL_MOVES
        self._lock = threading.RLock()  # also held while snapshots are emitted: they stay in order
        self._generation = 0
        self._newest: MergedAnswers | None = None

    def request(self, position: Position, again: bool = False, played: int | None = None) -> int:
        """Analyse a position instead of the last one; return the number its snapshots carry.

        ``again``: if it was analysed to the end, the later stages go on from there, and attached
        engines have their time again. ``played``: the move made there in the game.
        """
        from hextui.engines.questions import Analyse

        settings = self._settings
        own = tuple(name for name in self._evaluators if engine_in(name) is None)
        ranking = tuple(name for name in self._evaluators if engine_in(name) is not None)
        lines_by = "" if engine_in(self._lines_by) is not None else self._lines_by
        self.cancel()
        with self._lock:
            generation = self._generation
            by_engine = (self._lines_by,) if self._lines_by and not lines_by else ()
            attached = tuple(dict.fromkeys((*ranking, *by_engine)))
            newest = MergedAnswers(
                Snapshot(position, generation, scope=self._scope), attached, ranking, self._lines_by
            )
            self._newest = newest
        question = Analyse(
            position,
            own,
            lines_by,
            settings.lines,
            settings.budget,
            again=again,
            played=played,
            scope=self._scope,
        )
        asked = self._lane("live").ask(question, partial(self._hear, newest, self._evaluators))
        newest.stops.append(asked.stop)
        for name in attached:
            self._ask_attached(newest, name, position, again)
        return generation

    def _ask_attached(
        self, newest: MergedAnswers, name: str, position: Position, again: bool
    ) -> None:
        """Have an attached engine think of a position."""
        from hextui.engines.questions import Examine

        hear = partial(self._hear_attached, newest, name)
        try:
            engine = self._engines.of_evaluator(name) if self._engines else None
        except ValueError as error:
            hear(Failed(str(error)))
            return
        if engine is not None:
            question = Examine(position, scope=newest.own.scope, again=again)
            asked = engine.lane().ask(question, hear)
            newest.stops.append(asked.stop)

    @property
    def evaluators(self) -> tuple[str, ...]:
        """The names of the evaluators that rank, in the order in which they do."""
        return self._evaluators

    @property
    def lines_by(self) -> str:
        """The name of the evaluator that lines are searched with."""
        return self._lines_by

    def choose_evaluators(self, names: Sequence[str]) -> None:
        """Rank by these evaluators from the next request on; engines that are gone are left out.

        Where that leaves none, those of before go on.
        """
        known = tuple(name for name in names if self._is_there(name))
        self._evaluators = known or tuple(filter(self._is_there, self._evaluators))

    def choose_lines_by(self, name: str) -> None:
        """Search lines with this evaluator from the next request on, if it is there."""
        if self._is_there(name):
            self._lines_by = name

    @property
    def scope(self) -> MoveScope:
        """Which moves searches think of."""
        return self._scope

    def choose_scope(self, scope: MoveScope) -> None:
        """Have searches think of these moves from the next request on."""
        self._scope = scope

    def _is_there(self, name: str) -> bool:
        """Whether an evaluator is one of our own, or an engine that is configured."""
        known = self._engines.evaluators if self._engines else ()
        return engine_in(name) is None or name in known

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
            newest, self._newest = self._newest, None
        if newest is not None:
            newest.stop()

    def close(self) -> None:
        """Stop for good."""
        self.cancel()
        for lane in self._lanes.values():
            lane.close()

    def _lane(self, name: str) -> "Lane":
        """Return a lane, opened when it is first used."""
        if name not in self._lanes:
            self._lanes[name] = self._open_lane()
        return self._lanes[name]

    def _hear(self, newest: MergedAnswers, evaluators: tuple[str, ...], event: Event) -> None:
        """Take what our engine says to a request that these evaluators were to rank for."""
        with self._lock:
            if newest is not self._newest or not newest.hear_own(event):
                return
            snapshot = newest.snapshot
            if snapshot.evaluators and self._evaluators == evaluators:
                # without names that are no evaluators: those of an older version, say
                self._evaluators = snapshot.evaluators
            self._emit(snapshot)

    def _hear_attached(self, newest: MergedAnswers, name: str, event: Event) -> None:
        """Take what an attached engine says to a request."""
        with self._lock:
            if newest is not self._newest:
                return
            newest.hear(name, event)
            self._emit(newest.snapshot)
