"""A run against the clock: as many puzzles as the user solves in five minutes."""

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from math import ceil

from hextui.train.puzzle import Puzzle

SECONDS = 5 * 60
_IN_A_ROW = 3  # puzzles of a level before those of the next


def run_order(puzzles: Sequence[Puzzle], seed: int) -> list[int]:
    """Return the places of all puzzles, drawn by a seed: three of each level, then three more."""
    places = list(range(len(puzzles)))
    random.Random(seed).shuffle(places)
    of_level = Counter[int]()
    rounds: dict[int, tuple[int, int]] = {}
    for place in places:
        level = puzzles[place].level or 0
        rounds[place] = of_level[level] // _IN_A_ROW, level
        of_level[level] += 1
    return sorted(places, key=rounds.__getitem__)


class TimedRun:
    """The results of a run that begins now, and its ``end`` by a ``clock`` in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.end = clock() + SECONDS
        self._tried = Counter[str]()
        self._right = Counter[str]()

    @property
    def seconds_left(self) -> int:
        """The whole seconds that are left, 0 when the time is up."""
        return max(ceil(self.end - self.clock()), 0)

    def add(self, puzzle: Puzzle, right: bool) -> None:
        """Count the first try at a puzzle."""
        theme = str(puzzle.theme or "other")
        self._tried[theme] += 1
        self._right[theme] += int(right)

    @property
    def score(self) -> str:
        """How many were right."""
        return f"{self._right.total()} of {self._tried.total()} right"

    @property
    def words(self) -> str:
        """How many were right, of all and by theme, a line each."""
        rows = [f"{self._right[theme]}/{tried}  {theme}" for theme, tried in self._tried.items()]
        return "\n".join([self.score, *sorted(rows, key=lambda row: row.partition("  ")[2])])
