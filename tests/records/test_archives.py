"""Archives, packed files and folders: each member is read on its own, and none is lost silently."""

import bz2
import gzip
import io
import json
import lzma
import zipfile
from pathlib import Path
from typing import Any

import pytest

from hextui.commands import main
from hextui.library.answers import files_of
from hextui.records.formats import read_collection, read_record
from hextui.records.record import Record
from hextui.records.record_text import RecordError
from hextui.records.summary import PassedKind, ReadSummary

GAME = "(;GM[11]SZ[5]PB[{}];B[d4];W[c3])"
TWIN = b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X        "


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path / "home"))


def zipped(members: dict[str, bytes | str]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return data.getvalue()


def numbered(*names: str) -> dict[str, bytes | str]:
    return {name: GAME.format(name) for name in names}


def read(source: bytes | Path) -> tuple[list[str], ReadSummary]:
    """Return the first players of all games of a source, and what became of it."""
    summary = ReadSummary()
    games = list(read_collection(source, summary=summary))
    return [game.info("PB") for game in games if isinstance(game, Record)], summary


def of_macos(members: dict[str, bytes | str]) -> dict[str, bytes | str]:
    found: dict[str, bytes | str] = {".DS_Store": b"\0\0\0\1Bud1", "__MACOSX/": b""}
    for name, content in members.items():
        folder, _, file = name.rpartition("/")
        found |= {name: content, f"__MACOSX/{folder}/._{file}": TWIN, f"._{file}": TWIN}
    return found


WIDE = b"\xff\xfe(\0;"  # UTF-16 that breaks off
ARCHIVES: list[tuple[dict[str, bytes | str], list[str], list[str]]] = [
    (of_macos(numbered("a/1.sgf", "a/2.sgf")), ["a/1.sgf", "a/2.sgf"], []),
    ({"README.txt": "Thanks for\nit", **numbered("1.sgf")}, ["1.sgf"], ["'Thanks' is not"]),
    ({**numbered("1.sgf"), "2.sgf": WIDE, **numbered("3.sgf")}, ["1.sgf", "3.sgf"], ["UTF-16"]),
    ({"a.sgfs": GAME.format("x") * 2, **numbered("b.SGF")}, ["x", "x", "b.SGF"], []),
    ({"in.zip": zipped(numbered("1.sgf")), **numbered("2.sgf")}, ["2.sgf"], ["an archive in"]),
    ({"in.sgf.gz": gzip.compress(b"x"), **numbered("2.sgf")}, ["2.sgf"], ["an archive in"]),
    ({"t.csv": "1,2\n3,4\n", **numbered("2.sgf")}, ["2.sgf"], ["no column is named"]),
    ({"t.tsv": "red\tsize\tmoves\nAnn\t5\td4 c3\n", **numbered("2.sgf")}, ["Ann", "2.sgf"], []),
    ({"cat.jpg": b"\xff\xd8", **numbered("2.sgf")}, ["2.sgf"], ["not a record: .jpg"]),
    ({"b.json": '{"size": 5, "moves": "d4", "red": "Bo"}'}, ["Bo"], []),
]  # fmt: skip


@pytest.mark.parametrize(("members", "games", "reasons"), ARCHIVES)
def test_each_member_of_an_archive_is_read_on_its_own(
    members: dict[str, bytes | str], games: list[str], reasons: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "games.zip"
    path.write_bytes(zipped(members))
    for source in (path, path.read_bytes()):
        found, summary = read(source)
        assert found == games
        assert summary.games == len(games)
        assert len(summary.passed_over) == len(reasons)
        for passed, reason in zip(summary.passed_over, reasons, strict=True):
            assert reason in passed.reason
            assert any(passed.source.endswith(name) for name in members)
    assert read_record(path).info("PB") == games[0]


@pytest.mark.parametrize(("members", "games", "reasons"), ARCHIVES)
def test_a_folder_is_read_like_an_archive(
    members: dict[str, bytes | str], games: list[str], reasons: list[str], tmp_path: Path
) -> None:
    for name, content in members.items():
        path = tmp_path / "games" / name
        if not name.endswith("/"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    summary = ReadSummary()
    files = [
        path.name for path in files_of([tmp_path / "games"], summary) if isinstance(path, Path)
    ]
    assert not any(name.startswith("._") for name in files)
    assert not any(passed.kind is PassedKind.BROKEN for passed in summary.passed_over)
    assert main(["library", "import", str(tmp_path / "games")]) in (0, 1)


def imported(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any], str]:
    code = main(["library", "import", str(path), "--json"])
    shown = capsys.readouterr()
    return code, json.loads(shown.out), shown.err


def test_what_an_import_says_of_an_archive(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.zip"
    lists = {
        "3.txt": "d4 c3 a1",
        "4.sgf": "(;GM[11]SZ[5];B[d4] hm;W[b1])",
        "readme.txt": "Hi there",
    }
    members = numbered("1.sgf") | lists | {"5.sgf": WIDE, "x.png": b"x"}
    path.write_bytes(zipped(of_macos(members)))
    code, document, err = imported(path, capsys)
    assert code == 1
    assert (document["added"], document["read"]) == (3, 3)
    assert (document["repaired"], document["guessed"]) == (1, 1)
    passed = {Path(p["source"]).name.split(": ")[-1]: p["kind"] for p in document["passed_over"]}
    assert passed == {"readme.txt": "no games", "5.sgf": "broken", "x.png": "other"}
    assert "5.sgf: the file starts as UTF-16 but is not" in err
    assert "readme.txt: line 1, column 1: 'Hi' is not a move" in err
    assert "png" not in err
    assert main(["library", "import", str(path)]) == 1
    said = capsys.readouterr().out
    assert "0 added, 3 there already, 0 skipped, 1 repaired, 1 guessed, 3 files skipped" in said


def test_what_convert_and_report_say_of_an_archive(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.zip"
    path.write_bytes(zipped({"readme.txt": "Hi there", **numbered("1.sgf", "2.sgf")}))
    assert main(["convert", str(path), str(tmp_path / "all.sgf")]) == 0
    shown = capsys.readouterr()
    assert shown.out == f"2 games written to {tmp_path / 'all.sgf'}, 1 file skipped\n"
    assert "readme.txt" in shown.err
    assert main(["convert", str(path), "plain", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["passed_over"][0]["kind"] == "no games"
    assert main(["info", str(path), "--game", "2"]) == 0
    assert "2.sgf" in capsys.readouterr().out


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_what_stands_before_the_break_of_a_packed_file_is_read(pack: Any, tmp_path: Path) -> None:
    names = [f"player {number * 7919 % 1000:03}" for number in range(3000)]
    data = pack("".join(f"{GAME.format(name)}\n" for name in names).encode())
    path = tmp_path / "games.sgf.gz"
    path.write_bytes(data)
    assert read(path)[0] == names
    for end in (len(data) * 2 // 3, len(data) - 9):
        path.write_bytes(data[:end])
        games = list(read_collection(path))
        found = [game.info("PB") for game in games if isinstance(game, Record)]
        if pack is gzip.compress:
            assert len(found) > 1000
        assert found[:-1] == names[: len(found) - 1]
        assert isinstance(games[-1], RecordError)
        assert "cannot be unpacked" in str(games[-1])


def test_bzip2_is_read_and_breaks_off_by_blocks(tmp_path: Path) -> None:
    data = bz2.compress(GAME.format("Ann").encode())
    assert read(data)[0] == ["Ann"]
    with pytest.raises(RecordError, match="cannot be unpacked"):
        read_record(data[:20])


def test_two_gzip_members(tmp_path: Path) -> None:
    path = tmp_path / "two.sgf.gz"
    path.write_bytes(b"".join(gzip.compress(GAME.format(name).encode()) for name in "ab"))
    assert read(path)[0] == ["a", "b"]


def test_an_archive_of_broken_members_says_why() -> None:
    assert read(zipped({}))[0] == []
    damaged = bytearray(zipped(numbered("1.sgf", "2.sgf")))
    damaged[damaged.index(b"1.sgf") + 7] ^= 255
    found, summary = read(bytes(damaged))
    assert found == ["2.sgf"]
    assert summary.is_broken
    with pytest.raises(RecordError, match=r"1\.sgf: the file starts as UTF-16"):
        read_record(zipped({"1.sgf": WIDE, "2.sgf": WIDE}))
    with pytest.raises(RecordError, match="there is no game here"):
        read_record(zipped({"cat.jpg": b"x"}))


@pytest.mark.parametrize(
    ("table", "meant"),
    [
        ("size,moves,red,blue,winner\n5,d4 c3,Ann,Bo,red\n5,a1,Cy,,blue\n", ["Ann B+", "Cy W+"]),
        ('"moves";"Board Size";"Player1"\n"d4 c3";5;"Ann; B"\n\n', ["Ann; B "]),
        ("red\tmoves\nAnn\td4 c3 m13\n", ["Ann "]),
        ('sgf,id\n"(;GM[11]SZ[5]PB[Ann]C[a\nb];B[d4])",7\n', ["Ann "]),
    ],
)
def test_tables_with_named_columns(table: str, meant: list[str], tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text(table)
    games = [game for game in read_collection(path, strict=True) if isinstance(game, Record)]
    assert [f"{game.info('PB')} {game.info('RE')}" for game in games] == meant


def test_a_broken_row_of_a_table_is_named(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("id,size,moves\n1,5,d4\n2,5,z9\n3,5,c3\n")
    one, two, three = read_collection(path)
    assert isinstance(one, Record)
    assert isinstance(three, Record)
    assert "line 3, column 1: move 1: no cell 'z9' on a 5x5 board" in str(two)
    path.write_text("d4,c3\n")
    with pytest.raises(RecordError, match="no column is named moves or sgf"):
        read_record(path)
