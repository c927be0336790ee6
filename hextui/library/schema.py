"""The library's file: tables, versions, and how it is opened.

``position`` has a row for each position of the graph (see ``keys``), ``edge`` one for each move on
file, ``visit`` says which games go through a position. ``level`` grows with every move. All counts
are from the point of view of the side to move in the (parent) position. A position counts in
``ended``, ``wins`` and ``losses`` the games that ended there.
"""

import sqlite3
from pathlib import Path

# MIGRATIONS[n] leads from version n to n + 1
MIGRATIONS = (
    """
    CREATE TABLE game (
        id INTEGER PRIMARY KEY,
        digest BLOB NOT NULL UNIQUE,
        rows INTEGER NOT NULL, columns INTEGER NOT NULL,
        black TEXT NOT NULL, white TEXT NOT NULL,
        event TEXT NOT NULL, date TEXT NOT NULL, year INTEGER,
        winner INTEGER, how TEXT NOT NULL, plies INTEGER NOT NULL,
        source TEXT NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL
    );
    CREATE INDEX game_source ON game (source);
    CREATE TABLE position (
        id INTEGER PRIMARY KEY,
        verify INTEGER NOT NULL, level INTEGER NOT NULL,
        complete INTEGER NOT NULL, ended INTEGER NOT NULL,
        wins INTEGER NOT NULL, losses INTEGER NOT NULL,
        winning INTEGER NOT NULL, certain INTEGER NOT NULL, moves INTEGER NOT NULL
    );
    CREATE TABLE edge (
        parent INTEGER NOT NULL, child INTEGER NOT NULL,
        games INTEGER NOT NULL, wins INTEGER NOT NULL, losses INTEGER NOT NULL,
        year INTEGER,
        PRIMARY KEY (parent, child)
    ) WITHOUT ROWID;
    CREATE INDEX edge_child ON edge (child);
    CREATE TABLE visit (
        position INTEGER NOT NULL, game INTEGER NOT NULL, ply INTEGER NOT NULL,
        PRIMARY KEY (position, game)
    ) WITHOUT ROWID;
    """,
)
_WAIT = 60.0  # seconds that one program waits for another to finish writing


class LibraryError(Exception):
    """The library cannot be used; the message says why, in one line."""


def connect(path: Path) -> sqlite3.Connection:
    """Open the library, made or brought to this version if need be; raises LibraryError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(path, timeout=_WAIT, isolation_level=None)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute("PRAGMA cache_size = -65536")
        _migrate(database, path)
    except (OSError, sqlite3.Error) as error:
        raise LibraryError(f"{path}: {error}") from None
    return database


def _migrate(database: sqlite3.Connection, path: Path) -> None:
    if _version(database) == len(MIGRATIONS):
        return
    database.execute("BEGIN IMMEDIATE")
    version = _version(database)  # another program may have been faster
    if version > len(MIGRATIONS):
        database.execute("ROLLBACK")
        raise LibraryError(f"{path}: made by a newer version of hextui")
    for script in MIGRATIONS[version:]:
        for statement in script.split(";"):
            database.execute(statement)
    database.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    database.execute("COMMIT")


def _version(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])
