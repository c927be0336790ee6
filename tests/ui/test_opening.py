"""Files last used: kept between runs, in the open dialog and in the palette."""

import socket

import pytest
from textual import events
from textual.widgets import Input, OptionList, Static

from hextui.ui.safety.memory import Memory
from hextui.ui.screens.file_dialogs import OpenDialog
from tests.sites import LINK, PLAYHEX, served, sites_at

from .helpers import game, paste, press, running, shown, told, until

SGF = "(;GM[11]SZ[{}];B[a1])"


def files(folder, *names):
    memory = Memory(folder / "state")
    for size, name in enumerate(names, start=3):
        (folder / name).write_text(SGF.format(size))
        memory.use(folder / name)
    return folder / "state"


def listed(pilot) -> list[str]:
    table = pilot.app.screen.query_one(OptionList)
    return [option.prompt.plain.split("  ")[0] for option in table.options]


async def test_files_last_used_are_listed_narrowed_and_opened(tmp_path):
    state = files(tmp_path, "one.sgf", "two.sgf", "[red].sgf", "gone.sgf")
    (tmp_path / "gone.sgf").unlink()
    async with running(game(), state=state) as pilot:
        await press(pilot, "ctrl+o")
        assert listed(pilot) == ["[red].sgf", "two.sgf", "one.sgf"]
        await press(pilot, "down", "down", "enter")
        assert pilot.app.records.session.name == "two.sgf"
        await press(pilot, "ctrl+o", *"one")
        assert listed(pilot) == ["one.sgf"]
        await press(pilot, "enter")  # what was typed: no such file here
        assert "no such file" in shown(pilot)
        await press(pilot, "down", "enter")
        assert pilot.app.records.session.name == "one.sgf"
        await press(pilot, "ctrl+o")
        assert await pilot.click(OptionList, offset=(3, 0))
        await pilot.pause()
        assert not isinstance(pilot.app.screen, OpenDialog)
        assert len(pilot.app.records.sessions) == 3


async def test_without_files_nothing_is_listed():
    async with running(game()) as pilot:
        await press(pilot, "ctrl+o")
        assert "last used" not in shown(pilot)
        await press(pilot, "down", "enter")
        assert "a file or a link is needed" in shown(pilot)
        assert pilot.app.screen.query_one(Input).value == ""


async def test_files_last_used_are_in_the_palette(tmp_path):
    state = files(tmp_path, "one.sgf", "[red].sgf")
    async with running(game(), state=state) as pilot:
        await press(pilot, "ctrl+p", *"open [red")
        await until(pilot, lambda: "Open [red].sgf" in shown(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: pilot.app.records.session.name == "[red].sgf")


async def test_a_file_of_many_games_is_remembered_too(tmp_path):
    path = tmp_path / "many.sgf"
    path.write_text(SGF.format(3) + SGF.format(4))
    async with running(game(), state=tmp_path / "state") as pilot:
        await press(pilot, "ctrl+o")
        await paste(pilot, str(path))
        await press(pilot, "enter")
        await press(pilot, "enter")
        await press(pilot, "q")
    assert Memory(tmp_path / "state").recent() == [str(path)]


@pytest.mark.timeout(60)
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
            await until(pilot, lambda: "is being fetched" in shown(pilot))
            await press(pilot, "escape")
            assert pilot.app.screen is pilot.app.main
            await press(pilot, "enter")
            assert len(pilot.app.records.session.line()) == 2
