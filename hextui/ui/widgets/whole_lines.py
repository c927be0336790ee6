"""Widgets that paint whole lines: Textual's way for borders, padding and opacity is left out."""

from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget


class WholeLines(Widget):
    """A widget whose ``render_line`` gives lines of its whole width, on a ground of their own.

    Textual paints them where there is more to do: a border or padding, or while it is dimmed.
    """

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return lines as they are on the screen."""
        if self.gutter or self.opacity < 1:
            return super().render_lines(crop)
        return filtered(self, [self.render_line(y) for y in crop.line_range], crop)


def filtered(widget: Widget, lines: list[Strip], crop: Region) -> list[Strip]:
    """Return whole lines of a widget as they are on the screen: some of their columns, filtered."""
    background = widget.background_colors[1]
    for each in widget.get_line_filters():
        lines = [line.apply_filter(each, background) for line in lines]
    return [line.crop(*crop.column_span) for line in lines]
