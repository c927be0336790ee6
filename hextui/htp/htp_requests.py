"""Reads commands, one a line, and writes answers.

A line is ``[id] name argument...``; ``#`` begins a comment. An answer is ``=[id] text`` or
``?[id] message``, and an empty line ends it. Lines inside an answer are never empty.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from hextui.engine.board import Board, Color
from hextui.text import counted

LONGEST = 1 << 20  # the most bytes of a line; a longer one is cut and refused
INTERRUPT = "interrupt"  # the comment that ends a search

_COMMAND = re.compile(r"(?:(\d+)(?:\s+|$))?(.*)", re.ASCII)
_COMMENT = re.compile(r"(?:^|\s)#(.*)")
_CONTROLS = dict.fromkeys((*range(9), *range(10, 32), 127))
_WHOLE = re.compile(r"[0-9]{1,9}", re.ASCII)


class HtpError(ValueError):
    """A command that is refused; the message is the line that says why."""


@dataclass(frozen=True)
class HtpRequest:
    """A command: the ``id`` to be echoed, '' for none, its name and its arguments.

    ``rest`` is the text of the arguments as received. ``stopped`` tells whether it has to end.
    """

    id: str
    name: str
    words: tuple[str, ...] = ()
    rest: str = ""
    stopped: Callable[[], bool] = field(default=lambda: False, compare=False)

    def take(self, least: int, most: int | None = None) -> tuple[str, ...]:
        """Return the arguments if there are ``least`` to ``most``; raises HtpError."""
        most = least if most is None else most
        if least <= len(self.words) <= most:
            return self.words
        wanted = counted(most, "argument") if least == most else f"{least} to {most} arguments"
        raise HtpError(f"{self.name} takes {wanted}, not {len(self.words)}")

    def color(self) -> Color:
        """Return the first argument as a colour; raises ValueError."""
        if not self.words:
            raise HtpError(f"{self.name} takes a colour")
        return Color.parse(self.words[0])


def comment_of(line: bytes) -> str:
    """Return the comment at the end of a line, '' if there is none."""
    match = _COMMENT.search(_text(line))
    return match[1].strip() if match else ""


def parse(line: bytes) -> HtpRequest | None:
    """Return the command of a line, None if the line has none."""
    match = _COMMAND.fullmatch(_COMMENT.sub("", _text(line)).strip())
    if match is None or not match[0]:
        return None
    name, _, rest = match[2].replace("\t", " ").partition(" ")
    if len(line) > LONGEST:
        return HtpRequest(match[1] or "", "a line of more than a megabyte")
    return HtpRequest(match[1] or "", name, tuple(rest.split()), rest.strip())


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").translate(_CONTROLS)


def answer(request: HtpRequest, text: str) -> bytes:
    """Return the bytes that answer a command.

    >>> answer(HtpRequest("7", "name"), "hextui")
    b'=7 hextui\\n\\n'
    """
    first, *more = text.split("\n")
    lines = [f"={request.id} {first}", *(line for line in more if line)]
    return _bytes("\n".join(lines) + "\n\n")


def refusal(request: HtpRequest, message: str) -> bytes:
    """Return the bytes that refuse a command, with a message of one line."""
    return _bytes(f"?{request.id} {' '.join(message.split())}\n\n")


def graphics(kind: str, lines: str) -> bytes:
    """Return a block of live graphics, sent before an answer."""
    return _bytes(f"gogui-gfx:\n{kind}\n{lines}\n\n")


def _bytes(text: str) -> bytes:
    return text.encode("ascii", "backslashreplace")


def whole(word: str, least: int, most: int, what: str) -> int:
    """Read a whole number; raises HtpError."""
    if _WHOLE.fullmatch(word) and least <= int(word) <= most:
        return int(word)
    raise HtpError(f"{what}: a whole number, {least} to {most}, not {word[:40]!r}")


def seconds(word: str) -> float:
    """Read a time in seconds, 0 or more; raises HtpError."""
    try:
        value = float(word)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1e9:
        raise HtpError(f"not a time in seconds: {word[:40]!r}")
    return value


def points(board: Board, cells: Iterator[int] | tuple[int, ...]) -> str:
    """Return the names of cells with blanks between."""
    return " ".join(map(board.name, cells))
