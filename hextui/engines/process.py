"""Our own engine in a process of its own, with which we exchange frames (see `messages`).

The screen keeps its interpreter and its terminal for itself: the process has pipes for questions
and answers, a file for its log, and a process group of its own.
"""

import os
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from hextui.children import describe_exit, end_group, python_command, signal_group, start_group
from hextui.engines import limits, messages
from hextui.engines.engine import Answer, EngineGoneError, Supervisor
from hextui.engines.messages import Ask, CloseLane, GiveUp, Message
from hextui.locations import make_private_file, make_private_folder

COMMAND = tuple(python_command("hextui.engines.host"))
LOG_BYTES = 1 << 20  # a longer log starts again


class EngineProcess(Supervisor):
    """Our engine. ``log`` is the file for its standard error, ``command`` starts it."""

    def __init__(
        self,
        log: Path,
        command: Sequence[str] = COMMAND,
        on_death: Callable[[str], None] = lambda line: None,
    ) -> None:
        super().__init__("The engine", on_death, f"; its log is {log}")
        self.log = log
        self._command = command
        self._left: list[int] = []  # lanes that were closed
        self._process: subprocess.Popen[bytes] | None = None

    def leave(self, lane: int) -> None:
        """Close a lane; the process forgets what it kept for it."""
        super().leave(lane)
        with self._changed:
            self._left.append(lane)
        self._wake()

    def _serve(self) -> None:
        process = self._start()
        reader = threading.Thread(
            target=self._read, args=(process,), name="engine-answers", daemon=True
        )
        reader.start()
        told_to_stop: set[int] = set()
        assert process.stdin is not None
        with suppress(OSError), process.stdin as pipe:
            while frame := self._next_frame(process, told_to_stop):
                with suppress(OSError):  # the reader notices its end
                    messages.write(pipe, frame)
        self._kill()
        reader.join()
        raise EngineGoneError(describe_exit(process.returncode))

    def _start(self) -> subprocess.Popen[bytes]:
        # numpy's own threads would take the core that the screen needs
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        try:
            with _opened(self.log) as log:
                process = start_group(
                    self._command, errors=log, environment=environment, guarded=False
                )
        except OSError as error:
            raise EngineGoneError(f"cannot be started: {error}") from None
        with self._changed:
            self._process, self._ready = process, False
            self._left.clear()
            if self._cut:  # nobody could have killed it
                signal_group(process)
        return process

    def _next_frame(
        self, process: subprocess.Popen[bytes], told_to_stop: set[int]
    ) -> list[Message]:
        """Wait until there is something to send and return it; [] once the process is to end."""
        with self._changed:
            while process.returncode is None and not self._cut:
                frame = self._frame(told_to_stop)
                if frame:
                    return frame
                rest = self._time_to_stop()
                if rest is not None and rest <= 0:
                    break
                self._changed.wait(rest)
        return []

    def _frame(self, told_to_stop: set[int]) -> list[Message]:
        """Return what is to be sent: new questions, those given up, and lanes that were closed."""
        new = [asked for asked in self._open.values() if not asked.sent]
        for asked in new:
            asked.sent = True
        stops = {asked.number for asked in self._open.values() if asked.stopped} - told_to_stop
        told_to_stop |= stops
        left = self._left.copy()
        self._left.clear()
        asks = (Ask(asked.number, asked.lane, asked.question) for asked in new)
        return [*asks, *map(GiveUp, stops), *map(CloseLane, left)]

    def _time_to_stop(self) -> float | None:
        """Return the seconds until a question given up counts as hung, None if there is none."""
        times = [asked.stopped_at for asked in self._open.values() if asked.stopped_at is not None]
        if not times:
            return None
        return min(times) + limits.ANSWER - time.monotonic()

    def _kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            signal_group(self._process)

    def _end(self, *, at_once: bool = False) -> None:
        self._process = None  # `_serve` has ended it

    # The thread that reads from it

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """Pass on what the process sends, until its end or anything but a frame."""
        assert process.stdout is not None
        try:
            with process.stdout as pipe, suppress(ValueError):
                while (frame := messages.read(pipe)) is not None:
                    self._ready = True
                    for message in frame:
                        if (asked := self._open.get(message.number)) is None:
                            continue
                        if isinstance(message.event, Answer):
                            asked.tell(message.event)
                        else:
                            self._finish(asked, message.event)
        finally:
            end_group(process)  # with all that it has started
            process.wait()
            self._wake()


def _opened(log: Path) -> IO[bytes]:
    """Return the log for appending; a place where nothing is kept if it cannot be opened."""
    with suppress(OSError):
        make_private_folder(log.parent)
        make_private_file(log)
        if log.is_file():  # opening a pipe would wait for a reader
            return open(log, "wb" if log.stat().st_size > LOG_BYTES else "ab")
    return open(os.devnull, "wb")
