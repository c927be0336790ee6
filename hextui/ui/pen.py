"""How text is written to a terminal: with no more commands for its look than it takes.

A step on a board of pixels changes hundreds of pieces of text. Textual tells both colours of each
and takes them back: twice as many characters for the terminal to read before it shows the step.
"""

from functools import lru_cache

from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

PLAIN = ("", "", "")
_BOLD, _NOT_BOLD = "1", "22"
_WEIGHTS = ("", _BOLD)
_NO_INK, _NO_BACK = "39", "49"


class Pen:
    """Knows the look in which a terminal would write: plain at first."""

    def __init__(self, colors: ColorSystem) -> None:
        self._colors = colors
        self._codes = PLAIN  # attributes, ink, background

    def write(self, segment: Segment) -> str:
        """Return what writes a piece of text from where the terminal is."""
        text, style, _ = segment
        if style is not None and style.link:
            return f"{self.lift()}{Strip.render_style(style, text, self._colors)}"
        return f"{self._turn_to(_codes(style, self._colors), text)}{text}"

    def lift(self) -> str:
        """Return what takes the look back."""
        before, self._codes = self._codes, PLAIN
        return "\x1b[0m" if before != PLAIN else ""

    def _turn_to(self, codes: tuple[str, str, str], text: str) -> str:
        """Return what changes the look; a blank shows no ink and no weight."""
        attributes, ink, back = codes
        old_attributes, old_ink, old_back = self._codes
        told: list[str] = []
        if attributes in _WEIGHTS and old_attributes in _WEIGHTS:
            if not text.strip(" "):
                attributes, ink = old_attributes, old_ink
            if attributes != old_attributes:
                told.append(attributes or _NOT_BOLD)
        elif attributes != old_attributes:
            told += ["0", attributes] if attributes else ["0"]
            old_ink = old_back = ""
        if ink != old_ink:
            told.append(ink or _NO_INK)
        if back != old_back:
            told.append(back or _NO_BACK)
        self._codes = attributes, ink, back
        return f"\x1b[{';'.join(told)}m" if told else ""


@lru_cache(8192)
def _codes(style: Style | None, colors: ColorSystem) -> tuple[str, str, str]:
    """Return the commands for the attributes of a style, its ink and its background."""
    if style is None:
        return PLAIN
    parts = style.without_color, Style(color=style.color), Style(bgcolor=style.bgcolor)
    attributes, ink, back = (Strip.render_ansi(part, colors) for part in parts)
    return attributes, ink, back
