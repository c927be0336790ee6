"""Each key of each screen does something, or says why it has nothing to do."""

import pytest
from textual.binding import Binding
from textual.widgets import Input

from hextui.records.board_view import Mode
from hextui.ui.app.main_screen import screen_actions
from hextui.ui.panels.all_panels import PANELS
from hextui.ui.panels.panel import Change
from tests.samples import some, some_rows

from .helpers import game, message, press, running, shown

_LEAVING = {"quit", "redraw", "suspend"}  # nothing of them is seen here


def looks(pilot) -> tuple[object, ...]:
    app = pilot.app
    return shown(pilot), app.screen, message(pilot), tuple(app.notes), app.theme


async def is_silent(pilot, key: str) -> bool:
    pilot.app.message_line.next_action()  # the same message may come again
    before = looks(pilot)
    await press(pilot, key)
    return looks(pilot) == before


async def return_to(pilot, screen) -> None:
    """Close what a key has opened."""
    while pilot.app.screen is not screen:
        await press(pilot, "escape")


def finished():
    session = game("a1", "b2", "a2", "c1", "a3", side=3)
    session.last()
    return session


MODES = [
    (finished(), Mode.PLAY),
    (game(side=3), Mode.REGION),
    (game(side=3), Mode.PLAY),
    (game(side=3), Mode.SETUP),
]


@pytest.mark.parametrize(("session", "mode"), some_rows(MODES, 1))
async def test_on_the_main_screen_where_there_is_nothing(session, mode):
    async with running(session, (100, 30)) as pilot:
        main, silent = pilot.app.main, []
        for action in screen_actions():
            for key in () if action.id in _LEAVING else action.keys.split(","):
                session.mode = mode
                main.board.focus()
                main.workspace.changed(Change.SESSION)
                await press(pilot)
                if await is_silent(pilot, key):
                    silent.append((key, action.id))
                await return_to(pilot, main)
                main.workspace.records.show(0)
        assert silent == []


@pytest.mark.parametrize("panel", some(PANELS, 2))
async def test_on_a_panel_with_nothing_to_show(panel):
    async with running(game(side=3), (140, 45)) as pilot:
        main, silent = pilot.app.main, []
        for key in ["enter", *dict(keys_of(panel))]:
            main.panel_actions.go_to(panel.TITLE.lower())
            await press(pilot)
            if await is_silent(pilot, key):
                silent.append(key)
            await return_to(pilot, main)
        assert silent == []


def keys_of(owner: type) -> list[tuple[str, str]]:
    """Return the keys that a class of ours binds, but those of a cursor, with their actions."""
    found = []
    for each in owner.__mro__:
        if each.__module__.startswith("hextui"):
            for binding in Binding.make_bindings(vars(each).get("BINDINGS", ())):
                if not binding.action.startswith(("move(", "cursor", "app.focus", "app.quit")):
                    found.append((binding.key, binding.action))
    return found


SCREENS = {
    "puzzle": ("Q", game(side=3)),
    "puzzle, solved": ("Q", finished()),
    "library": ("L", game(side=3)),
    "engines": ("7", game(side=3)),
    "every line": ("Y", game(side=3)),
    "every line, too large": ("Y", game(side=11)),
    "trace": ("ampersand", game(side=3)),
    "links": ("N", game(side=3)),
    "value": ("H", game(side=3)),
    "puzzles": ("5,z", game(side=3)),
    "play": ("5,p,enter", game(side=3)),
}


@pytest.mark.parametrize("name", some(list(SCREENS), 3))
async def test_on_another_screen_where_there_is_nothing(name, tmp_path):
    keys, session = SCREENS[name]
    async with running(session, (100, 30), library=tmp_path / "library.sqlite") as pilot:
        main, silent, todo = pilot.app.main, [], None
        while todo is None or todo:
            if pilot.app.screen is main:
                await press(pilot, *keys.split(","))
                screen = pilot.app.screen
                todo = keys_of(type(screen)) if todo is None else todo
            assert screen is not main
            key, action = todo.pop(0)
            if await is_silent(pilot, key):
                silent.append((key, action))
            while pilot.app.screen not in (screen, main) or isinstance(screen.focused, Input):
                await press(pilot, "escape")
        assert silent == []


LISTS = ["o", "L", "ctrl+o", "V", "C", "5", "ctrl+p", "7", "5,z"]


@pytest.mark.parametrize("keys", some(LISTS, 3))
async def test_escape_leaves_a_list_and_chooses_nothing(keys, tmp_path):
    session = game("a1", side=3)
    async with running(session, (100, 30), library=tmp_path / "library.sqlite") as pilot:
        workspace = pilot.app.main.workspace
        before = workspace.shown, workspace.live.lines_by, workspace.live.evaluators
        await press(pilot, *keys.split(","))
        assert pilot.app.screen is not pilot.app.main
        await press(pilot, "escape")
        assert pilot.app.screen is pilot.app.main
        assert (workspace.shown, workspace.live.lines_by, workspace.live.evaluators) == before
        assert pilot.app.records.sessions == [session]
