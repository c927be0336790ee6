"""Every screen: q quits, ? and Ctrl+P work, only Escape goes back, and what was left is there."""

from itertools import product

import pytest
from textual.binding import Binding

from hextui.library.library import Library
from hextui.ui.app.command_palette import CommandScreen
from hextui.ui.screens.dialogs import Dialog
from hextui.ui.screens.help_screen import HelpScreen
from hextui.ui.screens.message_screen import MessageScreen
from tests.samples import some, some_rows

from .helpers import game, press, running, shown, until

SCREENS = {
    "puzzle": "Q",
    "library": "L",
    "engines": "7",
    "every line": "Y",
    "trace": "ampersand",
    "links": "N",
    "value": "H",
    "train": "5",
    "puzzles": "5,z",
    "a puzzle of a collection": "5,z,enter",
    "game": "5,p,enter",
    "guess": "5,g,enter",
    "overlays": "o",
    "evaluators": "C",
}


def played():
    session = game("c2", "b1", "c1", "c3", side=3)
    session.last()
    return session


async def discard(pilot):
    """Give up edits, if the program asks."""
    if pilot.app.is_running and "Edits are not saved" in shown(pilot):
        await press(pilot, "d")


@pytest.mark.parametrize("name", some(list(SCREENS), 4))
async def test_help_and_palette_are_there_on_every_screen_and_escape_leads_back(name, tmp_path):
    async with running(played(), (100, 30), library=tmp_path / "library.sqlite") as pilot:
        app = pilot.app
        await press(pilot, *SCREENS[name].split(","))
        await until(pilot, lambda: "Reading" not in shown(pilot))
        screen = app.screen
        assert screen is not app.main
        await press(pilot, "question_mark")
        assert isinstance(app.screen, HelpScreen)
        assert "Quit" in shown(pilot)
        await press(pilot, "question_mark", "ctrl+p")
        assert isinstance(app.screen, CommandScreen)
        await press(pilot, "ctrl+p", "escape", "escape")
        assert app.screen is screen
        await press(pilot, "ctrl+p", *"quit", "enter")
        await discard(pilot)
        assert not app.is_running


@pytest.mark.parametrize("name", some(list(SCREENS), 3))
@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_q_quits_from_every_screen(name, key, tmp_path):
    async with running(played(), (100, 30), library=tmp_path / "library.sqlite") as pilot:
        await press(pilot, *SCREENS[name].split(","), key)
        await discard(pilot)
        assert not pilot.app.is_running


def test_no_screen_binds_q_to_anything_else():
    todo: list[type] = [Dialog, MessageScreen]
    while todo:
        each = todo.pop()
        todo += each.__subclasses__()
        for binding in Binding.make_bindings(vars(each).get("BINDINGS", ())):
            if binding.key in ("q", "ctrl+q"):
                assert binding.action == "app.quit", each
            if binding.action in ("dismiss", "leave", "close"):
                assert binding.key == "escape", each


LEFT = {
    "puzzle": "Q,v",
    "puzzle of a collection": "5,z,enter,n,v",
    "guesses": "5,g,enter,enter,e,1",
    "library": "L,down,enter",
}
"""Keys that open a screen and leave it for the board."""
OTHERS = ("5", "L", "7", "H", "question_mark", "ctrl+p", "w")


@pytest.fixture
def library(tmp_path):
    path = tmp_path / "library.sqlite"
    games = tmp_path / "games.sgf"
    games.write_text("(;GM[11]SZ[3];B[a1];W[b2])(;GM[11]SZ[3];B[b1];W[c2])")
    with Library(path) as opened:
        opened.import_paths([games])
    return path


@pytest.mark.parametrize(("name", "other"), some_rows(product(LEFT, OTHERS), 4))
async def test_escape_leads_back_through_all_that_was_opened(name, other, library):
    session = played()
    async with running(session, (100, 30), library=library) as pilot:
        app = pilot.app
        await press(pilot, "3", "p")
        before = app.main.panel_actions.where
        *keys, last = LEFT[name].split(",")
        for key in keys:
            await press(pilot, key)
            await until(pilot, lambda: "ing ..." not in shown(pilot))
        screen, looks = app.screen, shown(pilot)
        assert screen is not app.main
        await press(pilot, last)
        await until(pilot, lambda: app.screen is app.main)
        assert "Back to the" in shown(pilot).splitlines()[-1]

        await press(pilot, other)
        while app.screen is app.main and app.main.panel_actions.way_back:
            await press(pilot, "escape")
        while app.screen is not app.main and type(app.screen) is not type(screen):
            await press(pilot, "escape")
        while app.screen is app.main:
            await press(pilot, "escape")
        await until(pilot, lambda: "ing ..." not in shown(pilot))
        assert shown(pilot) == looks
        while app.screen is not app.main or app.main.panel_actions.way_back:
            await press(pilot, "escape")
        assert app.main.panel_actions.where == before
