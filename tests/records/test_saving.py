"""Saving: the old file or the new one, never half of one."""

import errno
import os
import stat
from pathlib import Path

import pytest

from hextui.engine.position import Move
from hextui.records.codecs.sgf import read_sgf
from hextui.records.errors import RecordError
from hextui.records.formats import read_collection, read_record
from hextui.records.record import Record
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
    with pytest.raises(RecordError) as caught:
        save(record, path)
    assert str(caught.value) == f"{path}: cannot be saved: {os.strerror(error)}"
    monkeypatch.undo()
    assert path.read_text() == OLD
    assert os.listdir(path.parent) == [path.name]


def test_a_full_disk_leaves_the_old_file(
    record: Record, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class FullDisk:
        def __init__(self, file: int, mode: str) -> None:
            self._file = file

        def __enter__(self) -> "FullDisk":
            return self

        def __exit__(self, *error: object) -> None:
            os.close(self._file)

        def write(self, data: bytes) -> None:
            os.write(self._file, data[:7])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fdopen", FullDisk)
    with pytest.raises(RecordError, match="cannot be saved: No space left on device"):
        save(record, path)
    assert path.read_text() == OLD
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_device_is_not_replaced(record: Record) -> None:
    with pytest.raises(RecordError, match="it is not a file"):
        save(record, Path("/dev/full"))
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_a_read_only_file_stays(
    record: Record, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *args: False)  # root may write anything
    with pytest.raises(RecordError, match="it is read-only"):
        save(record, path)
    assert path.read_text() == OLD


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no users here")
def test_a_folder_that_is_read_only(record: Record, path: Path) -> None:
    path.parent.chmod(0o500)
    try:
        if os.geteuid() == 0:
            pytest.skip("root may write anywhere")
        with pytest.raises(RecordError, match="cannot be saved: Permission denied"):
            save(record, path)
        assert path.read_text() == OLD
    finally:
        path.parent.chmod(0o700)


@pytest.mark.skipif(getattr(os, "geteuid", int)() != 0, reason="only root may give files away")
def test_a_file_keeps_its_owner(record: Record, path: Path) -> None:
    os.chown(path, 12345, 54321)
    path.chmod(0o640)
    save(record, path)
    status = path.stat()
    assert (status.st_uid, status.st_gid) == (12345, 54321)
    assert stat.S_IMODE(status.st_mode) == 0o640


def test_a_file_that_vanished_is_made_anew(record: Record, path: Path) -> None:
    opened = read_record(path)
    path.unlink()
    save(opened, path)
    assert read_record(path).equals(opened)
    path.unlink()
    path.parent.rmdir()
    with pytest.raises(RecordError, match="cannot be saved: No such file or directory"):
        save(opened, path)
    path.parent.mkdir()


def test_links_to_nothing_and_to_themselves(record: Record, tmp_path: Path) -> None:
    link = tmp_path / "link.sgf"
    link.symlink_to(tmp_path / "new.sgf")
    save(record, link)
    assert link.is_symlink()
    assert read_record(tmp_path / "new.sgf").equals(record)
    loop = tmp_path / "loop.sgf"
    loop.symlink_to(loop)
    with pytest.raises(RecordError, match="cannot be saved: Too many levels"):
        save(record, loop)


@pytest.mark.parametrize("name", ["a\0b.sgf", "a" * 300 + ".sgf", "\ud800.sgf"])
def test_names_that_no_file_has(record: Record, tmp_path: Path, name: str) -> None:
    with pytest.raises(RecordError, match="cannot be saved") as caught:
        save(record, tmp_path / name)
    assert len(str(caught.value).splitlines()) == 1


def test_folders(record: Record, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="it is not a file"):
        save(record, tmp_path)
    with pytest.raises(RecordError, match="cannot be saved: No such file or directory"):
        save(record, tmp_path / "none" / "game.sgf")


def test_the_other_games_of_a_file_are_not_lost(path: Path) -> None:
    path.write_text(OLD + OLD)
    for record in (read_record(path), *read_collection(path)):
        assert isinstance(record, Record)
        with pytest.raises(RecordError, match="holds other games too"):
            save(record, path)
        save(record, path.with_name("other.sgf"))
    assert path.read_text() == OLD + OLD


def test_what_a_format_cannot_hold_is_found_before_writing(record: Record, tmp_path: Path) -> None:
    record.put_stone(record.root.end(), 24, 1)
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
