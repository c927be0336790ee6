"""Colour is never the only carrier of meaning, except for which player is meant.

The colours that alone mean a player differ visibly under all three kinds of colour blindness.
Everything else has a sign. Colour blindness is simulated after G. M. Machado, M. M. Oliveira and L.
A. F. Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE
TVCG 15 (2009), doi:10.1109/TVCG.2009.113: the matrices for severity 1.0, applied to linear sRGB.
Differences are those of CIE 1976 (L*a*b*, white D65), of which 2.3 can just be noticed.
"""

import numpy as np
import pytest

from hextui.engine.board import Color
from hextui.records.board_view import BoardView, Connected
from hextui.ui.drawing.painter import looks
from hextui.ui.drawing.palette import BASIC, DARK, HIGH_CONTRAST, LIGHT, THEMES, channels, luminance

from .test_painter import EMPTY_BOARD, cell

KINDS = {
    "none": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
TO_XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
WHITE = [0.95047, 1.0, 1.08883]
CLEAR = 40.0
"""The least difference of what is told apart at a glance: stones, sides of the board."""
VISIBLE = 10.0
"""The least difference of tints of whole cells: four times what can just be noticed."""
PALETTES = {"hextui-dark": DARK, "hextui-light": LIGHT, "hextui-contrast": HIGH_CONTRAST}
GROUNDS = {theme.name: theme.background for theme in THEMES}


def linear(color):
    """Return the light of the three channels of ``#rrggbb``, each 0 to 1."""
    shares = np.array(channels(color)) / 255
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)


def lab(color, kind):
    """Return the L*a*b* values of a colour as somebody with a kind of colour blindness sees it."""
    light = np.clip(np.array(KINDS[kind]) @ linear(color), 0, 1)
    share = np.array(TO_XYZ) @ light / WHITE
    x, y, z = np.where(share > 216 / 24389, np.cbrt(share), (24389 / 27 * share + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def difference(first, second, kind="none"):
    """Return how far two colours differ for somebody with a kind of colour blindness."""
    return float(np.linalg.norm(lab(first, kind) - lab(second, kind)))


def test_differences_are_those_that_are_published():
    # sRGB red and green: Lab (53.24, 80.09, 67.20) and (87.73, -86.18, 83.18)
    assert lab("#ff0000", "none") == pytest.approx([53.24, 80.09, 67.20], abs=0.05)
    assert lab("#00ff00", "none") == pytest.approx([87.73, -86.18, 83.18], abs=0.05)
    assert difference("#000000", "#ffffff") == pytest.approx(100, abs=0.05)
    assert luminance("#80a0c0") == pytest.approx(np.array(TO_XYZ)[1] @ linear("#80a0c0"), abs=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_greys_look_the_same_to_everybody(kind):
    for grey in ("#202020", "#808080", "#ffffff"):
        assert difference(grey, grey, kind) == 0
        assert np.abs(lab(grey, kind) - lab(grey, "none")).max() < 0.1


def test_the_simulation_takes_red_and_green_for_alike():
    # of equal lightness to the eye that lacks the cones
    assert difference("#b05a5a", "#6f6f3a", "deuteranopia") < difference("#b05a5a", "#6f6f3a") / 2
    assert difference("#3a8f8f", "#4a86c8", "tritanopia") < difference("#3a8f8f", "#4a86c8") / 2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("palette", [*PALETTES.values(), BASIC], ids=[*PALETTES, "16 colours"])
def test_stones_and_sides_are_told_apart(palette, kind):
    red, blue = palette.stones
    assert difference(red, blue, kind) >= CLEAR
    red, blue = palette.bands
    assert difference(red, blue, kind) >= CLEAR
    assert difference(palette.ink(1), palette.ink(2), kind) >= CLEAR
    for stone in palette.stones:
        assert min(difference(stone, shade, kind) for shade in palette.shades) >= CLEAR


def board(palette, background, narrow, **shown):
    """Return the looks of the cells of an empty board that shows something."""
    view = BoardView(EMPTY_BOARD, **shown)
    return looks(view, palette, background, narrow)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("narrow", [False, True], ids=["wide", "narrow"])
def test_carriers_are_told_apart_from_each_other_and_from_empty_cells(name, kind, narrow):
    palette, ground, place = PALETTES[name], GROUNDS[name], cell("b2")
    red, blue = (
        board(palette, ground, narrow, connected=Connected(color, frozenset([place])))[place].color
        for color in Color
    )
    assert difference(red, blue, kind) >= VISIBLE
    for tint in (red, blue):
        for shade in palette.shades:
            assert difference(tint, shade, kind) >= VISIBLE


@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("narrow", [False, True], ids=["wide", "narrow"])
@pytest.mark.parametrize(
    "shown",
    [
        {"verdicts": {6: True}},
        {"verdicts": {6: False}},
        {"heat": {6: 0.5}, "labels": {6: "3"}},
        {"outside": frozenset([6])},
        {"first": {6: True}},
        {"first": {6: False}},
    ],
    ids=["wins", "loses", "best moves", "outside the region", "allowed", "left out"],
)
def test_what_else_is_coloured_has_a_sign(name, narrow, shown):
    plain = board(PALETTES[name], GROUNDS[name], narrow)[6].text
    sign = board(PALETTES[name], GROUNDS[name], narrow, **shown)[6].text
    assert sign.strip(" ▏")
    assert sign != plain


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", PALETTES)
def test_the_must_play_region_has_a_border_that_is_seen_or_a_sign(name, kind):
    palette, ground = PALETTES[name], GROUNDS[name]
    region = {"must_play": frozenset([6])}
    wide = board(palette, ground, False, **region)[6]
    assert difference(wide.rim, wide.color, kind) >= VISIBLE
    assert board(palette, ground, True, **region)[6].text == "::"
