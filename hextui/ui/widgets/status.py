"""The line that says where one is: the last move, whose turn it is, what the engine does."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.style import Style
from textual.reactive import reactive
from textual.timer import Timer

from hextui.engine.board import EMPTY, Color
from hextui.ui.drawing.board_view import Mode
from hextui.ui.drawing.painter import STONES
from hextui.ui.drawing.palette import DARK, Palette
from hextui.ui.whole_words import clauses_within, within
from hextui.ui.widgets.line_list import BOLD, PLAIN, Span
from hextui.ui.widgets.text_rows import TextRows
from hextui.words.names import Names

_GAP = "   "
_BADGE = Style(bold=True, reverse=True)


@dataclass(frozen=True)
class Status:
    """What the status line says.

    ``moved`` is the last turn with its number, by ``mover``, None at the start; ``engine`` is what
    the analysis is doing; ``stale`` is true while what the panels show is not of the position on
    the board; ``verdict`` says in words who has won, if anybody has; ``note`` that there is a
    comment to be read; ``marks`` what Enter marks, in the mode for that.
    """

    to_move: Color
    mode: Mode
    placing: int
    moved: str = ""
    mover: Color | None = None
    note: str = ""
    variation: str = ""
    cell: str = ""
    engine: str = ""
    stale: bool = False
    verdict: str = ""
    marks: str = ""
    names: Names = Names.RED_BLUE


class StatusLine(TextRows):
    """Says where one is, and for some seconds what was done."""

    DEFAULT_CSS = """
    StatusLine {
        height: 1;
        background: $panel;
        color: $foreground;
        padding: 0 1;
    }
    """

    status: reactive[Status | None] = reactive(None)
    palette: reactive[Palette] = reactive(DARK)
    message: reactive[str] = reactive("")
    """What was done, in place of what the engine does; '' when it has been read."""

    _silence: Timer | None = None

    def say(self, message: str, seconds: float) -> None:
        """Show a message for some seconds; another one takes its place."""
        self.message = message
        if self._silence is not None:
            self._silence.stop()
        self._silence = self.set_timer(seconds, self._be_silent)

    def _be_silent(self) -> None:
        self.message = ""

    def rows(self) -> list[list[Span]]:
        """Return the line: no part of it is cut, what matters least is left out."""
        width, parts = self.content_size.width, self._parts()
        stale = [(" ", PLAIN), (" STALE ", _BADGE)] if self.status and self.status.stale else []
        told = self.message or (self.status.engine if self.status else "")
        least = _length([spans for rank, spans in parts if rank == 0])
        most = max(width - least - len(_GAP) - _width(stale), 0)
        told = clauses_within(told, most) or within(told, most)
        room = width - len(told) - _width(stale) - (len(_GAP) if told else 0)
        while parts and _length([spans for _, spans in parts]) > room:
            parts.remove(max(reversed(parts), key=lambda part: part[0]))
        line = [span for _, spans in parts for span in ((_GAP, PLAIN), *spans)][1:]
        line.append((" " * max(width - _width(line) - len(told) - _width(stale), 0), PLAIN))
        return [[*line, (told, BOLD if self.message else PLAIN), *stale]]

    def _parts(self) -> list[tuple[int, list[Span]]]:
        """Return the parts from left to right, each with its rank: 0 is left out last."""
        status = self.status
        if status is None:
            return []
        by = f" ({status.names.player(status.mover)})" if status.mover else ""
        turn = [
            self._stone(status.to_move),
            (f" {status.names.player(status.to_move)} to move", BOLD),
        ]
        parts = [(2, [(f"{status.moved}{by}", PLAIN)]), (0, turn)]
        if status.mode is Mode.SETUP:
            stone = status.names.player(status.placing) if status.placing else "nothing"
            parts.append((1, [(" SETUP ", _BADGE), (f" places {stone}", PLAIN)]))
        if status.mode is Mode.REGION:
            parts.append((1, [(" REGION ", _BADGE), (f" marks {status.marks}", PLAIN)]))
        parts += [
            (1, [(status.verdict, BOLD)]),
            (2, [(status.note, PLAIN)]),
            (4, [(f"variation {status.variation}" if status.variation else "", PLAIN)]),
            (3, [(f"cursor {status.cell}" if status.cell else "", PLAIN)]),
        ]
        return [(rank, spans) for rank, spans in parts if _width(spans)]

    def _stone(self, stone: int) -> Span:
        if stone == EMPTY:
            return " . ", Style(reverse=True)
        color, text = self.palette.stones[stone - 1], self.palette.stone_texts[stone - 1]
        sign = STONES[Color(stone)] if self.palette.letters else "  "
        return f" {sign} ", Style(color=text, bgcolor=color, bold=True)


def _width(spans: Sequence[Span]) -> int:
    return sum(cell_len(text) for text, _ in spans)


def _length(parts: Sequence[Sequence[Span]]) -> int:
    """Return the columns that parts of the line take, with what is between them."""
    return sum(map(_width, parts)) + len(_GAP) * max(len(parts) - 1, 0)
