"""What the tests of the screen share."""

from contextlib import asynccontextmanager

from hextui.engine.board import Board
from hextui.engine.position import Move
from hextui.records.record import Record
from hextui.ui.app import HextuiApp
from hextui.ui.session import Session

SIZES = [(80, 24), (100, 30), (140, 45)]


def game(*names: str, side: int = 5) -> Session:
    """Return a session at the start of a game on a square board."""
    board = Board(side, side)
    record = Record.of_moves(board, [Move.parse(name, board) for name in names])
    return Session(record)


@asynccontextmanager
async def running(session=None, size=(80, 24), **arguments):
    """Run the app without a terminal; yields the pilot."""
    app = HextuiApp(session, **arguments)
    async with app.run_test(size=size, notifications=True) as pilot:
        await pilot.pause()
        yield pilot


async def press(pilot, *keys):
    """Press keys and wait until nothing is left to do."""
    await pilot.press(*keys)
    await pilot.pause()


async def click_cell(pilot, name: str, button: int = 1):
    """Click on a cell of the main board."""
    board = pilot.app.main.board
    x, y = board.geometry.centre(board.view.position.board.cell(name))
    left, top = board._origin
    await pilot.click(board, offset=(left + x, top + y), button=button)
    await pilot.pause()


def shown(pilot) -> str:
    """Return the text of the screen."""
    lines = pilot.app.screen._compositor.render_strips()
    return "\n".join(strip.text for strip in lines)
