import pytest
from textual.widgets import DataTable, Input

from hextui.records.formats import read_collection
from hextui.ui import files
from hextui.ui.screens.file_dialogs import GamesDialog

from .helpers import press, running, shown, until

GAMES = """(;GM[11]SZ[5]PB[Ada]PW[Bea]DT[2001-02-03]RE[B+R];B[c3];W[d4])
(;GM[11]SZ[6]PB[Cid]PW[Ada]RE[W+];B[c3];W[d4];B[a1])
(;GM[11]SZ[7]PB[Cid]PW[Bea];B[zz])
(;GM[11]SZ[8]PB[Dot]PW[Bea];B[c3])
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text(GAMES)
    return path


async def listed(pilot):
    """Wait until the list is complete; return its rows as texts."""
    dialog = pilot.app.screen
    assert isinstance(dialog, GamesDialog)
    await until(pilot, lambda: dialog._end is not None)
    table = dialog.query_one(DataTable)
    return [[cell.plain for cell in table.get_row_at(row)] for row in range(table.row_count)]


async def test_the_list_tells_the_games_apart(file):
    async with running(files.open_session(str(file)), ask_game=True) as pilot:
        rows = await listed(pilot)
        assert rows[:2] == [
            ["1", "Ada - Bea", "2001-02-03", "Red won", "2"],
            ["2", "Cid - Ada", "", "Blue won", "3"],
        ]
        assert rows[2][:2] == ["3", "cannot be read"]
        assert len(rows) == len(list(read_collection(file)))
        assert "4 games" in shown(pilot)
        assert "Ada - Bea" in shown(pilot)


async def test_enter_opens_the_chosen_game_in_place_of_the_first(file):
    async with running(files.open_session(str(file)), ask_game=True) as pilot:
        await listed(pilot)
        await press(pilot, "down", "enter")
        await pilot.app.workers.wait_for_complete()
        assert [session.board.rows for session in pilot.app.records.sessions] == [6]
        assert pilot.app.records.session.name == "games.sgf, game 2"
        assert pilot.app.records.session.path is None  # saving must not lose the other games


async def test_escape_takes_the_first(file):
    async with running(files.open_session(str(file)), ask_game=True) as pilot:
        await listed(pilot)
        await press(pilot, "down", "escape")
        await pilot.app.workers.wait_for_complete()
        assert [session.board.rows for session in pilot.app.records.sessions] == [5]


async def test_typing_narrows_the_list(file):
    async with running(files.open_session(str(file)), ask_game=True) as pilot:
        await listed(pilot)
        await press(pilot, *"bea dot")
        assert [row[0] for row in await listed(pilot)] == ["4"]
        assert "1 of 4 games" in shown(pilot)
        await press(pilot, "enter")
        await pilot.app.workers.wait_for_complete()
        assert pilot.app.records.session.board.rows == 8


async def test_a_game_that_cannot_be_read_leaves_the_first(file):
    async with running(files.open_session(str(file)), ask_game=True) as pilot:
        await listed(pilot)
        await press(pilot, "down", "down", "enter")
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        assert pilot.app.records.session.board.rows == 5
        assert list(pilot.app._notifications)


async def test_ctrl_o_asks_too_and_not_where_there_is_one_game(file, tmp_path):
    alone = tmp_path / "one.sgf"
    alone.write_text(GAMES.splitlines()[0])
    async with running(files.open_session(str(alone)), ask_game=True) as pilot:
        assert pilot.app.screen is pilot.app.main
        await press(pilot, "ctrl+o")
        pilot.app.screen.query_one(Input).value = str(file)
        await press(pilot, "enter")
        await listed(pilot)
        await press(pilot, "down", "enter")
        await pilot.app.workers.wait_for_complete()
        assert [session.board.rows for session in pilot.app.records.sessions] == [5, 6]


async def test_more_games_than_rows(tmp_path):
    path = tmp_path / "many.txt"
    path.write_text("size 5\n" + "a1 b2 c3\n" * 1500)
    async with running(files.open_session(str(path)), ask_game=True) as pilot:
        assert len(await listed(pilot)) == 1000
        assert "1,500 games, the first 1,000 are shown" in shown(pilot)
        await press(pilot, *"1499")
        await listed(pilot)
        await press(pilot, "enter")
        await pilot.app.workers.wait_for_complete()
        assert pilot.app.records.session.name == "many.txt, game 1499"
