"""`best_move` on the screen, step by step."""

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from hextui.ui.screens.minimax_screen import MinimaxScreen

from .helpers import SIZES, game, press, running, shown, until
from .resting import threads_go_on


async def opened(pilot: Pilot[None]) -> MinimaxScreen:
    await press(pilot, "Y")
    screen = pilot.app.screen
    assert isinstance(screen, MinimaxScreen)
    return screen


async def choose(pilot: Pilot[None], text: str) -> None:
    """Choose a game and its state."""
    await press(pilot, "o")
    pilot.app.screen.query_one(Input).value = text
    await press(pilot, "enter")


@pytest.mark.parametrize("size", SIZES)
async def test_stepping_through_hex_touches_no_record(size: tuple[int, int]) -> None:
    session = game("a1", side=2)
    async with running(session, size) as pilot:
        await press(pilot, "n")
        await opened(pilot)
        await until(pilot, lambda: "All moves" in shown(pilot))
        assert "hex: 5 positions visited" in shown(pilot)
        assert "Depth 0, Blue to move" in shown(pilot)
        assert "wins   a2" in shown(pilot)
        assert "loses  b1 b2 swap-pieces" in shown(pilot)
        await press(pilot, "n")
        assert "b1          asking" in shown(pilot)
        await press(pilot, "n")
        await until(pilot, lambda: "Depth 1, Red to move" in shown(pilot))
        await until(pilot, lambda: "a2 does." in shown(pilot))
        await press(pilot, "n", "n")
        assert "b1          a2          loses     1" in shown(pilot)
        await press(pilot, "end")
        await until(pilot, lambda: "Returns a2: wins" in shown(pilot))
        await press(pilot, "escape")
        assert pilot.app.screen is pilot.app.main
        assert session.node.ply == 1


async def test_other_games() -> None:
    async with running(game(side=5)) as pilot:
        await opened(pilot)
        assert "9 empty cells at most, here are 25" in shown(pilot)
        await press(pilot, "n", "end")
        await choose(pilot, "chess")
        assert "no game 'chess'" in shown(pilot)
        await press(pilot, "escape")
        await choose(pilot, "nim 1,2,2")
        await until(pilot, lambda: "wins   a-1" in shown(pilot))
        assert "b  o o" in shown(pilot)
        await choose(pilot, "tic-tac-toe X.O/.X./..O")
        await until(pilot, lambda: "draws  c2" in shown(pilot))
        assert "2 . X ." in shown(pilot)
        assert "23 positions visited" in shown(pilot)


async def test_a_long_search_is_stopped_by_closing() -> None:
    async with running(game(side=5)) as pilot:
        await opened(pilot)
        with threads_go_on():
            await choose(pilot, "tic-tac-toe .../.../...")
            await press(pilot, "escape")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        await pilot.app.workers.wait_for_complete()
