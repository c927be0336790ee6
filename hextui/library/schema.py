"""The library's file: tables, versions, and how it is opened.

``visit`` says which games go through a position (see ``keys``). A position that two games go
through, or that the solver settled, is a node: ``position`` has its row, ``edge`` the moves on
file from it. All other positions belong to one game, so nothing more is kept of them. An edge leads
to ``child``; the next node of the games that made the move is ``target``, ``distance`` moves behind
``child``. If none follows, ``target`` is NULL, ``distance`` leads to the game's end, and ``value``
is that of the end. ``tried`` counts the nodes that the solver had for each late position of a game.
Its ``digest`` is 16 bytes of board and moves, and one of the winner.

``level`` grows with every move. Wins and losses are those of the side to move in the (parent)
position. A position counts in ``ended``, ``wins`` and ``losses`` the games that ended there;
``settled`` says whether the solver proved a win (1) or a loss (0). ``total`` has one row.
"""

import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hextui.library.imported_files import storable
from hextui.locations import ForeignError, make_private_file, make_private_folder
from hextui.records.text import printable, shorten, unescape_line

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
    """,
    """
    DROP TABLE IF EXISTS position;
    DROP TABLE IF EXISTS edge;
    DROP TABLE IF EXISTS visit;
    ALTER TABLE game ADD COLUMN first_ply INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE game ADD COLUMN complete INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE game ADD COLUMN way BLOB NOT NULL DEFAULT x'';
    CREATE TABLE position (
        id INTEGER PRIMARY KEY,
        level INTEGER NOT NULL, games INTEGER NOT NULL,
        complete INTEGER NOT NULL, ended INTEGER NOT NULL,
        wins INTEGER NOT NULL, losses INTEGER NOT NULL,
        settled INTEGER, value INTEGER
    );
    CREATE TABLE edge (
        parent INTEGER NOT NULL, child INTEGER NOT NULL,
        games INTEGER NOT NULL, wins INTEGER NOT NULL, losses INTEGER NOT NULL,
        year INTEGER, target INTEGER, distance INTEGER NOT NULL, value INTEGER,
        PRIMARY KEY (parent, child)
    ) WITHOUT ROWID;
    CREATE INDEX edge_target ON edge (target) WHERE target IS NOT NULL;
    CREATE TABLE visit (
        position INTEGER NOT NULL, game INTEGER NOT NULL, ply INTEGER NOT NULL,
        PRIMARY KEY (position, game)
    ) WITHOUT ROWID;
    CREATE TABLE total (games INTEGER NOT NULL, decided INTEGER NOT NULL, visits INTEGER NOT NULL);
    INSERT INTO total VALUES (0, 0, 0);
    """,
    """
    ALTER TABLE game ADD COLUMN tried INTEGER NOT NULL DEFAULT 0;
    """,
    # equal moves with another winner are another game
    """
    UPDATE game SET digest =
    CAST(digest || CASE winner WHEN 1 THEN x'01' WHEN 2 THEN x'02' ELSE x'00' END AS BLOB);
    """,
    # games have names of their own, which their texts hold
    """
    ALTER TABLE game ADD COLUMN title TEXT NOT NULL DEFAULT '';
    UPDATE game SET title = title_of(text);
    """,
)
_VALUE = r"\[(?:[^\]\\]|\\.)*+\]"
_TITLE = re.compile(
    rf"\(\s*+;(?:\s*+(?!GN\[)[A-Z]++(?:\s*+{_VALUE})++)*+\s*+GN\[((?:[^\]\\]|\\.)*+)\]", re.DOTALL
)
_GRAPH_VERSION = 2  # that emptied the graph
_LONGEST = 500  # characters of a message
_WAIT = 60.0  # seconds that one program waits for another to finish writing
_PAGE_BYTES = 16 * 1024  # keys fall anywhere, so a batch writes all pages: better few large ones
_NO_LOG = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)  # it cannot be made
_LOG_BYTES = 64 * 1024 * 1024  # what the log beside the file keeps after a long import


class LibraryError(Exception):
    """The library cannot be used; the message says why, in one line."""

    def __init__(self, message: str) -> None:
        super().__init__(shorten(printable(message), _LONGEST))


def title_of(text: str) -> str:
    """Return the name of a game from its text as SGF, '' if it has none."""
    found = _TITLE.match(text)
    return storable(unescape_line(found[1])) if found else ""


@contextmanager
def reported(path: Path) -> Iterator[None]:
    """Turn what a damaged file makes of reading and writing it into LibraryError.

    A row that is not as we write it can make any of these errors, wherever its values are used.
    """
    try:
        yield
    except (OSError, sqlite3.Error, UnicodeDecodeError) as error:
        # SQLite quotes a damaged file in its messages, in whatever bytes there are
        raise LibraryError(f"{path}: {error}") from None
    except (TypeError, ValueError, LookupError, ArithmeticError, StopIteration) as error:
        raise LibraryError(f"{path}: damaged, holds what no import writes: {error!r}") from error


def connect(path: Path, rebuild: Callable[[sqlite3.Connection], None]) -> sqlite3.Connection:
    """Open the library, made or brought to this version if need be; raises LibraryError.

    One that may not be written is opened to be read. ``rebuild`` adds all games to the graph anew,
    after a migration that emptied it.
    """
    with reported(path):
        with suppress(ForeignError):  # root's use of a user's library
            make_private_folder(path.parent)
        make_private_file(path)
        try:
            return _opened(path, path, rebuild)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in _NO_LOG or Path(f"{path}-wal").exists():
                raise
        # All is in the file: without rights to make the log beside it, it is read as it stands.
        return _opened(path, f"{path.absolute().as_uri()}?immutable=1", rebuild)


def _opened(
    path: Path, name: str | Path, rebuild: Callable[[sqlite3.Connection], None]
) -> sqlite3.Connection:
    """Open the library by a file's name or an address."""
    database = sqlite3.connect(name, timeout=_WAIT, isolation_level=None, uri=name is not path)
    try:
        database.execute(f"PRAGMA page_size = {_PAGE_BYTES}")  # of a new file
        _begin_log(database)
        database.create_function("title_of", 1, title_of, deterministic=True)
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute("PRAGMA cache_size = -65536")
        database.execute(f"PRAGMA journal_size_limit = {_LOG_BYTES}")
        _migrate(database, path, rebuild)
    except BaseException:
        database.close()  # a migration that failed would keep others from writing
        raise
    return database


def _begin_log(database: sqlite3.Connection) -> None:
    """Have a new file write ahead to a log: SQLite does not wait where others do the same."""
    end = time.monotonic() + _WAIT
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
        time.sleep(0.01)


def _migrate(
    database: sqlite3.Connection, path: Path, rebuild: Callable[[sqlite3.Connection], None]
) -> None:
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
    if 0 < version < _GRAPH_VERSION:
        rebuild(database)
    database.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    database.execute("COMMIT")


def _version(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])
