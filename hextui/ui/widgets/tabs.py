"""The bar of activities: their keys and names on one line, which never wraps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

_TITLE = 16  # columns that names leave to the title


@dataclass(frozen=True)
class Tab:
    """An entry: its key, its name, what a click calls; ``value`` is what is chosen with it."""

    key: str
    name: str
    call: str
    value: str

    def text(self, named: bool) -> str:
        """Return the entry with its name or with its key alone."""
        return f"{self.key} {self.name}" if named else self.key


class ActivityBar(Widget):
    """Entries beside each other; where they have no room only the chosen one has its name."""

    DEFAULT_CSS = """
    ActivityBar { width: auto; height: 1; background: $panel; color: $text-muted; }
    """

    chosen: reactive[str] = reactive("", layout=True)
    """The value of the entry that stands out."""

    def __init__(self, tabs: Sequence[Tab]) -> None:
        super().__init__()
        self._tabs = tabs

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the columns that the entries take."""
        return cell_len(self._line(container.width).plain)

    def render(self) -> Text:
        """Return the entries."""
        return self._line(self.app.size.width)

    def _line(self, columns: int) -> Text:
        """Return the entries for a screen of so many columns."""
        for gap in ("   ", " "):
            line = self._entries(gap)
            if columns >= line.cell_len + _TITLE:
                return line
        return self._entries(" ", lambda tab: tab.value == self.chosen)

    def _entries(self, gap: str, named: Callable[[Tab], bool] = lambda tab: True) -> Text:
        line = Text(" ", no_wrap=True)
        for place, tab in enumerate(self._tabs):
            text = Text(tab.text(named(tab)), "bold reverse" if tab.value == self.chosen else "")
            text.stylize(Style(meta={"@click": tab.call}))
            line.append(gap if place else "").append_text(text)
        return line.append(" ")
