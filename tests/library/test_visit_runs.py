"""Visits in sorted runs: packing, imports of any sizes, removals, and readers beside a writer."""

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.library import visit_chunks
from hextui.library.filters import read_filter
from hextui.library.integrity import check
from hextui.library.library import Library
from hextui.library.schema import make_tables
from hextui.library.visit_chunks import RATIO, VisitChunks
from hextui.library.visits import VisitRow, Visits, joined, rows_of
from tests.library.generated import write_games

Visit = tuple[int, int, int]
numbers = st.integers(0, 2**63 - 1) | st.integers(0, 300)


def visits_of(rows: list[Visit]) -> Visits:
    return Visits(*np.array(rows, np.int64).reshape(-1, 3).T).sorted()


def rows_in(visits: Visits) -> list[Visit]:
    columns = (visits.keys, visits.games, visits.plies)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=40))
def test_what_was_packed_is_unpacked(rows: list[Visit]) -> None:
    visits = visits_of(rows)
    row = VisitRow(int(visits.keys[0]), visits.packed())
    assert rows_in(row.all()) == rows_in(visits)
    for key in visits.keys.tolist():
        assert rows_in(row.through(key)) == [visit for visit in rows_in(visits) if visit[0] == key]


@pytest.mark.parametrize("width", range(1, 64))
def test_numbers_take_their_bits(width: int) -> None:
    largest = 2**width - 1
    visits = visits_of([(largest, game, 1) for game in (0, largest, 1, largest, 0)])
    bits = width if width <= 57 else 64
    assert len(visits.packed()) == 7 + 1 + (5 * bits + 7) // 8 + 1
    assert rows_in(VisitRow(largest, visits.packed()).all()) == rows_in(visits)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data + b"\0",
        lambda data: b"\0\0\0\0" + data[4:],
        lambda data: data[:4] + b"\0\x40\x40" + data[7:],
        lambda data: data[:4] + bytes([58]) + data[5:],
        lambda data: data[:6],
        lambda data: b"",
    ],
)
def test_damaged_rows_are_refused(damage: Callable[[bytes], bytes]) -> None:
    data = visits_of([(5, 6, 7), (8, 9, 10)]).packed()
    with pytest.raises(ValueError, match="visits are"):
        VisitRow(5, damage(data))


def test_rows_fill_their_room() -> None:
    chance = random.Random(1)
    rows = [(chance.getrandbits(63), chance.getrandbits(20), ply % 100) for ply in range(40_000)]
    visits = visits_of(rows)
    cut = list(rows_of([visits[:15_000], visits[15_000:]], 20_000))
    assert rows_in(joined(cut)) == rows_in(visits)
    sizes = [len(row.packed()) for row in cut]
    assert max(sizes) <= 20_000
    assert min(sizes[:-1]) > 19_000


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
    monkeypatch.setattr(visit_chunks, "_ROOM", 200)  # rows of some ten visits
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as empty:
        make_tables(empty)
        yield empty


@pytest.mark.parametrize("seed", range(20))
def test_runs_hold_what_was_added_and_not_removed(database: sqlite3.Connection, seed: int) -> None:
    chance = random.Random(seed)
    chunks = VisitChunks(database)
    there: list[Visit] = []
    for step in range(30):
        number = chance.choice([1, 3, 50, 300])
        new = [(chance.randrange(400), 1000 * step + n, n % 90) for n in range(number)]
        older = rows_in(chunks.add(visits_of(new)))
        keys = {key for key, _, _ in new}
        assert {key for key, _, _ in older} == keys & {key for key, _, _ in there}
        assert set(older) <= set(there)
        there += new
        gone = {game for _, game, _ in there if chance.random() < 0.2} if step % 5 == 4 else set()
        chunks.remove(visits_of([visit for visit in there if visit[1] in gone]))
        there = [visit for visit in there if visit[1] not in gone]
        assert rows_in(joined(list(chunks.rows())).sorted()) == sorted(there)
        key = chance.randrange(400)
        assert rows_in(chunks.through(key)) == sorted(v for v in there if v[0] == key)
        wanted = sorted(chance.sample(range(400), 20))
        expected = sorted(visit for visit in there if visit[0] in wanted)
        assert rows_in(chunks.of(wanted).sorted()) == expected


def test_a_visit_is_written_a_few_times_and_stands_in_a_few_runs(
    database: sqlite3.Connection,
) -> None:
    chance = random.Random(1)
    chunks = VisitChunks(database)
    begin = database.total_changes
    for step in range(256):
        chunks.add(visits_of([(chance.getrandbits(63), step, 1) for _ in range(40)]))
        sizes = [n for (n,) in database.execute("SELECT count(*) FROM visits GROUP BY run")]
        assert len(sizes) <= 6
        assert all(one >= RATIO * other for one, other in zip(sizes, sizes[2:], strict=False))
    rows = sum(sizes)
    assert database.total_changes - begin < 30 * rows  # all rows each time: 256 * rows / 2


def test_answers_are_of_one_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program imports and removes between the queries of an answer."""
    games = tmp_path / "games.jsonl"
    write_games(games, 200, Board(5, 5), seed=3, players=20)
    more = tmp_path / "more.jsonl"
    write_games(more, 400, Board(5, 5), seed=4, players=20)
    path = tmp_path / "library.sqlite"
    chosen = read_filter("player=an date=20")
    empty = Position.empty(Board(5, 5))
    heads = VisitChunks._heads
    with Library(path) as library, Library(path) as other:
        library.import_paths([games])
        expected = library.explore(empty, chosen), library.ids(chosen)
        rows = library.stats().games
        writes: list[Callable[[], object]] = [
            lambda: other.import_paths([more]),
            lambda: other.remove(range(1, 300)),
        ]
        for write in writes:
            waiting = [write]

            def heads_meanwhile(chunks: VisitChunks, run: int) -> object:
                found = heads(chunks, run)
                if waiting and chunks._database is library._database:  # noqa: B023
                    waiting.pop()()  # noqa: B023
                return found

            monkeypatch.setattr(VisitChunks, "_heads", heads_meanwhile)
            found = library.explore(empty, chosen)
            monkeypatch.setattr(VisitChunks, "_heads", heads)
            assert not waiting
            assert found == expected[0]
            assert library.stats().games != rows
            rows = library.stats().games
            expected = library.explore(empty, chosen), library.ids(chosen)
    assert check(path).problems == ()
