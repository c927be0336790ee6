import json
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hextui.records.errors import RecordError
from hextui.records.sgf import write_sgf
from hextui.ui import files
from hextui.ui.safety import recovery
from hextui.ui.safety.recovery import Keeper, Rescue, left_behind

from .helpers import game


def orphan(folder, session, name="1"):
    """Leave a recovery file of a process that has ended."""
    gone = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"],
        capture_output=True,
        text=True,
        check=True,
    )
    keeper = Keeper(folder)
    keeper.path = folder / f"{int(gone.stdout)}-1-{name}.json"
    keeper.flush(session)
    return keeper.path


@given(st.lists(st.integers(0, 24), max_size=12), st.text(max_size=20))
def test_a_rescue_brings_the_session_back(cells, comment):
    session = game()
    for cell in cells:
        if cell % 5 == 0:
            session.back()
        elif session.position.stones[cell] == 0:
            session.play(cell)
    session.record.set_comment(session.node, comment)
    back = Rescue(**json.loads(json.dumps(vars(Rescue.of(session))))).session()
    assert write_sgf(back.record) == write_sgf(session.record)
    assert back.position == session.position
    assert [node.index for node in back.node.line()] == [n.index for n in session.node.line()]
    assert back.record.modified
    back.play(next(iter(back.position.empties)))
    while back.undo():
        pass
    assert back.record.modified


def test_the_file_is_there_while_edits_are_not_saved(tmp_path):
    keeper, session = Keeper(tmp_path / "recovery"), game("c3")
    keeper.flush(session)
    assert not keeper.folder.exists()
    session.play(0)
    keeper.flush(session)
    first = keeper.path.read_text()
    session.play(1)
    keeper.flush(session)
    assert keeper.path.read_text() != first
    session.undo()
    keeper.flush(session)
    assert recovery.read(keeper.path).sgf == write_sgf(session.record)
    session.record.mark_saved()
    keeper.flush(session)
    assert list(keeper.folder.iterdir()) == []


def test_a_state_that_is_on_disk_is_not_written_again(tmp_path):
    keeper, session = Keeper(tmp_path), game()
    session.play(0)
    keeper.flush(session)
    keeper.path.unlink()
    session.back()
    keeper.flush(session)
    assert not keeper.path.exists()


def test_files_of_running_programs_are_left_alone(tmp_path):
    session = game()
    session.play(0)
    Keeper(tmp_path).flush(session)
    left = orphan(tmp_path, session)
    assert left_behind(tmp_path) == [left]


def test_a_process_number_that_is_used_again_does_not_hide_a_file(tmp_path):
    session = game()
    session.play(0)
    keeper = Keeper(tmp_path)
    if keeper.path.name.split("-")[1] == "0":
        pytest.skip("this system does not say when a process started")
    keeper.path = tmp_path / f"{os.getpid()}-1-abc.json"
    keeper.flush(session)
    assert left_behind(tmp_path) == [keeper.path]


def test_only_one_program_takes_a_file(tmp_path):
    session = game()
    session.play(7)
    left = orphan(tmp_path, session)
    first, second = Keeper(tmp_path), Keeper(tmp_path)
    assert first.take(left).sgf == write_sgf(session.record)
    assert left_behind(tmp_path) == []
    with pytest.raises(RecordError, match="another program"):
        second.take(left)


@pytest.mark.parametrize("text", ["", "{}", '{"sgf": 1}', "[1]", '"x"', "\x00"])
def test_a_broken_file_is_set_aside(tmp_path, text):
    left = orphan(tmp_path, edited())
    left.write_text(text)
    with pytest.raises(RecordError) as caught:
        Keeper(tmp_path).take(left)
    assert "\n" not in str(caught.value)
    assert left_behind(tmp_path) == []
    assert left.with_suffix(".broken").read_text() == text


def edited():
    session = game()
    session.play(3)
    return session


def test_a_folder_that_cannot_be_written_is_a_problem_and_no_error(tmp_path):
    (tmp_path / "file").write_text("")
    keeper, session = Keeper(tmp_path / "file" / "recovery"), edited()
    keeper.flush(session)
    assert "\n" not in keeper.problem
    assert keeper.problem
    (tmp_path / "file").unlink()
    keeper.flush(session)
    assert not keeper.problem
    assert keeper.path.exists()


def test_the_mark_of_a_file_tells_its_contents(tmp_path):
    path = tmp_path / "a.sgf"
    assert files.mark_of(path) is None
    assert files.mark_of(tmp_path) is None
    path.write_text("(;)")
    mark = files.mark_of(path)
    os.utime(path, (1, 1))
    assert files.mark_of(path) == mark
    path.write_text("(; )")
    assert files.mark_of(path) != mark


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_is_not_read_to_mark_it(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert files.mark_of(tmp_path / "pipe") is None
