"""Saving on the screen: in a thread, checked, with what was edited meanwhile left to save."""

import asyncio
import json
import threading

import pytest

from hextui.records.codecs.sgf import write_sgf
from hextui.records.formats import read_record
from hextui.ui.record import files
from hextui.ui.record.open_records import OpenRecords
from hextui.ui.screens.dialogs import ChoiceDialog
from hextui.ui.widgets.typed_text import read_path

from .helpers import game, press, running, shown, told, until
from .settling import PATIENCE, threads_go_on
from .workspace_fixture import FakeTalk


def saver(*answers):
    talk = FakeTalk(*answers)
    return OpenRecords(game(), talk, lambda session: None), talk


def question(talk, at=0):
    return talk.asked[at]._question


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text(write_sgf(game("c3").record))
    return path


def opened(path):
    """Return a session of a file, with an edit."""
    session = files.open_session(str(path))
    session.last()
    session.play(0)
    return session


def unreadable(path):
    """Return an edited session whose record no file can hold."""
    session = opened(path)
    session.record.root.children[0].properties["1"] = ("5",)
    return session


class Held:
    """Holds `files.write` until it is let go, after the snapshot if that is asked for."""

    def __init__(self, monkeypatch):
        self.reached = threading.Event()
        self.free = threading.Event()
        write = files.write

        def held(session, path, as_it_stands=False):
            snapshot = session.record.snapshot(session.node)
            self.reached.set()
            assert self.free.wait(PATIENCE)
            monkeypatch.setattr(session.record, "snapshot", lambda node: snapshot, raising=False)
            try:
                return write(session, path, as_it_stands)
            finally:
                del session.record.snapshot

        monkeypatch.setattr(files, "write", held)

    async def until_reached(self):
        while not self.reached.is_set():
            await asyncio.sleep(0.001)


async def test_what_does_not_read_back_replaces_no_file(path):
    before = path.read_bytes()
    session = unreadable(path)
    saving, talk = saver("elsewhere", path.with_name("other.sgf"))
    assert not await saving.save(session)
    assert path.read_bytes() == before
    assert "property 1 at move 1 (c3)" in question(talk)
    assert path.with_name("other.sgf").read_text() == write_sgf(session.record)
    assert session.record.modified
    assert session.path == path


async def test_a_record_that_does_not_read_back_is_saved_in_new_files_only(path):
    before = path.read_bytes()
    saving, talk = saver("elsewhere", path)
    assert not await saving.save(unreadable(path))
    assert path.read_bytes() == before
    assert "exists already" in talk.complaints[0]


async def test_another_folder_is_offered_for_one_that_cannot_be_written(path, tmp_path):
    session = opened(path)
    session.path = tmp_path / "none" / "game.sgf"
    saving, talk = saver("elsewhere", path.with_name("other.sgf"))
    assert await saving.save(session)
    assert "No such file" in question(talk)
    assert session.path == path.with_name("other.sgf")
    assert read_record(session.path).equals(session.record)
    assert not session.record.modified


@pytest.mark.parametrize("answer", ["overwrite", None])
async def test_a_file_that_another_program_changed_is_not_overwritten_unasked(path, answer):
    session = opened(path)
    path.write_text("(;FF[4]GM[11]SZ[5]C[mine])")
    saving, talk = saver(answer)
    assert await saving.save(session) is bool(answer)
    assert "another program" in question(talk)
    assert ("mine" in path.read_text()) is session.record.modified is (answer is None)


async def test_edits_made_while_saving_are_left_to_save(path, monkeypatch):
    session = opened(path)
    before = write_sgf(session.record)
    held = Held(monkeypatch)
    saving, _ = saver()
    task = asyncio.ensure_future(saving.save(session))
    await held.until_reached()
    session.play(1)
    held.free.set()
    assert not await task
    assert path.read_text() == before
    assert session.record.modified
    session.undo()
    assert not session.record.modified
    assert files.overwriting(session, path) == ""
    session.redo()
    assert await saving.save(session)
    assert read_record(path).equals(session.record)


async def test_what_a_format_leaves_out_stays_to_be_saved(path):
    session = opened(path)
    session.record.set_comment(session.node, "mine")
    saving, talk = saver(path.with_name("line.txt"))
    assert not await saving.save(session, ask=True)
    assert "left out: comments" in talk.told[0]
    assert session.record.modified
    assert session.path == path


async def test_sgf_stays_sgf_whatever_its_ending(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text("(;GM[11]SZ[5];B[c3]C[mine](;W[d1])(;W[b1]))")
    session = opened(path)
    saving, _ = saver()
    assert await saving.save(session)
    assert read_record(path).equals(session.record)
    assert read_record(path).root.children[0].comment == "mine"


@pytest.mark.parametrize("text", ["", "a" * 300, "a" * 5000 + "/b", "..", "."])
def test_a_name_that_no_file_can_have_is_one_line(text):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        read_path(text)
    assert len(str(caught.value).splitlines()) == 1


def test_names_of_files():
    assert read_path("a").name == "a.sgf"
    assert read_path("a.b").name == "a.b"
    assert read_path("~nobody-of-this-name/a").name == "a.sgf"


# On the screen


async def test_keys_are_heard_while_a_record_is_saved(path, monkeypatch):
    held = Held(monkeypatch)
    async with running(files.open_session(str(path))) as pilot:
        await press(pilot, "G", "up", "enter")
        with threads_go_on():
            await press(pilot, "ctrl+s")
            await held.until_reached()
            await press(pilot, "up", "enter")
            assert " 3. " in shown(pilot)
            held.free.set()
        await until(pilot, lambda: "Saved" in told(pilot))
        assert pilot.app.records.session.record.modified
        assert len(read_record(path).main_line()) == 3
        await press(pilot, "ctrl+s")
        assert not pilot.app.records.session.record.modified
        assert len(read_record(path).main_line()) == 4


async def test_leaving_asks_again_about_what_was_edited_while_saving(path, monkeypatch):
    held = Held(monkeypatch)
    async with running(files.open_session(str(path))) as pilot:
        await press(pilot, "G", "up", "enter")
        await pilot.press("q")
        await until(pilot, lambda: "has changed" in shown(pilot))
        with threads_go_on():
            await press(pilot, "s")
            await held.until_reached()
            await press(pilot, "up", "enter")
            assert " 3. " in shown(pilot)
            held.free.set()
        await until(pilot, lambda: "Saved" in told(pilot))
        await pilot.pause()
        assert pilot.app.is_running
        assert pilot.app.records.session.record.modified


async def test_the_edits_of_a_refused_saving_stay_in_recovery(path, tmp_path):
    session = unreadable(path)
    async with running(session, state=tmp_path / "state") as pilot:
        await press(pilot, "up", "enter")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, ChoiceDialog))
        assert "property 1" in pilot.app.screen._question
        await pilot.press("escape")
        folder = tmp_path / "state" / "recovery"
        await until(pilot, lambda: list(folder.glob("*.json")))
        assert session.record.modified
    (left,) = folder.iterdir()
    assert json.loads(left.read_text())["sgf"] == write_sgf(session.record)
