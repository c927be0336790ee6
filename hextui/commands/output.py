"""Everything that the commands print and ask; only the workstation's screen has its own output.

Names, comments, results, file names and settings are foreign input. Text for people goes through
``printable``, so that none of it can move the cursor, change colours, set the clipboard or reorder
a line of a terminal. JSON is ASCII, with everything else escaped, as are characters that the
stream's encoding lacks. A line that cannot be written to standard error is dropped.
"""

import contextlib
import errno
import json
import os
import sys
from time import monotonic
from typing import Any, Self, TextIO

from hextui.children import PROGRESS_SECONDS
from hextui.records.record_text import printable

FAILED = 1
BAD_INPUT = 2

UNSEEN_SECONDS = 60
"""The time between two lines of progress where standard error is no terminal."""

_LONGEST = 600  # characters of an error message, which may quote a whole file
_OVER = "\r\x1b[K"  # moves to the beginning of the line and clears it


class OutputError(Exception):
    """Standard output cannot be written; ``ended`` if its reader has closed it."""

    def __init__(self, error: OSError) -> None:
        self.ended = error.errno == errno.EPIPE
        super().__init__(f"standard output: {error.strerror or error}")


def say(text: str) -> None:
    """Print text for people, of one line or several. Raises OutputError."""
    _print(printable(text, keep_lines=True) + "\n")


def say_json(document: Any) -> None:
    """Print a JSON document on one line. Raises OutputError."""
    _print(json.dumps(document, allow_nan=False) + "\n")


def pass_on(data: bytes) -> None:
    """Print a file's contents; on a terminal, as text for people. Raises OutputError."""
    on_screen = to_terminal()
    _print(printable(data.decode(errors="replace"), keep_lines=True) if on_screen else data)


def to_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return _is_terminal(sys.stdout)


def complain(error: Exception | str) -> int:
    """Print one line on standard error and return the exit code of bad input."""
    text = printable(str(error))
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 2 :]}"
    remark(f"hextui: {text}")
    return BAD_INPUT


def remark(text: str) -> None:
    """Print a line on standard error."""
    _tell(printable(text) + "\n")


def confirm(question: str) -> bool:
    """Ask on standard error and return whether the answer is yes; False without a terminal."""
    if not (_is_terminal(sys.stdin) and _is_terminal(sys.stderr)):
        return False
    _tell(f"hextui: {printable(question)} [y/N] ")
    return sys.stdin.readline().strip().lower() in ("y", "yes")


class ProgressLine:
    """A line of progress on standard error that is overwritten; ``shown`` if that is a terminal.

    A context manager, which clears the line at its end. Elsewhere than on a terminal, it prints a
    new line after ``first`` seconds, then every ``pause`` seconds, or as often as our own screen,
    which shows it, has asked for.
    """

    def __init__(self, first: float = UNSEEN_SECONDS, pause: float = UNSEEN_SECONDS) -> None:
        self.shown = _is_terminal(sys.stderr)
        self._begun = False
        self._pause = pause
        self._due = monotonic() + first
        if asked := os.environ.get(PROGRESS_SECONDS):
            self._pause = float(asked)
            self._due = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def show(self, text: str) -> None:
        """Overwrite the line; raises KeyboardInterrupt if the program that reads it has ended."""
        if self.shown:
            over = _OVER if self._begun else ""  # no escape before the first line
            _tell(over + printable(text))
            self._begun = True
        elif monotonic() >= self._due:
            if not _tell(printable(text) + "\n"):
                raise KeyboardInterrupt
            self._due = monotonic() + self._pause

    def last(self, text: str) -> None:
        """Print the line for the last time and keep it, on a terminal or not."""
        if self.shown:
            self.show(text)
            self.end(keep=True)
        else:
            remark(text)

    def end(self, keep: bool = False) -> None:
        """Clear the line, or with ``keep`` go to the next one."""
        if self._begun:
            _tell("\n" if keep else _OVER)
            self._begun = False


def occupy_closed_streams() -> None:
    """Occupy the numbers of closed standard streams, so that no file gets one of them."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number


def _print(text: str | bytes) -> None:
    try:
        _write(sys.stdout, text)
    except OSError as error:
        _redirect(sys.stdout)
        raise OutputError(error) from None


def _tell(text: str) -> bool:
    """Print on standard error if that is possible; return whether there is still a reader."""
    try:
        _write(sys.stderr, text)
    except OSError as error:
        _redirect(sys.stderr)
        return not isinstance(error, BrokenPipeError)
    return True


def _write(stream: TextIO | None, text: str | bytes) -> None:
    if stream is None or stream.closed:
        raise OSError(errno.EBADF, "it is closed")
    if isinstance(text, bytes):
        stream.flush()
        stream.buffer.write(text)
    else:
        encoding = stream.encoding or "utf-8"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()


def _redirect(stream: TextIO | None) -> None:
    """Redirect a stream to nothing, so that Python does not try to flush it at exit."""
    if stream is None or stream.closed:
        return
    nothing = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError):  # a stream in memory has no file descriptor
        os.dup2(nothing, stream.fileno())
    os.close(nothing)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()
