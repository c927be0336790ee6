"""The cache of solved positions and evaluated first moves on disk.

It is one SQLite file that may be deleted at any time and used by several programs at once. Each
entry is written in one transaction and has a checksum: a damaged one is solved again. A file with
an unexpected schema or content is dropped, and one line reports it. Images of one game share an
entry. Other entries have keys of their own, which begin with a letter: a position's does not.
"""

import json
import sqlite3
import time
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from hextui import locations
from hextui.engine.board import Color
from hextui.engine.orientation import Orientation, canonical
from hextui.engine.position import Position
from hextui.engine.solver.solution import MoveVerdict, Reason, Solution
from hextui.locations import UntrustedError

T = TypeVar("T")
VERSION = 4  # of the entries: a file of another version is emptied
_WAIT = 2.0  # seconds that one program waits for another to finish writing
_MOST_BYTES = 64 << 20  # bytes of entries kept by default
_TABLE = (
    "CREATE TABLE solved (key BLOB PRIMARY KEY, entry BLOB NOT NULL, "
    "checksum INTEGER NOT NULL, used REAL NOT NULL)"
)
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_NOT_OURS = {  # what the system refuses says nothing about what the file holds
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
}


class _DamageError(Exception):
    """Something in the file is not as we write it."""


def default_path() -> Path:
    """Return the path of the user's file."""
    return locations.cache_folder() / "solved.sqlite"


class SolutionCache:
    """The solutions on disk. Each thread or process opens its own.

    ``most_bytes``: of entries; the least recently used ones are dropped. Nothing is raised if the
    file cannot be used: ``problem`` says in one line what was wrong.
    """

    def __init__(self, path: Path | None = None, most_bytes: int = _MOST_BYTES) -> None:
        self._path = path or default_path()
        self.most_bytes = most_bytes
        self._database: sqlite3.Connection | None = None
        self._since_look = 0
        self.problem = ""
        self._reported = ""
        self._guarded(self._open)

    def close(self) -> None:
        """Close the file."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def new_problem(self) -> str:
        """Return the problem if nobody has asked since it came up, else ''."""
        problem = "" if self.problem == self._reported else self.problem
        self._reported = self.problem
        return problem

    def get(self, position: Position) -> Solution | None:
        """Return what is on disk of a position, its ``source`` being ``disk``."""
        held = _canonical(position)
        found = self.get_entry(held.position.key, partial(_solution, held.position))
        return found and found.back(held, position)

    def put(self, solution: Solution) -> None:
        """Keep a solution whose winner is known; it takes the place of one that knew less."""
        if solution.winner is None:
            return
        held = _canonical(solution.position)
        seen = solution.back(held.inverse(solution.position), held.position)
        self.put_entry(held.position.key, _entry(seen))

    def get_entry(self, key: bytes, read: Callable[[Any], T]) -> T | None:
        """Return the entry with a key as ``read`` returns it, None without one.

        Where ``read`` raises ValueError, TypeError or KeyError, the file counts as damaged.
        """
        found: T | None = self._guarded(lambda: self._read(key, read))
        return found

    def put_entry(self, key: bytes, entry: Any) -> None:
        """Keep an entry, which JSON can hold."""
        data = json.dumps(entry, separators=(",", ":")).encode()
        self._guarded(lambda: self._write(key, data))

    # The file

    def _guarded(self, use: Callable[[], Any]) -> Any:
        """Do something with the file; one that is damaged is dropped, and a new one begun."""
        try:
            return use()
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
            if code in _NOT_OURS:
                self._give_up(error)
            elif code not in _BUSY:  # else another program writes: this once, nothing is found
                self._drop(error)
        except (_DamageError, UnicodeDecodeError, UntrustedError) as error:
            self._drop(error)  # SQLite's words may hold any bytes
        except OSError as error:
            self._give_up(error)
        return None

    def _give_up(self, error: Exception) -> None:
        self.close()
        self.problem = f"{self._path}: solved positions are not kept: {_in_words(error)}"

    def _drop(self, error: Exception) -> None:
        self.close()
        why = "" if isinstance(error, UntrustedError) else "it was damaged: "
        self.problem = f"{self._path}: dropped, {why}{_in_words(error)}"
        try:
            for path in self._files():
                path.unlink(missing_ok=True)
            self._open()
        except (OSError, sqlite3.Error, _DamageError, UnicodeDecodeError) as again:
            self._give_up(again)

    def _files(self) -> list[Path]:
        name = self._path.name
        return [self._path.with_name(name + end) for end in ("", "-wal", "-shm", "-journal")]

    def _open(self) -> None:
        locations.make_private_folder(self._path.parent)
        for path in self._files():
            with suppress(FileNotFoundError):
                locations.check_private_file(path)
        locations.make_private_file(self._path)
        database = sqlite3.connect(self._path, timeout=_WAIT, isolation_level=None)
        self._database = database
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        if database.execute("PRAGMA user_version").fetchone()[0] != VERSION:
            database.execute("BEGIN IMMEDIATE")
            database.execute("DROP TABLE IF EXISTS solved")
            database.execute(_TABLE)
            database.execute(f"PRAGMA user_version = {VERSION}")
            database.execute("COMMIT")
        tables = database.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL").fetchall()
        if tables != [(_TABLE,)]:
            raise _DamageError("its tables are not ours")

    def _read(self, key: bytes, read: Callable[[Any], T]) -> T | None:
        if self._database is None:
            return None
        row = self._database.execute(
            "SELECT entry, checksum FROM solved WHERE key = ?", (key,)
        ).fetchone()
        if row is None:
            return None
        entry, checksum = row
        if not isinstance(entry, bytes) or zlib.crc32(key + entry) != checksum:
            raise _DamageError("an entry does not match its checksum")
        try:
            found = read(json.loads(entry))
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise _DamageError(f"an entry is not of our kind: {error!r}") from None
        self._database.execute("UPDATE solved SET used = ? WHERE key = ?", (time.time(), key))
        return found

    def _write(self, key: bytes, entry: bytes) -> None:
        if self._database is None:
            return
        self._database.execute(
            "INSERT OR REPLACE INTO solved VALUES (?, ?, ?, ?)",
            (key, entry, zlib.crc32(key + entry), time.time()),
        )
        self._since_look += len(entry)
        if self._since_look > self.most_bytes // 16:
            self._since_look = 0
            self._shrink()

    def _shrink(self) -> None:
        """Drop the least recently used entries until an eighth of the space is free."""
        assert self._database is not None
        total = self._database.execute("SELECT SUM(LENGTH(entry)) FROM solved").fetchone()[0]
        if total <= self.most_bytes:
            return
        self._database.execute(
            "DELETE FROM solved WHERE key IN (SELECT key FROM (SELECT key, "
            "SUM(LENGTH(entry)) OVER (ORDER BY used DESC, key) AS size FROM solved) "
            "WHERE size > ?)",
            (self.most_bytes - self.most_bytes // 8,),
        )


def _in_words(error: Exception) -> str:
    """Return what an error says, without what a damaged file could do to a terminal."""
    what = str(getattr(error, "strerror", None) or error)
    return "".join(c if c.isprintable() else "?" for c in what)


def _canonical(position: Position) -> Orientation:
    """Return the orientation in which a position is filed, whether it may be swapped or not."""
    return canonical(Position(position.board, position.stones, position.to_move))


# Entries


def _entry(solution: Solution) -> dict[str, Any]:
    assert solution.winner is not None

    def verdicts(moves: Mapping[int, MoveVerdict]) -> list[Any]:
        return [[cell, str(v.reason), list(v.carrier)] for cell, v in moves.items()]

    return {
        "winner": int(solution.winner),
        "wins": verdicts(solution.winning_moves),
        "losses": verdicts(solution.losing_moves),
        "carrier": list(solution.carrier),
        "line": solution.line,
        "must_play": list(solution.must_play),
        "numbers": [solution.proof_number, solution.disproof_number],
        "nodes": solution.nodes,
        "builds": solution.builds,
        "seconds": solution.seconds,
    }


def _solution(position: Position, entry: dict[str, Any]) -> Solution:
    """Return the solution of an entry. Raises ValueError, TypeError, KeyError: it is none."""
    empty = frozenset(position.empties)

    def cells(some: list[int]) -> list[int]:
        if not all(type(cell) is int and cell in empty for cell in some):
            raise ValueError("it names a cell that is not empty")
        return some

    def verdicts(moves: list[Any]) -> dict[int, MoveVerdict]:
        found = {
            cell: MoveVerdict(Reason(reason), frozenset(cells(carrier)))
            for cell, reason, carrier in moves
        }
        return dict(sorted((cell, found[cell]) for cell in cells(list(found))))

    wins, losses = verdicts(entry["wins"]), verdicts(entry["losses"])
    unknown = tuple(cell for cell in position.empties if cell not in wins and cell not in losses)
    proof, disproof = entry["numbers"]
    seconds = entry["seconds"]
    if not isinstance(seconds, float | int) or wins.keys() & losses.keys():
        raise ValueError("a move both wins and loses, or no time")
    return Solution(
        position=position,
        winner=Color(_whole(entry["winner"])),
        winning_moves=wins,
        losing_moves=losses,
        unknown_moves=() if position.winner else unknown,
        carrier=frozenset(cells(entry["carrier"])),
        line=tuple(cells(entry["line"])),
        proof_number=_whole(proof),
        disproof_number=_whole(disproof),
        nodes=_whole(entry["nodes"]),
        builds=_whole(entry["builds"]),
        seconds=seconds,
        table_used=0.0,
        must_play=frozenset(cells(entry["must_play"])),
        source="disk",
        complete=not unknown,
        final=True,
    )


def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("it is no whole number")
    return value
