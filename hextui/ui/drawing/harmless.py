"""Nothing that is painted commands the terminal: what the user edits is shown as it is."""

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from hextui.records.text import harmless


class Harmless(LineFilter):
    """Leaves out control characters, and those that reorder what stands around them."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the pieces of a line without them."""
        if all(segment.text.isprintable() for segment in segments):
            return segments
        return [
            Segment(harmless(segment.text), segment.style, segment.control) for segment in segments
        ]


HARMLESS = Harmless()
