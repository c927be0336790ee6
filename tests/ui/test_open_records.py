"""Open records and the guard of their edits: kept on disk, recovered, and left after a crash."""

import signal
from pathlib import Path

import pytest

from hextui.records.codecs.sgf import write_sgf
from hextui.records.formats import read_record
from hextui.records.record_text import RecordError
from hextui.ui.app.app import HextuiApp
from hextui.ui.app.settings import Settings, UserState
from hextui.ui.record import files
from hextui.ui.record.open_records import OpenRecords
from hextui.ui.safety import recovery
from hextui.ui.safety.recovery import Guard, left_behind
from hextui.ui.screens.dialogs import ChoiceDialog

from .helpers import game, press, running, told, until, workstation
from .test_recovery import edited, orphan
from .workspace_fixture import FakeTalk


def row(first, *answers):
    """Return open records, who speaks for the user, and the sessions that were given up."""
    talk, forgotten = FakeTalk(*answers), []
    return OpenRecords(first, talk, forgotten.append), talk, forgotten


def test_an_untouched_board_makes_place_for_what_is_opened():
    records, _, _ = row(game())
    first, second = game("c3"), game("d2")
    records.open(first)
    records.open(second)
    assert records.sessions == [first, second]
    assert records.session is second


def test_records_are_opened_beside_the_one_shown_and_gone_through_in_a_circle():
    first, second, third = game("a1"), game("b1"), game("c1")
    records, _, _ = row(first)
    seen = []
    records.changed = lambda: seen.append(records.session)
    records.open(second)
    records.show(0)
    records.open(third)
    assert records.sessions == [first, third, second]
    records.step(1)
    records.step(1)
    records.step(-1)
    assert seen == [second, first, third, second, first, second]


async def test_the_last_record_that_is_closed_leaves_an_empty_board():
    first = game("a1", side=7)
    records, talk, forgotten = row(first)
    await records.close()
    assert forgotten == [first]
    assert not talk.asked
    assert records.session.untouched
    assert records.session.board == first.board


async def test_closing_keeps_the_place_in_the_row():
    sessions = [game(name) for name in ("a1", "b1", "c1")]
    records, _, _ = row(sessions[0])
    for session in sessions[1:]:
        records.open(session)
    records.show(1)
    await records.close()
    assert records.session is sessions[2]
    await records.close()
    assert records.session is sessions[0]


@pytest.mark.parametrize(("answer", "closed"), [(None, False), ("discard", True)])
async def test_edits_are_asked_about_before_a_record_is_closed(answer, closed):
    session = edited()
    records, talk, forgotten = row(session, answer)
    await records.close()
    assert len(talk.asked) == 1
    assert forgotten == [session] * closed
    assert (session not in records.sessions) is closed


async def test_leaving_asks_about_each_record_until_one_is_to_stay():
    first, second, third = edited(), game("a1"), edited()
    records, talk, _ = row(first, "discard", None)
    records.open(second)
    records.open(third)
    assert not await records.may_leave()
    assert len(talk.asked) == 2
    assert records.session is third


async def test_a_save_asks_for_a_name_and_before_it_overwrites(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[11]SZ[5]C[mine])")
    session = edited()
    records, talk, _ = row(session, path, None)
    assert not await records.save(session)
    assert "mine" in path.read_text()
    talk.answers = [path, "overwrite"]
    assert await records.save(session)
    assert read_record(path).equals(session.record)
    assert not session.record.modified
    assert talk.told == [f"Saved {path}"]


async def test_a_record_that_cannot_be_written_stays_unsaved(tmp_path):
    session = edited()
    records, talk, _ = row(session, tmp_path / "no folder" / "game.sgf", None)
    assert not await records.save(session)
    assert session.record.modified
    assert "No such file" in talk.asked[-1]._question


async def test_the_guard_keeps_edits_until_they_are_given_up(tmp_path):
    guard, session = Guard(tmp_path, FakeTalk()), edited()
    guard.keep_last([game(), session])
    assert len(list((tmp_path / "recovery").iterdir())) == 1
    guard.forget(session)
    assert list((tmp_path / "recovery").iterdir()) == []
    guard.keep_last([session])
    guard.give_up()
    assert list((tmp_path / "recovery").iterdir()) == []
    guard.keep_last([session])
    assert list((tmp_path / "recovery").iterdir()) == []


async def test_the_guard_offers_what_was_left_and_hands_over_what_is_wanted(tmp_path):
    orphan(tmp_path / "recovery", edited(), 1)
    orphan(tmp_path / "recovery", edited(), 2)
    taken = []
    await Guard(tmp_path, FakeTalk("recover", None)).offer(taken.append)
    assert [write_sgf(session.record) for session in taken] == [write_sgf(edited().record)]
    assert len(left_behind(tmp_path / "recovery")) == 1


def test_the_guard_warns_once_that_edits_cannot_be_kept(tmp_path):
    (tmp_path / "file").write_text("")
    talk, session = FakeTalk(), edited()
    guard = Guard(tmp_path / "file", talk)
    for _ in range(3):
        guard.keep_last([session])
        guard.keep([session])
    assert [title for title, _ in talk.warnings] == ["Recovery"]


async def test_without_a_folder_nothing_is_kept():
    guard, state = Guard(None, FakeTalk()), UserState(None)
    assert not guard.keeps
    guard.keep_last([edited()])
    await guard.offer(lambda session: None)
    state.keep(Settings(theme="mine"))
    state.use(Path("game.sgf"))
    assert (state.settings(), state.recent(), state.problem) == (Settings(), [], "")


# Edits on the screen reach the disk, are recovered at the next start, and outlive a crash


def asked(pilot):
    """Return what a dialog asks: on the screen any blank may have become the end of a line."""
    screen = pilot.app.screen
    return screen._question if isinstance(screen, ChoiceDialog) else ""


def kept(folder):
    """Return the records in the recovery files; one may be removed while it is read."""
    try:
        return [recovery.read(path).sgf for path in folder.glob("*.json")]
    except RecordError as error:
        if "No such file" not in error.what:
            raise
        return kept(folder)


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(recovery, "KEEP_SECONDS", 0.1)


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
    monkeypatch.setattr(recovery, "KEEP_SECONDS", 1000)
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
                pilot, lambda left=left: len(recovery.left_behind(folder)) == left and asked(pilot)
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
        assert sum("would lose edits" in what for what in warnings) == 1
        assert sum("settings.json" in what for what in warnings) == 1
        assert len(warnings) == 2


def saved(folder, *names):
    path = folder / "game.sgf"
    path.write_text(write_sgf(game(*names).record))
    return path


async def test_a_crash_writes_a_log_and_keeps_the_edits(tmp_path):
    app = workstation(game(), tmp_path)

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
