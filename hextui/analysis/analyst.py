"""Analyses the position on the screen by our own engine and attached ones, side by side.

A request replaces the one before. Snapshots carry the number of their request, so that a late one
is never taken for current.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from hextui.engine.board import Color, LargeBoard
from hextui.engine.evaluators import improves
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking
from hextui.engine.search.lines import LineSettings
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope
from hextui.engine.verdicts import Verdict, VerdictKind, Verdicts
from hextui.engines.engine import Answer, Done, Event, Failed, Interrupted, Lane
from hextui.engines.limits import SolverBudget
from hextui.engines.snapshot import Progress, SearchReport, Snapshot
from hextui.settings.engine_config import engine_in
from hextui.text import counted

if TYPE_CHECKING:
    from hextui.engine.connection import Connection
    from hextui.engines.questions import ListConnections, Premises
    from hextui.engines.registry import AttachedEngines


@dataclass
class MergedAnswers:
    """The newest answers of all engines to one request; one thread at a time may use it.

    ``evaluators`` rank moves, ``lines_by`` searches lines; ``attached`` are those of them that are
    attached engines.
    """

    own: Snapshot
    evaluators: tuple[str, ...] = ()
    attached: tuple[str, ...] = ()
    lines_by: str = ""
    stops: list[Callable[[], None]] = field(default_factory=list)
    _reports: dict[str, SearchReport] = field(default_factory=dict)
    _problems: dict[str, str] = field(default_factory=dict)
    _exited: set[str] = field(default_factory=set)
    _done: set[str] = field(default_factory=set)

    def stop(self) -> None:
        """Stop all engines."""
        for stop in self.stops:
            stop()

    def hear_own(self, event: Event) -> bool:
        """Take an event of our own engine; return whether anything is new."""
        self.own = replace(self.own, error=None)  # it was shown
        match event:
            case Answer(value):
                self.own = replace(value, generation=self.own.generation, scope=self.own.scope)
            case Interrupted():
                # earlier results stay on the screen
                progress = Progress(0, 0, "the engine is restarting")
                self.own = replace(self.own, final=False, progress=progress)
            case Failed(line):
                self.own = replace(self.own, error=line)
            case Done():
                return False
        return True

    def hear(self, name: str, event: Event) -> bool:
        """Take an event of an attached engine; return whether anything is new, as always."""
        self.own = replace(self.own, error=None)
        match event:
            case Answer(value):
                self._reports[name] = value
                self._problems.pop(name, None)
                self._exited.discard(name)
            case Interrupted(line) | Failed(line, died=True):
                self._problems[name] = line
                self._exited.add(name)
            case Failed(line):
                self._problems[name] = line
        if isinstance(event, Failed | Done):
            self._done.add(name)
        return True

    @property
    def snapshot(self) -> Snapshot:
        """All results by now; only moves in scope are ranked."""
        own = self.own
        waits = [name for name in self.attached if name not in self._done]
        return replace(
            own,
            final=own.final and not waits,
            evaluators=(*own.evaluators, *self._ranking_engines) if own.evaluators else (),
            rankings=self._rankings,
            lines_by=self.lines_by if self.lines_by in self.attached else own.lines_by,
            reports={**own.reports, **self._reports},
            problems=dict(self._problems),
            exited=frozenset(self._exited),
            progress=self._progress(waits) if own.final and waits else own.progress,
        )

    @property
    def _ranking_engines(self) -> list[str]:
        return [name for name in self.attached if name in self.evaluators]

    @property
    def _rankings(self) -> dict[str, Ranking]:
        """The rankings of all evaluators by now, of the moves in scope."""
        rankings = dict(self.own.rankings)
        for name in self._ranking_engines:
            if name in self._reports:
                rankings[name] = replace(self._reports[name].ranking, evaluator=name)
        if self.own.scope == ALL_MOVES:
            return rankings
        wanted = partial(self.own.scope.allows, first=True)
        return {name: ranking.among(wanted) for name, ranking in rankings.items()}

    def _progress(self, waits: Sequence[str]) -> Progress:
        """Return what attached engines do once our own is done."""
        if len(waits) > 1:
            return Progress(0, 0, f"{len(waits)} engines search")
        (name,) = waits
        engine = engine_in(name)
        report = self._reports.get(name)
        if name in self._problems:
            return Progress(0, 0, f"{engine} is restarting")
        visits = f": {counted(report.visits, 'visit')}" if report and report.visits else " searches"
        return Progress(0, 0, f"{engine}{visits}")


@dataclass(eq=False)
class Analyst:
    """Requests analyses of positions. ``emit`` gets every snapshot, in a thread of the engine.

    ``open_lane`` opens our engine when it is first needed; without it nothing is analysed.
    ``evaluators`` are names of our own evaluators and of attached ``engines``. ``lines_by``
    evaluates the lines, '' for none, ``minimax_by`` those beside a search's; ``lines`` says how
    they are searched. Without a ``budget`` nothing is solved. ``scope``: the moves that searches
    consider from the next request on. ``only``: the side to move in the positions that are
    analysed, None for either.

    The screen has one position analysed at a time, by `look_at`, while the analysis is ``on``, and
    hands each snapshot to `take`, which keeps the newest, ``snapshot``, and all proofs.
    """

    emit: Callable[[Snapshot], None]
    open_lane: Callable[[], Lane] | None = None
    evaluators: tuple[str, ...] = ()
    lines_by: str = ""
    minimax_by: str = ""
    lines: LineSettings = field(default_factory=LineSettings)
    budget: SolverBudget | None = None
    engines: "AttachedEngines | None" = None
    scope: MoveScope = ALL_MOVES
    only: Color | None = None
    verdicts: Verdicts = field(default_factory=Verdicts)
    snapshot: Snapshot | None = None
    _asked: Position | None = None  # by `look_at`
    _awaited: int = -1  # the number of the snapshots of it
    _lanes: dict[str, Lane] = field(default_factory=dict)
    # also held while snapshots are emitted: they stay in order
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _generation: int = 0
    _newest: MergedAnswers | None = None

    def __post_init__(self) -> None:
        self.on = self.possible

    @property
    def possible(self) -> bool:
        """Whether there is an engine."""
        return self.open_lane is not None

    # The position on the screen

    def look_at(
        self, position: Position, played: int | None = None, *, again: bool = False
    ) -> None:
        """Analyse a position, if the analysis is on and was not asked for it before.

        ``played`` is the move to judge early. ``again``: continue an analysis that has ended, or
        begin one whichever side is to move.
        """
        if isinstance(position.board, LargeBoard):
            self._asked = None
        elif self.skips(position) and not again:
            if position != self._asked:
                self.cancel()
                self._asked = None
        elif self.on and (again or position != self._asked):
            self._asked = position
            self._awaited = self.request(position, again, played)

    def skips(self, position: Position) -> bool:
        """Return whether positions with this side to move are not analysed."""
        return self.only not in (None, position.to_move)

    def look_again(self) -> None:
        """Analyse the position again, if there is one: evaluators or engines have changed."""
        position, self._asked = self._asked, None
        if position is not None:
            self.look_at(position)

    def toggle(self, position: Position) -> None:
        """Switch the analysis on, of this position, or off."""
        self.on = self.possible and not self.on
        if not self.on:
            self.cancel()
            self._asked = None
        self.look_at(position)

    def take(self, snapshot: Snapshot) -> bool:
        """Keep a snapshot; return False if it is outdated: then only its proofs are kept."""
        keep_proofs(snapshot, self.verdicts)
        if snapshot.generation != self._awaited or snapshot.position != self._asked:
            return False
        self.snapshot = snapshot
        return True

    def of(self, position: Position) -> Snapshot | None:
        """Return the newest snapshot if it is of this position and scope."""
        snapshot = self.snapshot
        if snapshot is None or (snapshot.position, snapshot.scope) != (position, self.scope):
            return None
        return snapshot

    def stale(self, position: Position) -> bool:
        """Return whether there is a snapshot, but of another position or scope."""
        return self.snapshot is not None and self.of(position) is None

    # What is analysed, and how

    def request(self, position: Position, again: bool = False, played: int | None = None) -> int:
        """Analyse a position instead of the last one; return the number of its snapshots.

        ``again``: continue an analysis that has ended. ``played``: the move made there in the game.
        """
        from hextui.engines.questions import Analyse

        asked_for = dict.fromkeys((*self.evaluators, self.lines_by))
        attached = tuple(name for name in asked_for if engine_in(name) is not None)
        self.cancel()
        with self._lock:
            generation = self._generation
            own = Snapshot(position, generation, scope=self.scope)
            newest = MergedAnswers(own, self.evaluators, attached, self.lines_by)
            self._newest = newest
        question = Analyse(
            position=position,
            evaluators=tuple(name for name in self.evaluators if name not in attached),
            lines_by="" if self.lines_by in attached else self.lines_by,
            minimax_by=self.minimax_by,
            lines=self.lines,
            budget=self.budget,
            again=again,
            played=played,
            scope=self.scope,
        )
        asked = self._lane("live").ask(question, partial(self._hear, newest, newest.hear_own))
        newest.stops.append(asked.stop)
        for name in attached:
            self._ask_attached(newest, name, position, again)
        return generation

    def _ask_attached(
        self, newest: MergedAnswers, name: str, position: Position, again: bool
    ) -> None:
        from hextui.engines.questions import SearchMoves

        hear = partial(self._hear, newest, partial(newest.hear, name))
        try:
            lane = self.engines.lane(name) if self.engines else None
        except ValueError as error:
            hear(Failed(str(error)))
            return
        if lane is not None:
            question = SearchMoves(position, scope=newest.own.scope, again=again)
            asked = lane.ask(question, hear)
            newest.stops.append(asked.stop)

    def choose_evaluators(self, names: Sequence[str]) -> None:
        """Rank by these evaluators from now on, without engines that are gone."""
        if tuple(names) != self.evaluators:
            chosen = tuple(filter(self._is_there, names))
            self.evaluators = chosen or tuple(filter(self._is_there, self.evaluators))
            self.look_again()

    def choose_lines_by(self, name: str) -> None:
        """Search lines with this evaluator from now on, if it is there.

        One that does not search by itself is kept beside the searches chosen later.
        """
        if name != self.lines_by and self._is_there(name):
            self.lines_by = name
            if not improves(name) and engine_in(name) is None:
                self.minimax_by = name
            self.look_again()

    def choose_scope(self, scope: MoveScope) -> bool:
        """Let searches consider these moves from now on; return whether that is new."""
        if not self.possible or scope == self.scope:
            return False
        self.scope = scope
        self._asked = None
        return True

    def _is_there(self, name: str) -> bool:
        """Whether an evaluator is one of our own, or an engine that is configured."""
        attached = self.engines.evaluators if self.engines else ()
        return self.possible and (engine_in(name) is None or name in attached)

    def look_up(
        self,
        question: "ListConnections | Premises",
        hear: "Callable[[tuple[Connection, ...]], object]",
    ) -> None:
        """List connections; ``hear`` gets them, from any thread, () if they cannot be listed."""

        def take(event: Event) -> None:
            match event:
                case Answer(value):
                    hear(value)
                case Failed():
                    hear(())

        if self.possible:
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

    def _lane(self, name: str) -> Lane:
        """Return a lane, opened when it is first used."""
        if name not in self._lanes:
            assert self.open_lane is not None
            self._lanes[name] = self.open_lane()
        return self._lanes[name]

    def _hear(self, newest: MergedAnswers, hear: Callable[[Event], bool], event: Event) -> None:
        with self._lock:
            if newest is not self._newest or not hear(event):
                return
            snapshot = newest.snapshot
            if snapshot.evaluators and self.evaluators == newest.evaluators:
                # without names that are no evaluators: those of an older version, say
                self.evaluators = snapshot.evaluators
            self.emit(snapshot)


def keep_proofs(snapshot: Snapshot, verdicts: Verdicts) -> None:
    """Add who wins a position, and by which moves, as far as a snapshot proves it.

    A connection of the edges wins whatever is played; a move outside the must-play region loses.
    The solver's time is kept with the first verdict.
    """
    _keep_connections(snapshot, verdicts)
    won = Verdict(VerdictKind.SOLVER, snapshot.position.to_move)
    lost = Verdict(VerdictKind.SOLVER, snapshot.position.to_move.opponent)
    for name, report in snapshot.reports.items():
        if engine_in(name) is not None:
            continue  # an attached engine claims, and proves nothing
        wins = [move.cell for move in report.moves if move.proved is True]
        losses = [move.cell for move in report.moves if move.proved is False]
        searched = dict.fromkeys(wins, won) | dict.fromkeys(losses, lost)
        verdicts.prove_moves(snapshot.position, searched)
    _keep_solution(snapshot, verdicts)


def _keep_connections(snapshot: Snapshot, verdicts: Verdicts) -> None:
    """Add what the connections of the edges prove."""
    position, mover = snapshot.position, snapshot.position.to_move
    if (verdict := snapshot.verdict) is not None:
        verdicts.prove(position, verdict)
        joined = verdict.kind is VerdictKind.CONNECTION and verdict.key is None
        if joined and verdict.winner is mover:
            verdicts.prove_moves(position, dict.fromkeys(position.empties, verdict))
    if snapshot.must_play is not None and position.winner is None:
        unmet = Verdict(VerdictKind.CONNECTION, mover.opponent)
        outside = (cell for cell in position.empties if cell not in snapshot.must_play)
        verdicts.prove_moves(position, dict.fromkeys(outside, unmet))


def _keep_solution(snapshot: Snapshot, verdicts: Verdicts) -> None:
    """Add what the solver proved, the move of its line first."""
    position, solution = snapshot.position, snapshot.solution
    if solution is None or solution.winner is None:
        return
    won = Verdict(VerdictKind.SOLVER, position.to_move)
    lost = Verdict(VerdictKind.SOLVER, position.to_move.opponent)
    seconds = solution.seconds if verdicts.of(position) is None else None
    verdicts.prove(position, Verdict(VerdictKind.SOLVER, solution.winner, seconds=seconds))
    first = (cell for cell in solution.line.numbers[:1] if cell in solution.wins)
    moves = dict.fromkeys((*first, *solution.wins), won)
    moves |= dict.fromkeys(solution.losses, lost)
    verdicts.prove_moves(position, moves)
