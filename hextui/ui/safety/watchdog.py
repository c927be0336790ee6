"""Ends the program where its event loop cannot: its terminal has gone, or it hangs.

The loop can wait for a thread, a disk or a terminal that reads nothing. A thread of its own hears
signals and watches the terminal, and has the last word. Windows ends a program without asking.
"""

import asyncio
import os
import select
import signal
import sys
import termios
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

from hextui.children import signal_all_groups

assert sys.platform != "win32"

SECONDS = 2.0
"""From the end of the terminal, or from the second request to end, until the program is ended."""
_KEEP_SECONDS = 1.0  # for the last edits, on a disk that may not answer
_GONE, _ASKED = b"g", b"a"
_MODES_OFF = b"\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[<u"  # mouse, paste, keys
_LEAVE = _MODES_OFF + b"\x1b[?7h\x1b[?1049l\x1b[?25h"


class Watchdog:
    """Calls ``end`` in the event loop when the program is to end, and ends it if that fails.

    ``end`` gets the number of a signal: SIGHUP when the terminal has gone, or a request to end.
    ``keep`` writes what must not be lost, on any thread.
    """

    def __init__(self, end: Callable[[int], None], keep: Callable[[], object]) -> None:
        self._end = end
        self._keep = keep
        self._reader, self._writer = os.pipe()
        self._terminal = sys.__stdin__.fileno() if sys.__stdin__ else -1
        self._modes: list[Any] = []
        self._number = signal.SIGTERM
        self._at: float | None = None  # when it ends the program

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Watch the terminal and hear signals from now on; ``loop`` will run the program."""
        self._loop = loop
        os.set_blocking(self._writer, False)
        if os.isatty(self._terminal):
            self._modes = termios.tcgetattr(self._terminal)
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._hear)
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()

    def give_up(self) -> None:
        """End the program soon, however its loop does; on any thread."""
        self._tell(_GONE)

    # On the main thread, between any two instructions of it

    def _hear(self, number: int, _: FrameType | None) -> None:
        self._tell(_GONE if number == signal.SIGHUP else _ASKED)
        self._ask_loop(number)

    def _tell(self, word: bytes) -> None:
        with suppress(OSError):  # so much was told already
            os.write(self._writer, word)

    def _ask_loop(self, number: int) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._end, number)

    # On a thread of its own

    def _watch(self) -> None:
        poll = select.poll()
        poll.register(self._reader, select.POLLIN)
        if self._terminal >= 0:
            poll.register(self._terminal, 0)  # a hang-up is always reported
        asked = 0
        while self._at is None or time.monotonic() < self._at:
            rest = None if self._at is None else max(self._at - time.monotonic(), 0.0) * 1000
            for file, event in poll.poll(rest):
                if file == self._terminal:
                    poll.unregister(file)
                    if event & select.POLLHUP:
                        self._ask_loop(signal.SIGHUP)
                        self._end_at(signal.SIGHUP)
                    continue
                words = os.read(self._reader, 64)
                asked += words.count(_ASKED)
                if _GONE in words:
                    self._end_at(signal.SIGHUP)
                elif asked > 1:
                    self._end_at(signal.SIGTERM)
        self._end_now()

    def _end_at(self, number: signal.Signals) -> None:
        if self._at is None:
            self._number = number
            self._at = time.monotonic() + SECONDS

    def _end_now(self) -> None:
        """Keep the last edits, end the children, leave the terminal as it was, and end."""
        keeping = threading.Thread(target=self._keep, daemon=True)
        keeping.start()
        keeping.join(_KEEP_SECONDS)
        signal_all_groups(signal.SIGKILL)
        with suppress(OSError, termios.error):
            if self._modes:
                termios.tcsetattr(self._terminal, termios.TCSANOW, self._modes)
                os.set_blocking(self._terminal, False)
                os.write(self._terminal, _LEAVE)
                os.set_blocking(self._terminal, True)
        os._exit(128 + self._number)
