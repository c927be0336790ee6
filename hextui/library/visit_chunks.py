"""Which games go through a position: all visits of a library, in rows of sorted runs.

The table ``visits`` holds them some thousand a row; ``mentions`` are kept in the same way (see
``game_names``). A row holds the number of its ``run``, ``first`` and ``last`` key and its
``visits`` (see ``visits``). The rows of a run are in order of keys. What an import adds is a new
run, after which the last runs are merged until each has at least `RATIO` times as many rows as the
next one: so a visit is written a few times only, however many there are, and a query reads a few
rows (the logarithmic method of J. L. Bentley, J. B. Saxe: Decomposable searching problems I,
Journal of Algorithms 1 (1980), 301-358, https://doi.org/10.1016/0196-6774(80)90015-2).
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from hextui.library.visits import Numbers, VisitRow, Visits, joined, merged, rows_of

RATIO = 4
_ROOM = 33_100  # bytes of the visits of a row: with the rest of it a little less than whole pages
_USUAL = 8  # bytes of a visit
_RUNS = """
    WITH runs (run) AS (SELECT min(run) FROM {table} UNION ALL
    SELECT (SELECT min(run) FROM {table} WHERE run > runs.run) FROM runs WHERE run NOT NULL)
"""
# of each run: rows that begin with a key, and the last one that begins before
_ROWS_OF_KEY = f"""
    {_RUNS}
    SELECT first, visits FROM runs JOIN {{table}} USING (run) WHERE first = ?
    UNION ALL SELECT first, visits FROM runs JOIN {{table}} ON id = (
    SELECT id FROM {{table}} WHERE run = runs.run AND first < ?
    ORDER BY first DESC, last DESC LIMIT 1)
"""


class VisitChunks:
    """The visits in a table of an open library. Changes run in the caller's transaction."""

    def __init__(self, database: sqlite3.Connection, table: str = "visits") -> None:
        self._database = database
        self._table = table

    def through(self, key: int) -> Visits:
        """Return the visits of a position, by game."""
        rows = self._database.execute(_ROWS_OF_KEY.format(table=self._table), (key, key))
        return joined([VisitRow(*row).through(key) for row in rows]).sorted()

    def of(self, keys: Sequence[int]) -> Visits:
        """Return the visits of sorted keys, in no order."""
        wanted = np.array(keys, np.int64)
        visits = []
        for run in self._runs():
            for number in self._rows_with(run, wanted):
                visits.append(self._row(number).of(wanted))
        return joined(visits)

    def rows(self) -> Iterator[Visits]:
        """Yield the visits of each row, in order by run. Raises ValueError where they are not."""
        sql = f"SELECT run, first, last, visits FROM {self._table} ORDER BY run, first, last"
        before = (0, 0)
        for run, first, last, data in self._database.execute(sql):
            visits = VisitRow(first, data).all()
            if (run, first) < before or last != visits.keys[-1]:
                raise ValueError("rows are not in order")
            before = (run, last)
            yield visits

    def add(self, new: Visits) -> Visits:
        """Add visits, which are in order; return older ones of the positions that have any."""
        runs = self._runs()
        older = [self._last_of(run, new.keys) for run in runs]
        number = max(runs, default=-1) + 1
        rows = 1 + len(new) * _USUAL // _ROOM
        streams = [iter([new])]
        for run in sorted(runs, reverse=True):
            if runs[run] >= RATIO * rows:
                break
            rows += runs[run]
            number = run
            streams.insert(0, self._taken(run))
        self.write(number, merged(streams))
        return joined(older)

    def write(self, run: int, visits: Iterable[Visits]) -> None:
        """Write visits, which are in order, as rows of a run."""
        for row in rows_of(visits, _ROOM):
            self._write(None, run, row)

    def remove(self, gone: Visits) -> None:
        """Remove all visits of some games, which are in order."""
        for run in self._runs():
            for number in self._rows_with(run, gone.keys):
                old = self._row(number).all()
                left = old[~np.isin(old.games, gone.games)]
                if len(left):
                    self._write(number, run, left)
                else:
                    self._drop(number)

    def _runs(self) -> dict[int, int]:
        """Return the number of rows of each run."""
        sql = f"SELECT run, count(*) FROM {self._table} GROUP BY run ORDER BY run"
        return dict(self._database.execute(sql))

    def _taken(self, run: int) -> Iterator[Visits]:
        """Yield the visits of a run, row by row, and drop what was read."""
        _, numbers = self._heads(run)
        for number in numbers.tolist():
            visits = self._row(number).all()
            self._drop(number)
            yield visits

    def _rows_with(self, run: int, keys: Numbers) -> list[int]:
        """Return the ids of a run's rows that sorted keys may stand in, each maybe in several."""
        firsts, numbers = self._heads(run)
        touched = np.zeros(len(firsts) + 1, np.int64)
        np.add.at(touched, np.maximum(np.searchsorted(firsts, keys) - 1, 0), 1)
        np.add.at(touched, np.searchsorted(firsts, keys, "right"), -1)
        ids: list[int] = numbers[np.flatnonzero(np.cumsum(touched)[:-1])].tolist()
        return ids

    def _heads(self, run: int) -> tuple[Numbers, Numbers]:
        """Return the first key and the id of each row of a run, in order."""
        sql = f"SELECT first, id FROM {self._table} WHERE run = ? ORDER BY first, last"
        rows = self._database.execute(sql, (run,)).fetchall()
        heads = np.array(rows, np.int64).reshape(-1, 2)
        return heads[:, 0], heads[:, 1]

    def _row(self, number: int) -> VisitRow:
        sql = f"SELECT first, visits FROM {self._table} WHERE id = ?"
        return VisitRow(*self._database.execute(sql, (number,)).fetchone())

    def _last_of(self, run: int, keys: Numbers) -> Visits:
        """Return a visit of each of sorted keys that has one in a run.

        The last visit of a key is in the last row that begins at or before it.
        """
        firsts, numbers = self._heads(run)
        places = np.maximum(np.searchsorted(firsts, keys, "right") - 1, 0)
        begins = np.flatnonzero(np.diff(places, prepend=-1)).tolist()
        visits = []
        for begin, end in pairwise([*begins, len(keys)]):
            row = self._row(int(numbers[places[begin]]))
            visits.append(row.last_of(keys[begin:end]))
        return joined(visits)

    def _write(self, number: int | None, run: int, visits: Visits) -> None:
        """Write a row, in place of one if its id is given."""
        row = (number, run, int(visits.keys[0]), int(visits.keys[-1]), visits.packed())
        self._database.execute(f"INSERT OR REPLACE INTO {self._table} VALUES (?, ?, ?, ?, ?)", row)

    def _drop(self, number: int) -> None:
        self._database.execute(f"DELETE FROM {self._table} WHERE id = ?", (number,))
