"""Libraries of earlier versions are brought up to date with nothing lost."""

import json
import sqlite3
from pathlib import Path

import pytest

from hextui.library.library import Library
from hextui.library.schema import LibraryError


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
    database.execute("CREATE TRIGGER edge AFTER UPDATE ON game BEGIN DELETE FROM game; END")
    database.commit()
    with pytest.raises(LibraryError, match="trigger 'edge'"):
        Library(path)
    database.execute("DROP TRIGGER edge")
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


def test_games_of_the_third_version_get_their_names(tmp_path: Path) -> None:
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
    database.execute("UPDATE game SET digest = substr(digest, 1, 16)")
    database.execute("ALTER TABLE game DROP COLUMN title")
    database.execute("PRAGMA user_version = 3")
    database.commit()
    database.close()
    with Library(path) as library:
        assert [row.title for row in library.games()] == titles
