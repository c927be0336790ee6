"""Which pictures the terminal shows: it is asked while the program loads."""

import enum
import os
import re
import select
import sys
import time
from contextlib import suppress
from dataclasses import dataclass

if sys.platform != "win32":  # there, the board is drawn with half blocks
    import termios
    import tty


class GraphicsProtocol(enum.StrEnum):
    """How a terminal is sent pictures; half blocks are characters."""

    KITTY = "Kitty"
    SIXEL = "Sixel"
    BLOCKS = "half blocks"


@dataclass(frozen=True)
class TerminalGraphics:
    """How the terminal shows pictures; ``character``: the width and height of one in pixels.

    ``copies``: it says that it puts texts on the clipboard (OSC 52).
    """

    protocol: GraphicsProtocol = GraphicsProtocol.BLOCKS
    character: tuple[int, int] = (8, 16)
    copies: bool = False


HALF_BLOCKS = TerminalGraphics()
PICTURES, PICTURES_OF_BOARD = 0x480000, 256
"""The number of the first of Kitty's pictures, one for each line, and how many a board has."""
_DELETE = f"\x1b_Ga=d,d=R,x={PICTURES},y={PICTURES + 0xFFFF},q=2\x1b\\"
FORGET_PICTURES = f"\x1b[?1049h{_DELETE}\x1b[?1049l"
"""Has Kitty delete them, which belong to the alternate screen."""
# a terminal that knows no placeholders (U) does not answer
_KITTY_QUERY = "\x1b_Gi=31,s=1,v=1,a=q,U=1,t=d,f=24;AAAA\x1b\\"
_QUERY = "\x1b[16t\x1b[c\r\x1b[K"  # the last two remove what a terminal prints of it
_ATTRIBUTES = re.compile(r"\x1b\[\?([\d;]*)c")
_CHARACTER = re.compile(r"\x1b\[6;(\d+);(\d+)t")
_KITTY_ANSWER = re.compile(r"\x1b_G[^\x1b]*\x1b\\")
_NO_STRINGS = {"linux", "dumb", "Apple_Terminal"}  # print the query of Kitty
_PATIENCE, _PATIENCE_FAR = 0.15, 1.0  # seconds; far: by way of a network


def graphics_of(answers: str) -> TerminalGraphics:
    """Return what a terminal's answers say.

    >>> graphics_of("\\x1b_Gi=31;OK\\x1b\\\\\\x1b[6;18;9t\\x1b[?62;c").protocol
    <GraphicsProtocol.KITTY: 'Kitty'>
    """
    attributes = _ATTRIBUTES.search(answers)
    character = _CHARACTER.search(answers)
    extensions = attributes[1].split(";")[1:] if attributes else []
    copies = "52" in extensions
    if character is None or attributes is None or "0" in character.groups():
        return TerminalGraphics(copies=copies)
    size = int(character[2]), int(character[1])
    # a terminal with both may lack the placeholders that we use of Kitty's
    if "4" in extensions:
        return TerminalGraphics(GraphicsProtocol.SIXEL, size, copies)
    answer = _KITTY_ANSWER.search(answers)
    if answer is not None and ";OK" in answer[0]:
        return TerminalGraphics(GraphicsProtocol.KITTY, size, copies)
    return TerminalGraphics(copies=copies)


class GraphicsQuery:
    """Asks a terminal about pictures; inside ``with`` it echoes nothing, not even its answer."""

    def __init__(self) -> None:
        self._number = -1
        self._end = 0.0
        self._answers = ""

    def __enter__(self) -> "GraphicsQuery":
        keys, screen = sys.__stdin__, sys.__stderr__
        if sys.platform != "win32" and keys and keys.isatty() and screen and screen.isatty():
            self._number = keys.fileno()
            self._before = termios.tcgetattr(self._number)
            tty.setcbreak(self._number, termios.TCSANOW)
            self._ask(screen.fileno())
        return self

    def __exit__(self, *_: object) -> None:
        if sys.platform != "win32" and self._number >= 0:
            if not self._answers:
                self.answer()  # else it would be taken for keys
            termios.tcsetattr(self._number, termios.TCSANOW, self._before)

    def _ask(self, screen: int) -> None:
        """Send the queries that the terminal can read to the file descriptor of the screen."""
        terminals = {os.environ.get(name, "") for name in ("TERM", "TERM_PROGRAM")}
        query = _QUERY
        # tmux takes Kitty's query for a title
        if not (terminals & _NO_STRINGS or os.environ.keys() & {"TMUX", "STY"}):
            query = _KITTY_QUERY + _QUERY
        os.write(screen, query.encode())
        far = "SSH_CONNECTION" in os.environ
        self._end = time.monotonic() + (_PATIENCE_FAR if far else _PATIENCE)

    def answer(self) -> tuple[TerminalGraphics, str]:
        """Return what the terminal shows, and the keys that were pressed meanwhile."""
        while self._number >= 0 and not _ATTRIBUTES.search(self._answers):
            rest = max(self._end - time.monotonic(), 0.0)
            if not select.select([self._number], [], [], rest)[0]:
                break
            data = b""
            with suppress(OSError):
                data = os.read(self._number, 1024)
            if not data:  # the terminal has gone
                break
            self._answers += data.decode(errors="replace")
        typed = self._answers
        for pattern in (_KITTY_ANSWER, _CHARACTER, _ATTRIBUTES):
            typed = pattern.sub("", typed)
        return graphics_of(self._answers), typed
