"""The line below the board: the name of the overlay, and what its colours and marks mean."""

from rich.text import Text
from textual.reactive import reactive
from textual.widget import Widget

from hextui.ui.whole_words import within


class LegendLine(Widget):
    """Says what is painted on the board."""

    DEFAULT_CSS = """
    LegendLine { height: 1; padding: 0 1; color: $text-muted; }
    """

    text: reactive[str] = reactive("")

    def render(self) -> Text:
        """Return the text, as far as there is room."""
        return Text(within(self.text, self.content_size.width), no_wrap=True)
