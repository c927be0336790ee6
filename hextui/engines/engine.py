"""The interface of engines: programs that answer questions about positions.

An engine has lanes. The questions of a lane are answered one after the other, and results for one
may help with the next; lanes work in parallel. Answers come as a stream and improve. The caller may
stop at any time. An engine that dies is restarted and asked again.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from hextui.engines.questions import Question

A = TypeVar("A")
Stop = Callable[[], bool]
"""Whether to stop."""


class EngineError(ValueError):
    """A question that cannot be answered; the message is one line for the user."""


class EngineDiedError(EngineError):
    """The engine has died too often at the position, or cannot be started at all."""


@dataclass(frozen=True)
class Answer:
    """An answer to a question. Better ones may follow, and may replace it before it is heard."""

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
Hear = Callable[[Event], None]
"""Takes the events of a question, from any thread; ``Done`` or ``Failed`` is the last."""


class Answerer(Protocol):
    """Answers one question after the other, in this process or in another."""

    def answers(self, question: "Question[A]", stop: Stop = lambda: False) -> Iterator[A]:
        """Yield the answers as they come, until the last or until ``stop``.

        Raises ValueError for a question that cannot be answered.
        """
        ...

    def close(self) -> None:
        """Give up what was asked, and forget what was kept for the next question."""
        ...


OpenLane = Callable[[], Answerer]
"""Returns a new answerer."""
