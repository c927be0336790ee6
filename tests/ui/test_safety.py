"""Edits on the screen reach the disk, are recovered at the next start, and outlive a crash."""

import signal

import pytest

from hextui.records.codecs.sgf import write_sgf
from hextui.records.formats import read_record
from hextui.ui import files
from hextui.ui.app import HextuiApp
from hextui.ui.safety import guard as safety
from hextui.ui.safety import recovery
from hextui.ui.screens.dialogs import ChoiceDialog

from .helpers import game, press, running, told, until
from .test_recovery import edited, orphan


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


async def test_edits_reach_the_disk_and_saving_or_leaving_removes_them(tmp_path):
    folder = tmp_path / "recovery"
    path = saved(tmp_path, "c3")
    async with running(files.open_session(str(path)), state=tmp_path) as pilot:
        # only the program heeds signals: this one would end the whole run of the tests
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        await press(pilot, "up", "enter")
        await until(pilot, lambda: kept(folder))
        assert kept(folder) == [write_sgf(pilot.app.records.session.record)]
        await press(pilot, "ctrl+s")
        await until(pilot, lambda: not kept(folder))
        await press(pilot, "up", "enter")
        await until(pilot, lambda: kept(folder))
        await press(pilot, "q", "d")
    assert list(folder.iterdir()) == []


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


async def test_whole_files_are_discarded_or_left_for_later_and_broken_ones_set_aside(tmp_path):
    folder = tmp_path / "recovery"
    for number in range(4):
        orphan(folder, edited(), number)
    broken, *_ = sorted(folder.iterdir())
    broken.write_text("{")
    async with running(state=tmp_path) as pilot:
        await until(pilot, lambda: asked(pilot))
        aside = broken.with_suffix(".broken")
        assert told(pilot) == f"1 recovery file could not be read; kept as {aside}"
        for key, left in (("d", 2), ("r", 1)):
            await press(pilot, key)
            await until(
                pilot,
                lambda left=left: len(recovery.left_behind(folder)) == left and asked(pilot),
            )
        await press(pilot, "escape")
        assert pilot.app.records.session.record.modified
        await press(pilot, "q", "d")
    assert len(recovery.left_behind(folder)) == 1
    assert aside.read_text() == "{"


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
