"""Themes: the colours of the screen, each with the palette of its board."""

from textual.theme import Theme

from hextui.ui.drawing.palette import (
    BASIC,
    DARK,
    GREY,
    GREY_ON_LIGHT,
    HIGH_CONTRAST,
    LIGHT,
    Palette,
)

DEFAULT = "hextui-dark"

THEMES = (
    Theme(
        name=DEFAULT,
        primary="#5b9ee0",
        secondary="#3c4657",
        accent="#ffae2b",
        foreground="#dfe2e8",
        background="#1a1d23",
        surface="#1f232b",
        panel="#272c36",
        success="#6fbf73",
        warning="#e0b040",
        error="#e4572e",
        dark=True,
    ),
    Theme(
        name="hextui-light",
        primary="#1f5fa8",
        secondary="#b8b2a3",
        accent="#a52a00",
        foreground="#20211f",
        background="#f6f3ec",
        surface="#efebe1",
        panel="#e3ded2",
        success="#2c7a33",
        warning="#8a6100",
        error="#b02a10",
        dark=False,
    ),
    Theme(
        name="hextui-contrast",
        primary="#6ab7ff",
        secondary="#5c5c5c",
        accent="#ffe000",
        foreground="#ffffff",
        background="#000000",
        surface="#000000",
        panel="#1c1c1c",
        success="#70ff70",
        warning="#ffe000",
        error="#ff7a50",
        dark=True,
    ),
)

_PALETTES = {
    "hextui-dark": DARK,
    "hextui-light": LIGHT,
    "hextui-contrast": HIGH_CONTRAST,
}


def board_palette(theme: Theme, color_system: str | None, no_color: bool) -> Palette:
    """Return the board's colours for a theme on a terminal.

    ``color_system`` is rich's name for what the terminal can do; ``no_color`` is true where the
    user set NO_COLOR. Themes that are not ours get the palette of their brightness.
    """
    if no_color:
        return GREY if theme.dark else GREY_ON_LIGHT
    if color_system == "standard":
        return BASIC
    return _PALETTES.get(theme.name, DARK if theme.dark else LIGHT)
