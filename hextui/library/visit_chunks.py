"""Which games go through a position: all visits of a library, sorted, in chunks.

A visit is a position's key, a game and a ply. The table ``visits`` holds them by key, some thousand
a row; ``mentions`` are kept in the same way (see ``game_names``). Those of new games are merged
into the rows that they fall in, one row after the other, in the transaction of the import. A row
holds ``first`` and ``last`` key; its ``visits`` begin with their number and the bytes that each
difference of keys, each game and each ply takes; then come all differences, all games and all
plies. Anybody may have written a row, so it is checked when it is read.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

CHUNK = 2048  # visits of a row that is written; it grows to twice as many
VISITS_OF_JSON = """
    (SELECT value / 65536 AS game, value % 65536 AS ply FROM json_each(?)) visit
"""
"""A table ``visit`` of game and ply, of the visits in a value; see ``Visits.json``."""
_HEAD = 7  # bytes: the number of visits, three widths
_WIDEST = 8  # bytes of a number

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Visits:
    """Visits, by key and game: arrays of one length."""

    keys: Numbers
    games: Numbers
    plies: Numbers

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, chosen: "slice | NDArray[np.bool_] | Numbers") -> "Visits":
        return Visits(self.keys[chosen], self.games[chosen], self.plies[chosen])

    def sorted(self) -> "Visits":
        """Return the visits in the order of the table."""
        return self[np.lexsort((self.games, self.keys))]

    def of_games(self, games: Numbers) -> "Visits":
        """Return the visits of some games."""
        return self[np.isin(self.games, games)]

    def page(self, limit: int, offset: int, descending: bool) -> "Visits":
        """Return so many visits behind the first ones, from either end; ``limit`` -1: all."""
        places = np.arange(len(self))
        if descending:
            places = places[::-1]
        end = None if limit < 0 else offset + limit
        return self[places[offset:end]]

    def places_before(self, later: "Visits") -> Numbers:
        """Return the places of visits, which are by game, that others follow a ply later.

        Each game has one visit in both.
        """
        places = np.searchsorted(self.games, later.games)
        inside = places < len(self)
        places = places[inside]
        later = later[inside]
        follows = (self.games[places] == later.games) & (self.plies[places] + 1 == later.plies)
        before: Numbers = places[follows]
        return before

    def json(self) -> str:
        """Return games and plies for a query that joins `VISITS_OF_JSON`."""
        return json.dumps((self.games * 65536 + self.plies).tolist())

    def with_inserted(self, places: Numbers, others: "Visits") -> "Visits":
        """Return these visits with others before these places."""
        return Visits(
            np.insert(self.keys, places, others.keys),
            np.insert(self.games, places, others.games),
            np.insert(self.plies, places, others.plies),
        )

    def packed(self) -> bytes:
        """Return the visits as a row holds them, but for the first key."""
        differences = np.diff(self.keys, prepend=self.keys[:1])
        columns = [_narrow(column) for column in (differences, self.games, self.plies)]
        head = len(self).to_bytes(4, "little") + bytes(width for width, _ in columns)
        return head + b"".join(data for _, data in columns)

    @staticmethod
    def unpack(first: int, data: bytes) -> "Visits":
        """Return what ``packed`` wrote. Raises ValueError for anything else."""
        if not isinstance(first, int) or not isinstance(data, bytes):
            raise ValueError("visits are no bytes")
        count = int.from_bytes(data[:4], "little")
        widths = data[4:_HEAD]
        if not count or len(data) != _HEAD + count * sum(widths) or max(widths) > _WIDEST:
            raise ValueError("visits are cut off")
        columns = []
        begin = _HEAD
        for width in widths:
            columns.append(_wide(data, begin, count, width))
            begin += count * width
        differences, games, plies = columns
        differences[0] = first
        visits = Visits(np.cumsum(differences), games, plies)
        if min(column.min() for column in (*columns, visits.keys)) < 0:
            raise ValueError("visits are not in order")
        return visits


def _narrow(column: Numbers) -> tuple[int, bytes]:
    """Return the bytes that each number of a column takes, and the column in so many."""
    width = max(1, (int(column.max()).bit_length() + 7) // 8)
    wide = np.ascontiguousarray(column, "<i8").view(np.uint8).reshape(-1, _WIDEST)
    return width, wide[:, :width].tobytes()


def _wide(data: bytes, begin: int, count: int, width: int) -> Numbers:
    """Return a column of so many numbers, each of so many bytes."""
    wide = np.zeros((count, _WIDEST), np.uint8)
    wide[:, :width] = np.frombuffer(data, np.uint8, count * width, begin).reshape(count, width)
    return wide.view("<i8").ravel().astype(np.int64, copy=False)


def distinct(numbers: Numbers) -> Numbers:
    """Return numbers from 0 on in order, each once; ``np.unique`` hashes them, which is slower."""
    ordered = np.sort(numbers)
    return ordered[np.diff(ordered, prepend=-1) > 0]


def in_both(numbers: Numbers, others: Numbers) -> Numbers:
    """Return the numbers that are in both of two arrays, which are in order and have each once."""
    both: Numbers = np.intersect1d(numbers, others, assume_unique=True)
    return both


def joined(parts: Sequence[Visits]) -> Visits:
    """Return visits one after the other."""
    parts = [NO_VISITS, *parts]
    return Visits(
        np.concatenate([part.keys for part in parts]),
        np.concatenate([part.games for part in parts]),
        np.concatenate([part.plies for part in parts]),
    )


_NONE = np.zeros(0, np.int64)
NO_VISITS = Visits(_NONE, _NONE, _NONE)
_ROWS_OF_KEY = """
    SELECT first, visits FROM {table} WHERE first = ? OR id = (
    SELECT id FROM {table} WHERE first < ? ORDER BY first DESC, last DESC LIMIT 1)
"""


class VisitChunks:
    """The visits in a table of an open library. Changes run in the caller's transaction."""

    def __init__(self, database: sqlite3.Connection, table: str = "visits") -> None:
        self._database = database
        self._table = table

    def through(self, key: int) -> Visits:
        """Return the visits of a position, by game."""
        rows = self._database.execute(_ROWS_OF_KEY.format(table=self._table), (key, key))
        parts = [Visits.unpack(*row) for row in rows]
        return joined([part[part.keys == key] for part in parts]).sorted()

    def of(self, keys: Sequence[int]) -> Visits:
        """Return the visits of sorted keys, in no order."""
        wanted = np.array(keys, np.int64)
        rows = [self._row(number) for number in self._rows_with(wanted)]
        return joined([row[np.isin(row.keys, wanted)] for row in rows])

    def rows(self) -> Iterator[Visits]:
        """Yield the visits of each row, in order. Raises ValueError where they are not."""
        sql = f"SELECT first, last, visits FROM {self._table} ORDER BY first, last"
        before = 0
        for first, last, data in self._database.execute(sql):
            visits = Visits.unpack(first, data)
            if first < before or last != visits.keys[-1]:
                raise ValueError("rows are not in order")
            before = last
            yield visits

    def first_games(self, keys: Numbers) -> Visits:
        """Return a visit of each of some positions that has one; their keys are sorted."""
        visits = [NO_VISITS]
        for _, begin, end, old in self._rows_for(keys):
            visits.append(_met(old, keys[begin:end]))
        return joined(visits)

    def add(self, new: Visits) -> Visits:
        """Add visits, which are in order; return an older visit of each position that has one."""
        visits = [NO_VISITS]
        for number, begin, end, old in self._rows_for(new.keys):
            part = new[begin:end]
            visits.append(_met(old, part.keys))
            places = np.searchsorted(old.keys, part.keys, "right")
            self._write(number, old.with_inserted(places, part))
        if len(visits) == 1:
            self._write(None, new)
        return joined(visits)

    def remove(self, gone: Visits) -> None:
        """Remove all visits of some games, which are in order."""
        for number in self._rows_with(gone.keys):
            old = self._row(number)
            left = old[~np.isin(old.games, gone.games)]
            if len(left):
                self._write(number, left)
            else:
                self._database.execute(f"DELETE FROM {self._table} WHERE id = ?", (number,))

    def _rows_with(self, keys: Numbers) -> list[int]:
        """Return the ids of the rows that sorted keys may stand in; one may stand in several."""
        firsts, numbers = self._heads()
        touched = np.zeros(len(firsts) + 1, np.int64)
        np.add.at(touched, np.maximum(np.searchsorted(firsts, keys) - 1, 0), 1)
        np.add.at(touched, np.searchsorted(firsts, keys, "right"), -1)
        ids: list[int] = numbers[np.flatnonzero(np.cumsum(touched)[:-1])].tolist()
        return ids

    def _heads(self) -> tuple[Numbers, Numbers]:
        """Return the first key and the id of each row, in order."""
        sql = f"SELECT first, id FROM {self._table} ORDER BY first, last"
        rows = self._database.execute(sql).fetchall()
        heads = np.array(rows, np.int64).reshape(-1, 2)
        return heads[:, 0], heads[:, 1]

    def _row(self, number: int) -> Visits:
        sql = f"SELECT first, visits FROM {self._table} WHERE id = ?"
        return Visits.unpack(*self._database.execute(sql, (number,)).fetchone())

    def _rows_for(self, keys: Numbers) -> Iterator[tuple[int, int, int, Visits]]:
        """Yield the id of each row that sorted keys fall in, their begin and end, and its visits.

        A key falls in the last row that begins at or before it.
        """
        firsts, numbers = self._heads()
        if not len(firsts):
            return
        places = np.maximum(np.searchsorted(firsts, keys, "right") - 1, 0)
        begins = np.flatnonzero(np.diff(places, prepend=-1)).tolist()
        for begin, end in pairwise([*begins, len(keys)]):
            number = int(numbers[places[begin]])
            yield number, begin, end, self._row(number)

    def _write(self, number: int | None, visits: Visits) -> None:
        """Write visits in place of a row, in several if there are many."""
        parts = len(visits) // CHUNK if len(visits) > 2 * CHUNK else 1
        bounds = np.linspace(0, len(visits), parts + 1).astype(int).tolist()
        for begin, end in pairwise(bounds):
            part = visits[begin:end]
            row = (number, int(part.keys[0]), int(part.keys[-1]), part.packed())
            sql = f"INSERT OR REPLACE INTO {self._table} VALUES (?, ?, ?, ?)"
            self._database.execute(sql, row)
            number = None


def _met(old: Visits, keys: Numbers) -> Visits:
    """Return a visit of each of sorted keys that has one in a row."""
    places = np.searchsorted(old.keys, keys, "right") - 1
    return old[places[old.keys[places] == keys]]


class VisitPacker:
    """An aggregate function of SQLite that packs rows of position, game and ply as `Visits`."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, ...]] = []

    def step(self, *row: int) -> None:
        """Take one visit."""
        self._rows.append(row)

    def finalize(self) -> bytes:
        """Return the visits as a row holds them."""
        return Visits(*np.array(self._rows, np.int64).T).sorted().packed()
