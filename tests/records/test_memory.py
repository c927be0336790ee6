"""The memory that reading takes, which no file may drive up without bound."""

import gc
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from hextui.records import record
from hextui.records.codecs import codec, json_games, plain
from hextui.records.decoding import Decoding
from hextui.records.formats import read_collection, read_record
from hextui.records.record_text import RecordError

KIB = 1024


def peak(path: Path, number: int = 1) -> int:
    """Return the most bytes that reading a game of a file holds at once."""
    tracemalloc.start()
    try:
        read_record(path, number)
    except RecordError:
        pass
    finally:
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return most


@pytest.fixture(autouse=True)
def _small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files a tenth of the size, so that the tests are fast: all limits are in proportion."""
    for module in (codec, json_games, plain):
        monkeypatch.setattr(module, "MAX_LIST", 64 * KIB)


def test_a_character_set_is_guessed_from_a_sample() -> None:
    text = "\xe9a" * 500_000
    decoding_ = Decoding(text.encode("latin-1"))
    tracemalloc.start()
    assert decoding_.text(text)[0] == text
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10 * len(text)


@pytest.fixture(autouse=True)
def _garbage_as_in_the_program() -> Iterator[None]:
    """Look for garbage as often as the program does, and not as the other tests do."""
    seldom = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*seldom)


@pytest.mark.parametrize(
    ("unit", "head"),
    [("a1\n", ""), ("x\n", ""), ("\n", "a1"), ("a1\r\n\n", "1. "), ("1,\n", "{\n")],
)
def test_a_text_of_short_lines_takes_a_few_times_its_size(
    tmp_path: Path, unit: str, head: str
) -> None:
    path = tmp_path / "lines"
    path.write_bytes((head + unit * (300 * KIB // len(unit)) + "x").encode())
    assert peak(path) < 5 * 300 * KIB


def test_a_game_far_back_in_a_file_does_not_hold_those_before_it(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text("(;GM[11]SZ[5];B[a1];W[b1])\n" * 1500)
    assert peak(path, 1500) < 1200 * KIB


def test_games_that_cannot_be_read_hold_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text(("(;GM[11]SZ[5];B[a1];W[zz]C[" + "long " * 200 + "])\n") * 300)
    tracemalloc.start()
    try:
        broken = list(read_collection(path, strict=True))
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert len(broken) == 300
    assert held < 300 * 2 * KIB


@pytest.mark.parametrize(
    ("unit", "bytes_a_node"),
    [
        (";", 1000),
        (";B[]", 1500),
        ("B[]", 1500),
        (";AE[a1]", 2000),
        ("(;)", 1000),
        ("(;B[])", 1500),
    ],
)
def test_a_node_takes_about_a_kilobyte(
    tmp_path: Path, unit: str, bytes_a_node: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.sgf"
    nodes = 5000
    path.write_text(f"(;SZ[19];{unit * nodes})")
    assert peak(path) < nodes * bytes_a_node + 500 * KIB
    monkeypatch.setattr(record, "MAX_NODES", 1000)
    with pytest.raises(RecordError, match="more than 500,000 nodes"):
        read_record(path)
