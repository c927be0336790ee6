"""The tab bar: names of panels, on as many lines as they need."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

_GAP = 1


class TabBar(Widget):
    """Names in a row, wrapped between names; a click chooses one."""

    DEFAULT_CSS = """
    TabBar { height: auto; color: $text-muted; }
    """

    shown: reactive[tuple[str, ...]] = reactive(())
    """The names of what is shown, the one used last first: it stands reversed, others bold."""

    @dataclass
    class Chosen(Message):
        """A name was clicked."""

        name: str

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self._names = names

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines the names take."""
        return len(self._lines(width))

    def render(self) -> Text:
        """Return the names, line by line."""
        gap, lines = Text(" " * _GAP), self._lines(self.size.width)
        return Text("\n").join(gap.join(map(self._titled, line)) for line in lines)

    def _titled(self, name: str) -> Text:
        style = "bold reverse" if name in self.shown[:1] else "bold" if name in self.shown else ""
        text = Text(f" {name} ", style)
        text.stylize(Style(meta={"name": name}))
        return text

    def _lines(self, width: int) -> list[list[str]]:
        lines: list[list[str]] = [[]]
        room = width
        for name in self._names:
            if len(name) + 2 > room and lines[-1]:
                lines.append([])
                room = width
            lines[-1].append(name)
            room -= len(name) + 2 + _GAP
        return lines

    def on_click(self, event: events.Click) -> None:
        """Report the name under the mouse."""
        name = event.style.meta.get("name")
        if name:
            self.post_message(self.Chosen(name))
