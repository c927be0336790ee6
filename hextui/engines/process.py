"""Our own engine in a process of its own: started, asked, stopped, started again, ended.

The screen keeps its interpreter and its terminal for itself: the process has pipes for questions
and answers, a file for what it logs, and a group of its own. One thread starts it and writes to
it, another one reads; whoever asks waits for neither.
"""

import os
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeVar

from hextui.children import python_command
from hextui.engines import messages
from hextui.engines.engine import Answer, Done, Failed, Hear, Interrupted, Stop, answers
from hextui.engines.messages import Answered, Ask, Finished, Leave, Message, Ready
from hextui.engines.questions import Analyse, Question
from hextui.locations import make_private_file, make_private_folder

A = TypeVar("A")
COMMAND = tuple(python_command("hextui.engines.own"))
MOST_DEATHS = 3
"""A position at which the process has died so often is not asked again, and a process is not
started again that has died so often before its first word."""
STUBBORN_SECONDS = 10.0
"""A process that still works on a question so long after it was told to stop is killed."""
CLOSED = "The engine is closed"
LOG_BYTES = 1 << 20
"""A log that has grown so long is begun anew."""


@dataclass
class _Open:
    """A question that is not answered to the end; ``refused`` is the line that says why not."""

    number: int
    lane: int
    question: Question[Any]
    hear: Hear
    sent: bool = False
    refused: str = ""


class EngineProcess:
    """The process, and the questions it has not answered to the end. Any thread may use it.

    ``log`` is the file for its standard error. ``command`` starts it, with the first question.
    ``on_death`` is called with a line whenever it has died.
    """

    def __init__(
        self,
        log: Path,
        command: Sequence[str] = COMMAND,
        on_death: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.log = log
        self.on_death = on_death
        self._command = command
        self._changed = threading.Condition()
        self._numbers = 0
        self._open: dict[int, _Open] = {}
        self._news: list[Message] = []
        self._stopping: dict[int, float] = {}
        self._deaths: Counter[bytes] = Counter()
        self._early_deaths = 0
        self._given_up = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False
        self._closed = False
        self._thread: threading.Thread | None = None

    # Asking

    def lane(self) -> "ProcessLane":
        """Return a new lane."""
        return ProcessLane(self, self._number())

    def ask(self, lane: int, question: Question[Any], hear: Hear) -> int:
        """Ask in a lane; return the question's number."""
        number = self._number()
        if self._closed:
            hear(Failed(CLOSED))
            return number
        with self._changed:
            if isinstance(question, Analyse) and question.again:
                self._early_deaths, self._given_up = 0, ""
                self._deaths.pop(question.position.key, None)
            refused = self._refusal(question)
            self._open[number] = _Open(number, lane, question, hear, refused=refused)
            self._changed.notify()
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="engine", daemon=True)
                self._thread.start()
        return number

    def stop(self, number: int) -> None:
        """Give a question up; of it nothing is heard but what is being told already."""
        with self._changed:
            known = self._open.pop(number, None)
            if known is not None and known.sent:
                self._news.append(messages.Stop(number))
                self._stopping[number] = time.monotonic() + STUBBORN_SECONDS
                self._changed.notify()

    def leave(self, lane: int) -> None:
        """Close a lane."""
        for number in [known.number for known in self._of_lane(lane)]:
            self.stop(number)
        with self._changed:
            self._news.append(Leave(lane))
            self._changed.notify()

    def close(self) -> None:
        """End the process at once, whatever it does."""
        with self._changed:
            self._closed = True
            if self._process is not None:
                _kill(self._process)
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()
        for known in list(self._open.values()):
            known.hear(Failed(CLOSED))
        self._open.clear()

    def _number(self) -> int:
        with self._changed:
            self._numbers += 1
            return self._numbers

    def _of_lane(self, lane: int) -> list[_Open]:
        with self._changed:
            return [known for known in self._open.values() if known.lane == lane]

    # The thread that starts the process and writes to it

    def _run(self) -> None:
        while self._wanted():
            try:
                process = self._launch()
            except OSError as error:
                self._bury(f"cannot be started: {error}")
                continue
            reader = threading.Thread(
                target=self._read, args=(process,), name="engine-answers", daemon=True
            )
            reader.start()
            self._write(process)
            reader.join()
            if not self._closed:
                self._bury(_cause(process.returncode))

    def _wanted(self) -> bool:
        """Wait until there is something to ask; False once nothing will be asked any more."""
        while not self._closed:
            with self._changed:
                refused = self._refused()
                if not refused and self._open:
                    return True
                if not refused:
                    self._changed.wait()
            _tell(refused)
        return False

    def _launch(self) -> "subprocess.Popen[bytes]":
        """Start the process, with all questions to be sent anew; raises OSError."""
        with _opened(self.log) as log:
            process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                # numpy's own threads would take the core that the screen needs
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
                process_group=0,
            )
        with self._changed:
            self._process, self._ready = process, False
            self._news, self._stopping = [], {}
            for known in self._open.values():
                known.sent = False
            if self._closed:
                _kill(process)
        return process

    def _write(self, process: "subprocess.Popen[bytes]") -> None:
        """Send what there is to send, until the process has ended."""
        assert process.stdin is not None
        with suppress(OSError), process.stdin as pipe:
            while process.returncode is None:
                frame, refused = self._next(process)
                _tell(refused)
                if frame:
                    with suppress(OSError):  # its end is seen by who reads
                        messages.write(pipe, frame)

    def _next(self, process: "subprocess.Popen[bytes]") -> tuple[list[Message], list[_Open]]:
        """Wait for something to do; return messages to send, and questions that are refused."""
        with self._changed:
            while process.returncode is None:
                refused = self._refused()
                new = [known for known in self._open.values() if not known.sent]
                if new or self._news or refused:
                    frame = [*self._news, *(Ask(k.number, k.lane, k.question) for k in new)]
                    self._news = []
                    for known in new:
                        known.sent = True
                    return frame, refused
                soonest = min(self._stopping.values(), default=None)
                rest = None if soonest is None else soonest - time.monotonic()
                if rest is not None and rest <= 0:
                    self._stopping = {}
                    _kill(process)
                else:
                    self._changed.wait(rest)
        return [], []

    def _refused(self) -> list[_Open]:
        """Return the questions that are refused, and forget them."""
        refused = [known for known in self._open.values() if known.refused]
        for known in refused:
            del self._open[known.number]
        return refused

    def _bury(self, cause: str) -> None:
        """Tell of the end of the process, and whether it is started again."""
        with self._changed:
            self._early_deaths = 0 if self._ready else self._early_deaths + 1
            if self._early_deaths >= MOST_DEATHS:
                self._given_up = (
                    f"The engine {cause} {MOST_DEATHS} times before its first word; "
                    f"what it said is in {self.log}"
                )
            for known in self._working() if self._ready else ():
                self._deaths[known.question.position.key] += 1
            for known in self._open.values():
                known.refused = self._refusal(known.question)
            interrupted = [known for known in self._open.values() if not known.refused]
            self._ready = False
        line = self._given_up or f"The engine {cause} and is started again"
        for known in interrupted:
            known.hear(Interrupted(line))
        self.on_death(line)

    def _working(self) -> list[_Open]:
        """Return the questions that were worked on: the first of each lane."""
        first = {known.lane: known for known in reversed(self._open.values()) if known.sent}
        return list(first.values())

    def _refusal(self, question: Question[Any]) -> str:
        """Return the line that says why a question is not asked, '' if it is."""
        if not self._given_up and self._deaths[question.position.key] >= MOST_DEATHS:
            return f"The engine died {MOST_DEATHS} times at this position and is not asked again"
        return self._given_up

    # The thread that reads from it

    def _read(self, process: "subprocess.Popen[bytes]") -> None:
        """Hand on what the process answers, until its end."""
        assert process.stdout is not None
        try:
            with process.stdout as pipe:
                while (frame := messages.read(pipe)) is not None:
                    for message in frame:
                        self._take(message)
        finally:
            _kill(process)
            process.wait()
            with self._changed:
                self._changed.notify()

    def _take(self, message: Message) -> None:
        match message:
            case Ready():
                self._ready = True
            case Answered(number, value):
                if known := self._open.get(number):
                    known.hear(Answer(value))
            case Finished(number, problem):
                with self._changed:
                    known = self._open.pop(number, None)
                    self._stopping.pop(number, None)
                    if known is not None:
                        self._deaths.pop(known.question.position.key, None)
                if known is not None:
                    known.hear(Failed(problem) if problem else Done())


def _tell(refused: Sequence[_Open]) -> None:
    for known in refused:
        known.hear(Failed(known.refused, died=True))


class ProcessLane:
    """A lane of the process."""

    def __init__(self, engine: EngineProcess, number: int) -> None:
        self._engine = engine
        self._number = number

    def ask(self, question: Question[Any], hear: Hear) -> "ProcessQuestion":
        """Ask; returns at once. What comes of it is heard on a thread of the engine's."""
        return ProcessQuestion(self._engine, self._engine.ask(self._number, question, hear))

    def answers(self, question: Question[A], stop: Stop = lambda: False) -> Iterator[A]:
        """Yield the answers as they come, until the last or until ``stop``.

        Raises EngineError if the question fails.
        """
        return answers(self, question, stop)

    def close(self) -> None:
        """Give up what was asked, and have the process forget what it kept for this lane."""
        self._engine.leave(self._number)


@dataclass(frozen=True)
class ProcessQuestion:
    """A question that was asked."""

    engine: EngineProcess
    number: int

    def stop(self) -> None:
        """Give it up. Does not wait."""
        self.engine.stop(self.number)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process with all it has started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _cause(code: int) -> str:
    """Return in words how a process has ended."""
    if code >= 0:
        return f"ended by itself (exit code {code})"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"was killed ({name})"


def _opened(log: Path) -> IO[bytes]:
    """Return the log to be written to; a place where nothing is kept if it cannot be."""
    with suppress(OSError):
        make_private_folder(log.parent)
        make_private_file(log)
        if log.is_file():  # opening a pipe would wait for somebody who reads it
            return open(log, "wb" if log.stat().st_size > LOG_BYTES else "ab")
    return open(os.devnull, "wb")
