"""The two lines that say where one is: the record above the board, the state below it."""

from dataclasses import dataclass

from rich.style import Style
from rich.text import Text
from textual.reactive import reactive
from textual.widget import Widget

from hextui.engine.board import EMPTY, Color
from hextui.records.text import printable
from hextui.ui.drawing.board_view import Mode
from hextui.ui.drawing.painter import STONES
from hextui.ui.drawing.palette import DARK, Palette
from hextui.wording import player_name

_ROOMY = 60  # columns from which the status line says it in full


@dataclass(frozen=True)
class Status:
    """What the status line says.

    ``engine`` is what the analysis is doing; ``stale`` is true while what the panels show is not
    of the position on the board; ``verdict`` says in words who has won, if anybody has.
    """

    to_move: Color
    mode: Mode
    placing: int
    ply: int
    plies: int
    variation: str = ""
    cell: str = ""
    engine: str = ""
    stale: bool = False
    verdict: str = ""


class StatusLine(Widget):
    """Whose move, mode, ply of plies, what the engine does, and whether that is stale."""

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

    def render(self) -> Text:
        """Return the line; the engine's part stands at the right end, and is cut first."""
        status = self.status
        if status is None:
            return Text()
        line = Text(no_wrap=True, overflow="ellipsis")
        line.append_text(self._stone(status.to_move))
        turn = " to move" if self.size.width >= _ROOMY else ""
        line.append(f" {player_name(status.to_move)}{turn}", "bold")
        if status.mode is Mode.SETUP:
            placing = player_name(status.placing) if status.placing else "empty"
            line.append("  ").append(" SETUP ", "bold reverse").append(" ")
            line.append_text(self._stone(status.placing)).append(f" {placing}")
        else:
            line.append("  play")
        line.append(f"  ply {status.ply}/{status.plies}")
        least = line.cell_len
        if status.variation:
            line.append(f"  {status.variation}")
        line.append(f"  {status.cell}")
        if status.verdict:
            line.append(f"  {status.verdict}", "bold")
        width = self.content_size.width
        stale = Text.assemble("  ", (" STALE ", "bold reverse")) if status.stale else Text()
        room = width - least - stale.cell_len - 2
        right = Text(status.engine if room > 1 else "")
        right.truncate(room, overflow="ellipsis")
        right.append_text(stale)
        line.truncate(max(width - right.cell_len - 1, 0), overflow="ellipsis")
        line.append(" " * max(width - line.cell_len - right.cell_len, 0))
        return line.append_text(right)

    def _stone(self, stone: int) -> Text:
        if stone == EMPTY:
            return Text(" . ", "reverse")
        color, text = self.palette.stones[stone - 1], self.palette.stone_texts[stone - 1]
        return Text(f" {STONES[Color(stone)]} ", Style(color=text, bgcolor=color, bold=True))


class TitleLine(Widget):
    """The name of the record and who played it."""

    DEFAULT_CSS = """
    TitleLine {
        height: 1;
        background: $panel;
        color: $text-muted;
        padding: 0 1;
    }
    """

    name_of_record: reactive[str] = reactive("")
    about: reactive[str] = reactive("")
    legend: reactive[str] = reactive("")
    """What the colours and marks on the board mean; it stands at the right end."""
    records: reactive[tuple[str, ...]] = reactive(())
    """The names of all open records; with one there is nothing to choose."""
    at: reactive[int] = reactive(0)
    """The place among them of the one that is shown."""

    def render(self) -> Text:
        """Return the line: the file's name, then what is known about the game."""
        line = Text(no_wrap=True, overflow="ellipsis")
        line.append("hextui", "bold").append("  ")
        if len(self.records) > 1:
            for place, name in enumerate(self.records):
                here = place == self.at
                text = Text(f" {printable(self.name_of_record if here else name)} ")
                style = Style(bold=here, reverse=here)
                text.stylize(style + Style(meta={"@click": f"app.show_record({place})"}))
                line.append_text(text).append(" ")
            line.append(" ")
        else:
            line.append(printable(self.name_of_record), "bold").append("  ")
        line.append(printable(self.about))
        width, legend = self.content_size.width, self.legend
        line.truncate(max(width - len(legend) - 2, 0), overflow="ellipsis")
        line.append(" " * max(width - line.cell_len - len(legend), 0))
        return line.append(legend, "italic")
