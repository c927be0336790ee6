"""The line that says where one is: the last move, whose turn it is, what the engine does."""

from dataclasses import dataclass

from rich.style import Style
from rich.text import Text
from textual.reactive import reactive
from textual.timer import Timer
from textual.widget import Widget

from hextui.engine.board import EMPTY, Color
from hextui.ui.drawing.board_view import Mode
from hextui.ui.drawing.painter import STONES
from hextui.ui.drawing.palette import DARK, Palette
from hextui.ui.whole_words import clauses_within, within
from hextui.wording import player_name

_GAP = "   "


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


class StatusLine(Widget):
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

    def render(self) -> Text:
        """Return the line: no part of it is cut, what matters least is left out."""
        width = self.content_size.width
        parts, stale = self._parts(), Text()
        if self.status and self.status.stale:
            stale = Text.assemble(" ", (" STALE ", "bold reverse"))
        told = self.message or (self.status.engine if self.status else "")
        least = _length([text for rank, text in parts if rank == 0])
        most = max(width - least - len(_GAP) - stale.cell_len, 0)
        told = clauses_within(told, most) or within(told, most)
        room = width - len(told) - stale.cell_len - (len(_GAP) if told else 0)
        while parts and _length([text for _, text in parts]) > room:
            parts.remove(max(reversed(parts), key=lambda part: part[0]))
        line = Text(_GAP, no_wrap=True).join(text for _, text in parts)
        line.append(" " * max(width - line.cell_len - len(told) - stale.cell_len, 0))
        return line.append(told, "bold" if self.message else "").append_text(stale)

    def _parts(self) -> list[tuple[int, Text]]:
        """Return the parts from left to right, each with its rank: 0 is left out last."""
        status = self.status
        if status is None:
            return []
        by = f" ({player_name(status.mover)})" if status.mover else ""
        turn = self._stone(status.to_move).append(f" {player_name(status.to_move)} to move", "bold")
        parts = [(2, Text(f"{status.moved}{by}")), (0, turn)]
        if status.mode is Mode.SETUP:
            stone = player_name(status.placing) if status.placing else "nothing"
            parts.append((1, Text.assemble((" SETUP ", "bold reverse"), f" places {stone}")))
        if status.mode is Mode.REGION:
            parts.append((1, Text.assemble((" REGION ", "bold reverse"), f" marks {status.marks}")))
        parts += [
            (1, Text(status.verdict, "bold")),
            (2, Text(status.note)),
            (4, Text(f"variation {status.variation}" if status.variation else "")),
            (3, Text(f"cursor {status.cell}" if status.cell else "")),
        ]
        return [(rank, text) for rank, text in parts if text]

    def _stone(self, stone: int) -> Text:
        if stone == EMPTY:
            return Text(" . ", "reverse")
        color, text = self.palette.stones[stone - 1], self.palette.stone_texts[stone - 1]
        sign = STONES[Color(stone)] if self.palette.letters else "  "
        return Text.assemble((f" {sign} ", Style(color=text, bgcolor=color, bold=True)))


def _length(texts: list[Text]) -> int:
    return sum(text.cell_len for text in texts) + len(_GAP) * max(len(texts) - 1, 0)
