"""Libraries of earlier versions are brought up to date with nothing lost."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hextui.engine.board import Board
from hextui.library.filters import Filter, read_filter
from hextui.library.integrity import LibraryCheck, check, repair
from hextui.library.library import Library
from hextui.library.old_visits import bytes_of_visits
from hextui.library.schema import LibraryError, make_tables
from hextui.library.settle import settle_games
from hextui.library.stored_games import text_kept
from hextui.library.visit_chunks import VisitChunks
from hextui.library.visits import joined
from hextui.records.formats import read_record
from tests.library.generated import write_games
from tests.library.test_import import all_visits


def as_version_9(path: Path) -> sqlite3.Connection:
    """Turn a library into one that version 9 made, and return it open."""
    with Library(path) as library:
        texts = {row.id: library.text(row.id) or "" for row in library.games()}
    database = sqlite3.connect(path)
    for number, text in texts.items():
        database.execute("UPDATE game SET text = ? WHERE id = ?", (text_kept(text), number))
    database.execute("PRAGMA user_version = 9")
    database.commit()
    return database


def as_version_8(path: Path) -> sqlite3.Connection:
    """Turn a library into one that version 8 made, and return it open."""
    database = as_version_9(path)
    for table in ("visits", "mentions"):
        rows = [
            (int(visits.keys[0]), int(visits.keys[-1]), bytes_of_visits(visits))
            for visits in [joined(list(VisitChunks(database, table).rows())).sorted()]
        ]
        database.executescript(
            f"DROP TABLE {table}; CREATE TABLE {table} ( id INTEGER PRIMARY KEY, "
            "first INTEGER NOT NULL, last INTEGER NOT NULL, visits BLOB NOT NULL ); "
            f"CREATE INDEX {table}_key ON {table} (first, last); PRAGMA user_version = 8"
        )
        sql = f"INSERT INTO {table} (first, last, visits) VALUES (?, ?, ?)"
        database.executemany(sql, rows)
    database.commit()
    return database


def as_version_7(path: Path) -> sqlite3.Connection:
    """Turn a library into one that version 7 made, and return it open."""
    database = as_version_8(path)
    database.executescript(
        "DROP TABLE name; DROP TABLE mentions; ALTER TABLE game DROP COLUMN other_sources;"
        "UPDATE game SET date = '3 May 2019' WHERE date = '2019-05-03'; PRAGMA user_version = 7"
    )
    return database


def as_version_6(path: Path) -> sqlite3.Connection:
    """Turn a library into one that version 6 made, and return it open."""
    with Library(path) as library:
        ids = [row.id for row in library.games()]
        texts = {number: library.text(number) for number in ids}
        sources = {row.id: row.source for row in library.games()}
        rows = [
            (texts[game.number], sources[game.number], game.positions.packed(), game.number)
            for game in library._graph.games(ids)
        ]
    database = as_version_7(path)
    columns = (
        "id, digest, rows, columns, black, white, event, date, year, winner, how, plies, "
        "source, number, text, first_ply, complete, way, tried, title"
    )
    database.execute("ALTER TABLE game RENAME TO new_game")
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as older:
        make_tables(older, version=6)
        for (sql,) in older.execute("SELECT sql FROM sqlite_master WHERE tbl_name = 'game'"):
            if sql:
                database.execute(sql)
    database.execute(f"INSERT INTO game ({columns}) SELECT {columns} FROM new_game")
    database.executemany("UPDATE game SET text = ?, source = ?, way = ? WHERE id = ?", rows)
    database.executescript("DROP TABLE new_game; DROP TABLE source; PRAGMA user_version = 6")
    return database


def as_version_5(path: Path) -> sqlite3.Connection:
    """Turn a library into one that version 5 made, and return it open."""
    database = sqlite3.connect(path)
    rows = all_visits(database)
    database.close()
    database = as_version_6(path)
    database.executescript("DROP INDEX visits_key; DROP TABLE visits")
    database.execute(
        "CREATE TABLE visit ( position INTEGER NOT NULL, game INTEGER NOT NULL, "
        "ply INTEGER NOT NULL, PRIMARY KEY (position, game) ) WITHOUT ROWID"
    )
    database.executemany("INSERT INTO visit VALUES (?, ?, ?)", rows)
    database.execute("PRAGMA user_version = 5")
    database.commit()
    return database


def as_version_3(path: Path) -> sqlite3.Connection:
    """Turn a library into one that version 3 made, and return it open."""
    database = as_version_5(path)
    database.execute("UPDATE game SET digest = substr(digest, 1, 16)")
    database.execute("ALTER TABLE game DROP COLUMN title")
    database.execute("PRAGMA user_version = 3")
    return database


AS_VERSION = {5: as_version_5, 6: as_version_6, 7: as_version_7, 8: as_version_8, 9: as_version_9}


def asked(path: Path) -> list[object]:
    """Return what a library answers at the positions of its first games, and all of its games."""
    with Library(path) as library:
        answers: list[object] = [library.games(), library.stats().positions, library.players()]
        for text in ("results=contradicting", "two", "won 4x4", "swap=yes", "rating=1700.."):
            answers.append(library.games(read_filter(text)))
        for row in library.games(limit=10):
            record = read_record(library.text(row.id) or "")
            for node in record.main_line():
                position = record.position(node)
                answers += [library.explore(position), library.games(position=position)]
        return answers


@pytest.mark.parametrize("version", [5, 6, 7, 8, 9])
def test_an_older_library_answers_the_same_and_is_kept(tmp_path: Path, version: int) -> None:
    path, kept = tmp_path / "library.sqlite", tmp_path / f"library.version{version}.sqlite"
    write_games(tmp_path / "games.jsonl", 250, Board(4, 4), seed=2)
    (tmp_path / "others.sgf").write_text(
        "(;GM[11]SZ[4]PB[one \\] two]BR[1800]WR[1900?]DT[3 May 2019]"
        ";B[a1]C[so];W[b2](;B[c3])(;B[d4]))"
        "(;GM[11]SZ[4]AB[a1]PL[W];W[b2])(;GM[11]SZ[4]RE[B+];B[a1];W[b1];W[resign])"
    )
    with Library(path) as library:
        library.import_paths([tmp_path / "games.jsonl", tmp_path / "others.sgf"])
        assert [row.black for row in library.games(Filter(date="2019-05-03"))] == ["one ] two"]
        settle_games(library, 20, stopped=lambda: library.untried(20)[0] > 5)
        assert library.remove([7, 9]) == 2
    answers = asked(path)
    as_version = {
        5: as_version_5,
        6: as_version_6,
        7: as_version_7,
        8: as_version_8,
        9: as_version_9,
    }[version]
    as_version(path).close()
    assert check(path) == LibraryCheck(251, ())
    before = sqlite3.connect(path)
    dump = list(before.iterdump())
    before.close()
    assert asked(path) == answers
    assert check(path).problems == ()
    copy = sqlite3.connect(kept)
    assert list(copy.iterdump()) == dump
    copy.close()
    assert version >= 7 or path.stat().st_size < 0.7 * kept.stat().st_size
    with Library(path) as library:
        assert library.import_paths([tmp_path / "games.jsonl"]).added == 2


def test_a_damaged_library_of_the_sixth_version_is_repaired(tmp_path: Path) -> None:
    path = tmp_path / "library.sqlite"
    write_games(tmp_path / "games.jsonl", 50, Board(5, 5), seed=2)
    with Library(path) as library:
        library.import_paths([tmp_path / "games.jsonl"])
        rows = library.games()
    with closing(as_version_6(path)) as database:
        database.execute("CREATE TRIGGER edge AFTER UPDATE ON game BEGIN DELETE FROM game; END")
    assert len(check(path).problems) == 1
    assert repair(path).saved == 50
    assert check(path) == LibraryCheck(50, ())
    with Library(path) as library:
        assert library.games() == rows


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
    database = as_version_3(path)
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
    database = as_version_3(path)
    database.commit()
    database.close()
    with Library(path) as library:
        assert [row.title for row in library.games()] == titles
