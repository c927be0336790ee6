"""The dialogs that open a file or link, and that choose a game of a file."""

import socket

import pytest
from textual import events
from textual.widgets import Input, OptionList, Static

from hextui.records.formats import read_collection
from hextui.ui.app.settings import UserState
from hextui.ui.record import files
from hextui.ui.screens.file_dialogs import GamesDialog, OpenDialog
from hextui.ui.widgets.line_list import LineList, width_of
from tests.samples import some
from tests.sites import LINK, PLAYHEX, served, sites_at

from .helpers import SIZES, game, paste, press, running, settle, shown, told, until

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
    lines = dialog.query_one(LineList).lines
    return [[text.rstrip() for text, _ in line.spans] for line in lines]


async def chosen(pilot, *keys):
    """Press keys in the list of games; return the rows of the boards that are open then."""
    await listed(pilot)
    await press(pilot, *keys)
    await pilot.app.workers.wait_for_complete()
    await settle(pilot)
    return [session.board.rows for session in pilot.app.records.sessions]


async def test_the_list_tells_the_games_apart_and_typing_narrows_it(file):
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
        await press(pilot, *"bea dot")
        assert [row[0] for row in await listed(pilot)] == ["4"]
        assert "1 of 4 games" in shown(pilot)
        assert await chosen(pilot, "enter") == [8]


@pytest.mark.parametrize(
    ("keys", "rows"),
    [
        (["down", "enter"], 6),  # in place of the first
        (["down", "down", "enter"], 5),  # it cannot be read
    ],
)
async def test_the_chosen_game_is_opened_or_the_first(file, keys, rows):
    async with running(files.open_session(str(file)), ask_game=True) as pilot:
        assert await chosen(pilot, *keys) == [rows]
        if rows == 6:
            assert pilot.app.records.session.name == "games.sgf, game 2"
            assert pilot.app.records.session.path is None  # saving must not lose the other games
        assert bool(told(pilot)) == (len(keys) == 3)


async def test_escape_leaves_the_list_of_games_and_opens_none(file):
    async with running(files.open_session(str(file)), ask_game=True) as pilot:
        await chosen(pilot, "down", "escape")
        (session,) = pilot.app.records.sessions
        assert (session.name, session.record.root.children) == ("untitled", [])
        await press(pilot, "ctrl+o")
        pilot.app.screen.query_one(Input).value = str(file)
        await press(pilot, "enter")
        await chosen(pilot, "down", "escape")
        assert pilot.app.records.sessions == [session]


async def test_ctrl_o_asks_too_and_not_where_there_is_one_game(file, tmp_path):
    alone = tmp_path / "one.sgf"
    alone.write_text(GAMES.splitlines()[0])
    async with running(files.open_session(str(alone)), ask_game=True) as pilot:
        assert pilot.app.screen is pilot.app.main
        await press(pilot, "ctrl+o")
        pilot.app.screen.query_one(Input).value = str(file)
        await press(pilot, "enter")
        assert await chosen(pilot, "down", "enter") == [5, 6]


async def test_many_games_are_all_listed(tmp_path):
    path = tmp_path / "many.txt"
    path.write_text("size 5\n" + "a1 b2 c3\n" * 1500)
    async with running(files.open_session(str(path)), ask_game=True) as pilot:
        assert len(await listed(pilot)) == 1500
        assert "1,500 games" in shown(pilot)
        await press(pilot, *"1499")
        await chosen(pilot, "enter")
        assert pilot.app.records.session.name == "many.txt, game 1499"


@pytest.mark.parametrize("size", some(SIZES, 1))
async def test_the_columns_fit_beside_the_scroll_bar(tmp_path, size):
    players = "PB[Wilhelmina Featherstonehaugh]PW[Konstantinos Papadopoulos]"
    path = tmp_path / "named.sgf"
    path.write_text(f"(;GM[11]SZ[5]{players};B[a1])" * 60)
    async with running(size=size) as pilot:
        pilot.app.push_screen(GamesDialog(path))
        await until(pilot, lambda: "60 games" in shown(pilot))
        listed = pilot.app.screen.query_one(LineList)
        assert width_of(listed.lines[0].spans) <= listed.room
        assert "Featherstonehaugh…" in shown(pilot)


# The dialog that opens a file or link

SGF = "(;GM[11]SZ[{}];B[a1])"


def recent(folder, *names):
    memory = UserState(folder / "state")
    for size, name in enumerate(names, start=3):
        (folder / name).write_text(SGF.format(size))
        memory.use(folder / name)
    return folder / "state"


def offered(pilot) -> list[str]:
    table = pilot.app.screen.query_one(OptionList)
    return [option.prompt.plain.split("  ")[0] for option in table.options]


async def test_files_last_used_are_listed_narrowed_and_opened(tmp_path):
    state = recent(tmp_path, "one.sgf", "two.sgf", "[red].sgf", "gone.sgf")
    (tmp_path / "gone.sgf").unlink()
    async with running(game(), state=state) as pilot:
        records = pilot.app.records
        await press(pilot, "ctrl+o")
        assert offered(pilot) == ["[red].sgf", "two.sgf", "one.sgf"]
        await press(pilot, "down", "down", "enter")
        assert records.session.name == "two.sgf"
        await press(pilot, "ctrl+o", *"one")
        assert offered(pilot) == ["one.sgf"]
        await press(pilot, "enter")  # what was typed: no such file here
        assert "no such file" in shown(pilot)
        await press(pilot, "down", "enter")
        assert records.session.name == "one.sgf"
        await press(pilot, "ctrl+o")
        assert await pilot.click(OptionList, offset=(3, 0))
        await settle(pilot)
        assert not isinstance(pilot.app.screen, OpenDialog)
        assert len(records.sessions) == 3
        await press(pilot, "ctrl+p", *"open [red")
        await until(pilot, lambda: "Open [red].sgf" in shown(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: records.session.name == "[red].sgf")


async def test_without_files_nothing_is_listed_and_one_of_many_games_is_remembered(tmp_path):
    path = tmp_path / "many.sgf"
    path.write_text(SGF.format(3) + SGF.format(4))
    async with running(game(), state=tmp_path / "state") as pilot:
        await press(pilot, "ctrl+o")
        assert "last used" not in shown(pilot)
        await press(pilot, "down", "enter")
        assert "a file or a link is needed" in shown(pilot)
        assert pilot.app.screen.query_one(Input).value == ""
        await paste(pilot, str(path))
        await press(pilot, "enter")
        await press(pilot, "enter")
        await press(pilot, "q")
    assert UserState(tmp_path / "state").recent() == [str(path)]


async def test_what_is_no_file_is_told_in_the_dialog(not_files):
    async with running(game()) as pilot:
        await press(pilot, "ctrl+o")
        for name in not_files:
            pilot.app.screen.query_one(Input).value = name
            await press(pilot, "enter")
            assert isinstance(pilot.app.screen, OpenDialog)
            assert str(pilot.app.screen.query_one(".error").render())
            pilot.app.screen.query_one(".error", Static).update("")


async def test_a_game_of_another_site_is_fetched(monkeypatch):
    with served(monkeypatch):
        async with running(game("a1")) as pilot:
            await press(pilot, "ctrl+o")
            await paste(pilot, LINK)
            await press(pilot, "enter")
            await until(pilot, lambda: len(pilot.app.records.sessions) == 2)
            assert pilot.app.records.session.record.info("PB") == "Ann"
            pilot.app.main.post_message(events.Paste(f" {PLAYHEX}\n"))
            await until(pilot, lambda: len(pilot.app.records.sessions) == 3)
            assert pilot.app.records.session.record.plies == 2


async def test_without_a_network_the_dialog_says_so_and_stays(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    sites_at(monkeypatch, port)
    async with running(game()) as pilot:
        await press(pilot, "ctrl+o")
        await paste(pilot, LINK)
        await press(pilot, "enter")
        await until(pilot, lambda: "cannot be reached: Connection refused" in shown(pilot))
        assert isinstance(pilot.app.screen, OpenDialog)
        await press(pilot, "escape")
        pilot.app.main.post_message(events.Paste(LINK))
        await until(pilot, lambda: "littlegolem.net: cannot be reached" in told(pilot))
        assert len(pilot.app.records.sessions) == 1


async def test_keys_are_heard_while_a_game_is_fetched_and_escape_gives_it_up(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        sites_at(monkeypatch, silent.getsockname()[1])
        async with running(game()) as pilot:
            await press(pilot, "ctrl+o")
            await paste(pilot, LINK)
            await press(pilot, "enter")
            await until(pilot, lambda: "Fetching the game" in shown(pilot))
            await press(pilot, "escape")
            assert pilot.app.screen is pilot.app.main
            await press(pilot, "enter")
            assert len(pilot.app.records.session.line()) == 2
