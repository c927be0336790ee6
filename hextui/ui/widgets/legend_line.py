"""The line below the board: the name of the overlay, and what its colours and marks mean."""

from rich.cells import cell_len
from textual.reactive import reactive

from hextui.ui.whole_words import clauses_within, within
from hextui.ui.widgets.line_list import PLAIN, Span
from hextui.ui.widgets.text_rows import TextRows


class LegendLine(TextRows):
    """Says what is painted on the board."""

    DEFAULT_CSS = """
    LegendLine { height: 1; padding: 0 1; color: $text-muted; }
    """

    text: reactive[str] = reactive("")

    def rows(self) -> list[list[Span]]:
        """Return as many of its parts as there is room for, of a single one its first clauses."""
        return [[(parts_within(self.text, self.content_size.width), PLAIN)]]


def parts_within(text: str, columns: int) -> str:
    """Return the first parts of a text, two blanks apart, that have room; of one its first clauses
    or words.

    >>> parts_within("rank by resistance  dim: loses", 25)
    'rank by resistance'
    >>> parts_within("rank by resistance  dim: loses", 10)
    'rank by…'
    """
    parts = text.split("  ")
    while len(parts) > 1 and cell_len("  ".join(parts)) > columns:
        parts.pop()
    text = "  ".join(parts)
    return clauses_within(text, columns) or within(text, columns)
