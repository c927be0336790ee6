"""Libraries of earlier versions are brought up to date with nothing lost."""

import json
import sqlite3
from pathlib import Path

import pytest

from hextui.engine.board import Board
from hextui.library.library import Library
from hextui.library.schema import MIGRATIONS, LibraryError
from tests.library.generated import write_games

_KEPT = (
    "id, digest, rows, columns, black, white, event, date, year, winner, how, plies, source, "
    "number, text"
)
_OLD_KEPT = _KEPT.replace("digest", "substr(digest, 1, 16)")  # without the winner


def test_a_library_of_the_first_version_is_rebuilt(tmp_path: Path) -> None:
    write_games(tmp_path / "games.jsonl", 60, Board(5, 5), seed=4)
    new = tmp_path / "new.sqlite"
    with Library(new) as library:
        library.import_paths([tmp_path / "games.jsonl"])
        expected = library.stats()
    old = tmp_path / "old.sqlite"
    database = sqlite3.connect(old)
    for statement in MIGRATIONS[0].split(";"):
        database.execute(statement)
    database.execute("CREATE TABLE position (id INTEGER PRIMARY KEY)")
    database.execute("CREATE TABLE edge (child INTEGER)")
    database.execute("CREATE INDEX edge_child ON edge (child)")
    database.execute("ATTACH ? AS new", (str(new),))
    database.execute(f"INSERT INTO game SELECT {_OLD_KEPT} FROM new.game")
    database.execute("PRAGMA user_version = 1")
    database.execute("CREATE TRIGGER edge AFTER UPDATE ON game BEGIN DELETE FROM game; END")
    database.commit()
    with pytest.raises(LibraryError, match="trigger 'edge'"):
        Library(old)
    database.execute("DROP TRIGGER edge")
    database.commit()
    database.close()
    with Library(old) as library, Library(new) as other:
        found = library.stats()
        assert (found.games, found.positions, found.moves) == (
            expected.games, expected.positions, expected.moves,
        )  # fmt: skip
        for table in ("position", "edge", "visit", "total"):
            sql = f"SELECT * FROM {table}"
            assert sorted(library._database.execute(sql), key=repr) == sorted(
                other._database.execute(sql), key=repr
            )


def test_a_library_of_the_second_version_keeps_its_graph(tmp_path: Path) -> None:
    write_games(tmp_path / "games.jsonl", 60, Board(5, 5), seed=4)
    new = tmp_path / "new.sqlite"
    with Library(new) as library:
        library.import_paths([tmp_path / "games.jsonl"])
    old = tmp_path / "old.sqlite"
    database = sqlite3.connect(old)
    assert database.execute("PRAGMA page_size").fetchone() == (4096,)  # as it was then
    for script in MIGRATIONS[:2]:
        for statement in script.split(";"):
            database.execute(statement)
    database.execute("ATTACH ? AS new", (str(new),))
    more = "first_ply, complete, way"
    database.execute(f"INSERT INTO game ({_KEPT}, {more}) SELECT {_OLD_KEPT}, {more} FROM new.game")
    database.execute("DELETE FROM total")
    for table in ("position", "edge", "visit", "total"):
        database.execute(f"INSERT INTO {table} SELECT * FROM new.{table}")
    database.execute("PRAGMA user_version = 2")
    database.commit()
    database.close()
    with Library(old) as library:
        again = library.import_paths([tmp_path / "games.jsonl"])
        assert (again.added, library.count()) == (0, 60)
        assert len(library.untried(1)) == 60
        write_games(tmp_path / "more.jsonl", 20, Board(5, 5), seed=9)
        added = library.import_paths([tmp_path / "more.jsonl"]).added
        with Library(new) as other:
            assert other.import_paths([tmp_path / "more.jsonl"]).added == added
            assert library.stats().positions == other.stats().positions
            for table in ("position", "edge", "visit", "total"):
                sql = f"SELECT * FROM {table}"
                assert sorted(library._database.execute(sql), key=repr) == sorted(
                    other._database.execute(sql), key=repr
                )


def test_a_library_of_the_third_version_takes_another_result(tmp_path: Path) -> None:
    games = [
        {"size": 5, "winner": winner, "moves": f"a{row}"}
        for winner, row in (("red", 1), ("blue", 2), (None, 3))
    ]
    (tmp_path / "games.jsonl").write_text("\n".join(map(json.dumps, games)))
    path = tmp_path / "library.sqlite"
    with Library(path) as library:
        assert library.import_paths([tmp_path / "games.jsonl"]).added == 3
        expected = library._database.execute("SELECT * FROM game").fetchall()
    database = sqlite3.connect(path)
    database.execute("UPDATE game SET digest = substr(digest, 1, 16)")
    database.execute("ALTER TABLE game DROP COLUMN title")
    database.execute("PRAGMA user_version = 3")
    database.commit()
    database.close()
    with Library(path) as library:
        assert library._database.execute("SELECT * FROM game").fetchall() == expected
        again = library.import_paths([tmp_path / "games.jsonl"])
        assert (again.added, again.duplicates) == (0, 3)
        games[0]["winner"] = "blue"
        games[2]["winner"] = "blue"  # there was no winner: nothing is contradicted
        (tmp_path / "other.jsonl").write_text("\n".join(map(json.dumps, games)))
        other = library.import_paths([tmp_path / "other.jsonl"])
        assert (other.added, other.contradicting, other.duplicates) == (2, 1, 1)


def test_games_of_the_fourth_version_get_their_names(tmp_path: Path) -> None:
    (tmp_path / "games.sgf").write_text(
        "(;GM[11]SZ[5]PB[GN[x\\]]GN[one \\] two]RE[B+];B[a1];W[b2]GN[later])"
        "(;GM[11]SZ[5];B[a2]GN[of a move])"
    )
    path = tmp_path / "library.sqlite"
    with Library(path) as library:
        assert library.import_paths([tmp_path / "games.sgf"]).added == 2
        titles = [row.title for row in library.games()]
    assert titles == ["one ] two", ""]
    database = sqlite3.connect(path)
    database.execute("ALTER TABLE game DROP COLUMN title")
    database.execute("PRAGMA user_version = 4")
    database.commit()
    database.close()
    with Library(path) as library:
        assert [row.title for row in library.games()] == titles
