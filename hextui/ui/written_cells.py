"""What the terminal shows as far as it is known, so that only what differs is written to it."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment
from textual._compositor import CompositorUpdate
from textual.strip import Strip

from hextui.ui.pen import Pen


class LinePiece(NamedTuple):
    """A piece of a line of the screen, from column ``x`` on."""

    y: int
    x: int
    strip: Strip


class WrittenCells:
    """The segments that were written, each at the column where it begins.

    What a place shows is not known before it is written to, nor where something was written over
    a part of a segment.
    """

    def __init__(self) -> None:
        self._lines: dict[int, list[Segment | None]] = {}

    def forget(self) -> None:
        """Know nothing any more: something else was written, or the terminal has changed."""
        self._lines.clear()

    def write(self, pieces: Sequence[LinePiece], pen: Pen) -> str:
        """Return what has to be written so that these pieces are shown; then they are."""
        written: list[str] = []
        for y, x, strip in pieces:
            line = self._lines.setdefault(y, [])
            line += [None] * (x - len(line))
            _cut_off(line, x)
            there = False  # whether the terminal's cursor is
            for segment in strip:
                text = segment.text
                length = len(text) if text.isascii() else cell_len(text)
                line += [None] * (x + length - len(line))  # a strip may be longer than it says
                if not length:  # behind it the line may end
                    continue
                if line[x] == segment:
                    there = False
                else:
                    if not there:
                        written.append(f"\x1b[{y + 1};{x + 1}H")
                        there = True
                    written.append(pen.write(segment))
                    line[x : x + length] = [segment, *[None] * (length - 1)]
                x += length
        return "".join((*written, pen.lift()))


def _cut_off(line: list[Segment | None], x: int) -> None:
    """Forget a segment that goes on beyond this column: a part of it may be written over."""
    for start in reversed(range(x)):
        if (segment := line[start]) is not None:
            if start + cell_len(segment.text) > x:
                line[start] = None
            return


class PiecesUpdate(CompositorUpdate):
    """Pieces of lines to be shown; all of them are written where nothing is known."""

    def __init__(self, pieces: Sequence[LinePiece]) -> None:
        self.pieces = pieces
        self.written = WrittenCells()

    def render_segments(self, console: Console) -> str:
        """Return what has to be written to the terminal."""
        pen = Pen(console._color_system or ColorSystem.TRUECOLOR)
        return self.written.write(self.pieces, pen)
