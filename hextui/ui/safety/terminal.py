"""A terminal that may go away or send what is no text, or more than anybody can handle.

None of that may hang or end the program, or fill its memory.
"""

import asyncio
import os
import select
import termios
import tty
from codecs import getincrementaldecoder
from concurrent import futures
from itertools import chain
from typing import IO, Any

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

from hextui.ui.safety.plain_signs import write_plain_signs

_PIECE = 4096  # bytes read at once
_TICK = 0.1  # seconds after which the parser looks whether an escape was a key
_AHEAD = 200  # keys, clicks and the like that are read before the app is waited for
_FEW = 50  # messages that still wait in the app when reading goes on
_LOOK = 0.005  # seconds between two looks at how many wait


class Outlet:
    """A terminal's output; what is written after the terminal has gone is dropped.

    An error would end Textual's writing thread, and all others would wait for it for ever.
    Signs that the terminal's encoding lacks are plain ones.
    """

    def __init__(self, file: IO[str]) -> None:
        write_plain_signs(file)
        self._file = file

    def write(self, text: str) -> None:
        """Write, if there is still somebody to read it."""
        try:
            self._file.write(text)
        except OSError:
            drop_output()

    def flush(self) -> None:
        """Send what is written."""
        try:
            self._file.flush()
        except OSError:
            drop_output()

    def fileno(self) -> int:
        """Return the file's number."""
        return self._file.fileno()


def drop_output() -> None:
    """Send all output from now on to nowhere: Python would fail at its end to flush the rest."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(nowhere, number)
    os.close(nowhere)


def typed_ahead(number: int) -> bytes:
    """Return the keys that wait in a terminal which still takes lines; it is left as it was.

    Such a terminal makes the end of a line of Enter. Where it is none, or has gone, there are no
    keys.
    """
    try:
        lines = termios.tcgetattr(number)
        tty.setcbreak(number, termios.TCSANOW)  # or else only whole lines can be read
        try:
            ready, _, _ = select.select([number], [], [], 0)
            return os.read(number, _PIECE).replace(b"\n", b"\r") if ready else b""
        finally:
            termios.tcsetattr(number, termios.TCSANOW, lines)
    except (OSError, termios.error):
        return b""


class TerminalDriver(LinuxDriver):
    """Textual's driver, made to bear what its terminal sends and its end, and to tell of that."""

    def start_application_mode(self) -> None:
        """Begin, with output that does not fail, and with what was typed meanwhile."""
        self._file: Any = self._file if isinstance(self._file, Outlet) else Outlet(self._file)
        self._typed = typed_ahead(self.fileno)
        super().start_application_mode()

    def run_input_thread(self) -> None:
        """Read what the terminal sends until the app ends; an error here ends the app.

        That a terminal which has gone cannot be read is none: the app looks for its end itself.
        """
        try:
            self._read_on()
        except Exception as error:
            if not (isinstance(error, OSError) and self.hung_up):
                self._app.call_later(self._app._handle_exception, error)

    def _read_on(self) -> None:
        """Do what Textual does, but read bytes that are no UTF-8 as U+FFFD, and not too many.

        What comes faster than the app handles it stays in the terminal.
        """
        parser = XTermParser()
        decode = getincrementaldecoder("utf-8")("replace").decode
        text, ahead = decode(self._typed), 0
        while not self.exit_event.is_set():
            for event in (*(parser.feed(text) if text else ()), *parser.tick()):
                self.process_message(event)
                ahead += 1
            if ahead > _AHEAD:
                self._wait_for_app()
                ahead = 0
            ready, _, _ = select.select([self.fileno], [], [], _TICK)
            text = decode(os.read(self.fileno, _PIECE)) if ready else ""

    def _wait_for_app(self) -> None:
        caught_up = asyncio.run_coroutine_threadsafe(self._caught_up(), self._loop)
        while not (self.exit_event.is_set() or caught_up.done()):
            futures.wait([caught_up], _TICK)

    async def _caught_up(self) -> None:
        """Wait until few messages wait in the app and on its screens, to which it hands keys on."""
        while not self.exit_event.is_set() and self._waiting() > _FEW:
            await asyncio.sleep(_LOOK)

    def _waiting(self) -> int:
        screens = (screen.walk_children(with_self=True) for screen in self._app.screen_stack)
        return sum(pump.message_queue_size for pump in chain([self._app], *screens))

    def stop_reading(self) -> None:
        """End the thread that reads: it would keep the process of an app that has ended alive."""
        self.exit_event.set()

    @property
    def hung_up(self) -> bool:
        """Whether the terminal has gone: nothing will ever be read from it again."""
        poll = select.poll()
        poll.register(self.fileno, 0)  # a hang-up is told of in any case
        return self.input_tty and any(what & select.POLLHUP for _, what in poll.poll(0))
