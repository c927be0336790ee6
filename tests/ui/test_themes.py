"""Themes can be read, also where the terminal has 16 colours and takes the nearest."""

import pytest
from rich.color import Color, ColorSystem
from rich.palette import Palette

from hextui.ui.drawing.palette import READABLE, THEMES, board_palette, channels, contrast
from hextui.ui.widgets.key_lines import KeyLine, ScreenKeys

from .helpers import game, press, running, until

# The colours of the text mode of a PC, and those of xterm.
PC = [(0, 0, 0), (170, 0, 0), (0, 170, 0), (170, 85, 0), (0, 0, 170), (170, 0, 170), (0, 170, 170),
      (170, 170, 170), (85, 85, 85), (255, 85, 85), (85, 255, 85), (255, 255, 85), (85, 85, 255),
      (255, 85, 255), (85, 255, 255), (255, 255, 255)]  # fmt: skip
XTERM = [(0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205),
         (0, 205, 205), (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0),
         (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255)]  # fmt: skip


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
@pytest.mark.parametrize("way", ["truecolor", "standard", "none"])
def test_what_is_written_about_the_players_can_be_read(theme, way):
    palette = board_palette(theme, way, no_color=way == "none")
    inks = [palette.ink(color) for color in (1, 2)]
    assert len(set(inks)) == 2
    for ink in inks:
        least = READABLE if way == "truecolor" else 2.2
        assert contrast(ink, theme.background) > least


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
@pytest.mark.parametrize(
    ("ink", "paper"),
    [
        ("foreground", "background"),
        ("foreground", "surface"),
        ("foreground", "panel"),
        ("accent", "panel"),  # the keys in the footer
        ("error", "surface"),  # what a dialog complains of
    ],
)
@pytest.mark.parametrize("colors", [None, PC, XTERM], ids=["all", "pc", "xterm"])
def test_inks_can_be_read_on_papers(theme, ink, paper, colors):
    def shown(name):
        color = Color.parse(getattr(theme, name))
        if colors:
            color = color.downgrade(ColorSystem.STANDARD)
            return Palette(colors)[color.number or 0].hex
        return color.triplet.hex

    assert contrast(shown(ink), shown(paper)) > (2.2 if colors else READABLE)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_with_256_colours_what_is_neutral_stays_so_and_text_can_be_read(theme):
    def shown(color):
        return Color.parse(color).downgrade(ColorSystem.EIGHT_BIT).get_truecolor().hex

    papers = [theme.background, theme.surface, theme.panel]
    papers.append(theme.variables["block-cursor-background"])
    shades = board_palette(theme, "256", no_color=False).shades
    for color in (*papers, *shades):
        parts = channels(shown(color))
        assert max(parts) - min(parts) == 0, color
    assert len(set(map(shown, shades))) == 3
    for paper in papers[:3]:
        assert contrast(shown(theme.foreground), shown(paper)) > READABLE
        assert contrast(shown(theme.accent), shown(paper)) > READABLE


@pytest.mark.parametrize("widget", [KeyLine, ScreenKeys])
async def test_all_keys_below_the_screen_have_one_colour_wherever_the_focus_is(widget, tmp_path):
    def colours():
        line = pilot.app.screen.query_one(widget)
        keys = {hint.key for hint in line.hints}
        pieces = [piece for y in range(line.size.height) for piece in line.render_line(y)]
        return {piece.style.color for piece in pieces if piece.text in keys}

    library = tmp_path / "library.sqlite"
    async with running(game(), size=(140, 45), library=library) as pilot:
        if widget is ScreenKeys:
            await press(pilot, "L")
            await until(pilot, lambda: pilot.app.screen.query(ScreenKeys))
        found = colours()
        await press(pilot, "tab")
        of_keys = pilot.app.theme_variables["footer-key-foreground"]
        assert {colour.get_truecolor() for colour in found | colours()} == {
            Color.parse(of_keys).get_truecolor()
        }


async def test_every_theme_that_can_be_chosen_is_painted():
    async with running(game("c3"), size=(140, 45)) as pilot:
        for name in pilot.app.available_themes:
            pilot.app.theme = name
            await pilot.pause()
            for widget in pilot.app.screen.query("*"):
                widget.render_lines(widget.size.region)
