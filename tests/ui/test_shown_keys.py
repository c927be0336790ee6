"""Every key that the screen names does what it says, in each activity, panel, mode and screen."""

import random
from contextlib import contextmanager
from itertools import product

import pytest
from textual.actions import parse

from hextui.engines.registry import AttachedEngines
from hextui.ui.app.layout import Activity
from hextui.ui.panels.all_panels import PANEL_IDS
from hextui.ui.widgets.frame import KeyLine

from .helpers import ScriptedGameAnalyst, game, press, running, settle
from .test_actions import KnowingAnalyst

PLACES = list(product(Activity, ("", *PANEL_IDS, "comment"), ("", "i", "J")))
SCREENS = (
    *("help", "puzzle", "train", "explain", "links"),
    *("trace", "every-line", "library", "engines"),
)
NAMES = {"esc": "escape", "bksp": "backspace", "del": "delete"}


def named_on_top(main) -> list[tuple[str, str, str]]:
    """Return each key that GAME and HERE name, its label, and what a click on it calls."""
    found = []
    for row in main.verdict_lines.rows():
        calls = [(text.strip(), style.meta.get("@click")) for text, style in row]
        texts = [(text, call) for text, call in calls if call]
        found += [
            (key, label, call)
            for (key, call), (label, _) in zip(texts[::2], texts[1::2], strict=True)
        ]
    return found


def named_below(screen) -> list[tuple[str, str, str]]:
    """Return each key that the last lines name, its label, and what a click on it calls."""
    return [
        (key, hint.label, hint.call)
        for line in screen.query(KeyLine)
        if line.display
        for hint in line.hints
        for key in ([hint.key] if hint.call else hint.key.split())
        if key != "click"
    ]


@contextmanager
def actions_noted(app):
    """Note the actions that keys call, each with the widget that has the key; none is done."""
    noted = []

    async def run_action(action, default_namespace=None, namespaces=None):
        namespace, name, arguments = parse(str(action))
        place = {"app": app, "screen": app.screen}.get(namespace, default_namespace or app)
        if place.check_action(name, arguments):
            noted.append((str(action), default_namespace))
        return bool(noted)

    app.run_action = run_action
    try:
        yield noted
    finally:
        del app.run_action


async def check(pilot, key: str, label: str, call: str) -> None:
    """Press a key that is named, and see that the action with its label runs."""
    app = pilot.app
    bindings = {
        app.get_key_display(active.binding): active.binding
        for active in app.screen.active_bindings.values()
        if active.enabled
    }
    pressed = key.replace("^", "ctrl+")
    with actions_noted(app) as noted:
        await press(pilot, NAMES.get(pressed, pressed))
    assert noted, f"{key} {label} does nothing"
    action, place = noted[0]
    if call.startswith("app.simulate_key"):
        assert action == bindings[key].action, f"{key} {label} does {action}"
    elif call:
        assert action.split(".")[-1] == call.split(".", 1)[1], f"{key} {label} does {action}"
    else:
        assert place is not app.screen, f"{key} {label} is not a key of the panel: {action}"


async def visit(pilot, activity: str, panel: str, mode: str) -> None:
    main = pilot.app.main
    main.panel_actions.choose(activity)
    await press(pilot, *[mode] * bool(mode))
    if panel == "comment":
        await press(pilot, "c")
    elif panel:
        main.panel_actions.go_to(panel)
    else:
        main.board.focus()
    await settle(pilot)
    for named in (*named_on_top(main), *named_below(main)):
        try:
            await check(pilot, *named)
        except AssertionError as error:
            error.add_note(f"in {activity}, {panel or 'board'}, mode {mode or 'play'}")
            raise
    if panel == "comment":
        await press(pilot, "escape")
    await press(pilot, *[mode] * bool(mode))


async def visit_all(places, size) -> None:
    session = game("a1", "d2", "c3")
    make = {"make_analyst": KnowingAnalyst, "make_game_analyst": ScriptedGameAnalyst}
    async with running(session, size, **make) as pilot:
        for place in places:
            await visit(pilot, *place)


async def test_keys_named_on_the_main_screen_work():
    await visit_all(random.Random(1).sample(PLACES, 4), (140, 45))


@pytest.mark.slow
@pytest.mark.parametrize("size", [(40, 16), (80, 24), (140, 45), (200, 60)])
async def test_keys_named_anywhere_on_the_main_screen_work(size):
    await visit_all(PLACES, size)


@pytest.mark.slow
@pytest.mark.parametrize("name", SCREENS)
async def test_keys_named_on_other_screens_work(name, tmp_path):
    given = {"library": tmp_path / "library.sqlite", "attached": AttachedEngines({})}
    given["make_analyst"] = KnowingAnalyst
    async with running(game("b2", side=3), (140, 45), **given) as pilot:
        pilot.app.main.action_do(name)
        await settle(pilot)
        assert pilot.app.screen is not pilot.app.main
        for named in named_below(pilot.app.screen):
            await check(pilot, *named)
