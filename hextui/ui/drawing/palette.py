"""Colours of the board: one palette a theme, and two for terminals with few colours or none."""

from dataclasses import dataclass, replace
from functools import lru_cache

HEAT_STEPS = 32


@dataclass(frozen=True)
class Palette:
    """The colours of one board as ``#rrggbb``; pairs are (black, white), the players.

    ``dotted`` asks for a mark in empty cells, where the shades cannot be told apart. ``inks`` write
    about the players beside the board, where the colours of their stones could not be read.
    """

    shades: tuple[str, str, str]
    stones: tuple[str, str]
    stone_texts: tuple[str, str]
    bands: tuple[str, str]
    heat: tuple[str, str]
    must_play: str
    mark: str
    dotted: bool = False
    inks: tuple[str, str] | None = None

    def ink(self, color: int) -> str:
        """Return the colour of text about a player."""
        return (self.inks or self.stones)[color - 1]


DARK = Palette(
    shades=("#23272e", "#2a2e37", "#323642"),
    stones=("#e4572e", "#3b8fe0"),
    stone_texts=("#000000", "#ffffff"),
    bands=("#b23c1c", "#2767ab"),
    heat=("#50535b", "#e6e8ec"),
    must_play="#c9a227",
    mark="#ffe14a",
)

LIGHT = Palette(
    shades=("#dfdbd1", "#d5d1c6", "#cbc7bb"),
    stones=("#e4572e", "#3b8fe0"),
    stone_texts=("#000000", "#ffffff"),
    bands=("#c2482a", "#2f74ba"),
    heat=("#aaa69b", "#1d1d1f"),
    must_play="#d9a400",
    mark="#4b006e",
)

HIGH_CONTRAST = Palette(
    shades=("#000000", "#1a1a1a", "#343434"),
    stones=("#ff6a3d", "#4fa9ff"),
    stone_texts=("#000000", "#ffffff"),
    bands=("#a02c0c", "#0f569e"),
    heat=("#5c5c5c", "#ffffff"),
    must_play="#ffd000",
    mark="#ffff00",
)

# NO_COLOR: greys only, so that the players are what their names say.
GREY = Palette(
    shades=("#484848", "#505050", "#585858"),
    stones=("#000000", "#ffffff"),
    stone_texts=("#ffffff", "#000000"),
    bands=("#181818", "#d0d0d0"),
    heat=("#686868", "#c0c0c0"),
    must_play="#787878",
    mark="#ffffff",
    inks=("#a0a0a0", "#ffffff"),
)
GREY_ON_LIGHT = replace(GREY, inks=("#000000", "#606060"))

# Terminals with 16 colours: only colours that those have.
BASIC = Palette(
    shades=("#000000", "#000000", "#000000"),
    stones=("#ff5555", "#5555ff"),
    stone_texts=("#000000", "#ffffff"),
    bands=("#aa0000", "#0000aa"),
    heat=("#555555", "#ffffff"),
    must_play="#aa5500",
    mark="#ffff55",
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
    return "#000000" if luminance(color) > 0.18 else "#ffffff"


@lru_cache(4096)
def readable(color: str, back: str) -> str:
    """Return ``color`` if it can be read on ``back``, else black or white."""
    low, high = sorted((luminance(color), luminance(back)))
    return color if (high + 0.05) / (low + 0.05) > 2.2 else contrasting(back)


def luminance(color: str) -> float:
    """Return the relative luminance, 0 (black) to 1 (white), as WCAG 2 defines it."""
    linear = [
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
        for share in (channel / 255 for channel in channels(color))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def heat_color(palette: Palette, value: float) -> str:
    """Return the colour of a heat value from 0 to 1, in `HEAT_STEPS` steps."""
    return blend(*palette.heat, round(value * HEAT_STEPS) / HEAT_STEPS)
