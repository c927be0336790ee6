"""All text on the screen can be read: its contrast with what is behind it is 4.5:1 at least.

What is stale is not asked: it is dimmed because it is not to be read as if it were current.
"""

import colorsys

import pytest
from textual import constants
from textual.screen import ModalScreen

from hextui.engine.board import Color
from hextui.engines.snapshot import Verdict, VerdictKind
from hextui.ui.drawing.board_view import Connected
from hextui.ui.drawing.palette import READABLE, THEMES, channels, contrast

from .helpers import analysing, game, press, ranking, tell

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
    for y, strip in enumerate(screen._compositor.render_strips()):
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


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
async def test_all_text_of_the_screen_can_be_read(theme):
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
            verdict=Verdict(VerdictKind.SOLVER, Color.BLACK),
            final=True,
        )
        found = {}
        for keys in ("", "tab", "i", "i o", "escape C", "escape ctrl+p"):
            await press(pilot, *keys.split())
            found[keys] = unreadable(pilot.app.screen)
        await press(pilot, "escape")
        pilot.app.main.workspace.choose(connected=Connected(Color.BLACK, frozenset({1, 2}), key=2))
        await pilot.pause()
        found["connection"] = unreadable(pilot.app.screen)
        assert {state: texts for state, texts in found.items() if texts} == {}


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
async def test_all_text_of_all_screens_can_be_read(theme):
    session = game("c3", "d2", "b4", "a5")
    async with analysing(session, (140, 45)) as (pilot, analyst):
        pilot.app.theme = theme.name
        await tell(pilot, analyst, rankings={"one": ranking("one", session.position, ["a1"])})
        found = {}
        for key in ("question_mark", "ctrl+o", "ctrl+n", "X", "V", "F", "L", "U", "Y", "W", "c"):
            await press(pilot, key)
            found[key] = unreadable(pilot.app.screen)
            await press(pilot, "escape")
        for _ in range(10):
            await press(pilot, "tab")
            found[pilot.app.screen.focused] = unreadable(pilot.app.screen)
        assert {state: texts for state, texts in found.items() if texts} == {}


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_red_and_blue_mean_the_players_and_nothing_else(theme):
    for name in ("primary", "secondary", "accent", "foreground", "success", "warning", "error"):
        red, green, blue = (part / 255 for part in channels(getattr(theme, name)))
        hue, saturation, _ = colorsys.rgb_to_hsv(red, green, blue)
        assert saturation < 0.3 or 25 < hue * 360 < 190 or 280 < hue * 360 < 345, name
