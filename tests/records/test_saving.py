"""Saving: the old file or the new one, never half of one."""

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from hextui.engine.position import Move
from hextui.records.codecs.sgf import read_sgf
from hextui.records.formats import read_collection, read_record
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.records.writing import save

OLD = "(;GM[11]SZ[5];B[a1])"


@pytest.fixture
def record() -> Record:
    return read_sgf("(;GM[11]SZ[5]PB[Zoë];B[a1];W[b2])")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "game.sgf"
    path.write_text(OLD)
    return path


def test_saving_and_reading_again(record: Record, tmp_path: Path) -> None:
    for name in ("new.sgf", "no ending", "a.SGF"):
        save(record, tmp_path / name)
        assert read_record(tmp_path / name).equals(record)
    for name in ("line.txt", "game.json", "games.jsonl"):
        save(record, tmp_path / name)
        assert read_record(tmp_path / name).turns() == record.turns()
    assert sorted(os.listdir(tmp_path)) == sorted(
        ["new.sgf", "no ending", "a.SGF", "line.txt", "game.json", "games.jsonl"]
    )


def test_permissions_and_links_stay(record: Record, path: Path, tmp_path: Path) -> None:
    path.chmod(0o640)
    link = tmp_path / "link.sgf"
    link.symlink_to(path)
    save(record, link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert read_record(path).equals(record)


def test_a_new_file_has_the_usual_permissions(record: Record, tmp_path: Path) -> None:
    usual = tmp_path / "usual"
    usual.touch()
    save(record, tmp_path / "new.sgf")
    assert (tmp_path / "new.sgf").stat().st_mode == usual.stat().st_mode


@pytest.mark.parametrize(
    ("function", "error"),
    [
        ("replace", errno.EACCES),
        ("replace", errno.ENOSPC),
        ("fsync", errno.EIO),
        ("chmod", errno.EPERM),
    ],
)
def test_a_failure_leaves_the_old_file(
    record: Record, path: Path, monkeypatch: pytest.MonkeyPatch, function: str, error: int
) -> None:
    def fail(*args: object) -> None:
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(os, function, fail)
    check_refused(record, path, os.strerror(error))
    monkeypatch.undo()
    assert path.read_text() == OLD
    assert os.listdir(path.parent) == [path.name]


def check_refused(record: Record, path: Path, reason: str) -> None:
    with pytest.raises(RecordError) as caught:
        save(record, path)
    assert str(caught.value).startswith(f"{path}: cannot be saved: {reason}")
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_disk_leaves_the_old_file(
    record: Record, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: int, mode: str) -> object:
        os.close(file)
        return open("/dev/full", mode)

    monkeypatch.setattr(os, "fdopen", full)
    check_refused(record, path, "No space left on device")
    assert path.read_text() == OLD
    assert os.listdir(path.parent) == [path.name]
    check_refused(record, Path("/dev/full"), "it is not a file")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_what_is_read_only_stays(
    record: Record, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid():  # root may write anywhere
        path.parent.chmod(0o500)
        check_refused(record, path, "Permission denied")
        path.parent.chmod(0o700)
    monkeypatch.setattr(os, "access", lambda *args: False)
    check_refused(record, path, "it is read-only")
    assert path.read_text() == OLD


@pytest.mark.skipif(getattr(os, "geteuid", int)() != 0, reason="only root may give files away")
def test_a_file_keeps_its_owner(record: Record, path: Path) -> None:
    os.chown(path, 12345, 54321)
    path.chmod(0o640)
    save(record, path)
    status = path.stat()
    assert (status.st_uid, status.st_gid) == (12345, 54321)
    assert stat.S_IMODE(status.st_mode) == 0o640


def test_a_file_that_vanished_is_made_anew(path: Path) -> None:
    opened = read_record(path)
    path.unlink()
    save(opened, path)
    assert read_record(path).equals(opened)
    path.unlink()
    path.parent.rmdir()
    check_refused(opened, path, "No such file or directory")
    path.parent.mkdir()


def test_links_to_nothing(record: Record, tmp_path: Path) -> None:
    link = tmp_path / "link.sgf"
    link.symlink_to(tmp_path / "new.sgf")
    save(record, link)
    assert link.is_symlink()
    assert read_record(tmp_path / "new.sgf").equals(record)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "it is not a file"),
        ("none/game.sgf", "No such file or directory"),
        ("loop.sgf", "Too many levels"),
        ("a" * 300 + ".sgf", "File name too long"),
    ],
)
def test_where_nothing_can_be_saved(record: Record, tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "loop.sgf").symlink_to(tmp_path / "loop.sgf")
    check_refused(record, tmp_path / name, reason)


@pytest.mark.parametrize("name", ["a\0b.sgf", "\ud800.sgf"])
def test_names_that_no_file_has(record: Record, tmp_path: Path, name: str) -> None:
    with pytest.raises(RecordError, match="cannot be saved") as caught:
        save(record, tmp_path / name)
    assert len(str(caught.value).splitlines()) == 1


def test_the_other_games_of_a_file_are_not_lost(path: Path) -> None:
    path.write_text(OLD + OLD)
    for record in (read_record(path), *read_collection(path)):
        assert isinstance(record, Record)
        with pytest.raises(RecordError, match="holds other games too"):
            save(record, path)
        save(record, path.with_name("other.sgf"))
    assert path.read_text() == OLD + OLD


def test_what_a_format_cannot_hold_is_found_before_writing(record: Record, tmp_path: Path) -> None:
    record.set_up(record.root.end(), record.position().with_stone(24, 1))
    for name in ("game.hsgf", "game.txt"):
        path = tmp_path / name
        path.write_text("old")
        with pytest.raises(RecordError, match=str(path)):
            save(read_sgf("(;SZ[5]AB[a1])"), path)
        assert path.read_text() == "old"


def test_text_that_utf8_cannot_hold(record: Record, tmp_path: Path) -> None:
    record.set_comment(record.root, "a\ud800")
    record.set_properties({record.root: {"XX": ["b\udc80"]}})
    save(record, tmp_path / "game.sgf")
    assert read_record(tmp_path / "game.sgf").root.properties["XX"] == ("b\ufffd",)
    assert read_sgf("(;C[\ud800])").root.comment == "\ufffd"


def test_saving_does_not_mark_the_record(record: Record, tmp_path: Path) -> None:
    record.play(record.root, Move.play(3))
    save(record, tmp_path / "recovery.sgf")
    assert record.modified
    record.mark_saved(record.last_edit)
    assert not record.modified


KILLED = """
import os, sys
from hextui.records.saving import save_file
from pathlib import Path
os.replace = lambda *names: os.kill(os.getpid(), 9)
save_file(Path(sys.argv[1]), "new")
"""


def test_a_save_that_was_killed_leaves_nothing_for_ever(record: Record, path: Path) -> None:
    for _ in range(2):
        subprocess.run([sys.executable, "-c", KILLED, str(path)])
    left, recent = path.parent.glob(".hextui-*.tmp")
    assert path.read_text() == OLD
    os.utime(left, (1e9, 1e9))
    kept = [path.with_name(f".hextui-{name}") for name in ("0123456789abcdef.tmp.sgf", "my.tmp")]
    kept.append(path.with_name("not.hextui-0123456789abcdef.tmp"))
    for other in kept:
        other.write_text("the user's")
        os.utime(other, (1e9, 1e9))
    save(record, path)
    assert not left.exists()
    assert recent.exists()  # another program may be writing it
    assert all(other.exists() for other in kept)


def test_only_files_are_removed(record: Record, path: Path) -> None:
    folder = path.with_name(".hextui-0123456789abcdef.tmp")
    folder.mkdir()
    link = path.with_name(".hextui-fedcba9876543210.tmp")
    link.symlink_to(path)
    for other in (folder, link):
        os.utime(other, (1e9, 1e9), follow_symlinks=False)
    save(record, path)
    assert folder.is_dir()
    assert link.is_symlink()
