"""Game reviews for the screen: what is known of each position, and how far the analysis is."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from hextui.analysis import Snapshot, stored_analysis
from hextui.analysis.estimates import Estimate, Estimates
from hextui.analysis.game_positions import GamePosition, game_positions
from hextui.analysis.game_report import Advantage, advantages, win_rates
from hextui.analysis.mistakes import GameSummary, ReviewEntry, game_summary, review_entries
from hextui.engine.evaluators import improves
from hextui.engine.search.move_scope import ALL_MOVES
from hextui.engine.verdicts import Verdicts
from hextui.engines.engine_config import engine_in
from hextui.engines.snapshot import Progress
from hextui.records.record import Record
from hextui.ui.session import Session

if TYPE_CHECKING:
    from hextui.analysis.whole_game import GameAnalyst


@dataclass(frozen=True)
class LineReview:
    """What is known of the current line.

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
    def _win_rates(self) -> dict[str, dict[int, float]]:
        engines = (name for name in self.names if engine_in(name) is not None)
        found = {name: win_rates(self.positions, self.estimates, name) for name in engines}
        return {name: rates for name, rates in found.items() if rates}

    def win_rates(self, focus: str) -> tuple[str, dict[int, float]]:
        """Return an attached engine, that in focus if possible, and its win rates of Red by ply."""
        name = focus if focus in self._win_rates else next(iter(self._win_rates), "")
        return name, self._win_rates.get(name, {})

    def judge(self, focus: str) -> str:
        """Return the evaluator that judges: the one in focus, or the first; '' without any."""
        return focus if focus in self.names else next(iter(self.names), "")

    def mistakes(self, focus: str) -> tuple[ReviewEntry, ...]:
        """Return the mistakes, the worst first, judged by ``focus`` if it has judged."""
        name = self.judge(focus)
        if name not in self._mistakes:
            self._mistakes[name] = review_entries(self.positions, self.estimates, name)
        return self._mistakes[name]

    @cached_property
    def known(self) -> bool:
        """Whether the game is analysed: any evaluator has judged any position.

        A search, which judges each position that is shown, must have judged all without a proof.
        """
        searches = [name for name in self.names if improves(name)]
        others = [name for name in self.names if name not in searches]
        return any(self._judged(here, others) for here in self.positions) or all(
            self._judged(here, searches) or self.estimates.verdict(here.position)
            for here in self.positions
        )

    def _judged(self, here: GamePosition, names: Sequence[str]) -> bool:
        return any(self.estimates.of(here, name) for name in names)


class GameReviews:
    """Has one game at a time analysed, keeps the results of every record, and proofs.

    ``progress``: of the analysis, None while no game is analysed.
    """

    def __init__(self, analyst: "GameAnalyst | None", verdicts: Verdicts | None = None) -> None:
        self.analyst = analyst
        self.progress: Progress | None = None
        self._verdicts = verdicts or Verdicts()
        self._record: Record | None = None
        # by record its results, and the evaluators whose results it contained
        self._kept: WeakKeyDictionary[Record, tuple[Estimates, tuple[str, ...]]]
        self._kept = WeakKeyDictionary()
        self._last: LineReview | None = None

    def of(self, session: Session, evaluators: tuple[str, ...]) -> LineReview:
        """Return the review of the current line, by these evaluators if there are any.

        Results stored in the record are used; the analysis of another record ends. Without new
        results it is the same review as before.
        """
        record = session.record
        if record is not self._record:
            self.cancel()
            self._record = record
            if record not in self._kept:
                estimates = Estimates(self._verdicts)
                names = stored_analysis.read(game_positions(record, record.main_line()), estimates)
                self._kept[record] = estimates, names
        estimates, names = self._kept[record]
        line, names = game_positions(record, session.line()), evaluators or names
        budget = self.analyst.solve_seconds if self.analyst else 0.0
        review = LineReview(line, names, estimates, self.progress, estimates.revision, budget)
        if self._last is None or review != self._last:
            self._last = review
        return self._last

    def hear(self, snapshot: Snapshot) -> bool:
        """Keep the final results of searches in a snapshot; return whether they are new."""
        if self._record is None or snapshot.scope != ALL_MOVES:
            return False
        position, (estimates, _) = snapshot.position, self._kept[self._record]
        said = [
            estimates.keep(position, name, Estimate.of(found.ranking, position, rate))
            for name, found in snapshot.reports.items()
            if improves(name) and found.final and (rate := found.winrate) is not None
        ]
        return any(said)

    def start(self, review: LineReview) -> None:
        """Analyse a game instead of the last one."""
        if self.analyst is not None:
            self.progress = Progress(0, len(review.positions), "whole game")
            self.analyst.start(review.positions, review.names, review.estimates)

    def take(self, progress: Progress | str) -> bool:
        """Keep the progress of the analysis, or its failure; return False if it was stopped."""
        if self.progress is None:
            return False
        if isinstance(progress, str) or progress.done == progress.total:
            self.progress = None
        else:
            self.progress = progress
        return True

    def cancel(self) -> None:
        """Stop the analysis; its results are kept."""
        if self.analyst is not None and self.progress is not None:
            self.analyst.cancel()
        self.progress = None

    def close(self) -> None:
        """End the analysis for good."""
        if self.analyst is not None:
            self.analyst.close()
