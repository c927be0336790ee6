"""The reviews of many games: workers make those that are missing, and each is kept at once.

A review depends on the game, the budget and the reviews before it alone: the solver's time is
counted in nodes, and a worker looks nothing up on its own disk. So it does not matter who makes
which. Several programs on this machine share the work: each claims the games that it works on.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition, game_key, game_positions
from hextui.analysis.stored_analysis import ReviewStore, add_review, review_entry, stored_estimates
from hextui.analysis.whole_game import analyse_game
from hextui.engine.limit import TooCostlyError
from hextui.engines.engine import EngineError
from hextui.records.record import Record
from hextui.runs.claims import Claims
from hextui.runs.workers import completed

NODES_PER_SECOND = 2500
"""Nodes that count as a second of the solver's time: about what it expands on 11x11."""


@dataclass(frozen=True)
class ReviewBudget:
    """What a review consists of: the evaluators, and the solver's time for a game in seconds."""

    names: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class ReviewTask:
    """A game to review, and the review so far, as `review_entry` returns it."""

    record: Record
    before: dict[str, Any]
    budget: ReviewBudget


@dataclass(frozen=True)
class MadeReview:
    """What a worker returns: a review, and in one line what went wrong, '' if nothing did."""

    entry: dict[str, Any]
    failure: str = ""


@dataclass(frozen=True)
class ReviewedGame:
    """A game, what is known of it, and in one line why that is not all, '' if it is."""

    record: Record
    positions: Sequence[GamePosition]
    estimates: Estimates
    failure: str = ""

    def is_complete(self, budget: ReviewBudget) -> bool:
        """Return whether all that a budget asks for is known."""
        complete = all(self.estimates.complete(each, budget.names) for each in self.positions)
        return complete and self.estimates.spent(self.positions) >= budget.seconds


def review(task: ReviewTask) -> MadeReview:
    """Review a game, in a worker."""
    from hextui.engines.answerer import OwnAnswerer
    from hextui.engines.engine_workspace import temporary_solutions
    from hextui.engines.registry import user_engines

    positions = game_positions(task.record, task.record.main_line())
    estimates = Estimates()
    add_review(task.before, positions, estimates)
    failure = ""
    with temporary_solutions() as solutions:
        steps = analyse_game(
            positions,
            task.budget.names,
            estimates,
            solve_seconds=task.budget.seconds,
            open_lane=partial(OwnAnswerer, solutions=solutions),
            others=user_engines().lane,
            nodes_per_second=NODES_PER_SECOND,
        )
        try:
            for _ in steps:
                pass
        except (EngineError, TooCostlyError) as error:  # what was found before is kept
            failure = str(error)
    return MadeReview(review_entry(positions, estimates), failure)


class ReviewRun:
    """Reviews of many games, which ``store`` keeps.

    ``claims`` are shared with other programs that use the same store; None shares no work.
    """

    def __init__(self, store: ReviewStore, claims: Claims | None) -> None:
        self._store = store
        self._claims = claims
        self._running: dict[int, ReviewedGame] = {}
        self._ready: dict[int, ReviewedGame] = {}
        self._elsewhere: dict[int, Record] = {}

    def known(self, record: Record) -> ReviewedGame:
        """Return a game with what its record and the store hold."""
        positions, estimates = stored_estimates(record)
        self._store.read(positions, estimates)
        return ReviewedGame(record, positions, estimates)

    def reviewed(
        self, records: Mapping[int, Record], budget: ReviewBudget, executor: Executor, window: int
    ) -> Iterator[tuple[int, ReviewedGame]]:
        """Review games, at most ``window`` at once; yield each, with its number, once it is done.

        Games on which another program works come last. Raises what the executor raises.
        """
        left = records
        try:
            while left:
                self._elsewhere = {}
                tasks = self._tasks(left, budget)
                for number, made in completed(executor, review, tasks, window):
                    yield number, self._kept(number, made.value)
                    yield from self._made_before()
                yield from self._made_before()
                left = self._elsewhere
                self._wait_for(left)
        finally:
            for game in self._running.values():
                self._release(game.record)
            self._running.clear()

    def _tasks(
        self, records: Mapping[int, Record], budget: ReviewBudget
    ) -> Iterator[tuple[int, ReviewTask]]:
        """Yield a task for each game that is not claimed elsewhere and not reviewed yet."""
        for number, record in records.items():
            if not self._claim(record):
                self._elsewhere[number] = record
                continue
            game = self.known(record)
            if game.is_complete(budget):
                self._release(record)
                self._ready[number] = game
                continue
            self._running[number] = game
            yield number, ReviewTask(record, review_entry(game.positions, game.estimates), budget)

    def _made_before(self) -> Iterator[tuple[int, ReviewedGame]]:
        """Yield the games that have been reviewed by another program, or earlier."""
        while self._ready:
            yield self._ready.popitem()

    def _kept(self, number: int, made: MadeReview) -> ReviewedGame:
        """Store a review that a worker made; return its game."""
        game = self._running.pop(number)
        add_review(made.entry, game.positions, game.estimates)
        self._store.keep(game.positions, game.estimates)
        self._release(game.record)
        return replace(game, failure=made.failure)

    def _claim(self, record: Record) -> bool:
        """Claim a game; return False if it is claimed already."""
        return self._claims is None or self._claims.claim(key_of(record))

    def _release(self, record: Record) -> None:
        if self._claims is not None:
            self._claims.release(key_of(record))

    def _wait_for(self, records: Mapping[int, Record]) -> None:
        """Wait until the first of these games is no longer claimed elsewhere."""
        if self._claims is not None and records:
            self._claims.wait(key_of(next(iter(records.values()))))


def key_of(record: Record) -> bytes:
    """Return the key by which programs claim a game."""
    return game_key(record.board, record.root.end())
