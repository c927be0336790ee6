"""The top line: the name of the record, and what is known about the game."""

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.reactive import reactive
from textual.widget import Widget

from hextui.records.text import printable
from hextui.ui.whole_words import within

_TITLED = 24  # columns from which the title line names the program


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
