"""Colours of the board and of the screen: a palette for each theme and kind of terminal."""

from dataclasses import dataclass, replace
from functools import lru_cache

from textual.theme import Theme

HEAT_STEPS = 32
READABLE = 4.5
"""The least contrast of text (WCAG 2, level AA)."""


@dataclass(frozen=True)
class Palette:
    """The colours of one board as ``#rrggbb``; pairs are (black, white), the players.

    ``stones``, ``bands`` (the sides of the board) and ``inks`` (text about a player where a stone's
    colour is unreadable) stand for the players. ``heat`` goes from weak to strong; ``good`` is a
    proved win; ``end`` is of a connection; ``mark`` writes the record's marks. ``stone_shade``: how
    much darker a stone may be than its neighbours. ``letters`` and ``dotted``: stones, or empty
    cells, carry characters where colours do not tell them apart.
    """

    shades: tuple[str, str, str]
    stones: tuple[str, str]
    bands: tuple[str, str]
    heat: tuple[str, str]
    good: str
    must_play: str
    mark: str
    cursor: str
    end: str
    coordinates: str
    stone_shade: float = 0.07
    letters: bool = False
    dotted: bool = False
    inks: tuple[str, str] | None = None

    @property
    def spelt(self) -> bool:
        """Whether characters replace colours."""
        return self.letters or self.dotted

    def mix(self, first: str, second: str, share: float) -> str:
        """Return the colour between two, or of 16 colours, which have none between, the nearer."""
        if self.dotted:
            return second if share >= 0.5 else first
        return blend(first, second, share)

    def ink(self, color: int) -> str:
        """Return the colour of text about a player."""
        return (self.inks or self.stones)[color - 1]


DARK = Palette(
    shades=("#22262d", "#2b303a", "#363c48"),
    stones=("#e8603a", "#4a9bea"),
    bands=("#96402a", "#2f649c"),
    heat=("#443a5c", "#b79bf0"),
    good="#5fd07a",
    must_play="#d9a520",
    mark="#ffe14a",
    cursor="#f4f6fa",
    end="#f4f6fa",
    coordinates="#a7adb8",
)

LIGHT = Palette(
    shades=("#e6e4df", "#d5d2cb", "#c4c2bb"),
    stones=("#e4572e", "#3b8fe0"),
    bands=("#b8674f", "#5a86b4"),
    heat=("#c9bbe4", "#5b3aa6"),
    good="#1c6b2e",
    must_play="#7a5600",
    mark="#4b006e",
    cursor="#16181c",
    end="#16181c",
    coordinates="#5b5a54",
    stone_shade=0.05,
    inks=("#a8330f", "#1b5fa6"),
)

HIGH_CONTRAST = Palette(
    shades=("#0a0a0a", "#202020", "#383838"),
    stones=("#ff6a3d", "#4fa9ff"),
    bands=("#a83c18", "#1f66ae"),
    heat=("#4a3580", "#d0b8ff"),
    good="#70ff70",
    must_play="#ffd000",
    mark="#ffff00",
    cursor="#ffffff",
    end="#ffffff",
    coordinates="#e0e0e0",
)

# NO_COLOR: greys only; the players are black and white.
GREY = Palette(
    shades=("#484848", "#505050", "#585858"),
    stones=("#000000", "#ffffff"),
    bands=("#181818", "#d0d0d0"),
    heat=("#686868", "#c0c0c0"),
    good="#d8d8d8",
    must_play="#787878",
    mark="#ffffff",
    cursor="#ffffff",
    end="#a0a0a0",
    coordinates="#b0b0b0",
    stone_shade=0.0,
    letters=True,
    inks=("#a0a0a0", "#ffffff"),
)
GREY_ON_LIGHT = replace(GREY, coordinates="#505050", inks=("#000000", "#606060"))

# Terminals with 16 colours: only colours that those have.
BASIC = Palette(
    shades=("#000000", "#000000", "#000000"),
    stones=("#ff5555", "#5555ff"),
    bands=("#aa0000", "#0000aa"),
    heat=("#aa00aa", "#ff55ff"),
    good="#55ff55",
    must_play="#aa5500",
    mark="#ffff55",
    cursor="#ffffff",
    end="#ffffff",
    coordinates="#aaaaaa",
    stone_shade=0.0,
    dotted=True,
)


def channels(color: str) -> tuple[int, int, int]:
    """Return red, green and blue (0 to 255) of ``#rrggbb``."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


@lru_cache(4096)
def blend(first: str, second: str, share: float) -> str:
    """Return the colour that is ``share`` (0 to 1) of the way from ``first`` to ``second``."""
    pairs = zip(channels(first), channels(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


@lru_cache(4096)
def contrasting(color: str) -> str:
    """Return black or white, whichever reads better on ``color`` (WCAG relative luminance)."""
    return "#000000" if luminance(color) > 0.179 else "#ffffff"


@lru_cache(4096)
def readable(color: str, back: str) -> str:
    """Return ``color`` if it can be read on ``back``, else black or white."""
    return color if contrast(color, back) >= READABLE else contrasting(back)


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours, 1 (none) to 21, as WCAG 2 defines it."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@lru_cache(4096)
def luminance(color: str) -> float:
    """Return the relative luminance, 0 (black) to 1 (white), as WCAG 2 defines it."""
    red, green, blue = (_linear(channel / 255) for channel in channels(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(share: float) -> float:
    """Return the light of a channel of sRGB; both are shares, 0 to 1."""
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def heat_color(palette: Palette, value: float) -> str:
    """Return the colour of a heat value from 0 to 1, in `HEAT_STEPS` steps."""
    return palette.mix(*palette.heat, round(value * HEAT_STEPS) / HEAT_STEPS)


DEFAULT_THEME = "hextui-dark"


def _variables(back: str, text: str, selection: str) -> dict[str, str]:
    """Return variables of a theme: the line with the cursor, and the selection of an input."""
    return {
        "block-cursor-text-style": "bold",
        "block-cursor-background": back,
        "block-cursor-foreground": text,
        "input-selection-background": selection,
    }


# Red and blue are the players': what has the focus is neutral, what is wrong is pink.
THEMES = (
    Theme(
        DEFAULT_THEME, dark=True, variables=_variables("#3b4454", "#ffffff", "#59657a"),
        primary="#c9d0dc", secondary="#4a5364", accent="#ffae2b",
        foreground="#dfe2e8", background="#1a1d23", surface="#20232a", panel="#282c34",
        success="#5fd07a", warning="#e0b040", error="#f28bb2",
    ),
    Theme(
        "hextui-light", dark=False, variables=_variables("#d0cbc0", "#000000", "#c2baa6"),
        primary="#4d4a42", secondary="#b8b2a3", accent="#4a3300",
        foreground="#20211f", background="#f6f3ec", surface="#eceae6", panel="#e1ded7",
        success="#1c6b2e", warning="#7a5600", error="#9b1a5b",
    ),
    Theme(
        "hextui-contrast", dark=True, variables=_variables("#ffffff", "#000000", "#5c5c5c"),
        primary="#ffffff", secondary="#5c5c5c", accent="#ffe000",
        foreground="#ffffff", background="#000000", surface="#000000", panel="#1c1c1c",
        success="#70ff70", warning="#ffe000", error="#ff9cc8",
    ),
)  # fmt: skip

_PALETTES = {"hextui-light": LIGHT, "hextui-contrast": HIGH_CONTRAST}


def board_palette(theme: Theme, color_system: str | None, no_color: bool) -> Palette:
    """Return the board's colours for a theme on a terminal.

    ``color_system`` is rich's name of the terminal's colours; ``no_color``: NO_COLOR is set. Other
    themes than ours get the palette of their brightness.
    """
    if no_color:
        return GREY if theme.dark else GREY_ON_LIGHT
    if color_system == "standard":
        return BASIC
    return _PALETTES.get(theme.name, DARK if theme.dark else LIGHT)
