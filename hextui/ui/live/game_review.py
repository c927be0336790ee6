"""Game reviews for the screen: what is known of each position, and how far the analysis is."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, WeakSet

from hextui.analysis import stored_analysis
from hextui.analysis.estimates import Estimate, Estimates
from hextui.analysis.game_positions import GamePosition, game_positions
from hextui.analysis.game_report import Advantage, advantages, win_probabilities
from hextui.analysis.mistakes import PROVED, GameSummary, ReviewEntry, game_summary, review_entries
from hextui.analysis.stored_analysis import ReviewStore
from hextui.engine.evaluators import improves
from hextui.engine.search.move_scope import ALL_MOVES
from hextui.engine.verdicts import Verdicts
from hextui.engines.snapshot import Progress, Snapshot
from hextui.records.record import Record
from hextui.settings.engine_config import engine_in
from hextui.ui.record.session import Session

if TYPE_CHECKING:
    from hextui.analysis.whole_game import GameAnalyst


SAVED_EVERY = 10.0
"""Seconds after which a running analysis is stored."""


@dataclass(frozen=True)
class LineReview:
    """What is known of a game: ``positions`` of its main line, and the current ``line``.

    ``names``: the chosen evaluators, and others with results. ``progress``: of the analysis, while
    it runs. ``revision``: that of the estimates; new results make a new review. ``budget``: the
    solver's, in seconds. Its properties are the same at every ply, so they are computed once.
    """

    positions: tuple[GamePosition, ...]
    names: tuple[str, ...]
    estimates: Estimates
    progress: Progress | None = None
    revision: tuple[int, int] = (0, 0)
    budget: float = 0.0
    line: tuple[GamePosition, ...] = ()
    _mistakes: dict[str, tuple[ReviewEntry, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @cached_property
    def summary(self) -> GameSummary:
        """What is proved of the game."""
        return game_summary(self.positions, self.estimates, self.budget)

    @cached_property
    def advantages(self) -> dict[int, Advantage]:
        """The advantage at each ply of which anything is known."""
        return advantages(self.positions, self.estimates, self.names)

    @cached_property
    def variation(self) -> dict[int, Advantage | None]:
        """The advantage at each ply of the current variation, None where nothing is known."""
        main = {position.node for position in self.positions}
        judged = advantages(self.line, self.estimates, self.names) if self.line else {}
        plies = [position.ply for position in self.line if position.node not in main]
        return {ply: judged.get(ply) for ply in plies}

    def at(self, ply: int) -> GamePosition | None:
        """Return the position at a ply of the current line, else of the main line."""
        for position in (*self.line, *self.positions):
            if position.ply == ply:
                return position
        return None

    @cached_property
    def _win_probabilities(self) -> dict[str, dict[int, float]]:
        """Red's win probability by ply, by each attached engine that has estimated any."""
        by_engine = {}
        for name in self.names:
            if engine_in(name) is not None:
                by_engine[name] = win_probabilities(self.positions, self.estimates, name)
        return {name: rates for name, rates in by_engine.items() if rates}

    def win_probabilities(self, focus: str) -> tuple[str, dict[int, float]]:
        """Return an attached engine, in focus if possible, and Red's win probability by ply."""
        by_engine = self._win_probabilities
        name = focus if focus in by_engine else next(iter(by_engine), "")
        return name, by_engine.get(name, {})

    def judge(self, focus: str) -> str:
        """Return the evaluator that judges: the one in focus, or the first; '' without any."""
        return focus if focus in self.names else next(iter(self.names), "")

    def mistakes(self, focus: str) -> tuple[ReviewEntry, ...]:
        """Return the mistakes, the worst first, judged by ``focus`` if it has judged."""
        name = self.judge(focus)
        if name not in self._mistakes:
            self._mistakes[name] = review_entries(self.positions, self.estimates, name)
        return self._mistakes[name]

    def final_mistakes(self, focus: str) -> list[ReviewEntry]:
        """Return the mistakes, the worst first, that the solver cannot contradict any more."""
        return [entry for entry in self.mistakes(focus) if not self.is_provisional(entry)]

    def is_provisional(self, entry: ReviewEntry) -> bool:
        """Whether a mistake is an estimate that the solver may still contradict."""
        return entry.by != PROVED and not self.summary.finished

    @cached_property
    def known(self) -> bool:
        """Whether the game is analysed: at least one evaluator has judged at least one position.

        A search, which judges each position that is shown, must have judged all without a proof.
        """
        searches = [name for name in self.names if improves(name)]
        others = [name for name in self.names if name not in searches]
        if any(self._judged(position, others) for position in self.positions):
            return True
        return all(
            self._judged(position, searches) or self.estimates.verdict(position.position)
            for position in self.positions
        )

    @property
    def is_unwritten(self) -> bool:
        """Whether the game is analysed, but its record does not hold that, or only a part."""
        if not self.known:
            return False
        written = Estimates()
        names = stored_analysis.read(self.positions, written)
        spent = self.estimates.spent(self.positions)
        return not names or written.spent(self.positions) < spent

    def _judged(self, position: GamePosition, names: Sequence[str]) -> bool:
        return any(self.estimates.of(position, name) for name in names)


class GameReviews:
    """Has one game at a time analysed, keeps the results of every record, and proofs.

    They are stored in the file ``path``, if there is one: ``report`` gets a line, in any thread,
    for what is wrong with it. ``progress``: of the analysis, None while no game is analysed.
    """

    def __init__(
        self,
        analyst: "GameAnalyst | None",
        verdicts: Verdicts | None = None,
        path: Path | None = None,
        report: Callable[[str], object] = lambda problem: None,
    ) -> None:
        self.analyst = analyst
        self.progress: Progress | None = None
        self._verdicts = verdicts or Verdicts()
        self._path = path
        self._report = report
        self._problems: set[str] = set()  # that were reported
        self._thread = ThreadPoolExecutor(1, "reviews")
        self._saved_at = 0.0
        self._record: Record | None = None
        self._kept: WeakKeyDictionary[Record, Estimates] = WeakKeyDictionary()
        # the revision of the results that are on disk
        self._saved: WeakKeyDictionary[Record, tuple[int, int]] = WeakKeyDictionary()
        self._unproved: WeakSet[Record] = WeakSet()  # their stored reviews are not this version's
        self._last: LineReview | None = None

    def of(self, session: Session, evaluators: tuple[str, ...]) -> LineReview:
        """Return the review of a game, by these evaluators if there are any.

        What is stored of it is used, here or in the record; the analysis of another record ends.
        Without new results it is the same review as before.
        """
        record = session.record
        main_line = record.main_line()
        positions = game_positions(record, main_line)
        if record is not self._record:
            self._change_to(record, positions)

        current_line = session.line()
        line = positions
        if current_line != main_line:
            line = game_positions(record, current_line)
        budget = 0.0
        if self.analyst is not None:
            budget = self.analyst.solve_seconds
        estimates = self._kept[record]
        review = LineReview(
            positions=positions,
            names=evaluators or estimates.names,
            estimates=estimates,
            progress=self.progress,
            revision=estimates.revision,
            budget=budget,
            line=line,
        )
        if self._last is not None and self._last == review:
            return self._last  # with what it has computed
        self._last = review
        return review

    def _change_to(self, record: Record, positions: Sequence[GamePosition]) -> None:
        """End the analysis of another record; read what is stored of this one, once."""
        self.cancel()
        self._record = record
        if record not in self._kept:
            self._read(record, positions)

    def _read(self, record: Record, positions: Sequence[GamePosition]) -> None:
        estimates = self._kept[record] = Estimates(self._verdicts)

        def take(store: ReviewStore) -> None:
            if store.read(positions, estimates):
                self._unproved.add(record)

        self._with_store(take)
        stored_analysis.read(positions, estimates)
        self._saved[record] = estimates.revision

    def _with_store(self, use: Callable[[ReviewStore], None]) -> None:
        if self._path is None:
            return
        with closing(ReviewStore(self._path)) as store:
            use(store)
            if store.problem and store.problem not in self._problems:
                self._problems.add(store.problem)
                self._report(store.problem)

    def hear(self, snapshot: Snapshot) -> bool:
        """Keep the final results of searches in a snapshot; return whether they are new."""
        if self._record is None or snapshot.scope != ALL_MOVES:
            return False
        position = snapshot.position
        estimates = self._kept[self._record]
        any_new = False
        for name, report in snapshot.reports.items():
            if improves(name) and report.final and report.winrate is not None:
                estimate = Estimate.of(report.ranking, position, report.winrate)
                if estimates.keep(position, name, estimate):
                    any_new = True
        return any_new

    def start(self, review: LineReview) -> None:
        """Analyse a game instead of the last one: once it is finished, the current variation."""
        if self.analyst is not None:
            line = review.line if review.variation and review.summary.finished else None
            positions = line or review.positions
            self.progress = Progress(0, len(positions), "whole game")
            self.analyst.start(positions, review.names, review.estimates)

    def prove_again(self, review: LineReview) -> bool:
        """Analyse the game if its stored review still has to be proved; return whether it has."""
        record = self._record
        if self.analyst is None or record is None or record not in self._unproved:
            return False
        self._unproved.discard(record)
        self.start(review)
        return True

    def take(self, progress: Progress | str) -> bool:
        """Keep the progress of the analysis, or its failure; return False if it was stopped."""
        if self.progress is None:
            return False
        if isinstance(progress, str) or progress.done == progress.total:
            self.progress = None
        else:
            self.progress = progress
        if self.progress is None or time.monotonic() > self._saved_at + SAVED_EVERY:
            self._save()
        return True

    def cancel(self) -> None:
        """Stop the analysis; its results are kept."""
        if self.analyst is not None and self.progress is not None:
            self.analyst.cancel()
        self.progress = None
        self._save()

    def _save(self) -> None:
        """Store what is known of the record's game, if that is news, in another thread."""
        record = self._record
        if record is None or self._saved[record] == self._kept[record].revision:
            return
        estimates = self._kept[record]
        self._saved[record] = estimates.revision
        self._saved_at = time.monotonic()
        positions = game_positions(record, record.main_line())
        keep = partial(ReviewStore.keep, positions=positions, estimates=estimates)
        self._thread.submit(self._with_store, keep)

    def close(self) -> None:
        """End the analysis for good; waits until its results are stored."""
        if self.analyst is not None:
            self.analyst.close()
        self._save()
        self._thread.shutdown()
