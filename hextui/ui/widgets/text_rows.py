"""Rows of text that change with every key: painted without Textual's way for texts of all kinds."""

from collections.abc import Sequence
from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from hextui.ui.widgets.line_list import PLAIN, Span
from hextui.ui.widgets.whole_lines import filtered


class TextRows(Widget):
    """Rows that its heirs have made to fit, between columns of padding; the rest is blank.

    Where the user selects text, Textual paints it: it knows how that looks.
    """

    def rows(self) -> Sequence[Sequence[Span]]:
        """Return the rows, none of them wider than the content."""
        raise NotImplementedError

    def render(self) -> Text:
        """Return the rows as Textual paints them, and as it lets the user select and copy them."""
        return Text("\n", no_wrap=True).join(Text.assemble(*row) for row in self.rows())

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return lines as they are on the screen."""
        if self.text_selection is not None:
            return super().render_lines(crop)
        rows, base = self.rows(), self.visual_style.rich_style
        rest = [(" " * self.content_size.width, PLAIN)]
        shown = [rows[y] if y < len(rows) else rest for y in crop.line_range]
        return filtered(self, [self._row(row, base) for row in shown], crop)

    def _row(self, row: Sequence[Span], base: Style) -> Strip:
        """Return a row with what is blank before and behind it."""
        width, padding = self.outer_size.width, self.styles.padding
        used = padding.left + sum(cell_len(text) for text, _ in row)
        blank = _background(base)
        before, behind = (Segment(" " * n, blank) for n in (padding.left, max(width - used, 0)))
        inside = [Segment(text, _on(base, style)) for text, style in row]
        return Strip([before, *inside, behind], max(width, used))


@lru_cache(1024)
def _on(base: Style, own: Style) -> Style:
    return base if own == PLAIN else base + own


@lru_cache(64)
def _background(base: Style) -> Style:
    return Style(bgcolor=base.bgcolor)
