import json
import os
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hextui.records.codecs.sgf import write_sgf
from hextui.records.record_text import RecordError
from hextui.ui.record import files
from hextui.ui.safety import recovery
from hextui.ui.safety.recovery import Keeper, Rescue, left_behind

from .helpers import game


def edited():
    session = game()
    session.play(3)
    return session


def orphan(folder, session, number=1):
    """Leave a recovery file of a process that has ended: there are not so many at once."""
    keeper = Keeper(folder)
    keeper.path = folder / f"{2**22 + number}-1-abcd.json"
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
    session.record.mark_saved(session.record.last_edit)
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
    Keeper(tmp_path).flush(edited())
    left = orphan(tmp_path, edited())
    assert left_behind(tmp_path) == [left]


def test_a_process_number_that_is_used_again_does_not_hide_a_file(tmp_path):
    keeper, session = Keeper(tmp_path), edited()
    if keeper.path.name.split("-")[1] == "0":
        pytest.skip("this system does not say when a process started")
    keeper.path = tmp_path / f"{os.getpid()}-1-abc.json"
    keeper.flush(session)
    assert left_behind(tmp_path) == [keeper.path]


def test_only_one_program_takes_a_file(tmp_path):
    session = edited()
    left = orphan(tmp_path, session)
    first, second = Keeper(tmp_path), Keeper(tmp_path)
    assert first.take(left).sgf == write_sgf(session.record)
    assert left_behind(tmp_path) == []
    with pytest.raises(RecordError, match="another program"):
        second.take(left)


def proven(keeper, session):
    """Have the edits written and then read back."""
    keeper.flush(session)
    keeper.check(session)
    if keeper._proof:
        keeper._proof.result()


def test_edits_that_do_not_read_back_are_a_problem_while_they_last(tmp_path):
    keeper, session = Keeper(tmp_path), game("c3")
    session.play(0)
    proven(keeper, session)
    assert keeper.problem == ""
    session.record.root.children[0].properties["1"] = ("5",)
    session.play(1)
    proven(keeper, session)
    assert "not read back as the same record: property 1 at move 1 (c3)" in keeper.problem
    written = keeper.path.read_text()
    assert "1[5]" in written
    keeper.check(session)
    assert keeper.path.read_text() == written
    del session.record.root.children[0].properties["1"]
    session.play(2)
    proven(keeper, session)
    assert keeper.problem == ""


def test_what_is_read_back_while_it_is_saved_or_edited_is_no_problem(tmp_path):
    keeper, session = Keeper(tmp_path), game("c3")
    session.play(0)
    keeper.flush(session)
    keeper.path.unlink()
    session.record.mark_saved(session.record.last_edit)
    keeper._prove(session)
    assert keeper.problem == ""


def test_records_are_written_and_read_back_in_other_threads(tmp_path, monkeypatch):
    threads = []
    for name in ("write_sgf", "read_sgf"):
        function = getattr(recovery, name)

        def watched(*arguments, function=function):
            threads.append(threading.current_thread())
            return function(*arguments)

        monkeypatch.setattr(recovery, name, watched)
    keeper, session = Keeper(tmp_path), edited()
    proven(keeper, session)
    assert len(threads) >= 2
    assert threading.main_thread() not in threads


def whole(**parts):
    """Return the text of a recovery file; what is given takes the place of what is right."""
    return json.dumps({**vars(Rescue.of(edited())), **parts})


BROKEN = {
    "empty": "",
    "cut": whole()[:40],
    "nothing in it": "{}",
    "a part only": '{"sgf": 1}',
    "a list": "[1]",
    "a text": '"x"',
    "no text at all": "\x00",
    "one part more": whole(more=1),
    "a name that is a number": whole(name=5),
    "a name that is a list": whole(name=["x"]),
    "a file that is a number": whole(file=7),
    "a file that no file can be": whole(file="a\0b"),
    "a mark that is a number": whole(mark=0),
    "a record that is nothing": whole(sgf=None),
    "a record that is broken": whole(sgf="(;GM[11]SZ[5];B[zz9"),
    "another game": whole(sgf="(;GM[1]SZ[19];B[aa])"),
    "a board too large": whole(sgf="(;GM[11]SZ[99];B[a1])"),
    "a move that is not legal": whole(sgf="(;GM[11]SZ[5];B[a1];W[a1])"),
    "steps that are a number": whole(steps=3),
    "steps that are a text": whole(steps="012"),
    "steps that are texts": whole(steps=["0"]),
    "a step back": whole(steps=[-1]),
    "half a step": whole(steps=[0.5]),
    "steps without end": whole(steps=[float("inf")]),
    "steps that are no number": whole(steps=[float("nan")]),
    "a deep list": "[" * 100_000 + "]" * 100_000,
    "a deep object": '{"sgf":' * 100_000 + "1" + "}" * 100_000,
    "a number too long": whole().replace("null", "9" * 10_000),
}


BROKEN_BYTES = {
    **{name: text.encode() for name, text in BROKEN.items()},
    "another encoding": b"\xff\xfe",
    "half a letter": b"{\x80}",
    "all bytes": bytes(range(256)),
}


@pytest.mark.parametrize("data", BROKEN_BYTES.values(), ids=BROKEN_BYTES)
def test_a_broken_file_is_set_aside(tmp_path, data):
    left = orphan(tmp_path, edited())
    left.write_bytes(data)
    with pytest.raises(RecordError) as caught:
        recovery.read(left)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500
    assert recovery.find_left_behind(tmp_path) == ([], [left.with_suffix(".broken")])
    assert left_behind(tmp_path) == []
    assert left.with_suffix(".broken").read_bytes() == data


def test_a_broken_file_that_is_taken_is_set_aside(tmp_path):
    left = orphan(tmp_path, edited())
    left.write_text("{")
    with pytest.raises(RecordError):
        Keeper(tmp_path).take(left)
    assert left.with_suffix(".broken").read_text() == "{"


def test_a_walk_beyond_the_end_ends_there(tmp_path):
    left = orphan(tmp_path, edited())
    left.write_text(whole(sgf="(;GM[11]SZ[5];B[a1])", steps=[0, 10**18, 0]))
    assert recovery.read(left).session().node.turn


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize("kind", ["folder", "pipe", "link", "link to a folder", "device"])
def test_what_is_no_file_is_set_aside_and_nothing_behind_a_link_is_touched(tmp_path, kind):
    left = orphan(tmp_path / "recovery", edited())
    mine = tmp_path / "mine.json"
    left.rename(mine)
    before = mine.read_text()
    if kind == "folder":
        left.mkdir()
    elif kind == "pipe":
        os.mkfifo(left)
    else:
        left.symlink_to({"link": mine, "link to a folder": tmp_path, "device": "/dev/zero"}[kind])
    found, (aside,) = recovery.find_left_behind(left.parent)
    assert found == []
    assert os.path.lexists(aside)
    assert left_behind(left.parent) == []
    assert mine.read_text() == before


def test_what_is_set_aside_never_takes_the_place_of_another(tmp_path):
    left = orphan(tmp_path, edited())
    for number in range(3):
        left.write_text(str(number))
        recovery.set_aside(left)
    assert sorted(path.read_text() for path in tmp_path.iterdir()) == ["0", "1", "2"]


@pytest.mark.parametrize(
    "name", ["x", "-1-1-a", "0-0-a", "1²-1-a", "9" * 200, "9" * 30 + "-0-a", "99999999999-0-a"]
)
def test_a_name_that_tells_of_no_process_is_that_of_a_file_left_behind(tmp_path, name):
    left = tmp_path / f"{name}.json"
    left.write_text(whole())
    assert left_behind(tmp_path) == [left]
    assert Keeper(tmp_path).take(left).sgf == write_sgf(edited().record)


def test_a_folder_that_is_none(tmp_path):
    assert recovery.find_left_behind(tmp_path / "missing") == ([], [])
    (tmp_path / "file").write_text("")
    assert recovery.find_left_behind(tmp_path / "file") == ([], [])


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
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        assert files.mark_of(tmp_path / "pipe") is None
    path.write_text("(;)")
    mark = files.mark_of(path)
    os.utime(path, (1, 1))
    assert files.mark_of(path) == mark
    path.write_text("(; )")
    assert files.mark_of(path) != mark
