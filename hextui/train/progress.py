"""The user's progress: each puzzle's attempts, and when it is due again, in one file on disk.

Puzzles come back by FSRS, a published model of memory
(https://github.com/open-spaced-repetition/py-fsrs): a puzzle that was failed comes back soon, one
that was solved comes back later each time. A puzzle is known by its position in any orientation, so
copies of it in other files share their progress.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from fsrs import Card, Rating, Scheduler

from hextui import locations
from hextui.engine.entry_file import EntryFile
from hextui.train.puzzle import Puzzle

_SOON = (timedelta(minutes=1),)  # after which a puzzle that was failed comes back
_SCHEDULER = Scheduler(
    learning_steps=_SOON,
    relearning_steps=_SOON,
    enable_fuzzing=False,  # the same answers lead to the same days
)


@dataclass(frozen=True)
class PuzzleProgress:
    """What is known of one puzzle: its attempts, oldest first, and when it is due again.

    An attempt is right if the first move tried won.
    """

    attempts: tuple[bool, ...]
    due: datetime

    @property
    def solved(self) -> bool:
        """Whether it was solved at the last attempt."""
        return bool(self.attempts) and self.attempts[-1]


class TrainingStore(EntryFile):
    """The progress on disk; see `EntryFile`."""

    TABLE = "puzzles"
    ENTRIES = "results of puzzles"
    VERSION = 1
    IS_CACHE = False

    def __init__(self, path: Path | None = None) -> None:
        super().__init__(path or locations.training_file(), most_bytes=64 << 20)

    def of(self, puzzle: Puzzle) -> PuzzleProgress | None:
        """Return the progress with a puzzle, None if it was never tried."""
        return self.get_entry(bytes.fromhex(puzzle.key), _progress)

    def add(self, puzzle: Puzzle, right: bool, now: datetime | None = None) -> PuzzleProgress:
        """Add an attempt, made ``now``; return the progress with it."""
        now = now or datetime.now(UTC)
        key = bytes.fromhex(puzzle.key)
        attempts, card = self.get_entry(key, _entry) or ((), Card(due=now))
        card, _ = _SCHEDULER.review_card(card, Rating.Good if right else Rating.Again, now)
        attempts = (*attempts, right)
        self.put_entry(key, {"attempts": attempts, "card": card.to_json()})
        self._add_to_day(now.astimezone().date(), puzzle.key, right)
        return PuzzleProgress(attempts, card.due)

    def day(self, day: date) -> "Day":
        """Return what was planned for a day, and done of it."""
        return self.get_entry(_day_key(day), _day) or Day({}, {})

    def plan(self, day: date, collection: str, keys: tuple[str, ...]) -> None:
        """Keep the puzzles of a collection, by their keys, that are to be solved on a day."""
        planned = self.day(day)
        sets = {**planned.sets, collection: keys}
        self.put_entry(_day_key(day), {"sets": sets, "results": planned.results})

    def _add_to_day(self, day: date, key: str, right: bool) -> None:
        """Keep the first attempt at a puzzle of the day's sets."""
        planned = self.day(day)
        if key not in planned.results and any(key in keys for keys in planned.sets.values()):
            results = {**planned.results, key: right}
            self.put_entry(_day_key(day), {"sets": planned.sets, "results": results})


@dataclass(frozen=True)
class Day:
    """The keys of the puzzles planned for a day, by collection, and of those tried the results."""

    sets: Mapping[str, tuple[str, ...]]
    results: Mapping[str, bool]

    @property
    def is_done(self) -> bool:
        """Whether all puzzles of a collection's set were tried."""
        return any(keys and self.results.keys() >= set(keys) for keys in self.sets.values())


def _day_key(day: date) -> bytes:
    return f"day {day.isoformat()}".encode()


def _day(entry: Any) -> Day:
    sets = {str(name): tuple(map(str, keys)) for name, keys in entry["sets"].items()}
    results = {str(key): right for key, right in entry["results"].items()}
    if not all(type(right) is bool for right in results.values()):
        raise ValueError("a result is right or wrong")
    return Day(sets, results)


def _entry(entry: Any) -> tuple[tuple[bool, ...], Card]:
    attempts = tuple(entry["attempts"])
    if not all(type(right) is bool for right in attempts):
        raise ValueError("an attempt is right or wrong")
    card: Card = Card.from_json(entry["card"])
    return attempts, card


def _progress(entry: Any) -> PuzzleProgress:
    attempts, card = _entry(entry)
    return PuzzleProgress(attempts, card.due)


Known = Sequence[PuzzleProgress | None]
"""The progress with each of a sequence of puzzles, None with those that were never tried."""


def training_order(
    puzzles: Sequence[Puzzle], histories: Known, now: datetime | None = None
) -> list[int]:
    """Return the places of the puzzles to be solved, in order: those due, then new ones.

    Those due come by the time they were due, new ones by level. Others are not due yet.
    """
    now = now or datetime.now(UTC)
    due = {place: card.due for place, card in enumerate(histories) if card and card.due <= now}
    new = [place for place, card in enumerate(histories) if card is None]
    return [
        *sorted(due, key=due.__getitem__),
        *sorted(new, key=lambda place: (puzzles[place].level or 0, place)),
    ]


@dataclass(frozen=True)
class Success:
    """How many puzzles of a kind there are, were tried, and were solved at the last attempt."""

    puzzles: int
    tried: int
    solved: int


def success_by(
    puzzles: Iterable[Puzzle], histories: Known, kind: Callable[[Puzzle], object]
) -> dict[str, Success]:
    """Return the success with puzzles by kind, such as their theme, in the order of the kinds."""
    total = Counter[str]()
    tried = Counter[str]()
    solved = Counter[str]()
    for puzzle, card in zip(puzzles, histories, strict=True):
        name = str(kind(puzzle) or "-")
        total[name] += 1
        if card is not None:
            tried[name] += 1
        if card is not None and card.solved:
            solved[name] += 1
    return {name: Success(total[name], tried[name], solved[name]) for name in sorted(total)}
