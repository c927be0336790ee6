"""What every engine is, whatever program it is: somebody who answers questions about positions.

An engine has lanes. Questions of one lane are answered one after the other, and what is worked
out for one may help with the next; lanes work side by side. Answers come as a stream, and get
better. Whoever asks may stop at any time. An engine that dies is started again and asked again.
"""

import queue
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from hextui.engines.questions import Question

A = TypeVar("A")
Stop = Callable[[], bool]
STOP_SECONDS = 0.02
"""So often somebody who waits for an answer asks whether to stop."""


class EngineError(ValueError):
    """A question that cannot be answered; the message is one line for the user."""


class EngineDiedError(EngineError):
    """The engine has died of the question too often, or cannot be started at all."""


@dataclass(frozen=True)
class Answer:
    """An answer to a question. Better ones may follow, and may replace it before it is heard."""

    value: Any


@dataclass(frozen=True)
class Done:
    """The last answer has come."""


@dataclass(frozen=True)
class Interrupted:
    """The engine has died, and is asked anew; the line says so."""

    line: str


@dataclass(frozen=True)
class Failed:
    """Nothing more will come; the line says why. ``died``: because the engine dies of it."""

    line: str
    died: bool = False


Event = Answer | Done | Interrupted | Failed
Hear = Callable[[Event], None]
"""Takes what comes of a question, from any thread; ``Done`` or ``Failed`` is the last."""


class Asked(Protocol):
    """A question that was asked."""

    def stop(self) -> None:
        """Give it up; nothing more is heard of it. Does not wait."""
        ...


class Answerer(Protocol):
    """Somebody who answers one question after the other, in this process or in another."""

    def answers(self, question: Question[A], stop: Stop = lambda: False) -> Iterator[A]:
        """Yield the answers as they come, until the last or until ``stop``.

        Raises ValueError for a question that cannot be answered.
        """
        ...

    def close(self) -> None:
        """Give up what was asked, and forget what was kept for the next question."""
        ...


class Lane(Answerer, Protocol):
    """A lane of an engine."""

    def ask(self, question: Question[Any], hear: Hear) -> Asked:
        """Ask; returns at once. What comes of it is heard on a thread of the engine's."""
        ...


OpenLane = Callable[[], Answerer]
"""Makes somebody to ask."""


class Engine(Protocol):
    """A program that answers."""

    def lane(self) -> Lane:
        """Return a new lane."""
        ...

    def close(self) -> None:
        """End the program, whatever it does."""
        ...


def answers(lane: Lane, question: Question[A], stop: Stop = lambda: False) -> Iterator[A]:
    """Yield the answers to a question as they come, until the last or until ``stop``.

    A death of the engine only takes time. Raises EngineError if the question fails.
    """
    heard: queue.SimpleQueue[Event] = queue.SimpleQueue()
    asked = lane.ask(question, heard.put)
    try:
        while not stop():
            try:
                event = heard.get(timeout=STOP_SECONDS)
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
