"""A terminal that may go away while the program runs: it must not hang the program."""

import select
from contextlib import suppress
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
        with suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        """Send what is written."""
        with suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        """Return the file's number."""
        return self._file.fileno()


class TerminalDriver(LinuxDriver):
    """Textual's driver, made to bear the end of its terminal and to tell of it."""

    def start_application_mode(self) -> None:
        """Begin, with output that does not fail."""
        self._file: Any = self._file if isinstance(self._file, Outlet) else Outlet(self._file)
        super().start_application_mode()

    @property
    def hung_up(self) -> bool:
        """Whether the terminal has gone: nothing will ever be read from it again."""
        poll = select.poll()
        poll.register(self.fileno, 0)  # a hang-up is told of in any case
        return self.input_tty and any(what & select.POLLHUP for _, what in poll.poll(0))
