"""A sentence about the players as it stands in a list: their names in their colours."""

import re

from rich.style import Style

from hextui.engine.board import Color
from hextui.ui.drawing.palette import Palette
from hextui.ui.whole_words import lines_of
from hextui.ui.widgets.line_list import Span
from hextui.words.names import Names


def sentence_spans(
    text: str, names: Names, palette: Palette, columns: int, style: Style
) -> list[tuple[Span, ...]]:
    """Return a sentence on lines of so many columns, broken between words."""
    inks = {name: palette.ink(color) for name, color in zip(names.both, Color, strict=True)}
    either = rf"\b({'|'.join(map(re.escape, inks))})\b"
    return [
        tuple(
            (piece, style + Style(color=inks[piece]) if piece in inks else style)
            for piece in re.split(either, line)
            if piece
        )
        for line in lines_of(text, columns)
    ]
