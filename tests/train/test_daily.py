"""The puzzles of a day, and the days in a row on which they were solved."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.train.daily import SECONDS, DailySet, chosen_for, daily_set
from hextui.train.progress import TrainingStore
from hextui.train.puzzle import BUILT_IN_FILE, Puzzle, read_puzzles
from hextui.train.timed_run import TimedRun, run_order

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
BOARD = Board(13, 13)
PUZZLES = [Puzzle(Position.empty(BOARD).play(cell), level=1 + cell % 9) for cell in range(80)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "training.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[TrainingStore]:
    with closing(TrainingStore(path)) as opened:
        yield opened


def on(store: TrainingStore, now: datetime, puzzles: list[Puzzle] = PUZZLES) -> DailySet:
    return daily_set(store, puzzles, "pack", now.astimezone().date())


def solve(store: TrainingStore, now: datetime) -> None:
    for place in on(store, now).left:
        store.add(PUZZLES[place], True, now)


def test_a_set_fits_a_quarter_of_an_hour_and_begins_with_what_is_due(store: TrainingStore) -> None:
    failed = PUZZLES[20]
    store.add(failed, False, NOW - DAY)
    histories = [store.of(puzzle) for puzzle in PUZZLES]
    places = chosen_for(NOW.date(), PUZZLES, histories)
    assert places[0] == 20
    levels = [PUZZLES[place].level or 0 for place in places]
    assert SECONDS - 120 < sum(30 + 10 * level for level in levels) <= SECONDS
    assert levels[1:] == sorted(levels[1:])
    assert len(set(places)) == len(places)
    next_day = chosen_for((NOW + DAY).date(), PUZZLES, histories)
    assert set(next_day) != set(places)


def test_the_set_is_the_same_all_day_and_after_a_restart(store: TrainingStore, path: Path) -> None:
    first = on(store, NOW)
    store.add(PUZZLES[first.places[2]], False, NOW)
    store.add(PUZZLES[first.places[2]], True, NOW)  # the first try counts
    with closing(TrainingStore(path)) as reopened:
        again = on(reopened, NOW, PUZZLES[::-1])
    assert [PUZZLES[::-1][place] for place in again.places] == [PUZZLES[p] for p in first.places]
    assert [again.places.index(place) for place in again.results] == [2]
    assert list(again.results.values()) == [False]
    assert again.words == f"1 of {len(first.places)} done, 0 right; streak 0 days"
    assert on(store, NOW + DAY).results == {}


def test_a_streak_counts_days_in_a_row_on_which_the_set_was_done(store: TrainingStore) -> None:
    for day in range(3):
        assert on(store, NOW + day * DAY).streak == day
        solve(store, NOW + day * DAY)
    assert on(store, NOW + 2 * DAY).streak == 3
    assert on(store, NOW + 3 * DAY).streak == 3
    assert on(store, NOW + 4 * DAY).streak == 0
    only_one = on(store, NOW + 3 * DAY).left[0]
    store.add(PUZZLES[only_one], True, NOW + 3 * DAY)
    assert on(store, NOW + 4 * DAY).streak == 0


def test_a_run_begins_easy_and_counts_by_theme() -> None:
    puzzles = list(read_puzzles(BUILT_IN_FILE))
    order = run_order(puzzles, 7)
    assert sorted(order) == list(range(len(puzzles)))
    assert order != run_order(puzzles, 8)
    levels = [puzzles[place].level or 0 for place in order[:12]]
    assert levels == sorted(levels)
    run = TimedRun(clock=iter([0.0, 10.0, 299.5, 300.0]).__next__)
    assert run.seconds_left == 290
    for place, right in zip(order, (True, False, True), strict=False):
        run.add(puzzles[place], right)
    assert run.words.startswith("2 of 3 right")
    assert all(str(puzzles[place].theme) in run.words for place in order[:3])
    assert run.seconds_left == 1
    assert run.seconds_left == 0
