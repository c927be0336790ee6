"""The process of our own engine, ``python -m hextui.engines.host [--threads N] [--table-mb N]``.

Both numbers are the solver's. Each lane is a thread with an answerer of its own. The process ends,
with all it has started, when the other end of a pipe is closed. The engine is imported with the
first question.
"""

import argparse
import faulthandler
import gc
import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, NoReturn

from hextui.children import KILL, lower_priority, take_standard_streams
from hextui.engines import limits, messages
from hextui.engines.engine import Answer, Done, Failed
from hextui.engines.messages import Ask, CloseLane, GiveUp, QuestionEvent

if TYPE_CHECKING:
    from hextui.engines.answerer import OwnAnswerer
    from hextui.engines.engine_workspace import TableCache
    from hextui.engines.warmup import Warmup

NICENESS = 19
"""The screen comes first: where the engine's threads take all cores, a key that takes 5 ms takes
5 ms longer at 5 (p95), 0.3 ms at 19."""


def main() -> None:
    """Answer until the other end of standard input is closed."""
    faulthandler.enable()  # a crash of compiled code writes its place to the log
    lower_priority(os.getpid(), NICENESS)
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--table-mb", type=int, default=limits.TABLE_MB)
    options = parser.parse_args()
    questions, answers = take_standard_streams()
    host = Host(
        os.fdopen(questions, "rb"),
        os.fdopen(answers, "wb"),
        threads=options.threads,
        table_mb=options.table_mb,
    )
    host.run()
    end()


def end() -> NoReturn:
    """End at once, and with it the processes that compile."""
    sys.stderr.flush()
    if sys.platform != "win32" and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), KILL)
    os._exit(0)


class Host:
    """Reads messages and hands the questions to lanes, which share tables and a warm-up.

    ``threads`` and ``table_mb`` are those of `TableCache`.
    """

    def __init__(
        self, questions: IO[bytes], answers: IO[bytes], *, threads: int, table_mb: int
    ) -> None:
        self._threads = threads
        self._table_mb = table_mb
        self._questions = questions
        self._writer = FrameWriter(answers, end)
        self._lanes: dict[int, queue.SimpleQueue[Ask | None]] = {}
        self._stops: dict[int, threading.Event] = {}  # of the questions that are open
        self._lock = threading.Lock()
        self._shared: tuple[TableCache, Warmup] | None = None

    def run(self) -> None:
        """Read until the other end is closed."""
        while (frame := messages.read(self._questions)) is not None:
            for message in frame:
                match message:
                    case Ask(number, lane):
                        self._stops[number] = threading.Event()
                        if lane not in self._lanes:
                            waiting = self._lanes[lane] = queue.SimpleQueue()
                            run = threading.Thread(
                                target=self._run_lane, args=(waiting,), name="lane", daemon=True
                            )
                            run.start()
                        self._lanes[lane].put(message)
                    case GiveUp(number):
                        if stop := self._stops.get(number):
                            stop.set()
                    case CloseLane(lane) if lane in self._lanes:
                        self._lanes.pop(lane).put(None)

    def _run_lane(self, waiting: queue.SimpleQueue[Ask | None]) -> None:
        """Answer questions in turn, until one is None, by an answerer made for the first."""
        answerer, frozen_for = None, None
        while (ask := waiting.get()) is not None:
            stop = self._stops[ask.number]
            problem = ""
            try:
                if not stop.is_set():
                    answerer = answerer or self._make_answerer()
                    self._write_answers(ask, answerer, stop)
            except ValueError as error:
                problem = str(error).splitlines()[0]
            except (Exception, SystemExit) as error:
                # the screen must learn of it: a silent engine would look like a slow one
                traceback.print_exc()
                problem = f"{type(error).__name__}: {error}".splitlines()[0]
            del self._stops[ask.number]
            self._writer.finish(ask.number, problem, stopped=stop.is_set())
            board = ask.question.position.board
            if board != frozen_for and waiting.empty():
                freeze_objects()
                frozen_for = board
        if answerer is not None:
            answerer.close()

    def _write_answers(self, ask: Ask, answerer: "OwnAnswerer", stop: threading.Event) -> None:
        """Write the answers to a question until it is given up."""
        for value in answerer.answers(ask.question, stop.is_set):
            if stop.is_set():
                break
            self._writer.answer(ask.number, value)

    def _make_answerer(self) -> "OwnAnswerer":
        from hextui.engines.answerer import OwnAnswerer
        from hextui.engines.engine_workspace import TableCache
        from hextui.engines.warmup import Warmup

        with self._lock:
            if self._shared is None:
                self._shared = (TableCache(self._threads, self._table_mb), Warmup())
        return OwnAnswerer(*self._shared)


def freeze_objects() -> None:
    """Exclude the objects that exist now from garbage collection.

    The compiled code of a board makes a hundred thousand. To visit them stops all threads for
    60 ms: better here, while nobody waits, than in a search that is to stop.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


class FrameWriter:
    """Writes frames on a thread of its own; ``lost`` is called at their end.

    An empty frame comes first, before any question is read. A process that a question kills has so
    been seen to start.

    The end of a question and its first answer are written at once, first answers at most every
    `limits.FRAME` s. Of its other answers only the newest waits, and those with an error.
    """

    def __init__(self, file: IO[bytes], lost: Callable[[], Any]) -> None:
        self._file = file
        self._lost = lost
        self._changed = threading.Condition()
        self._waiting: dict[int, list[Any]] = {}  # events by question
        self._begun: set[int] = set()
        self._due = self._first_due = 0.0
        self._first_waits = False
        with suppress(OSError):  # the thread notices it, too
            messages.write(file, [])
        threading.Thread(target=self._run, name="writer", daemon=True).start()

    def answer(self, number: int, value: Any) -> None:
        """Write an answer soon; it replaces one that still waits."""
        with self._changed:
            waiting = self._waiting.get(number, ())
            kept = [event for event in waiting if getattr(event.value, "error", None)]
            self._waiting[number] = [*kept, Answer(value)]
            if number not in self._begun:
                self._begun.add(number)
                self._first_waits = True
                self._due = min(self._due, self._first_due)
            self._changed.notify()

    def finish(self, number: int, problem: str, *, stopped: bool) -> None:
        """Write the end of a question at once; of a stopped one nothing else."""
        with self._changed:
            waiting = [] if stopped else self._waiting.get(number, ())
            self._waiting[number] = [*waiting, Failed(problem) if problem else Done()]
            self._begun.discard(number)
            self._due = 0.0
            self._changed.notify()

    def _run(self) -> None:
        with suppress(OSError):
            while True:
                messages.write(self._file, self._next())
        self._lost()

    def _next(self) -> list[QuestionEvent]:
        """Wait until a frame is due; return its messages."""
        with self._changed:
            while not self._waiting or (rest := self._due - time.monotonic()) > 0:
                self._changed.wait(rest if self._waiting else None)
            waiting = self._waiting
            self._waiting = {}
            self._due = time.monotonic() + limits.FRAME
            if self._first_waits:
                self._first_waits, self._first_due = False, self._due
            return [QuestionEvent(number, event) for number in waiting for event in waiting[number]]


if __name__ == "__main__":
    main()
