"""Reports on runs: Markdown with tables and pictures, a JSON document, further files."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from hextui.matches.figures import Figure
from hextui.matches.results import Document
from hextui.records.text import printable

# A ] makes a link only before these signs, a # a heading before a space, a _ emphasis at the edge
# of a word.
_MARKUP = re.compile(r"([\\`*{}<>|~&]|\](?=[(\[:])|#(?=[#\s]|$)|(?<!\w)_|_(?!\w))")


def escape_markdown(text: str) -> str:
    """Return plain text, such as a name or a comment, escaped for a line of Markdown.

    >>> print(escape_markdown("<b> *a* [x](y) E_1 _2_"))
    \\<b\\> \\*a\\* [x\\](y) E_1 \\_2\\_
    """
    return _MARKUP.sub(r"\\\1", printable(text))


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table of plain texts, aligned so that it is readable as text too.

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


class RunReport:
    """A report, written part by part.

    ``document`` is what --json prints, ``files`` are further text files by their names, and
    ``figures`` are drawn beside the report. Titles, headings and tables take plain text.
    """

    def __init__(self, title: str, document: Document) -> None:
        self.document = document
        self.files: dict[str, str] = {}
        self.figures: list[Figure] = []
        self._parts = [f"# {escape_markdown(title)}"]
        self._figures_after = 0

    def heading(self, text: str) -> None:
        """Add a heading."""
        self._parts.append(f"## {escape_markdown(text)}")

    def text(self, markdown: str) -> None:
        """Add a paragraph of Markdown."""
        self._parts.append(markdown)

    def table(self, head: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> None:
        """Add a table below its caption, which is Markdown."""
        table = markdown_table(head, rows)
        self._parts.append(f"{caption}\n\n{table}" if caption else table)

    def pictures(self, figures: Sequence[Figure]) -> None:
        """Add figures, once; those of one title stand side by side."""
        self.figures = list(figures)
        self._figures_after = len(self._parts)

    def summary(self, drawn: bool) -> str:
        """Return the Markdown for a terminal: up to the figures, if they are drawn."""
        return "\n\n".join(self._parts[: self._figures_after if drawn and self.figures else None])

    def markdown(self, drawn: bool) -> str:
        """Return the whole report, with links to the figures if they are drawn."""
        parts = list(self._parts)
        if drawn and self.figures:
            pictures = ["## Figures", *_pictures(self.figures)]
            parts[self._figures_after : self._figures_after] = pictures
        return "\n\n".join(parts) + "\n"


def _pictures(figures: Sequence[Figure]) -> Iterator[str]:
    for title, group in groupby(figures, key=lambda figure: figure.title):
        first, *others = group
        if not others:
            yield f"![{title}]({first.name}.png)"
            continue
        links = [f"![{figure.y_label}]({figure.name}.png)" for figure in (first, *others)]
        yield f"{title}\n\n| {' | '.join(links)} |\n|{'---|' * len(links)}"
