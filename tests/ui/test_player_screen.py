"""A player of the library on the screen: lists, the tree of openings, mistakes, games opened."""

from pathlib import Path

import pytest

from hextui.engine.board import Color
from hextui.library.library import Library
from hextui.ui.screens.library_screen import LibraryScreen
from hextui.ui.screens.player_screen import PlayerScreen
from hextui.ui.widgets.line_list import LineList

from .helpers import game, press, running, shown, told, until
from .test_library_screen import reviews

SEVERAL = "(;GM[11]SZ[4]PB[Ann]PW[Bob]RE[W+];B[a1];W[b1];B[c2];W[c1];B[d1];W[a4])"
GAMES = (
    SEVERAL + "(;GM[11]SZ[4]PB[ANN]PW[Cy]DT[2020-05-01]BR[1500]RE[B+];B[a1];W[b2];B[c3])"
    "(;GM[11]SZ[4]PB[Cy]PW[Ann]DT[2021]RE[W+];B[d4];W[swap-sides];W[c2];B[b3])"
    "(;GM[11]SZ[5]PB[<b>Dee</b>]PW[ann]WR[1600]DT[2022-01]RE[B+];B[c3];W[swap-pieces];B[b2])"
)


@pytest.fixture
def library(tmp_path: Path) -> dict[str, Path]:
    """A library of four games, the first of which is reviewed: both sides erred."""
    source = tmp_path / "games.sgf"
    source.write_text(GAMES)
    with Library(tmp_path / "l.sqlite") as opened:
        opened.import_paths([source])
    red, blue = Color.BLACK, Color.WHITE
    kept = {SEVERAL: {2: red, 3: blue, 4: red, 5: blue}}
    return {"library": tmp_path / "l.sqlite", "reviews": reviews(tmp_path / "r.sqlite", kept)}


def rows(pilot) -> list[list[str]]:
    listed = pilot.app.screen.query_one(LineList).lines
    return [[text.strip() for text, _ in line.spans] for line in listed]


async def at_ann(pilot) -> None:
    """Go to the player from the library, by the game with the cursor, the last one."""
    await press(pilot, "L")
    await until(pilot, lambda: "4 games" in shown(pilot))
    await press(pilot, "P", "b")
    await until(pilot, lambda: pilot.app.screen.query_one(LineList).lines)
    assert isinstance(pilot.app.screen, PlayerScreen)


@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
async def test_results_and_other_lists(library, size):
    async with running(game(), size, **library) as pilot:
        await at_ann(pilot)
        assert "4 games, 50% won" in shown(pilot)
        assert [row[:3] for row in rows(pilot)] == [
            ["all games", "4", "50%"],
            ["Red", "2", "50%"],
            ["Blue", "2", "50%"],
            ["4x4", "3", "67%"],
            ["5x5", "1", "0%"],
        ]
        await press(pilot, "down", "enter")
        assert [row[0] for row in rows(pilot)] == ["Cy", "Bob"]
        await press(pilot, "escape", "3")
        assert [row[:2] for row in rows(pilot)] == [["Cy", "2"], ["<b>Dee</b>", "1"], ["Bob", "1"]]
        await press(pilot, "5")
        assert [row[:2] for row in rows(pilot)] == [["2020", "1"], ["2022", "1"]]
        await press(pilot, "tab")
        assert rows(pilot)[0][0] == "all games"
        await press(pilot, "left")
        assert rows(pilot)[0][0] == "2020"
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, LibraryScreen)


async def test_the_tree_leads_to_the_position_of_a_game(library):
    async with running(game(), **library) as pilot:
        await at_ann(pilot)
        await press(pilot, "2")
        # in the game with swapped sides Ann made the first move, and was Blue afterwards
        roots = [["4x4, moves first", "3"], ["5x5, moves second", "1"]]
        assert [row[:2] for row in rows(pilot)] == roots
        await press(pilot, "enter")
        assert "own move" in shown(pilot)
        assert [row[:3] for row in rows(pilot)] == [["1. a1", "3", "67%"]]
        await until(pilot, lambda: rows(pilot)[0][4:6] == ["2", "0"])
        await press(pilot, "enter")
        replies = [["2. swap", "1", "100%"], ["2. b1", "1", "0%"], ["2. b2", "1", "100%"]]
        assert [row[:3] for row in rows(pilot)] == replies
        await press(pilot, "down", "g")
        assert [row[0] for row in rows(pilot)] == ["Bob"]
        await press(pilot, "escape", "down", "enter")
        await until(pilot, lambda: pilot.app.records.session.name == "ANN - Cy")
        assert pilot.app.records.session.node.ply == 2
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, PlayerScreen)
        assert "1. a1" in shown(pilot)
        await press(pilot, "o")
        await until(pilot, lambda: pilot.app.records.session.node.ply == 2)


async def test_a_mistake_opens_its_game_there(library):
    async with running(game(), **library) as pilot:
        await press(pilot, "dollar_sign", *"ann", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayerScreen))
        await press(pilot, "4")
        await until(pilot, lambda: "1 reviewed game" in shown(pilot))
        assert rows(pilot)[0][:2] == ["all mistakes", "2"]
        await press(pilot, "enter", "down", "enter")
        await until(pilot, lambda: pilot.app.records.session.name == "Ann - Bob")
        assert pilot.app.records.session.node.ply == 4
        await press(pilot, "escape")
        assert [row[0] for row in rows(pilot)] == ["3. c2", "5. d1"]
        await press(pilot, "escape", "escape")
        assert pilot.app.screen is pilot.app.main


async def test_a_filter_chooses_the_games(library):
    async with running(game(), **library) as pilot:
        await at_ann(pilot)
        await press(pilot, "slash", *"player=cy", "enter")
        assert "opponent= takes the other one" in shown(pilot)
        await press(pilot, "ctrl+u", *"color=blue date=2021..", "enter")
        await until(pilot, lambda: "color=blue date=2021.." in shown(pilot))
        await until(pilot, lambda: rows(pilot)[0][1] == "2")
        await press(pilot, "slash", "ctrl+u", *"opponent=nobody", "enter")
        await until(pilot, lambda: rows(pilot) == [])
        await press(pilot, "enter")
        assert "Nothing is listed" in told(pilot)
        await press(pilot, "g")
        assert "Nothing is listed" in told(pilot)


async def test_without_reviews_the_screen_says_so(library):
    library["reviews"].unlink()
    async with running(game(), **library) as pilot:
        await at_ann(pilot)
        await press(pilot, "4")
        await until(pilot, lambda: "0 reviewed games: a in the library reviews" in shown(pilot))
