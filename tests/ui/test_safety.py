import signal

import pytest
from textual.widgets import Input

from hextui.records.codecs.sgf import write_sgf
from hextui.records.formats import read_record
from hextui.ui import files
from hextui.ui.app import HextuiApp
from hextui.ui.safety import guard as safety
from hextui.ui.safety import recovery
from hextui.ui.screens.dialogs import ChoiceDialog

from .helpers import game, press, running, told, until
from .test_recovery import BROKEN, edited, orphan


def asked(pilot):
    """Return what a dialog asks: on the screen any blank may have become the end of a line."""
    screen = pilot.app.screen
    return screen._question if isinstance(screen, ChoiceDialog) else ""


def kept(folder):
    """Return the records in the recovery files that are whole."""
    return [recovery.read(path).sgf for path in folder.glob("*.json")]


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(safety, "KEEP_SECONDS", 0.1)


async def test_edits_reach_the_disk_and_leaving_removes_them(tmp_path):
    folder = tmp_path / "recovery"
    async with running(game(), state=tmp_path) as pilot:
        await press(pilot, "enter")
        await until(pilot, lambda: kept(folder))
        assert kept(folder) == [write_sgf(pilot.app.records.session.record)]
        await press(pilot, "q", "d")
    assert list(folder.iterdir()) == []


async def test_saving_removes_the_recovery_file(tmp_path):
    session = files.open_session(str(saved(tmp_path, "c3")))
    async with running(session, state=tmp_path) as pilot:
        await press(pilot, "up", "enter")
        await until(pilot, lambda: kept(tmp_path / "recovery"))
        await press(pilot, "ctrl+s")
        await until(pilot, lambda: not kept(tmp_path / "recovery"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
async def test_only_the_program_heeds_signals(number):
    """An app under test would take the signal that is to end the whole run."""
    before = signal.getsignal(number)
    async with running(game()):
        assert signal.getsignal(number) is before


async def test_an_exit_that_asks_nothing_keeps_the_last_edit(tmp_path, monkeypatch):
    monkeypatch.setattr(safety, "KEEP_SECONDS", 1000)
    async with running(game(), state=tmp_path) as pilot:
        await press(pilot, "enter")
    assert len(list((tmp_path / "recovery").iterdir())) == 1


async def test_what_was_left_behind_is_recovered_with_its_file(tmp_path):
    path = saved(tmp_path, "c3")
    session = files.open_session(str(path))
    session.play(0)
    orphan(tmp_path / "recovery", session)
    async with running(state=tmp_path) as pilot:
        await until(pilot, lambda: "before game.sgf was saved" in asked(pilot))
        await press(pilot, "r")
        assert write_sgf(pilot.app.records.session.record) == write_sgf(session.record)
        assert pilot.app.records.session.record.modified
        await until(pilot, lambda: recovery.left_behind(tmp_path / "recovery") == [])
        await press(pilot, "ctrl+s")
        assert not pilot.app.records.session.record.modified
        await press(pilot, "q")
    assert len(read_record(path).main_line()) == 2
    assert list((tmp_path / "recovery").iterdir()) == []


async def test_what_was_left_behind_is_discarded_or_left_for_later(tmp_path):
    folder = tmp_path / "recovery"
    orphan(folder, edited(), "1")
    orphan(folder, edited(), "2")
    async with running(state=tmp_path) as pilot:
        await until(pilot, lambda: asked(pilot))
        await press(pilot, "d")
        await until(pilot, lambda: len(list(folder.iterdir())) == 1)
        await press(pilot, "escape")
        assert not pilot.app.records.session.record.modified
    assert len(recovery.left_behind(folder)) == 1


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
async def test_a_broken_recovery_file_is_set_aside_with_one_line(tmp_path, text):
    left = orphan(tmp_path / "recovery", edited())
    left.write_text(text)
    async with running(state=tmp_path) as pilot:
        await until(pilot, lambda: told(pilot))
        aside = left.with_suffix(".broken")
        assert told(pilot) == f"1 recovery file could not be read; kept as {aside}"
        assert asked(pilot) == ""
    assert aside.read_text() == text


async def test_a_broken_recovery_file_does_not_hide_a_whole_one(tmp_path):
    orphan(tmp_path / "recovery", edited(), "1").write_text("{")
    orphan(tmp_path / "recovery", edited(), "2").write_text("[")
    orphan(tmp_path / "recovery", edited(), "3")
    async with running(state=tmp_path) as pilot:
        await until(pilot, lambda: asked(pilot))
        assert "2 recovery files could not be read" in told(pilot)
        await press(pilot, "r")
        assert pilot.app.records.session.record.modified
        await press(pilot, "q", "d")


async def test_a_folder_that_cannot_be_written_gives_one_warning(tmp_path, monkeypatch):
    warnings: list[str] = []
    monkeypatch.setattr(HextuiApp, "notify", lambda _, what, **how: warnings.append(what))
    (tmp_path / "state").write_text("")
    async with running(game(), state=tmp_path / "state") as pilot:
        await press(pilot, "enter", "up", "enter")
        await until(pilot, lambda: len(warnings) == 2)
        for _ in range(3):
            pilot.app._keep()
        assert sum("edits are lost" in what for what in warnings) == 1
        assert sum("settings.json" in what for what in warnings) == 1
        assert len(warnings) == 2


def saved(folder, *names):
    path = folder / "game.sgf"
    path.write_text(write_sgf(game(*names).record))
    return path


@pytest.mark.parametrize("answer", ["o", "escape"])
async def test_a_file_that_another_program_changed_is_not_overwritten_unasked(tmp_path, answer):
    path = saved(tmp_path, "c3")
    async with running(files.open_session(str(path))) as pilot:
        await press(pilot, "up", "enter")
        path.write_text("(;FF[4]GM[11]SZ[5]C[mine])")
        await press(pilot, "ctrl+s")
        await until(pilot, lambda: "another program" in asked(pilot))
        await press(pilot, answer)
        await until(pilot, lambda: ("mine" in path.read_text()) == (answer == "escape"))
        assert ("mine" in path.read_text()) == (answer == "escape")
        assert pilot.app.records.session.record.modified == (answer == "escape")


async def test_saving_twice_asks_nothing(tmp_path):
    path = saved(tmp_path, "c3")
    async with running(files.open_session(str(path))) as pilot:
        for _ in range(2):
            await press(pilot, "up", "enter", "ctrl+s")
            assert not pilot.app.records.session.record.modified


async def test_saving_under_the_name_of_another_file_asks(tmp_path):
    path = saved(tmp_path, "c3")
    before = path.read_text()
    async with running(game()) as pilot:
        await press(pilot, "enter", "ctrl+s")
        pilot.app.screen.query_one(Input).value = str(path)
        await press(pilot, "enter")
        await until(pilot, lambda: "exists already" in asked(pilot))
        await press(pilot, "escape")
        assert path.read_text() == before


async def test_a_crash_writes_a_log_and_keeps_the_edits(tmp_path):
    app = HextuiApp(game(), state=tmp_path)

    async def crash():
        async with app.run_test() as pilot:
            await press(pilot, "enter")
            app.main.call_later(lambda: 1 / 0)
            await until(pilot, lambda: app.crash.log)

    with pytest.raises(ZeroDivisionError):
        await crash()
    assert "ZeroDivisionError" in app.crash.log.read_text()
    assert app.crash.log.parent == tmp_path
    assert len(list((tmp_path / "recovery").iterdir())) == 1
