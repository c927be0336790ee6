"""The puzzles of a day: a set that fits a quarter of an hour, and the streak of days with one."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from hextui.text import counted
from hextui.train.progress import Known, PuzzleProgress, TrainingStore, training_order
from hextui.train.puzzle import MOST_LEVEL, Puzzle

SECONDS = 15 * 60
"""Of a set."""
_FIRST_REACH = 3  # the most level of new puzzles for a beginner
_AT_LEAST, _A_LEVEL = 30, 10  # seconds for a puzzle, and for each of its levels


@dataclass(frozen=True)
class DailySet:
    """The puzzles of a day, as places in their collection.

    ``results``: of those that were tried, whether the first try won. ``streak``: the days in a row,
    to this or the last one, with all puzzles of a set tried.
    """

    places: tuple[int, ...]
    results: Mapping[int, bool]
    streak: int

    @property
    def left(self) -> list[int]:
        """The places of the puzzles that were not tried yet, in order."""
        return [place for place in self.places if place not in self.results]

    @property
    def words(self) -> str:
        """How far the set is, and the streak."""
        right = sum(self.results.values())
        done = f"{len(self.results)} of {len(self.places)} done, {right} right"
        return f"{done}; streak {counted(self.streak, 'day')}"


def chosen_for(
    day: date, puzzles: Sequence[Puzzle], histories: Known, seconds: int = SECONDS
) -> list[int]:
    """Return the places of the puzzles of a day: those due, then new ones, the easiest first.

    If not all fit into the ``seconds``, due ones that were failed at the last try come first. New
    ones are drawn by the day, up to the level above the highest that was solved.
    """
    tonight = datetime.combine(day, time.max).astimezone()
    order = training_order(puzzles, histories, tonight)
    due = [place for place in order if histories[place] is not None]
    due.sort(key=lambda place: _is_solved(histories[place]))
    new = [place for place in order if histories[place] is None]
    reach = _reach(puzzles, histories)
    lots = random.Random(day.isoformat())
    lots.shuffle(new)
    new.sort(key=lambda place: _level(puzzles[place]) > reach)
    chosen: list[int] = []
    left = seconds
    for place in (*due, *new):
        left -= _AT_LEAST + _A_LEVEL * _level(puzzles[place])
        if left >= 0:
            chosen.append(place)
    return sorted(chosen, key=lambda place: (histories[place] is None, _level(puzzles[place])))


def _is_solved(progress: PuzzleProgress | None) -> bool:
    return progress is not None and progress.solved


def _reach(puzzles: Sequence[Puzzle], histories: Known) -> int:
    """Return the highest level of new puzzles."""
    cards = zip(puzzles, histories, strict=True)
    solved = [_level(puzzle) for puzzle, card in cards if _is_solved(card)]
    return max([_FIRST_REACH, *(level + 1 for level in solved)])


def _level(puzzle: Puzzle) -> int:
    return puzzle.level or MOST_LEVEL // 2


def daily_set(
    store: TrainingStore,
    puzzles: Sequence[Puzzle],
    collection: str,
    day: date,
    seconds: int = SECONDS,
    *,
    plans: bool = True,
) -> DailySet:
    """Return the set of a day, which fits into the ``seconds``.

    ``plans``: a new one is kept, so that the same comes back all day.
    """
    planned = store.day(day)
    keys = planned.sets.get(collection)
    if keys is None:
        keys = _new_set(store, puzzles, day, seconds)
        if plans:
            store.plan(day, collection, keys)
    place_of = {puzzle.key: place for place, puzzle in enumerate(puzzles)}
    places = [place_of[key] for key in keys if key in place_of]
    tried = [place for place in places if puzzles[place].key in planned.results]
    results = {place: planned.results[puzzles[place].key] for place in tried}
    return DailySet(tuple(places), results, _streak(store, day))


def _new_set(
    store: TrainingStore, puzzles: Sequence[Puzzle], day: date, seconds: int
) -> tuple[str, ...]:
    """Return the keys of the puzzles of a day that has none yet."""
    histories = [store.of(puzzle) for puzzle in puzzles]
    return tuple(puzzles[place].key for place in chosen_for(day, puzzles, histories, seconds))


def _streak(store: TrainingStore, day: date) -> int:
    """Return how many days in a row have a set that was done, to this day or the last one."""
    days = 0
    last = day if store.day(day).is_done else day - timedelta(1)
    while store.day(last - timedelta(days)).is_done:
        days += 1
    return days
