"""All text on the screen can be read in all themes: its contrast is 4.5:1 at least.

What is stale is not asked: it is dimmed because it is not to be read as if it were current.
"""

import colorsys

import pytest
from rich.color import Color as Ink
from rich.color import ColorSystem
from rich.palette import Palette
from textual import constants
from textual.screen import ModalScreen

from hextui.engine.board import Color
from hextui.engines.snapshot import Verdict, VerdictKind
from hextui.records.board_view import Connected
from hextui.ui.drawing.palette import READABLE, THEMES, board_palette, channels, contrast
from hextui.ui.widgets.frame import KeyLine, ScreenKeys
from tests.samples import some

from .helpers import analysing, game, press, ranking, running, settle, strips, tell, until

_DRAWN = range(0x2500, 0x2800)  # lines, blocks and shapes are no text


@pytest.fixture(autouse=True)
def terminal(monkeypatch):
    """Colours are those of the theme, not the nearest of 16."""
    monkeypatch.setattr(constants, "COLOR_SYSTEM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)


def unreadable(screen):
    """Return the pieces of text with too little contrast; below a dialog is no text to be read."""
    boxes = screen.children if isinstance(screen, ModalScreen) else [screen]
    found = set()
    for y, strip in enumerate(strips(screen)):
        x = 0
        for segment in strip:
            start, x = x, x + segment.cell_length
            if not any(box.region.contains(start, y) for box in boxes):
                continue
            text = "".join(c for c in segment.text if ord(c) not in _DRAWN).strip()
            if text and contrast(*inks(segment.style)) < READABLE:
                found.add((text, *inks(segment.style)))
    return found


def inks(style):
    return style.color.triplet.hex, style.bgcolor.triplet.hex


def test_what_cannot_be_read_is_found():
    assert contrast("#777777", "#ffffff") < READABLE < contrast("#767676", "#ffffff")


A_FEW = ["", "tab", "i", "i o", "escape C", "escape ctrl+p"]
ALL = [f"escape {key}" for key in ("question_mark", "ctrl+o", "ctrl+n", *"XVFLUYWc", "escape")]
ALL += [f"tab {' ' * number}" for number in range(10)]


@pytest.mark.parametrize("theme", some(THEMES, 1), ids=lambda theme: theme.name)
@pytest.mark.parametrize(
    ("states", "verdict"),
    [
        (A_FEW, Verdict(VerdictKind.SOLVER, Color.BLACK)),
        pytest.param(ALL, None, marks=pytest.mark.slow),
    ],
)
async def test_all_text_of_the_screen_can_be_read(theme, states, verdict):
    session = game("c3", "d2", "b4", "a5")
    session.first()
    session.forward(2)
    position = session.position
    names = ("k-paths:1", "resistance")
    async with analysing(session, (140, 45)) as (pilot, analyst):
        pilot.app.theme = theme.name
        rankings = {name: ranking(name, position, ["a1", "b2"]) for name in names}
        await tell(
            pilot,
            analyst,
            rankings=rankings,
            evaluators=names,
            must_play=frozenset({1, 2, 3}),
            verdict=verdict,
            final=True,
        )
        found = {}
        for keys in states:
            await press(pilot, *keys.split())
            found[keys] = unreadable(pilot.app.screen)
        await press(pilot, "escape")
        pilot.app.main.workspace.choose(connected=Connected(Color.BLACK, frozenset({1, 2}), key=2))
        await settle(pilot)
        found["connection"] = unreadable(pilot.app.screen)
        assert {state: texts for state, texts in found.items() if texts} == {}


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_red_and_blue_mean_the_players_and_nothing_else(theme):
    for name in ("primary", "secondary", "accent", "foreground", "success", "warning", "error"):
        red, green, blue = (part / 255 for part in channels(getattr(theme, name)))
        hue, saturation, _ = colorsys.rgb_to_hsv(red, green, blue)
        assert saturation < 0.3 or 25 < hue * 360 < 190 or 280 < hue * 360 < 345, name


# Themes can be read, also where the terminal has 16 colours and takes the nearest


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
        color = Ink.parse(getattr(theme, name))
        if colors:
            color = color.downgrade(ColorSystem.STANDARD)
            return Palette(colors)[color.number or 0].hex
        return color.triplet.hex

    assert contrast(shown(ink), shown(paper)) > (2.2 if colors else READABLE)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_with_256_colours_what_is_neutral_stays_so_and_text_can_be_read(theme):
    def shown(color):
        return Ink.parse(color).downgrade(ColorSystem.EIGHT_BIT).get_truecolor().hex

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
            Ink.parse(of_keys).get_truecolor()
        }


@pytest.mark.slow
async def test_every_theme_that_can_be_chosen_is_painted():
    async with running(game("c3"), (100, 30)) as pilot:
        for name in pilot.app.available_themes:
            pilot.app.theme = name
            await pilot.pause()
            for widget in pilot.app.screen.query("*"):
                widget.render_lines(widget.size.region)
