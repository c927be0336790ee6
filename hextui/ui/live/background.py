"""What threads do beside the screen: ask the library, judge first moves, keep training results."""

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search.judged_openings import JudgedOpening
from hextui.engines.engine import OpenLane, ask_engine
from hextui.engines.snapshot import Progress
from hextui.library.answers import NOTHING, Explored, GameRow
from hextui.library.filters import ALL_GAMES, Filter
from hextui.records.record_text import RecordError
from hextui.text import Names
from hextui.train.puzzle import Puzzle
from hextui.ui.record.files import opened_library

if TYPE_CHECKING:
    from hextui.train.daily import DailySet
    from hextui.train.kept_games import GameStore, KeptGame
    from hextui.train.progress import PuzzleProgress, TrainingStore
    from hextui.train.today import Today

GAMES_SHOWN = 200


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


def library_answer(path: Path | None, question: LibraryQuestion, names: Names) -> LibraryAnswer:
    """Answer a question from the library's file, which the first import makes; in any thread.

    ``path``: None without a library.
    """
    if path is None:
        return LibraryAnswer(question, problem="it is disabled")
    if not os.path.isfile(path):
        return LibraryAnswer(question)
    position, chosen = question.position, question.chosen
    try:
        with opened_library(path, names) as library:
            explored = library.explore(position, chosen)
            games = library.games(chosen, position, GAMES_SHOWN) if explored.games else []
            return LibraryAnswer(question, explored, tuple(games))
    except RecordError as error:
        return LibraryAnswer(question, problem=str(error))


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
        by_cell = {}
        for opening in self.openings:
            by_cell[opening.cell] = opening
            by_cell[rotate(opening.cell)] = opening
        return by_cell


OPENING_VISITS = 200
"""Visits of the search for each first move: half a second on 11x11, or less."""


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
        swap_map = replace(self._maps.get(board, SwapMap(board)), note="")
        self._keep(swap_map)
        if not swap_map.complete:
            self._run(partial(self._judge, swap_map, self._asked))

    def _keep(self, swap_map: SwapMap) -> None:
        self._maps[swap_map.board] = swap_map
        self._hear(swap_map)

    def _judge(self, begun: SwapMap, number: int) -> None:
        from hextui.engines.questions import JudgeOpenings, OpeningsJudged

        def take(answer: OpeningsJudged | Progress | None, problem: str) -> None:
            match answer:
                case OpeningsJudged(openings, total):
                    better = SwapMap(begun.board, openings, total)
                case Progress(done, total, label):
                    better = replace(self._maps[begun.board], note=f"{done} of {total} {label}")
                case None:
                    better = replace(self._maps[begun.board], note=problem)
            self._keep(better)

        question = JudgeOpenings(
            Position.empty(begun.board), Limit(visits=OPENING_VISITS), begun.openings
        )
        ask_engine(self._open_lane, question, lambda: self._asked != number, take)


class TrainingThread:
    """Does what it is asked in order, so that what was added is in every later answer.

    ``path``: of the results with puzzles, ``games``: of the games against the program,
    ``mistakes``: the collection of the user's own; without a file nothing is kept. ``report`` gets
    a line, in the thread, for what is wrong with one.
    """

    def __init__(
        self,
        path: Path | None,
        games: Path | None,
        mistakes: Path | None,
        report: Callable[[str], object],
    ) -> None:
        self.mistakes = mistakes
        self._path = path
        self._games_path = games
        self._report = report
        self._store: TrainingStore | None = None
        self._games: GameStore | None = None
        self._thread = ThreadPoolExecutor(1, "training", self._open)

    def add(self, puzzle: Puzzle, right: bool) -> None:
        """Add an attempt, which is on disk a few milliseconds later."""
        self._thread.submit(lambda: self._store and self._store.add(puzzle, right))

    def keep_mistake(self, puzzle: Puzzle) -> None:
        """Add the position of a mistake, where no better move was found, to the puzzles."""
        self._thread.submit(self._keep_mistake, puzzle)

    async def keep_game(self, game: "KeptGame") -> bool:
        """Write a game as it stands; return whether it is on disk."""
        return await asyncio.wrap_future(self._thread.submit(self._keep_game, game))

    async def games(self) -> "list[KeptGame]":
        """Return all games against the program, in the order in which they were begun."""
        return await asyncio.wrap_future(self._thread.submit(self._read_games))

    async def known(self, puzzles: Sequence[Puzzle]) -> "list[PuzzleProgress | None]":
        """Return the progress with each puzzle."""
        return await asyncio.wrap_future(self._thread.submit(self._read, puzzles))

    async def daily(
        self, puzzles: Sequence[Puzzle], collection: str, seconds: int
    ) -> "DailySet | None":
        """Return today's set of a collection's puzzles, None if nothing is kept."""
        future = self._thread.submit(self._daily, puzzles, collection, seconds)
        return await asyncio.wrap_future(future)

    async def today(self, player: str) -> "Today":
        """Return how far the day of a player is."""
        return await asyncio.wrap_future(self._thread.submit(self._today, player))

    async def keep_today(self, today: "Today") -> None:
        """Keep how far a day is; it is on disk then."""
        await asyncio.wrap_future(self._thread.submit(self._keep_today, today))

    def is_solved(self, puzzle: Puzzle) -> bool:
        """Return whether a puzzle was solved at the last attempt; for other threads."""
        (progress,) = self._thread.submit(self._read, [puzzle]).result()
        return progress is not None and progress.solved

    def is_new(self, puzzle: Puzzle) -> bool:
        """Return whether a puzzle was never tried; for other threads."""
        (progress,) = self._thread.submit(self._read, [puzzle]).result()
        return progress is None

    def close(self) -> None:
        """Write what is left to be written, and close the file."""
        self._thread.submit(self._close)
        self._thread.shutdown()

    def _open(self) -> None:
        from hextui.train.kept_games import GameStore
        from hextui.train.progress import TrainingStore

        if self._path is not None:
            self._store = TrainingStore(self._path)
        if self._games_path is not None:
            self._games = GameStore(self._games_path)

    def _close(self) -> None:
        for store in (self._store, self._games):
            if store is not None:
                store.close()

    def _keep_mistake(self, puzzle: Puzzle) -> None:
        from hextui.train.own_mistakes import keep_puzzle

        if self.mistakes is None:
            return
        try:
            keep_puzzle(self.mistakes, puzzle)
        except RecordError as error:
            self._report(str(error))

    def _keep_game(self, game: "KeptGame") -> bool:
        if self._games is None:
            return False
        kept = self._games.keep(game)
        if problem := self._games.new_problem():
            self._report(problem)
        return kept

    def _read_games(self) -> "list[KeptGame]":
        if self._games is None:
            return []
        games = self._games.games()
        if problem := self._games.new_problem():
            self._report(problem)
        return games

    def _daily(self, puzzles: Sequence[Puzzle], collection: str, seconds: int) -> "DailySet | None":
        from hextui.train.daily import daily_set

        if self._store is None:
            return None
        return daily_set(self._store, puzzles, collection, _this_day(), seconds)

    def _today(self, player: str) -> "Today":
        from hextui.train.today import Today, day_of

        if self._store is None:
            return Today(_this_day(), player)
        return day_of(self._store, _this_day(), player)

    def _keep_today(self, today: "Today") -> None:
        from hextui.train.today import keep_day

        if self._store is not None:
            keep_day(self._store, today)

    def _read(self, puzzles: Sequence[Puzzle]) -> "list[PuzzleProgress | None]":
        if self._store is None:
            return [None] * len(puzzles)
        if problem := self._store.new_problem():
            self._report(problem)
        return [self._store.of(puzzle) for puzzle in puzzles]


def _this_day() -> date:
    return datetime.now().astimezone().date()
