"""An attached engine behind the interface of our own, as an evaluator, and as a player.

It searches one position at a time: the questions of all lanes are answered in turn, and one that is
given up before its turn is never sent.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hextui.engine.board import Board
from hextui.engine.evaluators.base import Evaluator, Scale
from hextui.engine.explanation import Explanation
from hextui.engine.limit import Limit
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.ranking import Ranking
from hextui.engine.search.move_scope import ALL_MOVES
from hextui.engine.swap import wants_swap
from hextui.engines import limits
from hextui.engines.attached_searches import SWAPS, search
from hextui.engines.engine import (
    Answer,
    AskedQuestion,
    Done,
    EngineError,
    EngineGoneError,
    Event,
    Failed,
    Hear,
    Lane,
    Stop,
    Supervisor,
)
from hextui.engines.engine_session import Direction, EngineSession, RefusedError, Traffic
from hextui.engines.questions import ChooseMove, Judge, Judged, Question, SearchMoves
from hextui.engines.snapshot import SearchReport
from hextui.settings.engine_config import AttachedConfig, Dialect, evaluator_of

if TYPE_CHECKING:
    from hextui.engine.evaluators.workbench import Workbench

STOPPED = "stopped"
"""The state of an engine that is not used until it is started."""
CACHED = 100  # answers: a few megabytes on the largest boards


@dataclass(frozen=True)
class _Start(Question[None]):
    """A request that starts the engine and returns nothing."""


class AttachedEngine(Supervisor):
    """An engine of somebody else's, started by the first question; it caches final answers."""

    def __init__(
        self, config: AttachedConfig, on_death: Callable[[str], None] = lambda line: None
    ) -> None:
        super().__init__(config.name, on_death)
        self.config = config
        self.traffic = Traffic()
        self._session: EngineSession | None = None
        self._cache: OrderedDict[SearchMoves, SearchReport] = OrderedDict()
        self._late = False  # the next question is sent when it is `limits.REST` old
        self._slow = False  # the process was once slow to stop
        self._exit = ""  # why the last process ended
        self.at: Position | None = None  # the position that it searches; None while it does not

    @property
    def state(self) -> str:
        """What it does, in a few words."""
        if self._refused:
            return STOPPED
        if self._given_up:
            return self._given_up.removeprefix(f"{self.name} ")
        if self._session is None:
            return self._exit or "not started"
        if not self._ready:
            return "starting"
        return f"searching {searched.board}" if (searched := self.at) else "ready"

    def ask(self, lane: int, question: Question[Any], hear: Hear) -> AskedQuestion:
        """Ask in a lane and return at once; what is cached is answered at once."""
        cached = self._cache.get(question) if isinstance(question, SearchMoves) else None
        if cached is None:
            return super().ask(lane, question, hear)
        asked = AskedQuestion(question, hear)
        asked.tell(Answer(cached))
        asked.tell(Done())
        return asked

    def start(self) -> None:
        """Start the program at once, and anew if it runs: it is asked again what it was asked."""
        super().start()
        self._exit = ""
        self.ask(0, _Start(Position.empty(Board(1, 1))), lambda event: None)

    def _rest(self) -> float | None:
        if not self._open:
            return None
        age = time.monotonic() - next(iter(self._open.values())).since
        return max(limits.REST - age, 0.0) if self._late else 0.0

    def _serve(self) -> None:
        with self._changed:
            asked = next(iter(self._open.values()), None)
            if asked is None:
                return
            asked.sent = True
        last: Event = Done()
        try:
            self._answer(asked)
        except RefusedError as error:
            last = Failed(f"{self.name} answers: {error}")
        except ValueError as error:
            last = Failed(str(error))
        finally:
            self.at = None
            if asked.stopped_at is not None:
                self._slow |= time.monotonic() - asked.stopped_at > limits.SLOW_STOP
            self._late = asked.stopped or self._slow
        if self._cut:
            asked.sent = False  # it is asked again, if it was not refused
        else:
            self._finish(asked, last)

    def _answer(self, asked: AskedQuestion) -> None:
        question = asked.question
        match question:
            case _Start():
                self._started()
            case SearchMoves():
                for report in self._search(question, asked):
                    asked.tell(Answer(report))
            case Judge():
                for last in self._search(SearchMoves(question.position), asked):
                    if last.final:
                        rankings = dict.fromkeys(question.evaluators, last.ranking)
                        judged = Judged(None, rankings, winrate=last.winrate, claim=last.claim)
                        asked.tell(Answer(judged))
            case ChooseMove():
                search = SearchMoves(question.position, question.limit, choose=True)
                for last in self._search(search, asked):
                    if last.final:
                        asked.tell(Answer(self._move(question, last)))
            case _:
                raise ValueError(f"{self.name} does not answer {type(question).__name__}")

    def _search(self, question: SearchMoves, asked: AskedQuestion) -> Iterator[SearchReport]:
        """Yield the reports of a search; the last one is final."""
        position = question.position
        report = SearchReport(position, self.name, winner=position.winner)
        if position.winner is None:
            self._check(question)
            session = self._started()
            self.at = position
            stop: Stop = lambda: asked.stopped or self._cut  # noqa: E731
            with closing(search(session, question, self._limit(question.limit), stop)) as results:
                for report in results:
                    yield report
        if not self._cut:
            report = replace(report, final=True)
            if not asked.stopped and not question.choose:
                self._cache[replace(question, again=False)] = report
                if len(self._cache) > CACHED:
                    self._cache.popitem(last=False)
            yield report

    def _move(self, question: ChooseMove, report: SearchReport) -> Move:
        """Return the best move, or a swap where the engine or its win probability asks for it."""
        position = question.position
        loses = report.winner is position.to_move.opponent
        prefers_swap = loses or report.word.lower() in SWAPS
        prefers_swap |= report.winrate is not None and wants_swap(report.winrate)
        if position.swap_legal and prefers_swap:
            return Move(position.swap_rule.move)
        if loses:
            return Move(MoveKind.RESIGN)
        if report.word:
            raise ValueError(f"{self.name} answers {report.word!r}, which is not a legal move here")
        if not report.moves:
            raise ValueError(f"{self.name} named no move in time: give it more seconds")
        return Move.play(report.moves[0].cell)

    def _check(self, question: SearchMoves) -> None:
        """Raise ValueError for what this engine cannot be asked."""
        board, config = question.position.board, self.config
        sides = (board.rows, board.columns)
        if not config.smallest <= min(sides) <= max(sides) <= config.largest:
            span = f"{config.smallest} to {config.largest}"
            raise ValueError(f"{config.name} takes boards of {span} rows and columns, not {board}")
        if question.scope != ALL_MOVES and config.dialect is Dialect.HTP:
            raise ValueError(f"{config.name} cannot be restricted to marked moves")

    def _limit(self, limit: Limit) -> Limit:
        """Return the narrower of the question's limit and the configured one."""
        visits = [n for n in (limit.visits, self.config.visits) if n is not None]
        seconds = self.config.seconds if limit.seconds is None else limit.seconds
        return Limit(min(seconds, self.config.seconds), visits=min(visits, default=None))

    def _started(self) -> EngineSession:
        """Return the running engine, started if it is not; raises EngineGoneError."""
        if self._session is None:
            self._ready = self._slow = False
            session = self._session = EngineSession(self.config, self.traffic)
            if self._cut:  # nobody could have killed it
                raise EngineGoneError("was stopped")
            try:
                session.begin()
            except RefusedError:
                self._end(at_once=True)
                raise
            self._ready = True
            self._early_deaths = 0
            self._exit = ""
        return self._session

    def _bury(self, error: EngineGoneError) -> None:
        self._exit = f"{error}{error.said}"
        self.traffic.add(Direction.NOTED, self._exit)
        super()._bury(error)

    def _kill(self) -> None:
        if (session := self._session) is not None:
            session.kill()

    def _end(self, *, at_once: bool = False) -> None:
        session = self._session
        self._session = None
        self.at = None
        if session is not None:
            session.close(at_once=at_once)

    def _cut_short(self) -> None:
        if (session := self._session) is not None:
            session.answer_seconds = limits.END
        self._wake()
        if not self._ready:  # it would not notice
            self._kill()

    def _wake(self) -> None:
        super()._wake()
        if (session := self._session) is not None:
            session.wake()


@dataclass(frozen=True)
class AttachedEvaluator(Evaluator):
    """Ranks moves in an engine's order, by its win probabilities, or else by its scores."""

    method = "engine"
    short = "engine"
    about = "attached engine"
    scale = Scale("win probability, or the engine's score", high=1.0)
    improves = True

    engine: AttachedEngine

    @property
    def name(self) -> str:
        """The name among evaluators and players."""
        return evaluator_of(self.engine.name)

    def rank(self, bench: "Workbench") -> Iterator[Ranking]:
        """Yield rankings that improve until the engine's limit; raises EngineError."""
        for report in self.engine.lane().answers(SearchMoves(bench.position)):
            yield report.ranking

    def explain(self, bench: "Workbench", move: int) -> Iterator[Ranking | Explanation]:
        """Raise ValueError: engines do not explain their moves."""
        raise ValueError(f"{self.name} does not explain its values")

    def worth(self, bench: "Workbench", ranking: Ranking) -> float:
        """Return the value of the engine's best move; 0 where it named none."""
        return ranking.moves[0].value if ranking.moves else 0.0


class AttachedPlayer:
    """Plays an attached engine's best move, and resigns where the engine does.

    Under the swap rule it takes over a first move after which the engine's win probability for the
    side to move is below 0.5. It opens with the engine's best move, so give it openings.
    """

    def __init__(self, lane: Lane, name: str, limit: Limit) -> None:
        self.name = name
        self._lane, self._limit = lane, limit

    def choose(self, position: Position, stop: Stop = lambda: False) -> Move:
        """Return the move; raises EngineError if there is none, ValueError on a full board.

        An engine with a limit in seconds is not stopped: it might not name a move any more.
        """
        if not position.empties:
            raise ValueError("no cell is empty")
        until = stop if self._limit.seconds is None else lambda: False
        for move in self._lane.answers(ChooseMove(position, "", 0, self._limit), until):
            if isinstance(move, Move):
                return move
        raise EngineError(f"{self.name} named no move")
