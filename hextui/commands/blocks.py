"""A text of headings, paragraphs and tables, for a terminal or as Markdown."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hextui.commands.documents import table
from hextui.matches.reports import escape_markdown, markdown_table
from hextui.records.text import printable

_LIST = re.compile(r"^(\s*\d+)([.)])(?=\s|$)", re.MULTILINE)


@dataclass(frozen=True)
class Heading:
    """A heading; ``level`` 1 is that of the whole text."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    """A line of text."""

    text: str


@dataclass(frozen=True)
class Rows:
    """A table, the first row being its head."""

    rows: Sequence[Sequence[object]]


Block = Heading | Paragraph | Rows


def as_text(blocks: Iterable[Block]) -> str:
    """Return the text for a terminal, an empty line between two blocks."""
    return "\n\n".join(_text(block) for block in blocks)


def as_markdown(blocks: Iterable[Block]) -> str:
    """Return the text as Markdown; what stands in names and comments stays plain."""
    return "\n\n".join(_markdown(block) for block in blocks)


def _text(block: Block) -> str:
    match block:
        case Heading(text):
            return printable(text)
        case Paragraph(text):
            return printable(text)
        case Rows(rows):
            return table(rows)


def _markdown(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {escape_markdown(text)}"
        case Paragraph(text):
            return _LIST.sub(r"\1\\\2", escape_markdown(text))
        case Rows([head, *rows]):
            return markdown_table(list(map(str, head)), [list(map(str, row)) for row in rows])
        case _:
            raise ValueError("a table has a head")
