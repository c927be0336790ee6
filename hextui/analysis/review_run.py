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
from hextui.analysis.game_positions import GamePosition, game_positions, record_key
from hextui.analysis.stored_analysis import ReviewStore, add_review, review_entry, stored_estimates
from hextui.analysis.whole_game import analyse_game
from hextui.engine.limit import TooCostlyError
from hextui.engines.engine import EngineError
from hextui.records.record import Record
from hextui.runs.claims import Claims
from hextui.runs.shared_work import completed_once

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
        running: dict[int, ReviewedGame] = {}
        ready: dict[int, ReviewedGame] = {}

        def task_of(number: int) -> ReviewTask | None:
            """Return the task of a game, None if it has been reviewed by now."""
            game = self.known(records[number])
            if game.is_complete(budget):
                ready[number] = game
                return None
            running[number] = game
            return ReviewTask(game.record, review_entry(game.positions, game.estimates), budget)

        names = {number: key_of(record) for number, record in records.items()}
        made = completed_once(executor, review, names, task_of, self._claims, window)
        for number, result in made:
            yield number, self._kept(running.pop(number), result.value)
            while ready:
                yield ready.popitem()
        yield from ready.items()

    def _kept(self, game: ReviewedGame, made: MadeReview) -> ReviewedGame:
        """Store a review that a worker made; return its game."""
        add_review(made.entry, game.positions, game.estimates)
        self._store.keep(game.positions, game.estimates)
        return replace(game, failure=made.failure)


def key_of(record: Record) -> bytes:
    """Return the key by which programs claim a game."""
    return record_key(record)
