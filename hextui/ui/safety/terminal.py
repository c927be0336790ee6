"""The terminal: its end, the system's signals, and encodings that lack characters."""

import asyncio
import codecs
import os
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from typing import IO

from rich.cells import cell_len

_SIGNALS = (signal.SIGTERM, signal.SIGHUP) if hasattr(signal, "SIGHUP") else ()
_PLAIN = "hextui.plain"
_REPLACEMENTS = {
    "✓": "+",
    "•": "*",
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


def handle_signals(loop: asyncio.AbstractEventLoop, end: Callable[[int], None]) -> None:
    """Call ``end`` in ``loop`` with the number of a signal that asks the program to end."""
    for number in _SIGNALS:
        loop.add_signal_handler(number, end, number)


def has_hung_up() -> bool:
    """Return whether the terminal has gone: nothing will be read from it any more."""
    if sys.platform == "win32" or sys.__stdin__ is None:
        return False
    poll = select.poll()
    poll.register(sys.__stdin__.fileno(), 0)  # a hang-up is always reported
    return any(event & select.POLLHUP for _, event in poll.poll(0))


def drop_output() -> None:
    """Send all further output nowhere: writing to a terminal that has gone would fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        with suppress(OSError):
            os.dup2(nowhere, number)
    os.close(nowhere)


def plain(text: str) -> str:
    """Return ``text`` in ASCII, each character as wide as before; ``?`` replaces unknown ones.

    >>> plain("✓b3 ██▌ 白")
    '+b3 ##| ??'
    """
    return "".join(c if c.isascii() else _REPLACEMENTS.get(c, "?" * cell_len(c)) for c in text)


def replace_missing_characters(file: IO[str] | None) -> None:
    """Have a file write plain characters for those that its encoding lacks.

    Python would write ``\\u2713`` for one column, and the rest of the line would shift.
    """
    if isinstance(file, TextIOWrapper):
        file.reconfigure(errors=_PLAIN)


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return plain(error.object[error.start : error.end]), error.end


codecs.register_error(_PLAIN, _replace)
