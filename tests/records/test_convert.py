"""Conversion between formats, of one game and of collections."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hextui.records import writing
from hextui.records.codecs import CODECS
from hextui.records.codecs.sgf import Sgf, write_sgf
from hextui.records.formats import Source, read_collection
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.records.summary import LeftOut
from hextui.records.writing import convert

WRITTEN = [codec.name for codec in CODECS if codec.writes]


def test_a_collection_to_a_file(tmp_path: Path) -> None:
    source = tmp_path / "games.sgf"
    source.write_text(
        "(;GM[11]SZ[5]PB[Ann];B[a1])\n(;GM[11]SZ[5];B[zz])\n(;GM[11]SZ[5]AB[a1])\n"
        "(;GM[11]SZ[5];B[b1]C[hm])"
    )
    target = tmp_path / "games.txt"
    done = convert(str(source), str(target))
    assert target.read_text() == done.text == "5x5 a1\n5x5 b1\n"
    assert (done.games, done.path) == (2, target)
    assert done.lost == (LeftOut.PLAYERS, LeftOut.COMMENTS)
    assert list(done.broken) == [2, 3]
    assert str(done.broken[2]).startswith(f"{source}: line 2, column")
    assert len(list(read_collection(target))) == 2


def test_a_file_is_not_converted_to_itself_with_a_loss(tmp_path: Path) -> None:
    source = tmp_path / "games.sgf"
    for text, what in [
        ("(;GM[11]SZ[5];B[a1])\n(;GM[11]SZ[5];B[zz])", "holds games that cannot be converted"),
        ("#5,a1\n#5,zz", "holds games that cannot be converted"),
    ]:
        source.write_text(text)
        with pytest.raises(RecordError, match=what):
            convert(str(source), str(source))
        assert source.read_text() == text
    source.write_text("#5,a1\n#5,b2")
    assert convert(str(source), str(source)).games == 2
    assert len(list(read_collection(source))) == 2
    lines = tmp_path / "games.txt"
    lines.write_text("(;GM[11]SZ[5];B[a1]C[mine])")
    with pytest.raises(RecordError, match="holds what plain has no place for"):
        convert(str(lines), str(lines))
    assert "mine" in lines.read_text()


@pytest.mark.parametrize("form", WRITTEN)
def test_no_game_of_a_collection_is_lost(form: str, tmp_path: Path) -> None:
    text = "5x5\n5x5 a1\n7x7\n5x5 a1 b2 c1\n5x5 a1 b2 c2\n"
    path = tmp_path / "games"
    path.write_text(text)
    path.write_text(convert(str(path), form).text)
    assert convert(str(path), "plain").text == text


def test_what_does_not_read_back_is_not_converted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out.sgf"
    target.write_text("mine")
    source = tmp_path / "games.sgf"
    source.write_text("(;GM[11]SZ[5];B[a1])(;GM[11]SZ[5];B[b1])")

    def write_other(_: Sgf, record: Record, *__: object) -> str:
        return write_sgf(record).replace("a1", "a2")

    monkeypatch.setattr(Sgf, "write", write_other)
    done = convert(str(source), "sgf")
    assert done.games == 1
    assert "would not read back as the same record: the turn" in str(done.broken[1])
    monkeypatch.undo()

    def read_source_only(
        found: Source, *_: object, strict: bool = False
    ) -> Iterator[Record | RecordError]:
        return iter([]) if isinstance(found, bytes) else read_collection(found)

    monkeypatch.setattr(writing, "read_collection", read_source_only)
    with pytest.raises(RecordError, match="game 1 would not read back as the same"):
        convert(str(source), str(target))
    assert target.read_text() == "mine"


@pytest.mark.parametrize(
    ("source", "target", "what"),
    [
        ("#5,a1", "gif", "gif: unknown format"),
        ("#5,a1", "game.png", "unknown format"),
        ("#5,a1", "hsgf", "not written as hsgf"),
        ("#5,a1", "none/there.sgf", "cannot be saved: No such file"),
        ("none.sgf", "sgf", "no such file"),
        ("#5,z1b1", "sgf", "line 1, column 4: no cell 'z1'"),
    ],
)
def test_what_cannot_be_converted(source: str, target: str, what: str) -> None:
    with pytest.raises(RecordError, match=what):
        convert(source, target)
