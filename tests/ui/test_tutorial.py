"""The tutorial: every step done by real keys, the place kept, and nothing else touched."""

import hashlib
import shutil
import signal
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import hextui
from hextui.engine.board import Board
from hextui.engines.answerer import OwnAnswerer
from hextui.records.record import Record
from hextui.text import Names
from hextui.ui.app.config import Config
from hextui.ui.app.main_screen import all_actions
from hextui.ui.app.settings import Settings
from hextui.ui.app.workspace import Services
from hextui.ui.record.session import Session
from hextui.ui.screens.play_screen import PlayScreen
from hextui.ui.tutorial.bar import TutorialBar, keys_in
from hextui.ui.tutorial.steps import GAMES, RULES, STEPS
from hextui.ui.tutorial.tutorial_app import TutorialApp, TutorialPlace

from .helpers import NotedApp, ScriptedAnalyst, message, press, settle, shown, told, until
from .program import SCRIPT, Program

SIZES = [(80, 24), (140, 45)]
MOST_WORDS = 12
WITHOUT_GAME = SCRIPT.replace(', "--game", "1"', "")
SAMPLE_GAMES = Path(hextui.__file__).parent / "samples" / GAMES
TO_FIRST_COLUMN = ["left"] * 3
DOES: list[list[str]] = [
    [*["up"] * 2, "enter", *TO_FIRST_COLUMN, *["down"] * 3, "enter", "right", "enter"],
    ["s"],
    ["n", "n", "p", "end"],
    [","],
    ["w"],
    ["escape", "up", "enter"],
    ["D", "x"],
    ["Q", *["right"] * 3, "enter"],
    ["5", "p", "enter", "s"],
    ["3", "y"],
    ["6", "i", *GAMES, "enter"],
    ["X", "enter"],
]
"""The keys that do each step, from its beginning."""


class NotedTutorial(TutorialApp, NotedApp):
    """Keeps the messages of its notifications."""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Be in a folder with the games to import, as the command is."""
    folder = tmp_path / "files"
    folder.mkdir()
    shutil.copy(SAMPLE_GAMES, folder)
    monkeypatch.chdir(folder)
    return folder


@asynccontextmanager
async def tutorial(folder, step=0, size=(80, 24), config=None):
    """Run the tutorial from a step on; yields the pilot."""
    state = folder.parent / "state"
    if step:
        TutorialPlace(state).keep(step)
    services = Services(
        open_lane=OwnAnswerer,
        make_analyst=ScriptedAnalyst,
        library=state / "library.sqlite",
        games=state / "games.sqlite",
        training=state / "training.sqlite",
    )
    app = NotedTutorial(Session(Record(Board(11, 11))), config or Config(), services, state)
    async with app.run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: app.main.query_one(TutorialBar).shown.heading)
        yield pilot


async def do_step(pilot, step):
    """Press the keys of a step; wait after each for what it opens or starts."""
    for key in DOES[step]:
        await press(pilot, "full_stop" if key == "." else key)
        if key == "p" and isinstance(pilot.app.screen, PlayScreen):
            break
        if isinstance(pilot.app.screen, PlayScreen):
            game = pilot.app.screen.subject
            await until(pilot, lambda game=game: game.node.ply > 0)


def heading(step):
    """Return how the bar begins at a step."""
    if step < RULES:
        return f"Rules {step + 1} of {RULES}: {STEPS[step].title}"
    return f"Step {step - RULES + 1} of {len(STEPS) - RULES}: {STEPS[step].title}"


def top(pilot):
    """Return the first line of the screen."""
    return shown(pilot).splitlines()[0]


# The steps


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("step", range(len(STEPS)))
async def test_each_step_is_done_by_its_keys(folder, step, size):
    async with tutorial(folder, step, size) as pilot:
        assert heading(step) in top(pilot)
        assert not pilot.app.is_done
        assert "DONE" not in top(pilot)
        await do_step(pilot, step)
        await until(pilot, lambda: pilot.app.is_done)
        assert heading(step) in top(pilot)
        assert "DONE" in top(pilot)


async def test_steps_not_done_have_room_at_80_columns_and_name_bound_keys(folder):
    async with tutorial(folder) as pilot:
        app = pilot.app
        for step in range(len(STEPS)):
            assert heading(step) in top(pilot)
            assert len(app.main.query_one(TutorialBar).lines(78)) <= 3
            assert app.main.panel_actions.lines_above == 3
            bindings = app.screen.active_bindings.values()
            bound = {app.get_key_display(each.binding) for each in bindings}
            for sentence in STEPS[step].text:
                for name in keys_in(app.in_words(sentence)):
                    assert name in bound | dialog_keys(step), (sentence, name)
            await press(pilot, "tab", "escape", "down", "m")
            app._look()
            assert not app.is_done
            await press(pilot, ")")


def dialog_keys(step):
    """Return the keys in a text for the board that a dialog takes; the keys above press them."""
    return {key for key in DOES[step] if key in ("p", "enter")}


@pytest.mark.parametrize("step", [step for step, each in enumerate(STEPS) if each.elsewhere])
async def test_the_keys_named_on_another_screen_are_bound_there(folder, step):
    async with tutorial(folder, step) as pilot:
        (kind,) = STEPS[step].elsewhere
        for key in DOES[step]:
            if isinstance(pilot.app.screen, kind):
                break
            await press(pilot, key)
        if kind is PlayScreen:
            await until(pilot, lambda: pilot.app.screen.subject.node.ply > 0)
        bound = pilot.app.screen.active_bindings
        for sentence in STEPS[step].elsewhere[kind]:
            assert sentence.split("{")[0] in shown(pilot)
            for key in keys_in(sentence):
                assert bound[key].enabled, (sentence, key)


def test_texts_are_short():
    for step in STEPS:
        for sentences in (step.text, *step.elsewhere.values()):
            assert 1 <= len(sentences) <= 2
            for sentence in sentences:
                assert len(sentence.split()) <= MOST_WORDS, sentence


async def test_the_users_keys_and_names_are_named(folder):
    config = Config(keymap={"swap": "f1"}, settings=Settings(players=Names.BLACK_WHITE))
    async with tutorial(folder, 1, config=config) as pilot:
        assert "f1 swaps: the stone becomes White's, mirrored." in shown(pilot)


async def test_a_narrow_terminal_gets_more_lines(folder):
    async with tutorial(folder, size=(40, 24)) as pilot:
        bar = pilot.app.main.query_one(TutorialBar)
        assert pilot.app.main.panel_actions.lines_above == len(bar.lines(38)) > 3
        assert "finish Red's" in shown(pilot)


# From step to step


async def test_the_whole_tutorial(folder):
    async with tutorial(folder, RULES) as pilot:
        for step in range(RULES, len(STEPS)):
            assert heading(step) in top(pilot)
            await do_step(pilot, step)
            await until(pilot, lambda: pilot.app.is_done)
            while pilot.app.screen is not pilot.app.main:
                await press(pilot, "escape")
                if "not over" in shown(pilot):
                    await press(pilot, "l")
            await press(pilot, ")")
        assert message(pilot) == "This is the last step: q leaves"
        assert len(pilot.app.records.sessions) == 1
        await press(pilot, "q")
        assert not pilot.app.is_running


async def test_a_step_begins_as_if_nothing_had_been_done(folder):
    async with tutorial(folder, RULES) as pilot:
        main = pilot.app.main
        before = shown(pilot)
        await press(pilot, "end", "enter", "3", "T", "m", "r", ")", "(")
        await settle(pilot)
        assert main.workspace.session.node.ply == 0
        assert len(pilot.app.records.sessions) == 1
        assert shown(pilot).splitlines()[:6] == before.splitlines()[:6]


async def test_the_rules_are_skipped_with_one_key(folder):
    async with tutorial(folder) as pilot:
        assert "_ skip the rules" in top(pilot)
        await press(pilot, "(")
        assert message(pilot) == "This is the first step"
        await press(pilot, "_")
        assert heading(RULES) in top(pilot)
        assert "skip" not in top(pilot)
        await press(pilot, "_")
        assert "behind you" in message(pilot)
        await press(pilot, "(")
        assert heading(1) in top(pilot)


async def test_steps_change_on_the_board_only(folder):
    async with tutorial(folder, 7) as pilot:
        await press(pilot, "Q", ")")
        assert "Escape leads to the board" in told(pilot)
        assert heading(7) in top(pilot)


async def test_other_screens_say_how_to_come_back(folder):
    async with tutorial(folder, 3) as pilot:
        await press(pilot, "6")
        assert heading(3) in top(pilot)
        assert "escape leads back to the board" in shown(pilot)


async def test_the_command_palette_goes_from_step_to_step(folder):
    async with tutorial(folder, 3) as pilot:
        await press(pilot, "ctrl+p", *"next step")
        await press(pilot, "enter")
        await until(pilot, lambda: heading(4) in top(pilot))


async def test_the_program_is_not_suspended(folder):
    async with tutorial(folder) as pilot:
        await press(pilot, "ctrl+z")
        assert "cannot be suspended" in told(pilot)


# The place


async def test_the_place_is_kept(folder):
    async with tutorial(folder) as pilot:
        await press(pilot, "_", ")", ")")
    async with tutorial(folder) as pilot:
        assert heading(RULES + 2) in top(pilot)


async def test_after_the_last_step_it_begins_at_the_first(folder):
    async with tutorial(folder, len(STEPS) - 1) as pilot:
        await do_step(pilot, len(STEPS) - 1)
        await until(pilot, lambda: pilot.app.is_done)
    async with tutorial(folder) as pilot:
        assert heading(0) in top(pilot)


@pytest.mark.parametrize("kept", ["", "[3]", "-1", "99", "true", "{"])
def test_a_place_that_cannot_be_read_is_the_first(tmp_path, kept):
    (tmp_path / "place.json").write_text(kept)
    assert TutorialPlace(tmp_path).read() == 0


def test_the_place_outlives_a_killed_program(tmp_path):
    with Program(tmp_path, "tutorial", code=WITHOUT_GAME) as program:
        program.wait_for_text(b"The goal")
        program.keys(b"_")
        program.wait_for_text(b"Walk through a game")
        program.keys(b")")
        program.wait_for_text(b"Who wins here")
        assert program.kill(signal.SIGKILL) == -signal.SIGKILL
    with Program(tmp_path, "tutorial", code=WITHOUT_GAME) as program:
        program.wait_for_text(b"Who wins here")
        program.keys(b"q")
        assert program.wait() == 0


# The user's own files


def digests(home):
    """Return what each file of the user holds, except for the tutorial's and the cache."""
    return {
        path: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(home.rglob("*"))
        if path.is_file() and "tutorial" not in path.parts and "cache" not in path.parts
    }


def test_the_users_files_stay_as_they_are(tmp_path):
    home = tmp_path / "home"
    with Program(home, code=WITHOUT_GAME) as program:
        program.wait_for_text(b"HERE")
        program.keys(b"m")
        program.wait_for_text(b"numbered")
        program.keys(b"q")
        assert program.wait() == 0
    before = digests(home)
    assert before
    with Program(home, "tutorial", code=WITHOUT_GAME) as program:
        program.wait_for_text(b"The goal")
        program.keys(b"\rX")
        program.wait_for_text(b"suffix")
        program.keys(b"\r")
        program.wait_for_text(b"Saved")
        program.keys(b"6")
        program.wait_for_text(b"library is empty")
        program.keys(b"i")
        program.wait_for_text(b"A file or a folder")
        program.keys(b"games.sgf\r")
        program.wait_for_text(b"12 added")
        program.keys(b"q")
        assert program.wait() == 0
    assert digests(home) == before
    assert (home / "state/tutorial/data/library.sqlite").is_file()


def test_the_workstation_runs_the_tutorial_and_comes_back(tmp_path):
    with Program(tmp_path, code=WITHOUT_GAME) as program:
        program.wait_for_text(b"HERE")
        program.keys(b"\r")
        program.wait_for_text(b"untitled *")
        program.keys(b"\x10")
        program.wait_for_text(b"Search")
        program.keys(b"tutorial")
        program.wait_for_text(b"ten short steps")
        program.keys(b"\r")
        program.wait_for_text(b"The goal")
        program.output = b""
        program.keys(b"q")
        program.wait_for_text(b"untitled *")
        program.keys(b"q")
        program.wait_for_text(b"has changed")
        program.keys(b"d")
        assert program.wait() == 0


def test_no_key_of_the_workstation_is_one_of_the_tutorial():
    keys = {binding.key for binding in TutorialApp.BINDINGS}
    assert keys.isdisjoint(key for action in all_actions() for key in action.keys.split(","))
