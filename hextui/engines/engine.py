"""Engines: programs that answer questions about positions, and the supervision of their processes.

The questions of a lane are answered in turn, those of different lanes in parallel, by a stream of
answers that improve. An engine that dies is restarted and asked again.

`Supervisor` keeps the questions and counts deaths; its subclasses start the process and speak its
protocol: frames with our own engine, lines of text with others. Any thread may ask. One thread
starts the process and writes to it; nobody who asks waits for it.
"""

import itertools
import queue
import threading
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from hextui.engine.board import LargeBoard
from hextui.engine.limit import NOT_ANALYSED
from hextui.engines import limits

if TYPE_CHECKING:
    from hextui.engines.questions import Question

A = TypeVar("A")
Stop = Callable[[], bool]  # whether to stop
MOST_DEATHS = 3
"""A position at which the process has died so often is not asked again, and a process that has died
so often before its first answer is not started again, unless somebody insists."""


class EngineError(ValueError):
    """A question that cannot be answered; the message is one line for the user."""


class EngineDiedError(EngineError):
    """The engine has died too often at the position, or cannot be started at all."""


@dataclass(frozen=True)
class Answer:
    """An answer to a question. A better one may follow, and replace it before it is heard."""

    value: Any


@dataclass(frozen=True)
class Done:
    """The last answer was passed on."""


@dataclass(frozen=True)
class Interrupted:
    """The engine has died and is asked again; the line says so."""

    line: str


@dataclass(frozen=True)
class Failed:
    """There are no more answers; the line says why. ``died``: the engine has died too often."""

    line: str
    died: bool = False


Event = Answer | Done | Interrupted | Failed
Hear = Callable[[Event], None]  # takes events on any thread; ``Done`` or ``Failed`` is the last


class Answerer(Protocol):
    """Answers questions in turn, in this process or in another."""

    def answers(self, question: "Question[A]", stop: Stop = lambda: False) -> Iterator[A]:
        """Yield the answers as they come, until ``stop``; raises ValueError if there are none."""
        ...

    def close(self) -> None:
        """Give up what was asked, and forget what was kept for the next question."""
        ...


OpenLane = Callable[[], Answerer]  # returns a new answerer


def ask_engine(
    open_lane: OpenLane,
    question: "Question[A]",
    stop: Stop,
    tell: Callable[[A | None, str], object],
) -> None:
    """Ask on a new lane and wait; ``tell`` gets each answer, or None and the problem."""
    with closing(open_lane()) as lane:
        last_answer = None
        try:
            for last_answer in lane.answers(question, stop):
                tell(last_answer, "")
            if last_answer is None and not stop():
                tell(None, "The engine did not answer")
        except ValueError as error:
            tell(None, str(error))


class EngineGoneError(Exception):
    """An engine died, hangs or cannot be started; ``last_lines``: of its standard error."""

    def __init__(self, cause: str, last_lines: tuple[str, ...] = ()) -> None:
        super().__init__(cause)
        self.last_lines = last_lines

    @property
    def said(self) -> str:
        """The last line of standard error that is not blank, to be appended; '' if none is."""
        lines = [line.strip() for line in self.last_lines if line.strip()]
        return f"; it wrote: {lines[-1][:200]}" if lines else ""


@dataclass(eq=False)
class AskedQuestion:
    """A question and what became of it."""

    question: "Question[Any]"
    hear: Hear
    lane: int = 0
    number: int = 0
    on_stop: "Callable[[AskedQuestion], None]" = lambda asked: None
    since: float = field(default_factory=time.monotonic)
    sent: bool = False
    stopped_at: float | None = None

    def stop(self) -> None:
        """Give the question up: no further event is passed on. Does not wait."""
        if self.stopped_at is None:
            self.stopped_at = time.monotonic()
            self.on_stop(self)

    @property
    def stopped(self) -> bool:
        """Whether it was given up."""
        return self.stopped_at is not None

    def tell(self, event: Event) -> None:
        """Pass an event on, unless the question was given up."""
        if not self.stopped:
            self.hear(event)


class Lane:
    """Questions that are answered in turn; the lanes of our engine work in parallel."""

    def __init__(self, engine: "Supervisor", number: int) -> None:
        self._engine = engine
        self._number = number

    def ask(self, question: "Question[Any]", hear: Hear) -> AskedQuestion:
        """Ask and return at once; ``hear`` gets the events, usually on a thread of the engine."""
        return self._engine.ask(self._number, question, hear)

    def answers(self, question: "Question[A]", stop: Stop = lambda: False) -> Iterator[A]:
        """Yield the answers as they come, until ``stop``; raises EngineError if there are none."""
        heard: queue.SimpleQueue[Event] = queue.SimpleQueue()
        asked = self.ask(question, heard.put)
        try:
            while not stop():
                try:
                    event = heard.get(timeout=limits.POLL)
                except queue.Empty:
                    continue
                match event:
                    case Answer(value):
                        yield value
                    case Failed(line, died):
                        raise EngineDiedError(line) if died else EngineError(line)
                    case Done():
                        return
        finally:
            asked.stop()

    def close(self) -> None:
        """Give up what was asked, and have the engine forget what it kept for this lane."""
        self._engine.leave(self._number)


class Supervisor(ABC):
    """The process of an engine and the questions that it has not answered to the end.

    ``name`` begins the lines about it. ``on_death`` gets one whenever the process has died.
    """

    def __init__(self, name: str, on_death: Callable[[str], None], log: str = "") -> None:
        """``log`` says where to read more about a process that was given up."""
        self.name = name
        self.on_death = on_death
        self._log = log
        self._changed = threading.Condition()
        self._numbers = itertools.count(1)
        self._open: dict[int, AskedQuestion] = {}  # the oldest first
        self._deaths: Counter[bytes] = Counter()  # by position
        self._early_deaths = 0
        self._given_up = ""
        self._ready = False  # the process has given its first answer
        self._refused = ""  # why no question is asked
        self._closed = False
        self._to_end = False  # the process, to be started again or not
        self._thread: threading.Thread | None = None

    # For those who ask, on any thread

    def lane(self) -> Lane:
        """Return a new lane."""
        return Lane(self, next(self._numbers))

    def ask(self, lane: int, question: "Question[Any]", hear: Hear) -> AskedQuestion:
        """Ask in a lane and return at once; the first question starts the process."""
        asked = AskedQuestion(
            question=question,
            hear=hear,
            lane=lane,
            number=next(self._numbers),
            on_stop=self._give_up,
        )
        with self._changed:
            if getattr(question, "again", False):  # the user insists
                self._early_deaths, self._given_up = 0, ""
                self._deaths.pop(question.position.key, None)
            refused = self._refusal(question)
            if not refused:
                self._open[asked.number] = asked
                self._changed.notify_all()
                if self._thread is None:
                    self._thread = threading.Thread(target=self._run, name="engine", daemon=True)
                    self._thread.start()
        if refused:
            asked.tell(Failed(refused, died=not self._refused))
        return asked

    def leave(self, lane: int) -> None:
        """Close a lane."""
        with self._changed:
            of_lane = [asked for asked in self._open.values() if asked.lane == lane]
        for asked in of_lane:
            asked.stop()

    def halt(self) -> None:
        """End the process and refuse questions until `start`. Does not wait."""
        self._refuse(f"{self.name} is stopped")

    def start(self) -> None:
        """End the process if it runs, and have a new one asked what is not answered."""
        with self._changed:
            if self._closed:
                return
            self._refused, self._to_end = "", True
            self._early_deaths, self._given_up = 0, ""
            self._deaths.clear()
        self._cut_short()

    def end(self) -> None:
        """End the process for good. Does not wait."""
        self._closed = True
        self._refuse("The engine is closed")

    def close(self) -> None:
        """End the process for good; wait a few seconds at most."""
        self.end()
        if self._thread is not None:
            self._thread.join(limits.END)
            if self._thread.is_alive():
                self._kill()
            self._thread.join()

    def _give_up(self, asked: AskedQuestion) -> None:
        with self._changed:
            if not asked.sent:
                self._open.pop(asked.number, None)
        self._wake()

    def _refuse(self, line: str) -> None:
        with self._changed:
            self._refused, self._to_end = line, True
            refused = list(self._open.values())
            self._open = {}
            self._changed.notify_all()
        for asked in refused:
            asked.tell(Failed(line))
        self._cut_short()

    def _refusal(self, question: "Question[Any]") -> str:
        """Return the line that says why a question is not asked, '' if it is."""
        if self._refused:
            return self._refused
        if isinstance(question.position.board, LargeBoard):
            return NOT_ANALYSED
        if not self._given_up and self._deaths[question.position.key] >= MOST_DEATHS:
            deaths = f"{self.name} died {MOST_DEATHS} times at this position"
            return f"{deaths} and does not analyse it again"
        return self._given_up

    # The thread that starts the process and speaks with it

    @property
    def _cut(self) -> bool:
        """Whether the process is to end though somebody waits for an answer."""
        return self._closed or self._to_end

    def _run(self) -> None:
        while not self._closed:
            with self._changed:
                while not self._cut and (rest := self._rest()) != 0:
                    self._changed.wait(rest)
            if not self._cut:
                try:
                    self._serve()
                except EngineGoneError as error:
                    self._end(at_once=True)
                    if not self._cut:
                        self._bury(error)
            if self._cut:
                self._to_end = False
                self._end()
        self._end()

    def _rest(self) -> float | None:
        """Return the seconds until there is something to ask, None if there is nothing."""
        return 0.0 if self._open else None

    def _finish(self, asked: AskedQuestion, event: Event) -> None:
        """Pass on the last event of a question."""
        with self._changed:
            self._open.pop(asked.number, None)
            self._deaths.pop(asked.question.position.key, None)
        asked.tell(event)

    def _bury(self, error: EngineGoneError) -> None:
        """Report a death, and refuse the questions that have caused too many."""
        cause = f"{error}{error.said}"
        with self._changed:
            self._count_death(cause)
            refused = self._take_back()
            kept = list(self._open.values())
        restarts = self._given_up or f"{self.name} {error} and is restarted{error.said}"
        for asked in refused:
            line = self._given_up or f"{self._refusal(asked.question)}: it {cause}"
            asked.tell(Failed(line, died=True))
        for asked in kept:
            asked.tell(Interrupted(restarts))
        self.on_death(restarts)

    def _count_death(self, cause: str) -> None:
        """Count a death of a process at what it worked at, or before its first answer."""
        if self._ready:
            self._early_deaths = 0
            first_of_lane = {a.lane: a for a in reversed(self._open.values()) if a.sent}
            self._deaths.update(asked.question.position.key for asked in first_of_lane.values())
        else:
            self._early_deaths += 1
        if self._early_deaths >= MOST_DEATHS:
            tried = f"{self.name} {cause}; it was started {MOST_DEATHS} times"
            self._given_up = tried + self._log
        self._ready = False

    def _take_back(self) -> list[AskedQuestion]:
        """Keep the open questions to be sent again; remove and return those that are refused."""
        kept = {}
        refused = []
        for number, asked in self._open.items():
            asked.sent = False
            if self._refusal(asked.question):
                refused.append(asked)
            elif not asked.stopped:
                kept[number] = asked
        self._open = kept
        return refused

    # What a protocol does

    @abstractmethod
    def _serve(self) -> None:
        """Answer questions until the process has ended or `_cut`, or until one is answered.

        Starts the process if it does not run. Raises EngineGoneError.
        """

    @abstractmethod
    def _kill(self) -> None:
        """Kill the process, on any thread."""

    @abstractmethod
    def _end(self, *, at_once: bool = False) -> None:
        """End the process, if there is one, as its protocol wants it or by a kill."""

    def _cut_short(self) -> None:
        """Have `_serve` return soon, as the process is to end."""
        self._kill()

    def _wake(self) -> None:
        """Have `_serve` notice that a question was given up."""
        with self._changed:
            self._changed.notify_all()
