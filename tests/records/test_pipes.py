"""Pipes, with names or as ``<(...)`` in a shell, are read like files."""

import gzip
import io
import os
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from hextui.commands import main
from hextui.locations import open_file
from hextui.records.formats import read_record
from hextui.records.record_text import RecordError
from hextui.ui.record.files import open_session

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
GAMES = b"(;GM[11]SZ[5]PB[Ann];B[d4];W[c3])\n(;GM[11]SZ[5]PB[Bo];B[a1])\n"


def zipped() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("games.sgf", GAMES)
    return data.getvalue()


@pytest.fixture
def fill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes], Path]]:
    """Return a function that makes a pipe, and a thread that writes to it."""
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path / "home"))
    path = tmp_path / "pipe"
    writers: list[threading.Thread] = []

    def write(data: bytes) -> None:
        with suppress(BrokenPipeError), open(path, "wb", buffering=0) as pipe:
            pipe.write(data[:7])
            pipe.write(data[7:])

    def begin(data: bytes) -> Path:
        if not path.exists():
            os.mkfifo(path)
        writers.append(threading.Thread(target=write, args=(data,), daemon=True))
        writers[-1].start()
        return path

    yield begin
    for writer in writers:
        writer.join(10)
        assert not writer.is_alive()


@pytest.mark.parametrize("data", [GAMES, gzip.compress(GAMES), zipped()], ids=["", "gzip", "zip"])
def test_commands_read_pipes(
    fill: Callable[[bytes], Path], data: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["convert", str(fill(data)), "plain"]) == 0
    assert capsys.readouterr().out == "5x5 d4 c3\n5x5 a1\n"
    assert main(["info", str(fill(data)), "--game", "2"]) == 0
    assert "Bo" in capsys.readouterr().out
    assert main(["library", "import", str(fill(data))]) == 0
    assert capsys.readouterr().out.startswith("2 added")


def test_an_unnamed_pipe_as_a_shell_gives_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path / "home"))
    for command in (["info"], ["library", "import"]):
        reading, writing = os.pipe()
        os.write(writing, GAMES)
        os.close(writing)
        assert main([*command, f"/dev/fd/{reading}"]) == 0
        os.close(reading)
    assert "2 added" in capsys.readouterr().out


def test_a_slow_writer_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hextui.locations.PIPE_SECONDS", 0.0)
    reading, writing = os.pipe()

    def write() -> None:
        os.write(writing, GAMES)
        os.close(writing)

    timer = threading.Timer(0.05, write)
    timer.start()
    assert read_record(Path(f"/dev/fd/{reading}"), 2).info("PB") == "Bo"
    timer.join()
    os.close(reading)


def test_the_screen_opens_a_pipe_from_the_command_line(fill: Callable[[bytes], Path]) -> None:
    session = open_session(str(fill(GAMES)), 2, pipes=True)
    assert session.record.info("PB") == "Bo"
    assert session.path is None


def test_a_pipe_that_cannot_be_waited_for_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setattr("hextui.locations.PIPE_SECONDS", 0.0)
    with pytest.raises(RecordError, match="nothing is written to this pipe"):
        read_record(tmp_path / "pipe")
    with pytest.raises(RecordError, match="from the command line only"):
        open_session(str(tmp_path / "pipe"))
    with pytest.raises(OSError, match="it is not a file"):
        open_file(tmp_path / "pipe")
