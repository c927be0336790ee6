"""Libraries of earlier versions are brought up to date with nothing lost."""

import sqlite3
from pathlib import Path

from hextui.engine.board import Board
from hextui.library.library import Library
from hextui.library.schema import MIGRATIONS
from tests.library.generated import write_games

_KEPT = (
    "id, digest, rows, columns, black, white, event, date, year, winner, how, plies, source, "
    "number, text"
)


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
    database.execute("ATTACH ? AS new", (str(new),))
    database.execute(f"INSERT INTO game SELECT {_KEPT} FROM new.game")
    database.execute("PRAGMA user_version = 1")
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
