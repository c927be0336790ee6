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

_AROUND_CURSOR = {"block-cursor-text-style": "bold"}

# Red and blue are the players': what has the focus is neutral, what is wrong is pink.
THEMES = (
    Theme(
        name=DEFAULT,
        primary="#c9d0dc",
        secondary="#4a5364",
        accent="#ffae2b",
        foreground="#dfe2e8",
        background="#1a1d23",
        surface="#20232a",
        panel="#282c34",
        success="#5fd07a",
        warning="#e0b040",
        error="#f28bb2",
        dark=True,
        variables={
            **_AROUND_CURSOR,
            "block-cursor-background": "#3b4454",
            "block-cursor-foreground": "#ffffff",
            "input-selection-background": "#59657a",
        },
    ),
    Theme(
        name="hextui-light",
        primary="#4d4a42",
        secondary="#b8b2a3",
        accent="#4a3300",
        foreground="#20211f",
        background="#f6f3ec",
        surface="#eceae6",
        panel="#e1ded7",
        success="#1c6b2e",
        warning="#7a5600",
        error="#9b1a5b",
        dark=False,
        variables={
            **_AROUND_CURSOR,
            "block-cursor-background": "#d0cbc0",
            "block-cursor-foreground": "#000000",
            "input-selection-background": "#c2baa6",
        },
    ),
    Theme(
        name="hextui-contrast",
        primary="#ffffff",
        secondary="#5c5c5c",
        accent="#ffe000",
        foreground="#ffffff",
        background="#000000",
        surface="#000000",
        panel="#1c1c1c",
        success="#70ff70",
        warning="#ffe000",
        error="#ff9cc8",
        dark=True,
        variables={
            **_AROUND_CURSOR,
            "block-cursor-background": "#ffffff",
            "block-cursor-foreground": "#000000",
            "input-selection-background": "#5c5c5c",
        },
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
