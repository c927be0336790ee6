"""The library's file: tables, versions, and how it is opened.

``visits`` say which games go through a position (see ``visit_chunks``). A position that two games
go through, or that the solver settled, is a node: ``position`` has its row, ``edge`` the moves from
it. All other positions belong to one game, so nothing more is kept of them. An edge leads to
``child``; the next node of the games that made the move is ``target``, ``distance`` moves behind
``child``. If none follows, ``target`` is NULL, ``distance`` leads to the game's end, and ``value``
is that of the end. A game counts its ``positions`` in the graph, which follow from its ``moves``
(see ``stored_games``), or are packed in ``way`` (see ``GamePositions``) if these are none in turn.
Tables ``name`` and ``mentions`` say which games have a player or an event (see ``game_names``).
``tried`` counts the nodes that the solver had for each late position of a game. Its ``digest`` is
16 bytes of board and moves, and one of the winner. For ``source`` and ``other_sources`` see
``game_sources``.

``level`` grows with every move. Wins and losses are those of the side to move in the (parent)
position. A position counts in ``ended``, ``wins`` and ``losses`` the games that ended there;
``settled`` says whether the solver proved a win (1) or a loss (0). ``total`` has one row.
"""

import os
import re
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from hextui.library.answers import storable
from hextui.locations import ForeignError, make_private_file, make_private_folder
from hextui.records.dates import iso_date
from hextui.records.record_text import IN_BRACKETS, printable, shorten, unescape_line

MIGRATIONS = {
    3: """
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
    ALTER TABLE game ADD COLUMN tried INTEGER NOT NULL DEFAULT 0;
    """,
    # equal moves with another winner are another game; games have names, which their texts hold
    5: """
    UPDATE game SET digest =
    CAST(digest || CASE winner WHEN 1 THEN x'01' WHEN 2 THEN x'02' ELSE x'00' END AS BLOB);
    ALTER TABLE game ADD COLUMN title TEXT NOT NULL DEFAULT '';
    UPDATE game SET title = title_of(text);
    """,
    # visits stand in few long rows, which take half the space and are written faster
    6: """
    CREATE TABLE visits (
        id INTEGER PRIMARY KEY,
        first INTEGER NOT NULL, last INTEGER NOT NULL, visits BLOB NOT NULL
    );
    CREATE INDEX visits_key ON visits (first, last);
    INSERT INTO visits (first, last, visits)
    SELECT min(position), max(position), packed(position, game, ply)
    FROM (SELECT *, row_number() OVER (ORDER BY position, game) / 2048 AS part FROM visit)
    GROUP BY part;
    DROP TABLE visit;
    """,
    # moves instead of positions and texts, which take a fifth of the space
    7: """
    CREATE TABLE source (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    INSERT INTO source (name) SELECT DISTINCT source FROM game ORDER BY source;
    ALTER TABLE game RENAME TO old_game;
    CREATE TABLE game (
        id INTEGER PRIMARY KEY,
        digest BLOB NOT NULL UNIQUE,
        rows INTEGER NOT NULL, columns INTEGER NOT NULL,
        black TEXT NOT NULL, white TEXT NOT NULL,
        event TEXT NOT NULL, title TEXT NOT NULL, date TEXT NOT NULL, year INTEGER,
        winner INTEGER, how TEXT NOT NULL, plies INTEGER NOT NULL,
        source INTEGER NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL,
        moves BLOB NOT NULL, first_ply INTEGER NOT NULL, complete INTEGER NOT NULL,
        positions INTEGER NOT NULL, way BLOB NOT NULL, tried INTEGER NOT NULL DEFAULT 0
    );
    INSERT INTO game
    SELECT id, digest, rows, columns, black, white, event, title, date, year, winner, how, plies,
    (SELECT source.id FROM source WHERE name = old_game.source), number,
    text_kept(text), moves_in(text), first_ply, complete, length(way) / 11,
    CASE moves_in(text) WHEN x'' THEN way ELSE x'' END, tried FROM old_game ORDER BY id;
    DROP TABLE old_game;
    """,
    # names once each, with their games, so that no query for a name reads every game; dates as ISO
    8: """
    UPDATE game SET date = iso_date(date);
    ALTER TABLE game ADD COLUMN other_sources TEXT NOT NULL DEFAULT '';
    CREATE TABLE name (
        id INTEGER PRIMARY KEY,
        kind INTEGER NOT NULL, text TEXT NOT NULL, folded TEXT NOT NULL,
        games INTEGER NOT NULL, UNIQUE (kind, text)
    );
    CREATE TABLE mentions (
        id INTEGER PRIMARY KEY,
        first INTEGER NOT NULL, last INTEGER NOT NULL, visits BLOB NOT NULL
    );
    CREATE INDEX mentions_key ON mentions (first, last);
    """,
    # visits in several sorted runs, so that an import does not write all rows again, and in bits
    9: """
    ALTER TABLE visits RENAME TO old_visits;
    DROP INDEX visits_key;
    CREATE TABLE visits (
        id INTEGER PRIMARY KEY, run INTEGER NOT NULL,
        first INTEGER NOT NULL, last INTEGER NOT NULL, visits BLOB NOT NULL
    );
    CREATE INDEX visits_key ON visits (run, first, last);
    ALTER TABLE mentions RENAME TO old_mentions;
    DROP INDEX mentions_key;
    CREATE TABLE mentions (
        id INTEGER PRIMARY KEY, run INTEGER NOT NULL,
        first INTEGER NOT NULL, last INTEGER NOT NULL, visits BLOB NOT NULL
    );
    CREATE INDEX mentions_key ON mentions (run, first, last);
    """,
    # players, event, title and date once, in their columns
    10: """
    UPDATE game SET text = without_columns(text, black, white, event, title, date);
    """,
}
"""What leads to each version from the one before: the first makes the tables of hextui 0.1.0."""
VERSION = max(MIGRATIONS)
_FIRST_WITH_NAMES = 8
_FIRST_WITH_RUNS = 9
_TITLE = re.compile(
    rf"\(\s*+;(?:\s*+(?!GN\[)[A-Z]++(?:\s*+{IN_BRACKETS})++)*+\s*+GN\[((?:[^\]\\]|\\.)*+)\]",
    re.DOTALL,
)
_WHITE_SPACE = re.compile(r"[ \t\n\f\r]+")
_LONGEST = 500  # characters of a message
_WAIT = 60.0  # seconds that one program waits for another to finish writing
PAGE_BYTES = 4 * 1024  # rows of visits fill whole pages, but for half of the last one
MIB = 1024 * 1024
LONGEST_GAME = 96 * MIB  # bytes of its text; the longest that can be read has about 64
# SQLite's own limit is a gigabyte, which a damaged row can claim: its pages may form a cycle.
LONGEST_ROW = LONGEST_GAME + 32 * MIB
_NO_LOG = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)  # it cannot be made
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_ADVICE = "; see `hextui library check`, and `hextui library repair`, which saves the games"
_MOST_VALUES = 1000  # in one IN (...)
_STEPS = 100_000  # of SQLite's machine between two looks for Ctrl+C: milliseconds
_LOG_BYTES = 64 * MIB  # what the log beside the file keeps after a long import


class LibraryError(Exception):
    """The library cannot be used; the message says why, in one line."""

    def __init__(self, message: str) -> None:
        super().__init__(shorten(printable(message), _LONGEST))


def title_of(text: str) -> str:
    """Return the name of a game from its text as SGF, '' if it has none."""
    match = _TITLE.match(text)
    return storable(unescape_line(match[1])) if match else ""


@contextmanager
def reported(path: Path) -> Iterator[None]:
    """Turn errors that a damaged file causes into LibraryError.

    A row that is not as we write it can make any of these errors, wherever its values are used.
    Raises KeyboardInterrupt where Ctrl+C has ended a query.
    """
    try:
        yield
    except (OSError, sqlite3.Error, UnicodeDecodeError) as error:
        raise_if_interrupted(error)
        # SQLite quotes a damaged file in its messages, in whatever bytes there are
        damaged = not isinstance(error, OSError) and _code(error) in _DAMAGED
        raise LibraryError(f"{path}: {error}{_ADVICE if damaged else ''}") from None
    except (TypeError, ValueError, LookupError, ArithmeticError, StopIteration) as error:
        what = f"damaged, holds what no import writes: {error!r}"
        raise LibraryError(f"{path}: {shorten(what, 200)}{_ADVICE}") from error


def raise_if_interrupted(error: Exception) -> None:
    """Raise KeyboardInterrupt if Ctrl+C has ended a query.

    SQLite drops what the handler of a signal raises while a query runs (see ``harden``). Signals
    are handled in the main thread; in another one the program itself has ended the query.
    """
    interrupted = isinstance(error, sqlite3.Error) and _code(error) == sqlite3.SQLITE_INTERRUPT
    if interrupted and threading.current_thread() is threading.main_thread():
        raise KeyboardInterrupt from None


def _code(error: Exception) -> int:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF


def harden(database: sqlite3.Connection) -> None:
    """Make SQLite distrust the file, which anybody may have written, and let Ctrl+C end queries."""
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA cell_size_check = ON")
    database.execute("PRAGMA mmap_size = 0")
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_ROW)
    # handlers of signals run whenever SQLite calls Python
    database.set_progress_handler(lambda: 0, _STEPS)


def connect(path: Path) -> sqlite3.Connection:
    """Open the library, made or migrated if need be, or only to be read. Raises LibraryError."""
    with reported(path):
        with suppress(ForeignError):  # root's use of a user's library
            make_private_folder(path.parent)
        make_private_file(path)
        try:
            return _opened(path)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in _NO_LOG or Path(f"{path}-wal").exists():
                raise
        # All is in the file: without rights to make the log beside it, it is read as it stands.
        return _opened(path, immutable=True)


def _opened(path: Path, *, immutable: bool = False) -> sqlite3.Connection:
    """Open the library; an ``immutable`` one is read without a log or locks."""
    name = f"{path.absolute().as_uri()}?immutable=1" if immutable else path
    database = sqlite3.connect(name, timeout=_WAIT, isolation_level=None, uri=immutable)
    try:
        harden(database)
        database.execute(f"PRAGMA page_size = {PAGE_BYTES}")  # of a new file
        _begin_log(database)
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute("PRAGMA cache_size = -65536")
        database.execute(f"PRAGMA journal_size_limit = {_LOG_BYTES}")
        _migrate(database, path)
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


def _migrate(database: sqlite3.Connection, path: Path) -> None:
    database.execute("BEGIN")  # version and schema of the same moment
    version = _sound_version(database, path)
    database.execute("COMMIT")
    if version == VERSION:
        return
    if version:
        _keep(database, path, version)
    database.execute("BEGIN IMMEDIATE")
    version = _sound_version(database, path)  # another program may have been faster
    make_tables(database, version)
    database.execute(f"PRAGMA user_version = {VERSION}")
    database.execute("COMMIT")
    if version:
        with suppress(sqlite3.OperationalError):  # others use it: it stays long
            database.execute("VACUUM")


def _keep(database: sqlite3.Connection, path: Path, version: int) -> None:
    """Keep a copy of a library as an earlier version made it, unless there is one already."""
    kept = path.with_name(f"{path.stem}.version{version}{path.suffix}")
    if not os.path.lexists(kept):
        make_private_file(kept)
        database.execute("VACUUM INTO ?", (str(kept),))


def rows_in(
    database: sqlite3.Connection, sql: str, values: Iterable[object]
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows for all of the values, which the query's last IN is about."""
    waiting = iter(values)
    while part := list(islice(waiting, _MOST_VALUES)):
        yield from database.execute(f"{sql} ({','.join('?' * len(part))})", part)


def make_tables(database: sqlite3.Connection, begin: int = 0, version: int = VERSION) -> None:
    """Make the tables of a version from those of an earlier one; 0 has none."""
    # here: the screen takes no numpy
    from hextui.library.game_names import GameNames
    from hextui.library.old_visits import VisitPacker
    from hextui.library.stored_games import INFO_COLUMNS, moves_in, text_kept, without_columns

    for function in (title_of, moves_in, text_kept, iso_date):
        database.create_function(function.__name__, 1, function, deterministic=True)
    arguments = 1 + len(INFO_COLUMNS)
    database.create_function("without_columns", arguments, without_columns, deterministic=True)
    database.create_aggregate("packed", 3, VisitPacker)  # type: ignore[arg-type]
    wanted = {number: text for number, text in MIGRATIONS.items() if begin < number <= version}
    for number, script in wanted.items():
        for statement in script.split(";"):
            database.execute(statement)
        if number == _FIRST_WITH_RUNS:
            _pack_again(database, "visits")
            _pack_again(database, "mentions")
    if begin < _FIRST_WITH_NAMES and version == VERSION:
        GameNames(database).add_all()


def _pack_again(database: sqlite3.Connection, table: str) -> None:
    """Pack visits as this version does, all in one run."""
    from hextui.library.old_visits import visits_of_bytes
    from hextui.library.visit_chunks import VisitChunks

    rows = database.execute(f"SELECT first, visits FROM old_{table} ORDER BY first, last")
    VisitChunks(database, table).write(0, (visits_of_bytes(*row) for row in rows))
    database.execute(f"DROP TABLE old_{table}")


def _sound_version(database: sqlite3.Connection, path: Path) -> int:
    """Return the version of a library. Raises LibraryError if its schema is not of that version."""
    version = version_of(database)
    if version > VERSION:
        raise LibraryError(f"{path}: made by a newer version of hextui")
    if unexpected := unexpected_schema(database):
        raise LibraryError(f"{path}: not used: {shorten(unexpected[0], 200)}{_ADVICE}")
    return version


def unexpected_schema(database: sqlite3.Connection) -> list[str]:
    """Return, in words, where the file's schema is not that of a library of its version.

    Triggers and views run when tables are used: nothing else may be done before this.
    """
    version = version_of(database)
    if version not in (0, *MIGRATIONS):
        return [f"version {version} is unknown"]
    differing = {name for name, _ in _schema(version).items() ^ _declared(database).items()}
    return [f"the {kind} {name!r} is not one that hextui makes" for kind, name in sorted(differing)]


def check_pages(database: sqlite3.Connection) -> None:
    """Raise sqlite3.DatabaseError if a page of the file is damaged; a second for 240 MB."""
    problem = str(database.execute("PRAGMA quick_check(1)").fetchone()[0])
    if problem != "ok":
        raise sqlite3.DatabaseError(problem.splitlines()[-1])


@cache
def _schema(version: int) -> dict[tuple[str, str], str]:
    """Return what a library of a version declares."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        make_tables(database, 0, version)
        return _declared(database)


def _declared(database: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """Return the SQL of tables, indexes, triggers and views by kind and name."""
    rows = database.execute("SELECT type, name, sql FROM sqlite_master WHERE sql NOT NULL")
    # Only what SQLite takes for white space: any other such character is a letter to it.
    return {
        (str(kind), str(name)): _WHITE_SPACE.sub(" ", str(sql)).strip(" ")
        for kind, name, sql in rows
    }


def version_of(database: sqlite3.Connection) -> int:
    """Return the version of hextui's tables that a file says it has."""
    return int(database.execute("PRAGMA user_version").fetchone()[0])
