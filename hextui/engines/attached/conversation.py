"""A running engine: commands and answers over its pipes, and its end.

Threads read what it says and what it complains of, so that it never waits for us. One thread at a
time may ask it; `wake` may be called from any.
"""

import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import IO

from hextui.children import user_environment
from hextui.engines.attached.configured import AttachedConfig
from hextui.engines.attached.patience import AllowedSilence
from hextui.engines.attached.replies import EngineReply, Noise, Opened, ReplyReader, Said
from hextui.engines.attached.traffic import Direction, Traffic
from hextui.words.names import counted

FIRST_WORD_SECONDS = 60.0
"""An engine that has neither answered nor written to standard error for so long does not start."""
START_SECONDS = 600.0
"""Nor does one that has not answered by then: tuning for a graphics card may take minutes."""
ANSWER_SECONDS = 10.0
"""What is no search is answered in this time, or the engine hangs."""
UNENDED_SECONDS = 2.0
"""An answer that has begun is taken for whole when nothing more comes for so long."""
END_SECONDS = 2.0
"""So long an engine may take to end by itself, and then to end when it is told by the system."""
LAST_WORDS = 20
"""Lines of standard error that are shown of an engine that has died."""

_READ_BYTES = 1 << 16
_LONGEST = 1 << 24  # bytes: a report is a hundred thousand


class EngineGoneError(Exception):
    """The engine has died or hangs; ``str()`` says so in one line, without its name.

    ``last_words`` are the last lines of its standard error.
    """

    def __init__(self, cause: str, last_words: tuple[str, ...] = ()) -> None:
        super().__init__(cause)
        self.last_words = last_words


class SilentError(EngineGoneError):
    """The engine runs, but has not answered in time: it may hang."""


class RefusedError(Exception):
    """The engine has refused a command; ``str()`` is what it said."""


class Gone:
    """The engine's standard output has ended."""


class Woken:
    """Somebody has called `wake`."""


class Conversation:
    """A process of an engine, from its start to its end."""

    def __init__(self, config: AttachedConfig, traffic: Traffic) -> None:
        """Start it; raises EngineGoneError if it cannot be."""
        self.config = config
        self._traffic = traffic
        self._numbers = 0
        self._heard: queue.SimpleQueue[Said | Gone | Woken] = queue.SimpleQueue()
        self._stirred = time.monotonic()
        self._complaints: list[str] = []
        try:
            self._process = subprocess.Popen(
                config.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=config.folder,
                env={**user_environment(), **config.environment},
                process_group=0,
            )
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            name = getattr(error, "filename", None) or config.command[0]
            raise EngineGoneError(f"cannot be started: {name}: {reason}") from None
        self._readers = [
            threading.Thread(target=read, name=name, daemon=True)
            for read, name in ((self._read, "engine-said"), (self._drain, "engine-complained"))
        ]
        for reader in self._readers:
            reader.start()

    def send(self, text: str) -> str:
        """Send a command and return its id; raises EngineGoneError."""
        self._numbers += 1
        self.put(f"{self._numbers} {text}")
        return str(self._numbers)

    def put(self, line: str) -> None:
        """Send a line as it is; raises EngineGoneError."""
        assert self._process.stdin is not None
        self._traffic.add(Direction.SENT, line)
        try:
            self._process.stdin.write(f"{line}\n".encode())
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._gone() from None

    def hear(self, seconds: float | None) -> Said | Woken | None:
        """Return what comes next; None if nothing comes for so long. Raises EngineGoneError."""
        try:
            said = self._heard.get(timeout=None if seconds is None else max(seconds, 0.0))
        except queue.Empty:
            return None
        if isinstance(said, Gone):
            self._heard.put(said)
            raise self._gone()
        return said

    def wake(self) -> None:
        """Have `hear` return at once, now or when it is called next."""
        self._heard.put(Woken())

    def ask(self, text: str, seconds: float = ANSWER_SECONDS) -> str:
        """Return the answer to a command; raises RefusedError and EngineGoneError."""
        return self.answer_to(self.send(text), seconds, text)

    def answer_to(self, number: str, seconds: float, what: str) -> str:
        """Wait for the answer to the command with this id; whatever else comes is dropped.

        Raises RefusedError, SilentError and EngineGoneError.
        """
        patience = self.patience(seconds)
        begun = None
        while not patience.over:
            said = self.hear(patience.pause if begun is None else UNENDED_SECONDS)
            match said:
                case Opened(its, text) if its in (number, ""):
                    begun = text
                case EngineReply(its, ok, text) if its in (number, ""):
                    if not ok:
                        raise RefusedError(text)
                    return text
                case None if begun is not None:
                    return begun
            patience.look()
        raise SilentError(f"did not answer {what!r} in {seconds:g} s", self.last_words)

    def patience(self, seconds: float) -> AllowedSilence:
        """Return a time that begins now, in which the engine is to say something."""
        return AllowedSilence(self._process.pid, seconds)

    def begin(self) -> frozenset[str]:
        """Wait for its first word, send the start commands, and return the commands it knows.

        Raises RefusedError, which names the command, and EngineGoneError.
        """
        self.first_word()
        for command in self.config.start:
            try:
                self.ask(command)
            except RefusedError as error:
                raise RefusedError(f"{error}, to the start command {command!r}") from None
        return frozenset(self.ask("list_commands").split()) | {"list_commands"}

    def first_word(self) -> str:
        """Return the engine's name, which it may take long to tell as long as it stirs."""
        number, begun = self.send("name"), time.monotonic()
        while True:
            stirred, now = self._stirred, time.monotonic()
            left = min(stirred + FIRST_WORD_SECONDS, begun + START_SECONDS) - now
            try:
                return self.answer_to(number, left, "name")
            except SilentError:
                seconds = time.monotonic() - begun
                if self._stirred == stirred or seconds >= START_SECONDS:
                    words = f"did not answer 'name' in {seconds:.0f} s"
                    raise SilentError(words, self.last_words) from None

    @property
    def last_words(self) -> tuple[str, ...]:
        """The last lines of its standard error."""
        return tuple(self._complaints[-LAST_WORDS:])

    def close(self) -> None:
        """Have it end: by word, by the end of its input, by the system. Waits a few seconds."""
        with suppress(EngineGoneError):
            self.put("# interrupt")
            self.put("quit")
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        for number in (None, signal.SIGTERM, signal.SIGKILL):
            if number is not None:
                self._signal(number)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(END_SECONDS)
                break
        self._join()

    def hang_up(self) -> None:
        """Have the system end it, from any thread: who talks with it learns that it is gone."""
        self._signal(signal.SIGKILL)

    def kill(self) -> None:
        """End it at once, with all that it has started."""
        self._signal(signal.SIGKILL)
        self._process.wait()
        self._join()

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, number)
            else:
                self._process.send_signal(number)

    def _join(self) -> None:
        for reader in self._readers:
            reader.join(END_SECONDS)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def _gone(self) -> EngineGoneError:
        """Return why the engine does not speak any more."""
        try:
            code = self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            return EngineGoneError("has closed its standard output", self.last_words)
        self._readers[1].join(END_SECONDS)
        return EngineGoneError(_cause(code), self.last_words)

    def _read(self) -> None:
        reader = ReplyReader()
        assert self._process.stdout is not None
        for line in _lines(self._process.stdout):
            self._traffic.add(Direction.SAID, line)
            for said in reader.take(line):
                if not isinstance(said, Noise):
                    self._stirred = time.monotonic()
                    self._heard.put(said)
        self._heard.put(Gone())

    def _drain(self) -> None:
        assert self._process.stderr is not None
        for line in _lines(self._process.stderr):
            self._traffic.add(Direction.COMPLAINED, line)
            self._stirred = time.monotonic()
            self._complaints = [*self._complaints[1 - LAST_WORDS :], line]


def _lines(pipe: IO[bytes]) -> Iterator[str]:
    """Yield the lines of a pipe as they come, however long; the last may have no end."""
    rest = b""
    number = pipe.fileno()
    with suppress(OSError, ValueError):  # it is closed under us at the end
        while data := os.read(number, _READ_BYTES):
            *lines, rest = (rest + data).split(b"\n")
            rest = rest[-_LONGEST:]
            for line in lines:
                yield line.decode("utf-8", "replace").rstrip("\r")
    if rest:
        yield rest.decode("utf-8", "replace").rstrip("\r")


def _cause(code: int) -> str:
    """Return in words how a process has ended."""
    if code < 0:
        with suppress(ValueError):
            return f"was killed ({signal.Signals(-code).name})"
    return f"ended (exit code {code})"


def told(error: EngineGoneError) -> str:
    """Return why an engine has died, with its last line, in one line."""
    last = next((line.strip() for line in reversed(error.last_words) if line.strip()), "")
    more = f"; it said: {last[:200]}" if last else ""
    return f"{error}{more}"


def last_lines(error: EngineGoneError) -> str:
    """Return the last lines of an engine's standard error under a heading, '' if there are none."""
    if not error.last_words:
        return ""
    head = f"its last {counted(len(error.last_words), 'line')} on standard error:"
    return "\n".join([head, *(f"  {line}" for line in error.last_words)])
