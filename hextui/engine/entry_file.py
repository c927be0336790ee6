"""Entries by key in one SQLite file, which several programs may use at once.

Each entry is JSON, is written in one transaction and has a checksum, which can be a signature.
"""

import errno
import json
import os
import sqlite3
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from hextui import locations
from hextui.locations import UntrustedError
from hextui.signing import Signer

T = TypeVar("T")
MEMORY = Path(":memory:")
"""In place of a path: in memory, of which nothing is left even if the program is killed."""
_WAIT = 2.0  # seconds that one program waits for another to finish writing
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


class EntryFile:
    """A file of entries, or as many in `MEMORY`. Each thread or process opens its own.

    ``most_bytes``: of entries; those of a cache that were not used longest are dropped, others that
    were not written longest. Nothing is raised if the file cannot be used: ``problem`` says in one
    line what was wrong.
    """

    TABLE: ClassVar[str]
    ENTRIES: ClassVar[str]  # what the entries are, for the user
    VERSION: ClassVar[int]  # the version of the entries: a cache of another version is emptied
    IS_CACHE: ClassVar[bool] = True
    """Whether all can be computed again. A cache that is damaged is dropped; other files are
    renamed, and only the damaged entry is lost where the file itself is whole."""
    KEY: ClassVar[str] = ""
    """The name of the user's key that signs the entries; without one anybody could have written
    what has a checksum. A file copied from somebody else has no valid signature."""

    def __init__(self, path: Path, most_bytes: int) -> None:
        self._path = path
        self.most_bytes = most_bytes
        self._database: sqlite3.Connection | None = None
        self._since_look = 0
        self.problem = ""
        self._reported = ""
        self._signer = Signer(self.KEY) if self.KEY else None
        if self._signer is not None and self._signer.problem:
            self.problem = f"{self._path}: {self.ENTRIES} are not kept: {self._signer.problem}"
        else:
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

    def get_entry(
        self, key: bytes, read: Callable[[Any], T], read_unsigned: Callable[[Any], T] | None = None
    ) -> T | None:
        """Return the entry with a key as ``read`` returns it, None without one.

        Where ``read`` raises ValueError, TypeError or KeyError, the entry counts as damaged.
        ``read_unsigned`` reads one that is not signed with the user's ``KEY``; without it the whole
        file is dropped.
        """
        value: T | None = self._guarded(lambda: self._read(key, read, read_unsigned))
        return value

    def all_entries(self, read: Callable[[Any], T]) -> list[T]:
        """Return all entries as ``read`` returns them, without those that are damaged."""
        keys = self._guarded(self._keys) or ()
        entries = [self.get_entry(key, read) for key in keys]
        return [entry for entry in entries if entry is not None]

    def put_entry(self, key: bytes, entry: Any) -> None:
        """Keep an entry, which JSON can hold."""
        data = json.dumps(entry, separators=(",", ":")).encode()
        self._guarded(lambda: self._write(key, data))

    def _guarded(self, use: Callable[[], Any]) -> Any:
        """Do something with the file; one that is damaged is set aside, and a new one begun."""
        try:
            return use()
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
            if code in _NOT_OURS:
                self._give_up(error)
            elif code not in _BUSY:  # else another program writes: this once, nothing is found
                self._replace(error)
        except (_DamageError, UnicodeDecodeError, UntrustedError) as error:
            self._replace(error)  # SQLite's words may hold any bytes
        except OSError as error:
            self._give_up(error)
        return None

    def _give_up(self, error: Exception) -> None:
        self.close()
        self.problem = f"{self._path}: {self.ENTRIES} are not kept: {_in_words(error)}"

    def _replace(self, error: Exception) -> None:
        self.close()
        why = "" if isinstance(error, UntrustedError) else "it was damaged: "
        try:
            what = "dropped" if self.IS_CACHE else f"renamed to {self._aside().name}"
            self.problem = f"{self._path}: {what}, {why}{_in_words(error)}"
            for path in self._files():
                path.unlink(missing_ok=True)
            self._open()
        except (OSError, sqlite3.Error, _DamageError, UnicodeDecodeError) as again:
            self._give_up(again)

    def _aside(self) -> Path:
        """Rename the file, so that it can be repaired; return its new name."""
        names = (self._path.with_name(f"{self._path.name}.damaged{n or ''}") for n in count())
        aside = next(name for name in names if not os.path.lexists(name))
        for path in self._files():
            with suppress(FileNotFoundError):
                path.rename(aside.with_name(path.name.replace(self._path.name, aside.name)))
        return aside

    def _files(self) -> list[Path]:
        name = self._path.name
        return [self._path.with_name(name + end) for end in ("", "-wal", "-shm", "-journal")]

    def _make_file(self) -> None:
        """Make the file if it is missing; raises OSError if others could have written it."""
        locations.make_private_folder(self._path.parent)
        for path in self._files():
            with suppress(FileNotFoundError):
                locations.check_private_file(path)
        locations.make_private_file(self._path)

    def _open(self) -> None:
        if self._path != MEMORY:
            self._make_file()
        database = sqlite3.connect(self._path, timeout=_WAIT, isolation_level=None)
        self._database = database
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        table = (
            f"CREATE TABLE {self.TABLE} (key BLOB PRIMARY KEY, entry BLOB NOT NULL, "
            "checksum INTEGER NOT NULL, used REAL NOT NULL)"
        )
        if self._version() != self.VERSION:
            database.execute("BEGIN IMMEDIATE")
            if self._version() != self.VERSION:  # nor has another program begun it meanwhile
                if not self.IS_CACHE and (self._version() or self._tables()):
                    raise _DamageError(f"its version is {self._version()}, not {self.VERSION}")
                database.execute(f"DROP TABLE IF EXISTS {self.TABLE}")
                database.execute(table)
                database.execute(f"PRAGMA user_version = {self.VERSION}")
            database.execute("COMMIT")
        if self._tables() != [(table,)]:
            raise _DamageError("its tables are not ours")

    def _version(self) -> Any:
        assert self._database is not None
        return self._database.execute("PRAGMA user_version").fetchone()[0]

    def _tables(self) -> list[Any]:
        assert self._database is not None
        find = "SELECT sql FROM sqlite_master WHERE sql NOT NULL"
        return self._database.execute(find).fetchall()

    def _keys(self) -> list[bytes]:
        if self._database is None:
            return []
        return [key for (key,) in self._database.execute(f"SELECT key FROM {self.TABLE}")]

    def _read(
        self, key: bytes, read: Callable[[Any], T], read_unsigned: Callable[[Any], T] | None
    ) -> T | None:
        if self._database is None:
            return None
        row = self._database.execute(
            f"SELECT entry, checksum FROM {self.TABLE} WHERE key = ?", (key,)
        ).fetchone()
        if row is None:
            return None
        entry, checksum = row
        try:
            if not isinstance(entry, bytes):
                raise ValueError("an entry is not bytes")
            if checksum == self._checksum(key, entry):
                value = read(json.loads(entry))
            elif checksum != zlib.crc32(key + entry):
                raise ValueError("an entry does not match its checksum")
            elif read_unsigned is None:
                what = "an entry is not signed by this user's program"
                raise UntrustedError(errno.EPERM, what, str(self._path))
            else:
                value = read_unsigned(json.loads(entry))
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            damage = _DamageError(f"an entry is not of our kind: {error!r}")
            if self.IS_CACHE:
                raise damage from None
            self.problem = f"{self._path}: {damage}; it is ignored"
            return None
        if self.IS_CACHE:  # others are only read, without a wait for the disk
            self._database.execute(
                f"UPDATE {self.TABLE} SET used = ? WHERE key = ?", (time.time(), key)
            )
        return value

    def _checksum(self, key: bytes, entry: bytes) -> int:
        """Return the checksum of an entry, 8 bytes of its signature if the user signs it."""
        if self._signer is None:
            return zlib.crc32(key + entry)
        mac = self._signer.mac(self.TABLE.encode() + b"\0" + key + entry)
        return int.from_bytes(mac[:8], signed=True)

    def _write(self, key: bytes, entry: bytes) -> None:
        if self._database is None:
            return
        self._database.execute(
            f"INSERT OR REPLACE INTO {self.TABLE} VALUES (?, ?, ?, ?)",
            (key, entry, self._checksum(key, entry), time.time()),
        )
        self._since_look += len(entry)
        if self._since_look > self.most_bytes // 16:
            self._since_look = 0
            self._shrink()

    def _shrink(self) -> None:
        """Drop the least recently used entries until an eighth of the space is free."""
        assert self._database is not None
        total = self._database.execute(f"SELECT SUM(LENGTH(entry)) FROM {self.TABLE}").fetchone()[0]
        if total <= self.most_bytes:
            return
        self._database.execute(
            f"DELETE FROM {self.TABLE} WHERE key IN (SELECT key FROM (SELECT key, "
            f"SUM(LENGTH(entry)) OVER (ORDER BY used DESC, key) AS size FROM {self.TABLE}) "
            "WHERE size > ?)",
            (self.most_bytes - self.most_bytes // 8,),
        )


def _in_words(error: Exception) -> str:
    """Return what an error says, without what a damaged file could do to a terminal."""
    what = str(getattr(error, "strerror", None) or error)
    unprintable = {character for character in what if not character.isprintable()}
    for character in unprintable:
        what = what.replace(character, "?")
    return what
