"""A damaged library is reported in one line, and stays where it is: it is the user's."""

import dataclasses
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hextui.commands import main
from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.library import game, schema
from hextui.library.integrity import check
from hextui.library.library import Library
from hextui.library.schema import PAGE_BYTES, LibraryError
from hextui.records.formats import read_record
from hextui.records.record_text import RecordError
from tests.library.generated import write_games
from tests.samples import some

ACTIONS = [
    ["stats"], ["games"], ["games", "--json"], ["explore", "#5"], ["explore", "#5,e5"],
    ["remove", "1"],
]  # fmt: skip


def made(folder: Path, games: int, side: int) -> Path:
    write_games(folder / "games.jsonl", games, Board(side, side), seed=4)
    with Library(folder / "library.sqlite") as library:
        library.import_paths([folder / "games.jsonl"])
    return folder / "library.sqlite"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("whole"), 40, 5)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """600 games on a hundred pages."""
    return made(tmp_path_factory.mktemp("large"), 600, 7)


@pytest.fixture
def path(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path))
    (tmp_path / "data").mkdir()
    write_games(tmp_path / "more.jsonl", 1, Board(5, 5), seed=9)
    return Path(shutil.copy(whole, tmp_path / "data" / "library.sqlite"))


def execute(path: Path, *statements: str) -> None:
    """Change a library past all checks."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for sql in statements:
            database.executescript(sql)


def zeroed(data: bytes, pages: Iterable[int]) -> bytes:
    """Return a file with zeros in place of some pages, counted from 0."""
    left = bytearray(data)
    for page in pages:
        left[page * PAGE_BYTES : (page + 1) * PAGE_BYTES] = bytes(PAGE_BYTES)
    return bytes(left)


def complaints(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return what the actions that failed said; each failed with one line."""
    said = []
    for words in ACTIONS:
        code = main(["library", *words])
        line = capsys.readouterr().err
        assert code in (0, 1, 2), line
        if code:
            assert line.count("\n") == 1
            assert line.startswith("hextui: ")
            assert line.strip().isprintable()
            said.append(line)
    return said


def act(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, Any, list[str]]:
    """Run an action; returns the code, the document, and the lines on stderr."""
    code = main(["library", *map(str, words), "--json"])
    out, err = capsys.readouterr()
    return code, json.loads(out) if out else None, err.splitlines()


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> bool:
    """Whether an action fails with one line that leads to check and repair."""
    code, document, said = act(capsys, *words)
    return (code, document, len(said)) == (1, None, 1) and "library repair" in said[0]


def repaired(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    """Find a library damaged and repair it; the damaged file stays as it was.

    What a repair that was killed has left is removed.
    """
    abandoned = path.parent / ".repair-abandoned"
    abandoned.mkdir()
    os.utime(abandoned, (0, 0))
    code, document, _ = act(capsys, "check")
    assert code == 1
    assert document["problems"]
    before = path.read_bytes()
    code, document, said = act(capsys, "repair")
    assert document, said
    assert Path(document["kept"]).read_bytes() == before
    assert code == (document["saved"] != document["counted"])
    assert act(capsys, "check")[0] == 0
    assert not list(path.parent.glob(".repair-*"))
    return code, document


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[: len(data) // 2],
    "cut short": lambda data: data[:50],
    "no database": lambda data: b"this is no database\n" * 1000,
    "a schema that is no text": lambda data: data.replace(b"DEFAULT", b"D\xf1FAULT", 1),
    "a schema with an escape": lambda data: data.replace(b"DEFAULT", b"D\x1bFAULT", 1),
    "zeros": lambda data: data[:20_000] + bytes(len(data) - 20_000),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_reported_in_one_line(
    path: Path, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert complaints(capsys)
    assert path.exists()


ROWS = [
    "UPDATE game SET rows = NULL", "UPDATE game SET rows = 'x'", "UPDATE game SET columns = 99",
    "UPDATE game SET winner = 7", "UPDATE game SET black = x'ff'", "UPDATE game SET date = x'ff'",
    "UPDATE game SET number = 'x'", "UPDATE game SET way = x'00'", "UPDATE game SET way = 5",
    "UPDATE game SET moves = x''", "UPDATE game SET moves = x'0101'", "UPDATE game SET moves = 5",
    "UPDATE game SET moves = x'fafbff'", "UPDATE game SET moves = zeroblob(1000000)",
    "UPDATE game SET moves = 'b'", "UPDATE game SET moves = x'0203', positions = 3",
    "UPDATE game SET positions = 0", "UPDATE game SET positions = positions + 99",
    "UPDATE game SET positions = 'x'", "UPDATE game SET first_ply = 7",
    "UPDATE game SET complete = 1 - complete", "UPDATE game SET source = 99",
    "UPDATE game SET text = 'PB[a]GN['", "UPDATE game SET text = 5",
    "UPDATE source SET name = x'ff'", "DELETE FROM source",
    "UPDATE edge SET value = 'x', target = NULL", "UPDATE edge SET child = child + 1",
    "UPDATE edge SET target = parent, value = NULL", "UPDATE position SET level = 5",
    "UPDATE position SET value = NULL", "UPDATE position SET value = 'x'",
    "UPDATE visits SET visits = x'00'", "UPDATE visits SET visits = 5", "DELETE FROM visits",
    "UPDATE visits SET first = 7", "UPDATE visits SET last = 0", "UPDATE visits SET first = 'x'",
    "UPDATE visits SET visits = x'ffffffff080808'", "UPDATE visits SET visits = hex(visits)",
    "UPDATE visits SET visits = CAST(hex(visits) AS BLOB)",
    "UPDATE visits SET visits = zeroblob(length(visits))",
    "UPDATE total SET games = 'x'", "DELETE FROM total", "DELETE FROM game", "DROP TABLE visits",
    "DROP TABLE game", "ALTER TABLE game RENAME COLUMN black TO blue", "PRAGMA user_version = 0",
    "PRAGMA user_version = -5", "PRAGMA user_version = 1", "PRAGMA user_version = 99",
]  # fmt: skip


@pytest.mark.parametrize("sql", [sql for sql in ROWS if " visits" in sql and "DROP" not in sql])
def test_damaged_visits_are_found_and_made_again(
    path: Path, sql: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with Library(path) as library:
        answer = library.explore(Position.empty(Board(5, 5)))
    execute(path, sql)
    code, document = repaired(path, capsys)
    assert (code, document["saved"]) == (0, 40)
    with Library(path) as library:
        assert library.explore(Position.empty(Board(5, 5))) == answer


@pytest.mark.parametrize("sql", [sql for sql in ROWS if re.search("moves|positions|source", sql)])
def test_damaged_games_are_found(path: Path, sql: str, capsys: pytest.CaptureFixture[str]) -> None:
    execute(path, sql)
    code, document, _ = act(capsys, "check")
    assert code == 1
    assert document["problems"]
    complaints(capsys)


WRITABLE, CHECKED = "PRAGMA writable_schema = ON", "PRAGMA writable_schema = RESET"


@pytest.mark.parametrize("sql", ROWS)
def test_rows_and_tables_that_no_import_writes(
    path: Path, sql: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        query = "SELECT sql, name FROM sqlite_master WHERE type = 'table'"
        tables = database.execute(query).fetchall()
        database.execute(WRITABLE)
        database.execute(
            "UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE type = 'table'"
        )
        database.execute(CHECKED)
        database.execute(sql)
        if sql.startswith(("UPDATE", "DELETE")):  # else the tables are others
            database.execute(WRITABLE)
            database.executemany("UPDATE sqlite_master SET sql = ? WHERE name = ?", tables)
            database.execute(CHECKED)
    complaints(capsys)  # or it does no harm


def test_white_space_that_sqlite_takes_for_a_letter_is_another_schema(path: Path) -> None:
    sql = "UPDATE sqlite_master SET sql = replace(sql, 'INTEGER PRIMARY', 'INTEGER\u2003PRIMARY')"
    execute(path, WRITABLE, f"{sql} WHERE name = 'game'")
    with pytest.raises(LibraryError, match="the table 'game' is not one that hextui makes"):
        Library(path)


def test_a_view_is_not_asked_for_the_ids_of_a_table_that_cannot_be_read(path: Path) -> None:
    execute(
        path,
        "DROP TABLE visits",
        "CREATE VIEW visits AS WITH RECURSIVE n(game) AS "
        "(SELECT 1 UNION ALL SELECT game + 1 FROM n LIMIT 1000) SELECT game FROM n",
    )
    with closing(sqlite3.connect(path)) as database:
        roots = database.execute("SELECT rootpage FROM sqlite_master WHERE tbl_name = 'game'")
        pages = [page - 1 for (page,) in roots]
    path.write_bytes(zeroed(path.read_bytes(), pages))
    found = check(path)
    assert found.games == 0
    assert not any("cannot be read" in problem for problem in found.problems)


def test_a_row_longer_than_any_game_is_not_read(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Library(path) as library:
        limit = library._database.getlimit(sqlite3.SQLITE_LIMIT_LENGTH)
        assert schema.LONGEST_GAME < limit == schema.LONGEST_ROW < 200 * schema.MIB
        sql = "UPDATE game SET text = text || printf('GC[%.*c]', 1000000, ' ') WHERE id = 7"
        library._database.execute(sql)
    assert check(path).games == 40
    monkeypatch.setattr(schema, "LONGEST_ROW", 500_000)
    assert check(path).problems == ("1 game cannot be read: 7",)
    with Library(path) as library, pytest.raises(LibraryError, match="too big"):
        library.text(7)
    monkeypatch.setattr(game, "LONGEST_GAME", 20)
    with pytest.raises(RecordError, match="as SGF"):
        game.game_of(read_record("(;SZ[5]GC[a long comment about the game];B[a1])"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize("kind", ["folder", "pipe", "zero", "nowhere"])
def test_what_is_no_file_is_reported(
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
    """In threads; in the main thread Ctrl+C has interrupted it."""

    def ask() -> None:
        with Library(path) as library:
            library._database.set_progress_handler(lambda: 1, 1)
            library.games()

    with ThreadPoolExecutor(1) as thread, pytest.raises(LibraryError, match="interrupted"):
        thread.submit(ask).result()
    with pytest.raises(KeyboardInterrupt):
        ask()


ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
QUERY = f"""
import signal, sys
from pathlib import Path
from hextui.library.library import Library
from hextui.library.schema import reported
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
with Library(Path(sys.argv[1])) as library, reported(library.path):
    print(flush=True)
    library._database.execute("SELECT count(*) FROM ({ENDLESS})").fetchone()
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are of POSIX")
def test_control_c_ends_a_query_of_any_length(path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", QUERY, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        assert child.stdout
        child.stdout.readline()
        time.sleep(0.2)
        child.send_signal(signal.SIGINT)
        assert b"KeyboardInterrupt" in child.communicate(timeout=20)[1]
    finally:
        child.kill()
        child.wait()


def ours(path: Path) -> tuple[object, ...]:
    """Return what a sound library answers."""
    with Library(path) as library:
        stats = dataclasses.replace(library.stats(), bytes=0)
        empty = Position.empty(Board(5, 5))
        return stats, library.games(), library.explore(empty), library.text(7)


FOREIGN = {
    "trigger": "CREATE TRIGGER t AFTER INSERT ON game BEGIN DELETE FROM game; END",
    "trigger on a question": "CREATE TRIGGER t AFTER UPDATE ON total BEGIN DELETE FROM game; END",
    "endless view": f"ALTER TABLE game RENAME TO hidden; CREATE VIEW game AS {ENDLESS}",
    "endless view of another table": f"DROP TABLE visits; CREATE VIEW visits AS {ENDLESS}",
    "index with an expression": "CREATE INDEX i ON game (abs(plies))",
    "column": "ALTER TABLE game ADD COLUMN more TEXT",
    "virtual table": "CREATE VIRTUAL TABLE v USING fts5(x)",
}


@pytest.mark.parametrize("foreign", FOREIGN)
def test_a_schema_that_is_not_ours_is_not_used(
    path: Path, foreign: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    expected = ours(path)
    execute(path, FOREIGN[foreign])
    for action in (["import", tmp_path / "more.jsonl"], ["games"], ["stats"], ["explore", "#5"]):
        assert refused(capsys, *action)
    _, document = repaired(path, capsys)
    assert (document["saved"], document["counted"]) == (40, 40)
    assert ours(path) == expected
    assert act(capsys, "check") == (0, {"path": str(path), "games": 40, "problems": []}, [])
    assert act(capsys, "repair")[1] == {
        "path": str(path), "saved": 40, "counted": None, "kept": None,
    }  # fmt: skip


def pages_of(data: bytes, kind: int) -> list[int]:
    """Return the pages that begin with a byte, counted from 0."""
    return [at // PAGE_BYTES for at in range(PAGE_BYTES, len(data), PAGE_BYTES) if data[at] == kind]


LOST: dict[str, tuple[Callable[[bytes], bytes], int]] = {
    "the first page": (lambda data: zeroed(data, [0]), 600),
    "the first ten pages": (lambda data: zeroed(data, range(10)), 400),
    "inner pages of tables": (lambda data: zeroed(data, pages_of(data, 0x05)), 600),
    "inner pages of indexes": (lambda data: zeroed(data, pages_of(data, 0x02)), 600),
    "pages of indexes": (lambda data: zeroed(data, pages_of(data, 0x0A)[:20]), 600),
    "a page of a table": (lambda data: zeroed(data, pages_of(data, 0x0D)[:1]), 500),
    "ten pages of tables": (lambda data: zeroed(data, pages_of(data, 0x0D)[-10:]), 250),
    "half of the file": (lambda data: data[: len(data) // 2], 100),
    "less than a page": (lambda data: data[: len(data) - 5000], 100),
}


@pytest.mark.parametrize("where", some(LOST, 3))
def test_games_of_a_file_with_lost_pages_are_saved(
    large: Path, path: Path, where: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    damage, least = LOST[where]
    path.write_bytes(damage(large.read_bytes()))
    assert refused(capsys, "import", tmp_path / "more.jsonl")
    code, document = repaired(path, capsys)
    assert least <= document["saved"] <= 600
    assert document["saved"] == 600 or code
    assert document["counted"] == (None if "ten pages" in where and "first" in where else 600)
    with Library(path) as new, Library(large) as old:
        expected = {row.id: row for row in old.games()}
        if "first ten" in where:  # where the names of files are
            expected = {n: dataclasses.replace(row, source="?") for n, row in expected.items()}
        assert all(row == expected[row.id] for row in new.games())
        assert all(new.text(row.id) == old.text(row.id) for row in new.games())
    assert act(capsys, "import", tmp_path / "more.jsonl")[1]["added"] == 1


@pytest.mark.parametrize("kept", some([range(2, 601, 2), range(301, 601), range(1, 101)], 1))
@pytest.mark.parametrize("where", ["trigger", "inner pages of tables"])
def test_games_that_were_removed_stay_removed(
    large: Path, path: Path, kept: range, where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(large, path)
    with Library(path) as library:
        library._database.execute("PRAGMA secure_delete = OFF")  # as most programs have it
        library.remove([number for number in range(1, 601) if number not in kept])
    if where == "trigger":
        execute(path, FOREIGN[where])
    else:
        path.write_bytes(LOST[where][0](path.read_bytes()))
    _, document, _ = act(capsys, "repair")
    assert (document["saved"], document["counted"]) == (len(kept), len(kept))
    with Library(path) as library:
        assert {row.id for row in library.games()} == set(kept)


@pytest.mark.parametrize("data", [b"no database " * 1000, b"x", b"SQLite format 3\0" * 99])
def test_a_file_without_games_stays_as_it_is(
    path: Path, data: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_bytes(data)
    for action in ("check", "repair"):
        code, _, said = act(capsys, action)
        assert (code, len(said)) == (1, 1)
        assert said[0].startswith(f"hextui: {path}: ")
    assert [file.name for file in path.parent.iterdir()] == ["library.sqlite"]
    assert path.read_bytes() == data


def test_without_a_library_there_is_nothing_to_check(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.unlink()
    for action in ("check", "repair"):
        assert act(capsys, action)[::2] == (1, [f"hextui: {path}: there is no library yet"])
    assert not path.exists()


def test_a_text_with_other_moves_than_its_digest_is_found(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Library(path) as library:
        text = library.text(8)
        library._database.execute("UPDATE game SET text = ? WHERE id = 7", (text,))
    code, document, _ = act(capsys, "check")
    assert (code, document["problems"]) == (1, ["1 game cannot be read: 7"])
    code, document, said = act(capsys, "repair")
    assert document, said
    assert (code, document["saved"], document["counted"]) == (1, 39, 40)


@pytest.mark.parametrize("words", [("check",), ("repair",), ("stats",)])
def test_a_path_that_is_too_long(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HEXTUI_HOME", "/tmp/" + "d" * 300)
    assert main(("library", *words)) in (1, 2)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("hextui: /tmp/ddd")


def test_games_that_only_the_log_holds_are_saved(
    path: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with Library(path) as library:  # an open library keeps its log
        library.import_paths([tmp_path / "more.jsonl"])
        execute(path, FOREIGN["trigger"])
        assert Path(f"{path}-wal").stat().st_size
        _, document, _ = act(capsys, "repair")
    assert (document["saved"], document["counted"]) == (41, 41)


def test_two_games_with_one_id_are_both_kept(path: Path) -> None:
    games = [game.game_of(read_record(text)) for text in ("5x5 a1 b2", "5x5 a1 b3")]
    with Library(path) as library:
        library.restore([(50, "old.sgf", games[0]), (50, "new.sgf", games[1])])
        library.restore([(50, "old.sgf", games[0])])
        assert library.count() == 42
        assert [row.source for row in library.games()[-2:]] == ["old.sgf", "new.sgf"]
