"""Another engine behind the interface of our own: asked, stopped, started again, asked again.

It thinks of one position at a time: a thread takes the questions of all lanes in turn, and one
that is given up before its turn is never sent. An engine that has died three times of a question,
or before its first word, is left alone until somebody starts it again; so is one that was stopped.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any, TypeVar

from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search.move_scope import ALL_MOVES
from hextui.engines.attached.configured import AttachedConfig, Dialect
from hextui.engines.attached.conversation import (
    END_SECONDS,
    Conversation,
    EngineGoneError,
    RefusedError,
    told,
)
from hextui.engines.attached.examining import Examine, Examined, Greet
from hextui.engines.attached.kept_answers import KeptAnswers
from hextui.engines.attached.placed_stones import PlacedStones
from hextui.engines.attached.searches import htp_search, kata_search
from hextui.engines.attached.stopping import Stopping
from hextui.engines.attached.traffic import Direction, Traffic
from hextui.engines.engine import Answer, Done, Failed, Hear, Interrupted, Stop, answers
from hextui.engines.questions import Judge, Judged, Question

A = TypeVar("A")
MOST_DEATHS = 3
REST_SECONDS = 0.15
"""Behind a question that was given up the next one is sent when it is so old: who walks through a
game passes most positions, and some engines cannot stop what they begin with."""
DEAF_SECONDS = 0.1
"""A process that was once quiet only so long after it was told to stop gets every question when
that is REST_SECONDS old, the first step of a walk too: it would search there while others pass."""
CLOSED = "The engine is closed"
GREETING = Greet(Position.empty(Board(1, 1)))


class AttachedQuestion:
    """A question that was asked."""

    def __init__(self, question: Question[Any], hear: Hear, wake: Callable[[], None]) -> None:
        self.question = question
        self.hear = hear
        self.since = time.monotonic()
        self._stopped = threading.Event()
        self._wake = wake

    def stop(self) -> None:
        """Give it up; nothing more is heard of it. Does not wait."""
        self._stopped.set()
        self._wake()

    def stopped(self) -> bool:
        """Tell whether it was given up."""
        return self._stopped.is_set()

    def tell(self, event: Answer | Done | Interrupted | Failed) -> None:
        """Have an event heard, unless nobody wants to any more."""
        if not self.stopped():
            self.hear(event)


class AttachedLane:
    """A lane of an attached engine."""

    def __init__(self, engine: "AttachedEngine") -> None:
        self._engine = engine
        self._asked: list[AttachedQuestion] = []

    def ask(self, question: Question[Any], hear: Hear) -> AttachedQuestion:
        """Ask; returns at once. What comes of it is heard on a thread of the engine's."""
        asked = self._engine.ask(question, hear)
        self._asked = [*(known for known in self._asked if not known.stopped()), asked][-100:]
        return asked

    def answers(self, question: Question[A], stop: Stop = lambda: False) -> Iterator[A]:
        """Yield the answers as they come, until the last or until ``stop``.

        Raises EngineError if the question fails.
        """
        return answers(self, question, stop)

    def close(self) -> None:
        """Give up what was asked."""
        for asked in self._asked:
            asked.stop()


class AttachedEngine:
    """An engine of somebody else's. Any thread may use it; it starts with the first question.

    ``on_death`` is called with a line whenever it has died.
    """

    def __init__(
        self, config: AttachedConfig, on_death: Callable[[str], None] = lambda line: None
    ) -> None:
        self.config = config
        self.traffic = Traffic()
        self.on_death = on_death
        self._changed = threading.Condition()
        self._waiting: deque[AttachedQuestion] = deque()
        self._talk: Conversation | None = None
        self._placed = PlacedStones(config.dialect)
        self._known: frozenset[str] = frozenset()
        self._kept = KeptAnswers()
        self._early_deaths = 0
        self._given_up = ""
        self._passed = False  # the last question was given up
        self._deaf = False  # the process was told to stop and took long
        self._ended = ""  # why the last process did
        self._at: Examine | None = None  # what it searches
        self._halted = False
        self._to_end = False  # the process, as soon as may be
        self._closed = False
        self._thread: threading.Thread | None = None

    @property
    def state(self) -> str:
        """What it does, in a few words."""
        if self._halted or self._closed:
            return "stopped"
        if self._given_up:
            return self._given_up.removeprefix(f"{self.config.name} ")
        if self._talk is None:
            return self._ended or "not started"
        if not self._known:
            return "starting"
        at = self.at
        return f"searching {at.board}" if at else "ready"

    @property
    def at(self) -> Position | None:
        """The position that it searches; None while it does not."""
        question = self._at
        return question.position if question else None

    def lane(self) -> AttachedLane:
        """Return a new lane."""
        return AttachedLane(self)

    def ask(self, question: Question[Any], hear: Hear) -> AttachedQuestion:
        """Ask; returns at once."""
        asked = AttachedQuestion(question, hear, self._wake)
        if (known := self._kept.get(question)) is not None:
            asked.tell(Answer(known))
            asked.tell(Done())
            return asked
        with self._changed:
            refused = self._refusal
            if not refused:
                self._waiting.append(asked)
                self._changed.notify()
                if self._thread is None:
                    self._thread = threading.Thread(target=self._run, name="attached", daemon=True)
                    self._thread.start()
        if refused:
            hear(Failed(refused, died=bool(self._given_up)))
        return asked

    @property
    def _refusal(self) -> str:
        """Why nothing is asked, '' if it is."""
        if self._closed:
            return CLOSED
        return f"{self.config.name} is stopped" if self._halted else self._given_up

    def start(self) -> None:
        """Start the program at once, and anew if it runs: what it was asked it is asked again."""
        with self._changed:
            self._halted, self._to_end = False, True
            self._early_deaths, self._given_up, self._ended = 0, "", ""
        self._cut_short()
        self.ask(GREETING, lambda event: None)

    def halt(self) -> None:
        """End the program and have it asked nothing until it is started. Does not wait."""
        with self._changed:
            self._halted = self._to_end = True
            waiting = self._take_waiting()
        for asked in waiting:
            asked.tell(Failed(self._refusal))
        self._cut_short()

    def close(self) -> None:
        """End the program for good; waits until it has ended, a few seconds at most."""
        with self._changed:
            self._closed = True
            waiting = self._take_waiting()
        for asked in waiting:
            asked.tell(Failed(CLOSED))
        self._cut_short()
        if self._thread is None:
            return
        self._thread.join(END_SECONDS)
        if self._thread.is_alive() and (talk := self._talk) is not None:
            talk.hang_up()
        self._thread.join()

    def _take_waiting(self) -> list[AttachedQuestion]:
        """Return the questions that wait, which do so no more; the lock is held."""
        waiting, self._waiting = list(self._waiting), deque()
        self._changed.notify()
        return waiting

    def _cut_short(self) -> None:
        """Have a search end now, and a program that has not begun to speak."""
        self._wake()
        if (talk := self._talk) is not None and not self._known:
            talk.hang_up()

    def _wake(self) -> None:
        if (talk := self._talk) is not None:
            talk.wake()

    # The thread that speaks with it

    @property
    def _cut(self) -> bool:
        """Whether what it does is to end, though somebody wants an answer."""
        return self._closed or self._to_end

    def _run(self) -> None:
        while (asked := self._next()) is not None:
            self._answer(asked)
            self._passed = asked.stopped()
        self._end_process()

    def _next(self) -> AttachedQuestion | None:
        """Wait for a question that somebody still wants answered; None at the end."""
        while True:
            with self._changed:
                while self._waiting and self._waiting[0].stopped():
                    self._waiting.popleft()
                if self._closed:
                    return None
                if not self._to_end:
                    rest = self._rest
                    if rest == 0:
                        return self._waiting.popleft()
                    self._changed.wait(rest)
            if self._to_end:
                self._end_process()

    @property
    def _rest(self) -> float | None:
        """The seconds until the next question is sent; None if there is none."""
        if not self._waiting:
            return None
        since = time.monotonic() - self._waiting[0].since
        return max(REST_SECONDS - since, 0.0) if self._passed or self._deaf else 0.0

    def _end_process(self) -> None:
        """End the process, if there is one, as it was asked to."""
        self._to_end = False
        if self._talk is not None:
            self._talk.close()
            self._talk = None

    def _answer(self, asked: AttachedQuestion) -> None:
        """Have a question answered, by as many processes as it takes but no more than three."""
        deaths = 0
        while not (asked.stopped() or self._closed or self._halted):
            if self._to_end:
                self._end_process()
            try:
                self._hand_on(asked)
                if not self._cut:
                    asked.tell(Done())
                    return
            except RefusedError as error:
                asked.tell(Failed(f"{self.config.name} answers: {error}"))
                return
            except ValueError as error:
                asked.tell(Failed(str(error)))
                return
            except EngineGoneError as error:
                if self._cut:
                    self._drop()
                    continue
                deaths += 1
                line = self._bury(error, deaths)
                again = deaths < MOST_DEATHS and not self._given_up
                asked.tell(Interrupted(line) if again else Failed(line, died=True))
                self.on_death(line)
                if not again:
                    return
        if self._closed or self._halted:
            asked.tell(Failed(self._refusal))

    def _bury(self, error: EngineGoneError, deaths: int) -> str:
        """Take away a process that has died or hangs; return what to say of it."""
        self._drop()
        name, cause = self.config.name, told(error)
        self._ended = cause
        self.traffic.add(Direction.NOTED, cause)
        if not self._known:
            self._early_deaths += 1
        if self._early_deaths >= MOST_DEATHS:
            self._given_up = f"{name} {cause}; it was tried {MOST_DEATHS} times"
            return self._given_up
        if deaths >= MOST_DEATHS:
            return f"{name} {cause}, {MOST_DEATHS} times at this position: not asked again"
        return f"{name} {cause}, and is started again"

    def _drop(self) -> None:
        """Take away a process at once."""
        if self._talk is not None:
            self._talk.kill()
            self._talk = None

    def _hand_on(self, asked: AttachedQuestion) -> None:
        question = asked.question
        match question:
            case Greet():
                self._started()
            case Examine():
                for found in self._examine(question, asked.stopped):
                    if found.final and not asked.stopped():
                        self._kept.put(question, found)
                    asked.tell(Answer(found))
            case Judge():
                for last in self._examine(Examine(question.position), asked.stopped):
                    if last.final:
                        rankings = dict.fromkeys(question.evaluators, last.ranking)
                        asked.tell(Answer(Judged(last.proof, rankings, winrate=last.winrate)))
            case _:
                what = type(question).__name__
                raise ValueError(f"{self.config.name} does not answer {what}")

    def _examine(self, question: Examine, stopped: Stop) -> Iterator[Examined]:
        """Yield what the engine says of a position; the last one is final."""
        position, config = question.position, self.config
        found = Examined(position, config.name, winner=position.winner)
        if position.winner is None:
            self._check(question)
            talk = self._started()
            self._placed.bring(talk, position)
            stop = Stopping(lambda: stopped() or self._cut)
            limit = self._limit(question.limit)
            if config.dialect is Dialect.HTP:
                search = htp_search(talk, question, limit, stop, self._known)
            else:
                search = kata_search(talk, question, limit, stop)
            self._at = question
            try:
                with closing(search):
                    for found in search:
                        yield found
            finally:
                self._deaf |= stop.seconds > DEAF_SECONDS
                self._at = None
        if not self._cut:
            yield replace(found, final=True)

    def _check(self, question: Examine) -> None:
        """Raise ValueError for what this engine cannot be asked."""
        board, config = question.position.board, self.config
        sides = (board.rows, board.columns)
        if not config.smallest <= min(sides) <= max(sides) <= config.largest:
            span = f"{config.smallest} to {config.largest}"
            raise ValueError(f"{config.name} takes boards of {span} rows and columns, not {board}")
        if question.scope != ALL_MOVES and config.dialect is Dialect.HTP:
            raise ValueError(f"{config.name} cannot be told which moves to think of")

    def _limit(self, limit: Limit) -> Limit:
        """Return the narrower of the question's limit and the configured one."""
        seconds = [s for s in (limit.seconds, self.config.seconds) if s is not None]
        visits = [n for n in (limit.nodes, self.config.visits) if n is not None]
        return Limit(min(seconds, default=None), min(visits, default=None))

    def _started(self) -> Conversation:
        """Return the running engine, started if it is not; raises EngineGoneError."""
        if self._talk is None:
            self._known, self._deaf = frozenset(), False
            self._placed = PlacedStones(self.config.dialect)
            self.traffic.add(Direction.NOTED, " ".join(self.config.command))
            self._talk = Conversation(self.config, self.traffic)
            if self._cut:  # nobody could have hung up
                raise EngineGoneError("was stopped")
            try:
                self._known = self._talk.begin()
            except RefusedError:
                self._drop()
                raise
            self._early_deaths, self._ended = 0, ""
        return self._talk
