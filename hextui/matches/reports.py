"""How a run is reported, and tables in Markdown."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hextui.matches.figures import Figure
from hextui.matches.results import Document, Table
from hextui.records.text import printable

# A ] makes a link only before these signs, a # a heading before a space, a _ emphasis at the edge
# of a word.
_MARKUP = re.compile(r"([\\`*{}<>|~&]|\](?=[(\[:])|#(?=[#\s]|$)|(?<!\w)_|_(?!\w))")


def escape_markdown(text: str) -> str:
    """Return text, of a name or comment too, as it stands within a line of Markdown.

    >>> print(escape_markdown("<b> *a* [x](y) E_1 _2_"))
    \\<b\\> \\*a\\* [x\\](y) E_1 \\_2\\_
    """
    return _MARKUP.sub(r"\\\1", printable(text))


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with aligned columns, so that it reads well as plain text too.

    What stands in the cells is plain text.

    >>> print(markdown_table(["a", "b"], [["1", "22"]]))
    | a | b  |
    |---|----|
    | 1 | 22 |
    """
    cells = [[escape_markdown(text) for text in row] for row in (head, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    top, *lines = (
        [text.ljust(width) for text, width in zip(row, widths, strict=True)] for row in cells
    )
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join(
        ["| " + " | ".join(top) + " |", rule, *(f"| {' | '.join(x)} |" for x in lines)]
    )


@dataclass(frozen=True)
class Reporting:
    """How a study tells its results, from its rows and ``settings.json``.

    Figures, the whole report (given the figures that are drawn beside it), the document for
    --json, and further text files by their names.
    """

    figures: Callable[[Table, Document], list[Figure]]
    report: Callable[[Table, Document, Sequence[Figure]], str]
    document: Callable[[Table, Document], Document]
    files: Callable[[Table, Document], dict[str, str]] = lambda table, settings: {}
