"""What threads do beside the screen: ask the library, judge first moves, keep training results."""

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search.judged_openings import JudgedOpening
from hextui.engines.engine import OpenLane, ask_engine
from hextui.engines.snapshot import Progress
from hextui.library.answers import ALL_GAMES, NOTHING, Explored, Filter, GameRow
from hextui.train.puzzle import Puzzle
from hextui.words.names import Names

if TYPE_CHECKING:
    from hextui.library.library import Library
    from hextui.train.progress import PuzzleProgress, TrainingStore

GAMES_SHOWN = 200
_PAUSE = 0.08  # seconds that a position must stay before the library is asked


@dataclass(frozen=True)
class LibraryQuestion:
    """A position, and the games to search."""

    position: Position
    chosen: Filter = ALL_GAMES


@dataclass(frozen=True)
class LibraryAnswer:
    """The moves and the first games at a position; ``problem`` says why there are none."""

    question: LibraryQuestion
    explored: Explored = NOTHING
    games: tuple[GameRow, ...] = ()
    problem: str = ""


class LibraryReader:
    """Answers questions from the library's file, which the first question opens.

    ``path``: None without a library. ``hear`` gets the answers, from any thread. A new question
    replaces the one before, even while that is being answered.
    """

    def __init__(
        self,
        path: Path | None,
        hear: Callable[[LibraryAnswer], None],
        names: Names = Names.RED_BLUE,
    ) -> None:
        self._path = path
        self._hear = hear
        self._names = names
        self._thread = ThreadPoolExecutor(1, "library")
        self._library: Library | None = None
        self._asked = 0  # the number of the newest question
        self._awaited: LibraryQuestion | None = None
        self._timer: asyncio.TimerHandle | None = None

    def ask_soon(self, question: LibraryQuestion) -> None:
        """Ask this unless another question follows at once, or it is being answered."""
        if question == self._awaited:
            return
        self._drop_question()
        self._awaited = question
        self._timer = asyncio.get_running_loop().call_later(_PAUSE, self.ask, question)

    def ask(self, question: LibraryQuestion) -> None:
        """Ask this instead of what was asked before."""
        self._drop_question()
        self._thread.submit(self._work, question, self._asked)

    def close(self) -> None:
        """End the thread and close the file."""
        self._drop_question()
        self._thread.submit(self._close)
        self._thread.shutdown()

    def _drop_question(self) -> None:
        self._asked += 1
        if self._timer is not None:
            self._timer.cancel()
        if self._library is not None:
            self._library.interrupt()

    def _work(self, question: LibraryQuestion, number: int) -> None:
        if number == self._asked:
            answer = self._answer(question)
            if number == self._asked:
                self._awaited = None
                self._hear(answer)

    def _close(self) -> None:
        if self._library is not None:
            self._library.close()

    def _answer(self, question: LibraryQuestion) -> LibraryAnswer:
        from hextui.library.schema import LibraryError

        if self._path is None:
            return LibraryAnswer(question, problem="it is disabled")
        try:
            library = self._opened(self._path)
            if library is None:
                return LibraryAnswer(question)
            position, chosen = question.position, question.chosen
            explored = library.explore(position, chosen)
            games = library.games(chosen, position, GAMES_SHOWN) if explored.games else []
            return LibraryAnswer(question, explored, tuple(games))
        except LibraryError as error:
            return LibraryAnswer(question, problem=str(error))

    def _opened(self, path: Path) -> "Library | None":
        """Return the library; None while there is no file, which an import creates."""
        if self._library is None and os.path.isfile(path):
            from hextui.library.library import Library

            self._library = Library(path, self._names)
        return self._library


@dataclass(frozen=True)
class SwapMap:
    """The first moves judged so far, one of each two that a half turn exchanges.

    ``total``: how many there are, 0 while unknown. ``note``: why there are no more yet, or none.
    """

    board: Board
    openings: tuple[JudgedOpening, ...] = ()
    total: int = 0
    note: str = ""

    @property
    def complete(self) -> bool:
        """Whether every first move is judged."""
        return 0 < self.total == len(self.openings)

    @cached_property
    def by_cell(self) -> dict[int, JudgedOpening]:
        """What is known of each cell, turned ones too."""
        rotate = self.board.rotate
        return {cell: one for one in self.openings for cell in (one.cell, rotate(one.cell))}


OPENING_NODES = 200
"""Nodes that the search expands for each first move: half a second on 11x11, or less."""


class SwapMaps:
    """Has the first moves of a board judged while its swap map is shown, and keeps the maps.

    ``run`` runs work in a thread; ``hear`` gets each better map, from any thread.
    """

    def __init__(
        self,
        open_lane: OpenLane,
        run: Callable[[Callable[[], None]], object],
        hear: Callable[[SwapMap], object],
    ) -> None:
        self._open_lane = open_lane
        self._run = run
        self._hear = hear
        self._maps: dict[Board, SwapMap] = {}
        self._board: Board | None = None
        self._asked = 0

    def follow(self, board: Board | None) -> None:
        """Judge the first moves of a board, or go on where that ended; None for no board."""
        if board == self._board:
            return
        self._board = board
        self._asked += 1
        if board is None:
            return
        known = replace(self._maps.get(board, SwapMap(board)), note="")
        self._keep(known)
        if not known.complete:
            self._run(partial(self._judge, known, self._asked))

    def _keep(self, known: SwapMap) -> None:
        self._maps[known.board] = known
        self._hear(known)

    def _judge(self, known: SwapMap, number: int) -> None:
        from hextui.engines.questions import JudgeOpenings, OpeningsJudged

        def take(found: OpeningsJudged | Progress | None, problem: str) -> None:
            match found:
                case OpeningsJudged(openings, total):
                    better = SwapMap(known.board, openings, total)
                case Progress(done, total, label):
                    better = replace(self._maps[known.board], note=f"{done} of {total} {label}")
                case None:
                    better = replace(self._maps[known.board], note=problem)
            self._keep(better)

        question = JudgeOpenings(
            Position.empty(known.board), Limit(nodes=OPENING_NODES), known.openings
        )
        ask_engine(self._open_lane, question, lambda: self._asked != number, take)


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
