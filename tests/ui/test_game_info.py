"""The dialog of what is known about a game."""

import pytest
from textual.widgets import Input

from hextui.records.codecs.sgf import read_sgf
from hextui.ui.screens.dialogs import GameInfoDialog
from hextui.ui.session import Session

from .helpers import SIZES, game, press, running, shown


def known() -> Session:
    return Session(read_sgf("(;GM[11]SZ[5]PB[Ann]PW[Bob]RE[W+R]EV[cup];B[a1])"))


@pytest.mark.parametrize("size", [SIZES[0], SIZES[-1]])
async def test_what_is_known_is_shown_and_changed(size):
    session = known()
    async with running(session, size=size) as pilot:
        await press(pilot, "ctrl+e")
        text = shown(pilot)
        for word in ("Red's rating", "Blue won, Red resigned", "Rules, swap", "Source", "cup"):
            assert word in text
        await press(pilot, *["backspace"] * 3, *"Zoe")
        await press(pilot, "enter")
        assert session.record.info("PB") == "Zoe"
        assert session.record.info("RE") == "W+R"
        assert "Zoe - Bob   Blue won, Red resigned   cup" in shown(pilot) or size == SIZES[0]
        await press(pilot, "u")
        assert session.record.info("PB") == "Ann"


async def test_what_is_wrong_is_said_and_the_dialog_stays():
    session = known()
    async with running(session) as pilot:
        await press(pilot, "ctrl+e")
        result = pilot.app.screen.query_one("#result", Input)
        result.value = "W+R"
        await press(pilot, "enter")
        assert "a result is" in shown(pilot)
        assert isinstance(pilot.app.screen, GameInfoDialog)
        await press(pilot, "escape")
        assert not session.record.modified


async def test_nothing_changed_is_no_edit():
    session = game("a1")
    async with running(session) as pilot:
        await press(pilot, "ctrl+e", "enter")
        assert not session.record.modified
