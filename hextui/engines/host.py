"""The process of our own engine, ``python -m hextui.engines.host``.

It reads questions from one pipe and writes answers to another. Each lane is a thread with an
answerer of its own. The process ends, with all it has started, when the other end of a pipe is
closed. The engine is imported with the first question.
"""

import faulthandler
import gc
import os
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, NamedTuple, NoReturn

from hextui.engines import limits
from hextui.engines.messages import (
    Answered,
    Ask,
    Finished,
    Leave,
    Message,
    Ready,
    Stop,
    read,
    write,
)
from hextui.engines.questions import Question

if TYPE_CHECKING:
    from hextui.engines.answerer import OwnAnswerer
    from hextui.engines.position_analysis import TableCache
    from hextui.engines.warmup import Warmup

NICENESS = 19
"""The screen comes first: where the engine's threads take all cores, a key that takes 5 ms takes
5 ms longer at 5 (p95), 0.3 ms at 19."""


def main() -> None:
    """Answer until the other end of standard input is closed."""
    faulthandler.enable()  # a crash of compiled code writes its place to the log
    with suppress(OSError, AttributeError):  # not every system knows priorities
        os.nice(NICENESS)
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # whatever else prints or reads must not meddle with the frames
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    Host(questions, answers).run()
    end()


def end() -> NoReturn:
    """End at once, and with it the processes that compile."""
    sys.stderr.flush()
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(0)


class Host:
    """Reads messages and hands the questions to lanes, which share tables and a warm-up."""

    def __init__(self, questions: IO[bytes], answers: IO[bytes]) -> None:
        self._questions = questions
        self._writer = Writer(answers, end)
        self._lanes: dict[int, _Lane] = {}
        self._stops: dict[int, threading.Event] = {}  # of the questions that are open
        self._lock = threading.Lock()
        self._shared: tuple[TableCache, Warmup] | None = None

    def run(self) -> None:
        """Read until the other end is closed."""
        while (messages := read(self._questions)) is not None:
            for message in messages:
                match message:
                    case Ask(number, lane, question):
                        if lane not in self._lanes:
                            make, writer = self._make_answerer, self._writer
                            self._lanes[lane] = _Lane(make, writer, self._stops.pop)
                        self._stops[number] = threading.Event()
                        self._lanes[lane].put(_Asked(number, question, self._stops[number]))
                    case Stop(number) if number in self._stops:
                        self._stops[number].set()
                    case Leave(lane) if lane in self._lanes:
                        self._lanes.pop(lane).put(None)

    def _make_answerer(self) -> "OwnAnswerer":
        from hextui.engines.answerer import OwnAnswerer
        from hextui.engines.position_analysis import TableCache
        from hextui.engines.warmup import Warmup

        with self._lock:
            self._shared = self._shared or (TableCache(), Warmup())
        return OwnAnswerer(*self._shared)


class _Asked(NamedTuple):
    """A question, its number, and the event that stops it."""

    number: int
    question: Question[Any]
    stop: threading.Event


class _Lane:
    """A thread that answers questions in turn, by an answerer that it makes for the first.

    ``forget`` gets the number of each question once it is answered.
    """

    def __init__(
        self,
        make_answerer: "Callable[[], OwnAnswerer]",
        writer: "Writer",
        forget: Callable[[int], Any],
    ) -> None:
        self._waiting: queue.SimpleQueue[_Asked | None] = queue.SimpleQueue()
        self._make_answerer = make_answerer
        self._answerer: OwnAnswerer | None = None
        self._writer = writer
        self._forget = forget
        threading.Thread(target=self._run, name="lane", daemon=True).start()

    def put(self, asked: _Asked | None) -> None:
        """Take a question; None ends the lane."""
        self._waiting.put(asked)

    def _run(self) -> None:
        frozen_for = None
        while (asked := self._waiting.get()) is not None:
            problem = self._answer(asked)
            self._forget(asked.number)
            self._writer.finish(asked.number, problem, stopped=asked.stop.is_set())
            board = asked.question.position.board
            if board != frozen_for and self._waiting.empty():
                freeze_objects()
                frozen_for = board
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
                    self._writer.answer(asked.number, value)
        except ValueError as error:
            return str(error).splitlines()[0]
        except (Exception, SystemExit) as error:
            # the screen must learn of it: a silent engine would look like a slow one
            traceback.print_exc()
            return f"{type(error).__name__}: {error}".splitlines()[0]
        return ""


def freeze_objects() -> None:
    """Exclude the objects that exist now from garbage collection.

    The compiled code of a board makes a hundred thousand. To visit them stops all threads for
    60 ms: better here, while nobody waits, than in a search that is to stop.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


class Writer:
    """Writes frames on a thread of its own; ``lost`` is called there when the pipe is closed.

    The end of a question is written at once, and so is its first answer unless another one was
    written just before. Of its other answers only the newest waits, and those with an error.
    """

    def __init__(self, file: IO[bytes], lost: Callable[[], Any]) -> None:
        self._file = file
        self._lost = lost
        self._changed = threading.Condition()
        self._waiting: list[Message] = [Ready()]
        self._begun: set[int] = set()
        self._due = self._first_due = 0.0
        self._first_waits = False
        threading.Thread(target=self._run, name="writer", daemon=True).start()

    def answer(self, number: int, value: Any) -> None:
        """Write an answer soon; it replaces one that still waits."""
        with self._changed:
            self._drop(number, and_errors=False)
            self._waiting.append(Answered(number, value))
            if number not in self._begun:
                self._begun.add(number)
                self._first_waits = True
                self._due = min(self._due, self._first_due)
            self._changed.notify()

    def finish(self, number: int, problem: str, *, stopped: bool) -> None:
        """Write the end of a question at once; of a stopped one nothing else."""
        with self._changed:
            if stopped:
                self._drop(number, and_errors=True)
            self._begun.discard(number)
            self._waiting.append(Finished(number, problem))
            self._due = 0.0
            self._changed.notify()

    def _drop(self, number: int, *, and_errors: bool) -> None:
        """Drop the waiting answers to a question."""
        self._waiting = [
            message
            for message in self._waiting
            if not (isinstance(message, Answered) and message.number == number)
            or (getattr(message.value, "error", None) and not and_errors)
        ]

    def _run(self) -> None:
        while messages := self._next():
            try:
                write(self._file, messages)
            except OSError:
                self._lost()
                return

    def _next(self) -> list[Message]:
        """Wait until a frame is due; return its messages."""
        with self._changed:
            while not self._waiting or (rest := self._due - time.monotonic()) > 0:
                self._changed.wait(rest if self._waiting else None)
            messages, self._waiting = self._waiting, []
            self._due = time.monotonic() + limits.FRAME
            if self._first_waits:
                self._first_waits, self._first_due = False, self._due
            return messages


if __name__ == "__main__":
    main()
