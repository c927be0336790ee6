"""The two lines that say where one is: the record above the board, the state below it."""

from dataclasses import dataclass

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.reactive import reactive
from textual.widget import Widget

from hextui.engine.board import EMPTY, Color
from hextui.records.text import printable
from hextui.ui.drawing.board_view import Mode
from hextui.ui.drawing.painter import STONES
from hextui.ui.drawing.palette import DARK, Palette
from hextui.ui.whole_words import within
from hextui.wording import player_name

_TITLED = 24  # columns from which the title line names the program
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
        width: 1fr;
        height: 1;
        background: $panel;
        color: $text-muted;
        padding: 0 1;
    }
    """

    name_of_record: reactive[str] = reactive("")
    about: reactive[tuple[str, ...]] = reactive(())
    """What is known of the game, the most important first; what has no room is left out."""
    records: reactive[tuple[str, ...]] = reactive(())
    """The names of all open records; with one there is nothing to choose."""
    at: reactive[int] = reactive(0)
    """The place among them of the one that is shown."""

    def render(self) -> Text:
        """Return the line: the program, the file's name, then what is known about the game."""
        width = self.content_size.width
        line = Text("hextui  " if width >= _TITLED else "", "bold", no_wrap=True)
        for text in self._names():
            room = width - line.cell_len
            if text.cell_len > room and not text.style:
                break  # another record: its name, or nothing of it
            text.plain = within(text.plain, room)
            line.append_text(text)
        for known in map(printable, self.about):
            if line.cell_len + 3 + cell_len(known) > width:
                break
            line.append("   ").append(known)
        return line

    def _names(self) -> list[Text]:
        """Return the names of the open records, the one that is shown first of all."""
        name = printable(self.name_of_record)
        if len(self.records) < 2:
            return [Text(name, "bold")]
        found: list[Text] = []
        for place, other in enumerate(self.records):
            here = place == self.at
            text = Text(f" {name if here else printable(other)} ", "bold reverse" if here else "")
            text.stylize(Style(meta={"@click": f"app.show_record({place})"}))
            found.insert(0 if here else len(found), text)
        return found
