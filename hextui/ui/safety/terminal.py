"""A terminal that may go away while the program runs: it must not hang the program."""

import os
import select
from typing import IO, Any

from textual.drivers.linux_driver import LinuxDriver


class Outlet:
    """A terminal's output; what is written after the terminal has gone is dropped.

    An error would end Textual's writing thread, and all others would wait for it for ever.
    """

    def __init__(self, file: IO[str]) -> None:
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


class TerminalDriver(LinuxDriver):
    """Textual's driver, made to bear the end of its terminal and to tell of it."""

    def start_application_mode(self) -> None:
        """Begin, with output that does not fail."""
        self._file: Any = self._file if isinstance(self._file, Outlet) else Outlet(self._file)
        super().start_application_mode()

    def stop_reading(self) -> None:
        """End the thread that reads: it would keep the process of an app that has ended alive."""
        self.exit_event.set()

    @property
    def hung_up(self) -> bool:
        """Whether the terminal has gone: nothing will ever be read from it again."""
        poll = select.poll()
        poll.register(self.fileno, 0)  # a hang-up is told of in any case
        return self.input_tty and any(what & select.POLLHUP for _, what in poll.poll(0))
