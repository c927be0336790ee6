"""Tables of text that reports and terminals share."""

from collections.abc import Sequence


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with aligned columns, so that it reads well as plain text too.

    >>> print(markdown_table(["a", "b"], [["1", "22"]]))
    | a | b  |
    |---|----|
    | 1 | 22 |
    """
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [[text.ljust(width) for text, width in zip(r, widths, strict=True)] for r in rows]
    top = [text.ljust(width) for text, width in zip(head, widths, strict=True)]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join(
        ["| " + " | ".join(top) + " |", rule, *(f"| {' | '.join(x)} |" for x in lines)]
    )
