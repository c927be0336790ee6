"""The process of our own engine: reads questions from a pipe and writes answers to another.

Each lane is a thread with an answerer of its own. The process ends, with all it has started, when
nobody holds the other end of the pipe any more. The engine is imported with the first question.
"""

import gc
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, NoReturn

from hextui.engines.messages import Ask, Leave, Stop, read
from hextui.engines.own.outbox import Outbox
from hextui.engines.questions import Question

if TYPE_CHECKING:
    from hextui.engines.own.answerer import OwnAnswerer
    from hextui.engines.own.kept_tables import Tables
    from hextui.engines.own.warmup import Warmup


class Host:
    """Takes what comes from the workstation, and hands it to the lanes."""

    def __init__(self, questions: BinaryIO, answers: BinaryIO) -> None:
        self._questions = questions
        self._outbox = Outbox(answers, end)
        self._lanes: dict[int, _Lane] = {}
        self._asked: dict[int, _Asked] = {}
        self._answerers = _Answerers()

    def run(self) -> None:
        """Read until the other side is gone."""
        while (messages := read(self._questions)) is not None:
            for message in messages:
                match message:
                    case Ask(number, lane, question):
                        self._ask(number, lane, question)
                    case Stop(number) if number in self._asked:
                        self._asked[number].stop.set()
                    case Leave(lane) if lane in self._lanes:
                        self._lanes.pop(lane).put(None)

    def _ask(self, number: int, lane: int, question: Question[Any]) -> None:
        if lane not in self._lanes:
            self._lanes[lane] = _Lane(lane, self._answerers.make, self._outbox, self._forget)
        self._asked[number] = _Asked(number, question, threading.Event())
        self._lanes[lane].put(self._asked[number])

    def _forget(self, number: int) -> None:
        self._asked.pop(number, None)


class _Asked(NamedTuple):
    """A question, its number, and what stops it."""

    number: int
    question: Question[Any]
    stop: threading.Event


class _Answerers:
    """Makes answerers; they share tables, and whoever compiles."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shared: tuple[Tables, Warmup] | None = None

    def make(self) -> "OwnAnswerer":
        """Return a new answerer."""
        from hextui.engines.own.answerer import OwnAnswerer
        from hextui.engines.own.kept_tables import Tables
        from hextui.engines.own.warmup import Warmup

        with self._lock:
            self._shared = self._shared or (Tables(), Warmup())
        return OwnAnswerer(*self._shared)


class _Lane:
    """A thread that answers one question after the other; it makes its answerer with the first."""

    def __init__(
        self,
        number: int,
        make_answerer: "Callable[[], OwnAnswerer]",
        outbox: Outbox,
        answered: Callable[[int], None],
    ) -> None:
        self._waiting: queue.SimpleQueue[_Asked | None] = queue.SimpleQueue()
        self._make_answerer = make_answerer
        self._answerer: OwnAnswerer | None = None
        self._outbox = outbox
        self._answered = answered
        threading.Thread(target=self._run, name=f"lane-{number}", daemon=True).start()

    def put(self, asked: _Asked | None) -> None:
        """Take a question; None ends the lane."""
        self._waiting.put(asked)

    def _run(self) -> None:
        set_aside_for = None
        while (asked := self._waiting.get()) is not None:
            problem = self._answer(asked)
            self._answered(asked.number)
            self._outbox.finish(asked.number, problem, stopped=asked.stop.is_set())
            board = asked.question.position.board
            if board != set_aside_for and self._waiting.empty():
                _set_aside()
                set_aside_for = board
        if self._answerer is not None:
            self._answerer.close()

    def _answer(self, asked: _Asked) -> str:
        """Send the answers; return the line that says why there are no more, '' if they ended."""
        stop = asked.stop.is_set
        try:
            if not stop():
                self._answerer = self._answerer or self._make_answerer()
                for value in self._answerer.answers(asked.question, stop):
                    if stop():
                        break
                    self._outbox.answer(asked.number, value)
        except ValueError as error:
            return str(error).splitlines()[0]
        except Exception as error:
            # the screen must learn of it: a silent engine would look like a slow one
            traceback.print_exc()
            return f"{type(error).__name__}: {error}".splitlines()[0]
        return ""


def _set_aside() -> None:
    """Let the collector of garbage pass over what is there now.

    With the compiled code of a board that is a hundred thousand objects. To look through them stops
    all threads for 60 ms: better here, while nobody waits, than between two looks at a stop.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def end() -> NoReturn:
    """End at once, and with it what was started for compiling."""
    sys.stderr.flush()
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(0)
