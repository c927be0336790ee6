"""Whose games are mine: names of the library are offered, unknown ones are said and not kept."""

import pytest
from textual.widgets import Input, OptionList, Static

from hextui.library.filters import Filter
from hextui.library.library import Library
from hextui.records.formats import read_record
from hextui.ui.screens.dialogs import PlayerDialog
from tests.samples import some

from .helpers import press, running, shown, told, until

GAMES = (
    "(;GM[11]SZ[3]PB[Ann]PW[Bob];B[a1];W[b2])",
    "(;GM[11]SZ[3]PB[Anton]PW[Ann];B[b1];W[c2])",
    "(;GM[11]SZ[3];B[c1];W[a2])",
)
WAYS = ("5,m", "5,k", "U", "5,g,p", "L,m")
"""Keys that ask for a player."""


def library(tmp_path, *games):
    path = tmp_path / "library.sqlite"
    (tmp_path / "games.sgf").write_text("\n".join(games))
    with Library(path) as opened:
        opened.import_paths([tmp_path / "games.sgf"])
    return path


def test_players_are_those_of_most_games_first(tmp_path):
    with Library(library(tmp_path, *GAMES)) as opened:
        assert opened.players() == ["Ann", "Anton", "Bob"]


def offered(pilot) -> list[str]:
    listed = pilot.app.screen.query_one(OptionList)
    return [str(option.prompt) for option in listed.options]


@pytest.mark.parametrize("keys", some(WAYS, 2))
async def test_names_are_offered_while_typing_and_an_unknown_one_is_not_kept(keys, tmp_path):
    async with running(size=(100, 30), library=library(tmp_path, *GAMES)) as pilot:
        for key in keys.split(","):
            await press(pilot, key)
        await until(pilot, lambda: "Anton" in shown(pilot))
        assert offered(pilot) == ["Ann", "Anton", "Bob"]
        await press(pilot, *"nobody", "enter")
        dialog = pilot.app.screen
        assert isinstance(dialog, PlayerDialog)
        problem = str(dialog.query_one(".error", Static).content)
        assert problem == "No game of the library has a player 'nobody'"
        assert pilot.app.main.workspace.player == ""
        dialog.query_one(Input).value = ""
        await press(pilot, *"ant")
        assert offered(pilot) == ["Anton"]
        await press(pilot, "escape")
        assert pilot.app.main.workspace.player == ""


async def test_the_name_with_the_cursor_is_taken(tmp_path):
    reviews = tmp_path / "reviews.sqlite"
    given = {"library": library(tmp_path, *GAMES), "reviews": reviews}
    async with running(size=(100, 30), **given) as pilot:
        await press(pilot, "5", "m")
        await until(pilot, lambda: "Anton" in shown(pilot))
        await press(pilot, *"an", "down", "enter")
        await until(pilot, lambda: "No proved mistake of Ann yet" in told(pilot))
        assert pilot.app.main.workspace.player == "Ann"


@pytest.mark.parametrize("keys", some(WAYS, 1))
async def test_without_any_name_there_is_nothing_to_ask(keys, tmp_path):
    async with running(size=(100, 30), library=library(tmp_path, GAMES[2])) as pilot:
        for key in keys.split(","):
            await press(pilot, key)
        await until(pilot, lambda: "No game of the library names its players" in shown(pilot))


async def test_games_without_names_are_marked_as_mine(tmp_path):
    path = library(tmp_path, *GAMES)
    async with running(size=(100, 30), library=path) as pilot:
        await press(pilot, "L")
        await until(pilot, lambda: "3 games" in shown(pilot))
        await press(pilot, "M", "b")  # the newest game, which has no names
        await press(pilot, "enter")
        assert "a name is needed" in shown(pilot)
        await press(pilot, *"Eve", "enter")
        await until(pilot, lambda: "Blue is Eve now" in shown(pilot))
        await press(pilot, "M", "r")
        await until(pilot, lambda: "Red is Eve now" in shown(pilot))
        await press(pilot, "M")
        assert told(pilot) == "Both players of this game have names"
        await press(pilot, "escape")
        assert pilot.app.main.workspace.player == "Eve"
    with Library(path) as opened:
        (game,) = opened.games(Filter(player="Eve"))
        assert (game.black, game.white) == ("Eve", "Eve")
        record = read_record(opened.text(game.id) or "")
        assert (record.info("PB"), record.info("PW")) == ("Eve", "Eve")
        assert "Eve" in opened.players()
