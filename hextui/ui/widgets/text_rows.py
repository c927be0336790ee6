"""Rows of text that change with every key, painted without Textual's layout of text."""

from collections.abc import Sequence
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.strip import Strip
from textual.widget import Widget

from hextui.ui.widgets.line_list import PLAIN, Span


class TextRows(Widget):
    """Rows of styled text that fit the widget; the rest is blank.

    Textual paints them while the user selects text.
    """

    def rows(self) -> Sequence[Sequence[Span]]:
        """Return the rows, none of them wider than the content."""
        raise NotImplementedError

    def render(self) -> Text:
        """Return the rows as Textual paints them, and as it lets the user select and copy them."""
        return Text("\n", no_wrap=True).join(Text.assemble(*row) for row in self.rows())

    def render_line(self, y: int) -> Strip:
        """Return a row; Textual keeps it until the widget is refreshed."""
        if self.text_selection is not None:
            return super().render_line(y)
        rows, base = self.rows(), self.visual_style.rich_style
        row = rows[y] if y < len(rows) else ()
        blank = _background(base)
        inside = [Segment(text, _on(base, style)) for text, style in row]
        return Strip(inside).adjust_cell_length(self.content_size.width, blank)


@lru_cache(1024)
def _on(base: Style, own: Style) -> Style:
    return base if own == PLAIN else base + own


@lru_cache(64)
def _background(base: Style) -> Style:
    return Style(bgcolor=base.bgcolor)
