"""What opens upon what: nothing that was typed for the screen already asked for."""

import asyncio

import pytest
from textual.command import CommandPalette
from textual.widgets import Input

from hextui.ui.screens.dialogs import Choice, ChoiceDialog, LineDialog
from hextui.ui.screens.library_screen import LibraryScreen

from .helpers import game, in_one_piece, press, running, settle, shown, until

CTRL_E, CTRL_N, CTRL_O, CTRL_P, CTRL_Q, ESCAPE = "\x05", "\x0e", "\x0f", "\x10", "\x11", "\x1b[27u"


def stack(pilot):
    return pilot.app.screen_stack


def waiting(pilot):
    """Return what the board's screen has begun and not ended."""
    return [work for work in pilot.app.workers if work.group == "dialogs" and not work.is_finished]


TWO, MANY = [f"L{CTRL_N}", f"{CTRL_N}L", f"L{CTRL_P}"], [f"{CTRL_E}{CTRL_O}?FXoC8", "oXK" * 9]


@pytest.mark.parametrize("keys", TWO + MANY)
async def test_keys_in_one_piece_open_one_screen(tmp_path, keys):
    """The later ones were typed for the screen that the first of them opens."""
    async with running(game("a1"), library=tmp_path / "library.sqlite") as pilot:
        in_one_piece(pilot, keys)
        await until(pilot, lambda: len(stack(pilot)) > 1)
        await until(pilot, lambda: len(waiting(pilot)) <= 1)
        assert len(stack(pilot)) == 2
        await press(pilot, "escape")
        await until(pilot, lambda: stack(pilot) == [pilot.app.main])
        assert not waiting(pilot)


async def test_a_dialog_asked_for_twice_is_answered(tmp_path):
    """The second key would have ended what waits for the answer, and left the dialog there."""
    async with running(game(), library=tmp_path / "library.sqlite") as pilot:
        await press(pilot, "L")
        library = pilot.app.screen
        in_one_piece(pilot, "iii")
        await until(pilot, lambda: isinstance(pilot.app.screen, LineDialog))
        await settle(pilot)
        assert stack(pilot)[1:-1] == [library]
        games = tmp_path / "games.sgf"
        games.write_text("(;GM[11]SZ[3]PB[Ann];B[a1])")
        pilot.app.screen.query_one(Input).value = str(games)
        await press(pilot, "enter")
        assert pilot.app.screen is library
        await until(pilot, lambda: "Ann" in shown(pilot))


@pytest.mark.parametrize("keys", ["ctrl+n", "L", "question_mark"])
async def test_the_palette_opens_upon_the_board_only(tmp_path, keys):
    """All that it names is done there."""
    async with running(game(), library=tmp_path / "library.sqlite") as pilot:
        await press(pilot, keys)
        top = pilot.app.screen
        await press(pilot, "ctrl+p")
        assert pilot.app.screen is top
        assert "All by name" not in shown(pilot)


async def test_the_palette_of_themes_opens_no_palette():
    async with running(game()) as pilot:
        pilot.app.search_themes()
        await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))
        await press(pilot, "ctrl+p")
        assert len(stack(pilot)) == 2


async def test_what_was_begun_before_asks_upon_what_was_opened_meanwhile(tmp_path):
    """A save, say, which finds only when it writes that the file has changed."""
    found, answers = asyncio.Event(), []
    question = ChoiceDialog("Overwrite?", "", [Choice("o", "Overwrite", "overwrite")])

    async def save():
        await found.wait()
        answers.append(await pilot.app.push_screen_wait(question))

    async with running(game(), library=tmp_path / "library.sqlite") as pilot:
        pilot.app.main.work_on("a save", save())
        await press(pilot, "L")
        assert isinstance(pilot.app.screen, LibraryScreen)
        found.set()
        await until(pilot, lambda: pilot.app.screen is question)
        await press(pilot, "o")
        await until(pilot, lambda: answers == ["overwrite"])
        assert isinstance(pilot.app.screen, LibraryScreen)


async def test_quitting_asks_upon_any_screen_and_once(tmp_path):
    session = game("a1")
    async with running(session, library=tmp_path / "library.sqlite") as pilot:
        await press(pilot, "enter", "L")
        in_one_piece(pilot, 3 * CTRL_Q)
        await until(pilot, lambda: isinstance(pilot.app.screen, ChoiceDialog))
        await settle(pilot)
        assert len(stack(pilot)) == 3
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, LibraryScreen)
