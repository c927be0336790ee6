"""A damaged library is told of in one line, and stays where it is: it is the user's."""

import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from hextui import commands
from hextui.engine.board import Board
from hextui.library import schema
from hextui.library.library import Library
from hextui.library.schema import LibraryError
from tests.library.generated import write_games

ACTIONS = [["stats"], ["games"], ["explore", "#5"], ["explore", "#5,e5"], ["remove", "1"]]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    write_games(folder / "games.jsonl", 40, Board(5, 5), seed=4)
    with Library(folder / "library.sqlite") as library:
        library.import_paths([folder / "games.jsonl"])
    return folder / "library.sqlite"


@pytest.fixture
def path(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path))
    (tmp_path / "data").mkdir()
    return Path(shutil.copy(whole, tmp_path / "data" / "library.sqlite"))


def complaints(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return what the actions that failed said; each failed with one line."""
    said = []
    for words in ACTIONS:
        code = commands.main(["library", *words])
        line = capsys.readouterr().err
        assert code in (0, 1, 2), line
        if code:
            assert line.count("\n") == 1
            assert line.startswith("hextui: ")
            assert line.strip().isprintable()
            said.append(line)
    return said


DAMAGES = {
    "cut": lambda data: data[: len(data) // 2],
    "cut short": lambda data: data[:50],
    "no database": lambda data: b"this is no database\n" * 1000,
    "a schema that is no text": lambda data: data.replace(b"DEFAULT", b"D\xf1FAULT", 1),
    "a schema with an escape": lambda data: data.replace(b"DEFAULT", b"D\x1bFAULT", 1),
    "zeros": lambda data: data[:20_000] + bytes(len(data) - 20_000),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_told_of_in_one_line(
    path: Path, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    data = DAMAGES[damage](path.read_bytes())
    path.write_bytes(data)
    assert complaints(capsys)
    assert path.exists()


ROWS = [
    "UPDATE game SET rows = NULL",
    "UPDATE game SET rows = 'x'",
    "UPDATE game SET columns = 99",
    "UPDATE game SET winner = 7",
    "UPDATE game SET way = x'00'",
    "UPDATE game SET way = 5",
    "UPDATE edge SET value = 'x', target = NULL",
    "UPDATE edge SET child = child + 1",
    "UPDATE position SET value = NULL",
    "UPDATE position SET value = 'x'",
    "UPDATE total SET games = 'x'",
    "DELETE FROM total",
    "DELETE FROM game",
    "DROP TABLE visit",
    "DROP TABLE game",
    "ALTER TABLE game RENAME COLUMN black TO blue",
    "PRAGMA user_version = 0",
    "PRAGMA user_version = -5",
    "PRAGMA user_version = 1",
    "PRAGMA user_version = 99",
]


@pytest.mark.parametrize("sql", ROWS)
def test_rows_and_tables_that_no_import_writes(
    path: Path, sql: str, capsys: pytest.CaptureFixture[str]
) -> None:
    database = sqlite3.connect(path)
    database.execute("PRAGMA writable_schema = ON")
    database.execute(
        "UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE type = 'table'"
    )
    database.execute("PRAGMA writable_schema = OFF")
    database.commit()
    database.close()
    database = sqlite3.connect(path)
    database.execute(sql)
    database.commit()
    database.close()
    complaints(capsys)  # or it does no harm


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize("kind", ["folder", "pipe", "zero", "nowhere"])
def test_what_is_no_file_is_told_of(
    path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path.unlink()
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero" if kind == "zero" else path.parent / "no" / "where")
    assert len(complaints(capsys)) == len(ACTIONS)


def test_a_library_that_another_program_writes_to(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "_WAIT", 0.05)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with Library(path) as library:
        assert library.count() == 40
        with pytest.raises(LibraryError, match="locked"):
            library.remove([1])
    other.close()


def test_an_interrupted_question_is_a_library_error(path: Path) -> None:
    with Library(path) as library:
        library._database.set_progress_handler(lambda: 1, 1)
        with pytest.raises(LibraryError, match="interrupted"):
            library.games()
