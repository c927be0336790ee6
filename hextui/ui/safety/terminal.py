"""The terminal: its end, what is written to it, and the clipboard."""

import asyncio
import codecs
import os
import select
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import BufferedWriter, RawIOBase, TextIOWrapper
from typing import TYPE_CHECKING, TextIO

from rich.cells import cell_len

from hextui.children import user_environment
from hextui.records.record_text import printable

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_PLAIN = "hextui.plain"
_COPY_SECONDS = 2.0
_REPLACEMENTS = {
    "✓": "+",
    "•": "*",
    "·": ".",
    "…": ".",
    "▲": "^",
    "▼": "v",
    # half blocks: the background shows
    "▀": " ",
    "▄": " ",
    **dict.fromkeys("█▇▆▅▉▊▋", "#"),
    **dict.fromkeys("▌▍▎▏▐▕│┃║╎╏╵╷╹╻", "|"),
    **dict.fromkeys("▁▂▃", "_"),
    **dict.fromkeys("▔─━═╌╍╴╶╸╺", "-"),
    **dict.fromkeys("┌┏┐┓└┗┘┛├┣┤┫┬┳┴┷┻┼╋╭╮╯╰╔╗╚╝╪╫", "+"),
}


def has_hung_up() -> bool:
    """Return whether the terminal has gone: nothing will be read from it any more."""
    if sys.platform == "win32" or sys.__stdin__ is None:
        return False
    poll = select.poll()
    poll.register(sys.__stdin__.fileno(), 0)  # a hang-up is always reported
    return any(event & select.POLLHUP for _, event in poll.poll(0))


def can_return_to_shell() -> bool:
    """Return whether a program of the same terminal has started this one, to continue it."""
    return hasattr(os, "getsid") and os.getsid(os.getppid()) == os.getsid(0)


def drop_output() -> None:
    """Send all further output nowhere: writing to a terminal that has gone would fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        with suppress(OSError):
            os.dup2(nowhere, number)
    os.close(nowhere)


class TerminalOutput(RawIOBase):
    """Writes to a terminal by its file descriptor, and nowhere once that is not possible.

    Textual writes the screen on a thread, which an OSError would end. The program would then wait
    for ever for that thread.
    """

    def __init__(self, number: int) -> None:
        self._number = number

    def fileno(self) -> int:
        """Return the file descriptor."""
        return self._number

    def isatty(self) -> bool:
        """Return whether it is a terminal."""
        return os.isatty(self._number)

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write bytes, and return how many were written or dropped."""
        while True:
            try:
                return os.write(self._number, data)
            except BlockingIOError:  # another program has set O_NONBLOCK, which all share
                select.select([], [self._number], [])
            except OSError:
                return memoryview(data).nbytes


def screen_output(file: TextIO) -> TextIOWrapper:
    """Return a file that writes to the same terminal, whatever happens to that.

    Characters that its encoding lacks become plain ones. Python would write ``\\u2713`` for one
    column, and the rest of the line would shift.
    """
    buffer = BufferedWriter(TerminalOutput(file.fileno()))
    return TextIOWrapper(buffer, file.encoding, _PLAIN, newline="\n")


_CLIPBOARDS = (
    ("WAYLAND_DISPLAY", ["wl-copy"]),
    ("DISPLAY", ["xclip", "-selection", "clipboard"]),
    ("", ["pbcopy"]),
    ("", ["clip.exe"]),
)
"""Programs that put their input on the clipboard, each with the variable that it needs."""


def copy_by_program(text: str) -> bool:
    """Put a text on the clipboard by a program of the system; return whether one has done so."""
    for variable, (name, *options) in _CLIPBOARDS:
        program = shutil.which(name)
        if program is None or (variable and not os.environ.get(variable)):
            continue
        data = text.encode("utf-16" if name == "clip.exe" else "utf-8")
        with suppress(OSError, subprocess.TimeoutExpired):
            done = subprocess.run(
                [program, *options],
                input=data,
                stdout=subprocess.DEVNULL,  # some stay and would keep a pipe open
                stderr=subprocess.DEVNULL,
                env=user_environment(),
                start_new_session=True,
                timeout=_COPY_SECONDS,
                check=False,
            )
            if done.returncode == 0:
                return True
    return False


def show_to_select(text: str) -> None:
    """Print a text on the terminal, which is not the app's at the moment; wait for Enter."""
    print(printable(text, keep_lines=True))
    print("\nNo clipboard was found: select the text with the mouse. Enter returns.", flush=True)
    with suppress(EOFError, KeyboardInterrupt):
        input()


def plain(text: str) -> str:
    """Return ``text`` in ASCII, each character as wide as before; ``?`` replaces unknown ones.

    >>> plain("✓b3 ██▌ 白")
    '+b3 ##| ??'
    """
    return "".join(map(_plain_character, text))


def _plain_character(character: str) -> str:
    if character.isascii():
        return character
    return _REPLACEMENTS.get(character, "?" * cell_len(character))


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return plain(error.object[error.start : error.end]), error.end


codecs.register_error(_PLAIN, _replace)


async def run_in_terminal(command: Sequence[str]) -> None:
    """Run a program that takes over the terminal, until it ends; cancelled, end it."""
    process = await asyncio.create_subprocess_exec(*command)
    try:
        await process.wait()
    finally:
        if process.returncode is None:
            process.terminate()
