"""Check the file of a library, and save the games of a damaged one.

Nothing in the file is trusted. To save its games, each page that may hold rows of a table is read
by itself, in a copy that begins with a page of ours. A game counts only if its text has the moves
of its digest.
"""

import os
import shutil
import sqlite3
import struct
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from typing import Any, BinaryIO

from hextui.engine.board import Board
from hextui.library.game import Game, game_of
from hextui.library.game_names import NameKind
from hextui.library.game_sources import read_places
from hextui.library.library import Library
from hextui.library.schema import (
    MIGRATIONS,
    PAGE_BYTES,
    VERSION,
    LibraryError,
    harden,
    make_tables,
    raise_if_interrupted,
    reported,
    unexpected_schema,
    version_of,
)
from hextui.library.stored_games import StoredPositions, is_whole, positions_kept, sgf_text
from hextui.library.visit_chunks import VisitChunks
from hextui.locations import new_temporary_folder
from hextui.records.formats import read_record
from hextui.records.record_text import printable
from hextui.text import counted, folded

_FIRST_WITH_TITLES = 5
_FIRST_WITH_MOVES = 7  # the first version whose games have moves, and sources a table
_FIRST_WITH_OTHER_SOURCES = 8
_ROW = """
    SELECT id, source, number, digest, text, {}, black, white, event, {}, date,
    game.rows, columns, {}, way, first_ply, complete FROM game WHERE id = ?
"""
_SOURCES = "SELECT id, name FROM source NOT INDEXED"
_UNKNOWN = "?"  # a source whose name is lost
_TOTALS = "SELECT count(*), count(winner), ifnull(sum(positions), 0) FROM game"
_MENTIONS = """
    SELECT ifnull(sum((black != '') + (white != '') + (black = '' AND white = '') + (event != '') +
    (date != '') + 1), 0) FROM game
"""
_MENTIONS_NOTED = "SELECT ifnull(sum(games), 0) FROM name WHERE kind != ?"  # texts have ratings
_MOST = 20  # problems, or ids, that are listed
_BATCH = 500
_TABLE_LEAF = b"\x0d"  # the first byte of a page that holds rows of a table

Report = Callable[[int], None]
SavedGame = tuple[int, str, Game]  # a game with its id and source


@dataclass(frozen=True)
class LibraryCheck:
    """How many games can be read, and what is wrong with the file: nothing if it is sound.

    No game is read where the schema, the pages or the totals are wrong.
    """

    games: int
    problems: tuple[str, ...]


@dataclass(frozen=True)
class LibraryRepair:
    """Games saved, how many games the damaged file counted if it says so, and its new name.

    ``kept`` is None if the file was sound, and stays.
    """

    saved: int
    counted: int | None = None
    kept: Path | None = None


def check(path: Path, progress: Report = lambda _: None) -> LibraryCheck:
    """Check the pages of a library, its schema, its counts and its games.

    ``progress`` is called with the number of games read. Raises LibraryError if there is no file.
    """
    with closing(open_unchanged(path)) as database:
        problems = problems_of(database)
        unread = []
        differing = []
        unsourced = []
        games = 0
        sources = {} if problems else sources_of(database)
        for number, row, saved in () if problems else sound_games(database, sources):
            if row is None or saved is None:
                unread.append(number)
                continue
            games += 1
            if not _has_positions(row, saved[-1]):
                differing.append(number)
            if not _has_sources(row, sources):
                unsourced.append(number)
            progress(games)
    problems += _listed("cannot be read", unread)
    problems += _listed("with wrong positions", differing)
    problems += _listed("with wrong sources", unsourced)
    return LibraryCheck(games, tuple(printable(problem) for problem in problems))


def _listed(what: str, ids: Sequence[int]) -> list[str]:
    """Return what is wrong with some games, nothing if there are none."""
    if not ids:
        return []
    words = [*map(str, ids[:_MOST]), "..."]
    return [f"{counted(len(ids), 'game')} {what}: {', '.join(words[: len(ids)])}"]


def repair(path: Path, progress: Report = lambda _: None) -> LibraryRepair:
    """Write the games of a damaged library to a new file, which takes its place.

    The damaged file is kept under another name. Verdicts that the solver proved are not saved.
    Games that were removed may come back where the list of free pages is damaged. Raises
    LibraryError if there is no file, no game can be read, or the new file not be written.
    """
    checked = check(path, progress)
    if not checked.problems:
        return LibraryRepair(checked.games)
    with reported(path), ExitStack() as stack:
        folder = new_temporary_folder(str(path.parent), ".repair-")
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        new = Path(folder, "library.sqlite")
        copy = Path(folder, "copy.sqlite")
        version, leaves = _copy_pages(path, copy)
        read = 0
        with (
            Library(new) as library,
            closing(sqlite3.connect(copy, isolation_level=None)) as database,
        ):
            harden(database)
            noted = next(_rows(database, "SELECT games FROM total"), (None,))[0]
            games = _games_of_pages(database, version, leaves)
            while batch := list(islice(games, _BATCH)):
                library.restore(batch)
                read += len(batch)
                progress(read)
            saved = library.count()
        if not saved:
            what = "no game can be read; move the file away to begin a new library"
            raise LibraryError(f"{path}: {what}")
        noted = noted if isinstance(noted, int) else None
        return LibraryRepair(saved, noted, _exchange(path, new))


def _exchange(path: Path, new: Path) -> Path:
    """Put a new file in the place of one that gets another name; return that."""
    names = (path.with_name(f"{path.stem}.damaged{n or ''}{path.suffix}") for n in count())
    kept = next(name for name in names if not os.path.lexists(name))
    for end in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            os.rename(f"{path}{end}", f"{kept}{end}")
    os.rename(new, path)
    return kept


def open_unchanged(path: Path) -> sqlite3.Connection:
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
        database.execute("BEGIN")  # another program may write: all is read as it is now
    return database


def problems_of(database: sqlite3.Connection) -> list[str]:
    """Return what is wrong with schema, pages, visits and totals, before any game is read."""
    try:
        if problems := unexpected_schema(database):
            return problems  # what else is asked might evaluate it
        for (text,) in database.execute(f"PRAGMA integrity_check({_MOST})"):
            lines = [line for line in str(text).splitlines() if not line.startswith("***")]
            problems += [line for line in lines if line != "ok"]
        if problems or 0 < version_of(database) < VERSION:  # an older file counts otherwise
            return problems
        return _wrong_totals(database)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise_if_interrupted(error)
        return [str(error)]


def _wrong_totals(database: sqlite3.Connection) -> list[str]:
    """Return what is wrong with the totals and with the visits of games to positions."""
    noted = database.execute("SELECT * FROM total").fetchall()
    totals = database.execute(_TOTALS).fetchall()
    if noted != totals:
        return [f"the totals (games, decided, visits) are {totals}, not {noted}"]
    try:
        visits = sum(map(len, VisitChunks(database).rows()))
    except ValueError as error:
        return [f"the visits of games to positions are damaged: {error}"]
    if visits != totals[0][-1]:
        return [f"there are {visits:,} visits of games to positions, not {totals[0][-1]:,}"]
    return _wrong_names(database)


def _wrong_names(database: sqlite3.Connection) -> list[str]:
    """Return what is wrong with the names and their mentions."""
    counts: Counter[int] = Counter()
    try:
        for row in VisitChunks(database, "mentions").rows():
            counts.update(row.keys.tolist())
    except ValueError as error:
        return [f"the games of names are damaged: {error}"]
    noted = {}
    for number, text, fold, games in database.execute("SELECT id, text, folded, games FROM name"):
        if not isinstance(text, str) or folded(text) != fold:
            return [f"name {number} is damaged"]
        noted[number] = games
    mentions = database.execute(_MENTIONS_NOTED, (NameKind.RATING,)).fetchone()
    if noted != counts or mentions != database.execute(_MENTIONS).fetchone():
        return ["the games of names are not those that have them"]
    return []


def _rows(database: sqlite3.Connection, sql: str, *values: int) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a query, up to where the file is damaged."""
    try:
        yield from database.execute(sql, values)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise_if_interrupted(error)


def _rows_of_games(
    database: sqlite3.Connection, version: int
) -> Iterator[tuple[int, tuple[Any, ...] | None]]:
    """Yield the ids and rows of the games of a version, None for a row that cannot be read."""
    others = "other_sources" if version >= _FIRST_WITH_OTHER_SOURCES else "''"
    moves = "moves, positions" if version >= _FIRST_WITH_MOVES else "x'', 0"
    title = "title" if version >= _FIRST_WITH_TITLES else "''"
    sql = _ROW.format(others, title, moves)
    for (number,) in list(_rows(database, "SELECT id FROM game NOT INDEXED")):
        yield number, next(_rows(database, sql, number), None)


def sound_games(
    database: sqlite3.Connection, sources: Mapping[int, str]
) -> Iterator[tuple[int, tuple[Any, ...] | None, SavedGame | None]]:
    """Yield the id, the row and the game of each row; None for what is damaged."""
    for number, row in _rows_of_games(database, version_of(database)):
        yield number, row, None if row is None else _sound(row, sources)


def sources_of(database: sqlite3.Connection) -> dict[int, str]:
    """Return the names of sources by their ids."""
    rows = _rows(database, _SOURCES)
    return {number: name for number, name in rows if isinstance(name, str)}


def _sound(row: tuple[Any, ...], sources: Mapping[int, str]) -> SavedGame | None:
    """Return the game of a row, None if its text does not have the moves of its digest."""
    number, source, place, digest, text, _, *info = row[:11]
    rows, columns, moves, *_ = row[11:]
    try:
        name = source if isinstance(source, str) else sources[source]
        whole = sgf_text(Board(rows, columns), moves, text, info)
        game = game_of(read_record(whole, strict=True))
        if type(place) is not int or game.digest[:16] != digest[:16]:
            return None
    except (AttributeError, LookupError, TypeError, ValueError):  # of other types, or damaged
        return None
    game = replace(game, number=place)
    # a text is kept as it is: writing it again could lose what is not understood
    return number, name, replace(game, text=text) if is_whole(text) else game


def _has_sources(row: tuple[Any, ...], sources: Mapping[int, str]) -> bool:
    """Return whether the sources that a row has are there, each once."""
    _, source, _, _, _, others, *_ = row
    try:
        places = [source, *(place.source for place in read_places(others))]
    except ValueError:
        return False
    named = [sources.get(place, place) for place in places]
    return all(isinstance(name, str) for name in named) and len(set(places)) == len(places)


def each_source(
    saved: SavedGame, row: tuple[Any, ...], sources: Mapping[int, str]
) -> Iterator[SavedGame]:
    """Yield the game of a row once for each of its sources, as far as they can be read."""
    yield saved
    number, _, game = saved
    with suppress(ValueError):
        for place in read_places(row[5]):
            if name := sources.get(place.source):
                yield number, name, replace(game, number=place.number)


def _has_positions(row: tuple[Any, ...], game: Game) -> bool:
    """Return whether the positions that a row of a sound game leads to are those of the game."""
    try:
        (kept,) = positions_kept([StoredPositions(*row[-len(StoredPositions._fields) :])])
    except (TypeError, ValueError):
        return False
    there = (kept.first_ply, kept.complete, kept.packed())
    expected = game.positions
    return there == (expected.first_ply, expected.complete, expected.packed())


def _copy_pages(path: Path, copy: Path) -> tuple[int, list[int]]:
    """Copy a library with the schema of an empty one of its version, the newest if that is lost.

    Returns the version and the pages that may hold rows.
    """
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as database:
        harden(database)
        database.execute("PRAGMA wal_checkpoint")  # the log is not copied
    shutil.copyfile(path, copy)
    with open(copy, "r+b") as file:
        head = file.read(64)
        version = int.from_bytes(head[60:], "big")
        if version not in MIGRATIONS:
            version = VERSION
        size = int.from_bytes(head[16:18], "big")
        if not head.startswith(b"SQLite format 3\0") or size < 512 or size & (size - 1):
            size = PAGE_BYTES
        pages = copy.stat().st_size // size
        free = _free_pages(file, size, pages, int.from_bytes(head[32:36], "big"))
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as empty:
            empty.execute(f"PRAGMA page_size = {size}")
            make_tables(empty, version=version)
            first = bytearray(empty.serialize()[:size])
        first[28:32] = pages.to_bytes(4, "big")
        file.seek(0)
        file.write(first)
        leaves = []
        for page in sorted({*range(2, pages + 1)} - free):
            file.seek((page - 1) * size)
            if file.read(1) == _TABLE_LEAF:
                leaves.append(page)
    return version, leaves


def _free_pages(file: BinaryIO, size: int, pages: int, trunk: int) -> set[int]:
    """Return the pages out of use, where games that were removed may still stand.

    The list begins at a trunk page and ends where it is damaged. Source:
    https://www.sqlite.org/fileformat2.html#the_freelist
    """
    free: set[int] = set()
    while trunk not in free and 1 < trunk <= pages:
        file.seek((trunk - 1) * size)
        following, many, *listed = struct.unpack(f">{size // 4}I", file.read(size))
        if many > len(listed) or max(following, *listed[:many], 0) > pages:
            break
        free.update([trunk, *listed[:many]])
        trunk = following
    return free


def _games_of_pages(
    database: sqlite3.Connection, version: int, leaves: Sequence[int]
) -> Iterator[SavedGame]:
    """Yield the games of pages, each taken for the whole table."""
    database.execute("PRAGMA journal_mode = OFF")
    database.execute("PRAGMA synchronous = OFF")
    sources: dict[int, str] = defaultdict(lambda: _UNKNOWN)
    for page in leaves if version >= _FIRST_WITH_MOVES else ():
        _take_for(database, "source", page)
        sources.update(sources_of(database))
    for page in leaves:
        _take_for(database, "game", page)
        for _, row in _rows_of_games(database, version):
            saved = None if row is None else _sound(row, sources)
            if row is not None and saved is not None:
                yield from each_source(saved, row, sources)


def _take_for(database: sqlite3.Connection, table: str, page: int) -> None:
    """Take a page for the whole of a table."""
    database.execute("PRAGMA writable_schema = ON")
    database.execute("UPDATE sqlite_master SET rootpage = ? WHERE name = ?", (page, table))
    database.execute("PRAGMA writable_schema = RESET")
