"""The user's results with puzzles, read and written in a thread of their own."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from hextui.train.puzzle import Puzzle

if TYPE_CHECKING:
    from hextui.train.progress import PuzzleProgress, TrainingStore


class TrainingThread:
    """Does what it is asked in order, so that what was added is in every later answer.

    ``path``: of the file, without which nothing is kept; ``report`` gets a line, in the thread, for
    what is wrong with it.
    """

    def __init__(self, path: Path | None, report: Callable[[str], object]) -> None:
        self._path, self._report = path, report
        self._store: TrainingStore | None = None
        self._thread = ThreadPoolExecutor(1, "training", self._open)

    def add(self, puzzle: Puzzle, right: bool) -> None:
        """Add an attempt, which is on disk a few milliseconds later."""
        self._thread.submit(lambda: self._store and self._store.add(puzzle, right))

    async def known(self, puzzles: Sequence[Puzzle]) -> "list[PuzzleProgress | None]":
        """Return the progress with each puzzle."""
        return await asyncio.wrap_future(self._thread.submit(self._read, puzzles))

    def is_solved(self, puzzle: Puzzle) -> bool:
        """Return whether a puzzle was solved at the last attempt; for other threads."""
        (progress,) = self._thread.submit(self._read, [puzzle]).result()
        return progress is not None and progress.solved

    def close(self) -> None:
        """Write what is left to be written, and close the file."""
        self._thread.submit(self._close)
        self._thread.shutdown()

    def _open(self) -> None:
        from hextui.train.progress import TrainingStore

        if self._path is not None:
            self._store = TrainingStore(self._path)

    def _close(self) -> None:
        if self._store is not None:
            self._store.close()

    def _read(self, puzzles: Sequence[Puzzle]) -> "list[PuzzleProgress | None]":
        if self._store is None:
            return [None] * len(puzzles)
        if problem := self._store.new_problem():
            self._report(problem)
        return [self._store.of(puzzle) for puzzle in puzzles]
