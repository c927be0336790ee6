"""Check the file of a library, and save the games of a damaged one.

Nothing in the file is trusted. Games are read only from a table that is declared as ours. Where the
table cannot be followed, each page that may hold rows is read by itself, in a copy that begins with
a page of ours. A game counts only if its text has the moves of its digest.
"""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from typing import Any

from hextui.library.game import Game, game_of
from hextui.library.library import Library
from hextui.library.schema import (
    PAGE_BYTES,
    LibraryError,
    declares_table,
    harden,
    make_tables,
    raise_if_interrupted,
    reported,
    unexpected_schema,
)
from hextui.records.formats import read_record
from hextui.records.text import RecordError, printable
from hextui.words.names import counted

_ROWS = "SELECT id, source, number, digest, text FROM game NOT INDEXED"
_IDS = (  # the table from both ends, then what else names games
    ("game", "SELECT id FROM game NOT INDEXED"),
    ("game", "SELECT id FROM game NOT INDEXED ORDER BY id DESC"),
    ("game", "SELECT id FROM game INDEXED BY sqlite_autoindex_game_1"),
    ("game", "SELECT id FROM game INDEXED BY game_source"),
    ("visit", "SELECT DISTINCT game FROM visit"),
)
_TOTALS = """
    SELECT (SELECT count(*) FROM game), (SELECT count(winner) FROM game),
    (SELECT count(*) FROM visit)
"""
_MOST = 20  # problems, or ids, that are listed
_BATCH = 500
_TABLE_LEAF = b"\x0d"  # the first byte of a page that holds rows of a table

Report = Callable[[int], None]
SavedGame = tuple[int, str, Game]  # a game with its id and source


@dataclass(frozen=True)
class LibraryCheck:
    """How many games can be read, and what is wrong with the file: nothing if it is sound."""

    games: int
    problems: tuple[str, ...]


@dataclass(frozen=True)
class LibraryRepair:
    """Games saved, ids of those that could not be read, and the damaged file's new name.

    ``complete``: the file says which games it held, so that all that are lost are known. ``kept``
    is None if the file was sound, and stays.
    """

    saved: int
    lost: tuple[int, ...] = ()
    complete: bool = True
    kept: Path | None = None


def check(path: Path, progress: Report = lambda _: None) -> LibraryCheck:
    """Check the pages of a library, its schema, its counts and its games.

    ``progress`` is called with the number of games read. Raises LibraryError if there is no file.
    """
    with closing(_opened(path)) as database:
        problems = _problems(database)
        unread = []
        games = 0
        for number, found in _read_games(database, _ids(database)[0]):
            games += found is not None
            progress(games)
            if found is None:
                unread.append(number)
        if unread:
            problems.append(f"{counted(len(unread), 'game')} cannot be read: {listed(unread)}")
    return LibraryCheck(games, tuple(printable(problem) for problem in problems))


def listed(ids: Sequence[int]) -> str:
    """Return ids in words, the first ones of many."""
    return ", ".join(map(str, ids[:_MOST])) + ", ..." * (len(ids) > _MOST)


def repair(path: Path, progress: Report = lambda _: None) -> LibraryRepair:
    """Write the games of a damaged library to a new file, which takes its place.

    The damaged file is kept under another name. Verdicts that the solver proved are not saved.
    Raises LibraryError if there is no file, no game can be read, or the new file not be written.
    """
    with closing(_opened(path)) as database:
        damaged = bool(_problems(database))
    if not damaged and not (checked := check(path, progress)).problems:
        return LibraryRepair(checked.games)
    with reported(path), tempfile.TemporaryDirectory(prefix=".repair-", dir=path.parent) as folder:
        new = Path(folder, "library.sqlite")
        with closing(_opened(path)) as database:
            ids, complete = _ids(database)
        saved: set[int] = set()
        with Library(new) as library:
            games = _salvaged(path, Path(folder, "copy.sqlite"), ids, complete)
            while batch := list(islice(games, _BATCH)):
                library.restore(batch)
                saved.update(number for number, _, _ in batch)
                progress(len(saved))
            kept = library.count()
        if not kept:
            what = "no game can be read; move the file away to begin a new library"
            raise LibraryError(f"{path}: {what}")
        return LibraryRepair(kept, tuple(sorted(ids - saved)), complete, _exchange(path, new))


def _exchange(path: Path, new: Path) -> Path:
    """Put a new file in the place of one that gets another name; return that."""
    names = (path.with_name(f"{path.stem}.damaged{n or ''}{path.suffix}") for n in count())
    kept = next(name for name in names if not os.path.lexists(name))
    for end in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            os.rename(f"{path}{end}", f"{kept}{end}")
    os.rename(new, path)
    return kept


def _opened(path: Path) -> sqlite3.Connection:
    """Open a library read-only, whatever it holds. Raises LibraryError if there is no file."""
    if not os.path.isfile(path):  # opening a pipe would wait for ever
        missing = "is not a file" if os.path.lexists(path) else "there is no library yet"
        raise LibraryError(f"{path}: {missing}")
    address = path.absolute().as_uri()
    with reported(path):
        for way in ("mode=ro", "immutable=1"):  # the latter where no log can be made beside it
            database = sqlite3.connect(f"{address}?{way}", uri=True, isolation_level=None)
            harden(database)
            try:
                database.execute("SELECT count(*) FROM sqlite_master").fetchone()
            except sqlite3.OperationalError as error:
                raise_if_interrupted(error)
                if way == "mode=ro":
                    database.close()
                    continue
            except sqlite3.DatabaseError:
                pass  # the next question says what is wrong
            break
    return database


def _problems(database: sqlite3.Connection) -> list[str]:
    """Return what is wrong with schema, pages and totals, before any game is read."""
    try:
        if problems := unexpected_schema(database):
            return problems  # what else is asked might evaluate it
        for (text,) in database.execute(f"PRAGMA integrity_check({_MOST})"):
            lines = [line for line in str(text).splitlines() if not line.startswith("***")]
            problems += [line for line in lines if line != "ok"]
        if problems:
            return problems
        noted = database.execute("SELECT * FROM total").fetchall()
        found = database.execute(_TOTALS).fetchall()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise_if_interrupted(error)
        return [str(error)]
    wrong = f"the totals (games, decided, visits) are {found}, not {noted}"
    return [] if noted == found else [wrong]


def _ids(database: sqlite3.Connection) -> tuple[set[int], bool]:
    """Return the ids of the games in the file, and whether they are all of them."""
    ids: set[int] = set()
    for table, sql in _IDS:
        try:
            # a view of that name could do anything
            if not declares_table(database, "game"):
                break
            if declares_table(database, table):
                ids.update(number for (number,) in database.execute(sql) if type(number) is int)
                return ids, True
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise_if_interrupted(error)  # something else may name the rest
    return ids, False


def _rows(database: sqlite3.Connection, sql: str, *values: int) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a query, up to where the file is damaged."""
    try:
        yield from database.execute(sql, values)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise_if_interrupted(error)


def _read_games(
    database: sqlite3.Connection, ids: Iterable[int]
) -> Iterator[tuple[int, SavedGame | None]]:
    """Yield the games of the table by their ids, None for one that cannot be read."""
    for number in sorted(ids):
        row = next(_rows(database, f"{_ROWS} WHERE id = ?", number), None)
        yield number, None if row is None else _sound(row)


def _salvaged(path: Path, copy: Path, ids: set[int], complete: bool) -> Iterator[SavedGame]:
    """Yield the games that can be read, by their ids and then from the pages."""
    lost = set()
    with closing(_opened(path)) as database:
        for number, found in _read_games(database, ids):
            if found:
                yield found
            else:
                lost.add(number)
    if lost or not complete:
        for found in _games_of_pages(path, copy):
            # pages that are free may still hold games that were removed
            if not complete or found[0] in lost:
                yield found


def _sound(row: tuple[Any, ...]) -> SavedGame | None:
    """Return the game of a row, None if its text does not have the moves of its digest."""
    number, source, place, digest, text = row
    if not (isinstance(digest, bytes) and isinstance(text, str) and isinstance(source, str)):
        return None
    try:
        game = game_of(read_record(text))
    except RecordError:
        return None
    if type(place) is not int or game.digest[:16] != digest[:16]:
        return None
    # the text is kept as it is: writing it again could lose what is not understood
    return number, source, replace(game, number=place, text=text)


def _games_of_pages(path: Path, copy: Path) -> Iterator[SavedGame]:
    """Yield the games of all pages that may hold rows, each taken for the whole table."""
    with open(path, "rb") as file:
        head = file.read(18)
    size = int.from_bytes(head[16:18], "big")
    if not head.startswith(b"SQLite format 3\0") or size < 512 or size & (size - 1):
        size = PAGE_BYTES
    shutil.copyfile(path, copy)
    pages = copy.stat().st_size // size
    first = bytearray(_first_page(size, copy.with_name("first.sqlite")))
    first[28:32] = pages.to_bytes(4, "big")
    with open(copy, "r+b") as file:
        file.write(first)
        leaves = []
        for number in range(2, pages + 1):
            file.seek((number - 1) * size)
            if file.read(1) == _TABLE_LEAF:
                leaves.append(number)
    with closing(sqlite3.connect(copy, isolation_level=None)) as database:
        harden(database)
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA synchronous = OFF")
        for leaf in leaves:
            database.execute("PRAGMA writable_schema = ON")
            database.execute("UPDATE sqlite_master SET rootpage = ? WHERE name = 'game'", (leaf,))
            database.execute("PRAGMA writable_schema = RESET")
            yield from filter(None, map(_sound, _rows(database, _ROWS)))


def _first_page(size: int, path: Path) -> bytes:
    """Return the first page of an empty library, which holds the schema."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute(f"PRAGMA page_size = {size}")
        make_tables(database)
    return path.read_bytes()[:size]
