"""Whole games as the screen sees them: asked for, going on, and what is known of each record."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from hextui.analysis import Snapshot, stored_analysis
from hextui.analysis.estimates import Estimate, Estimates
from hextui.analysis.game_positions import game_positions
from hextui.engine.evaluators import improves
from hextui.engine.search.move_scope import ALL_MOVES
from hextui.engine.verdicts import Verdicts
from hextui.engines.snapshot import Progress
from hextui.records.record import Record
from hextui.ui.live.survey import Survey
from hextui.ui.session import Session

if TYPE_CHECKING:
    from hextui.analysis.whole_game import GameAnalyst


@dataclass(frozen=True)
class _Known:
    """What is known of a record, and the evaluators whose results it came with."""

    estimates: Estimates
    names: tuple[str, ...]


class Surveys:
    """Has one game at a time analysed and keeps the results of every record.

    What is proved goes into ``verdicts``. Without an analyst no game is ever analysed.
    """

    def __init__(self, analyst: "GameAnalyst | None", verdicts: Verdicts | None = None) -> None:
        self._analyst = analyst
        self._verdicts = verdicts or Verdicts()
        self._surveyed: Record | None = None
        self._kept: WeakKeyDictionary[Record, _Known] = WeakKeyDictionary()
        self._progress: Progress | None = None
        self._last: Survey | None = None

    @property
    def possible(self) -> bool:
        """Whether there is anybody to ask."""
        return self._analyst is not None

    @property
    def solve_seconds(self) -> float:
        """The solver's budget of a game, in seconds of a processor."""
        return self._analyst.solve_seconds if self._analyst is not None else 0.0

    @property
    def going_on(self) -> bool:
        """Whether a game is being analysed."""
        return self._progress is not None

    def of(self, session: Session, evaluators: tuple[str, ...]) -> Survey:
        """Return what is known of the line looked at, by these evaluators if there are any.

        Results that the record holds are taken over; the analysis of another record ends. As long
        as nothing more is known it is the same survey.
        """
        record = session.record
        if record is not self._surveyed:
            self.cancel()
            self._surveyed = record
            if record not in self._kept:
                estimates = Estimates(self._verdicts)
                names = stored_analysis.read(game_positions(record, record.main_line()), estimates)
                self._kept[record] = _Known(estimates, names)
        known = self._kept[record]
        line = game_positions(record, session.line())
        names, estimates = evaluators or known.names, known.estimates
        survey = Survey(line, names, estimates, self._progress, estimates.revision)
        if self._last is None or survey != self._last:
            self._last = survey
        return self._last

    def hear(self, snapshot: Snapshot) -> bool:
        """Keep what the tree search says in the end of a position looked at; tell if it is new."""
        if self._surveyed is None or snapshot.scope != ALL_MOVES:
            return False
        position, estimates = snapshot.position, self._kept[self._surveyed].estimates
        said = [
            estimates.keep_if_new(position, name, Estimate.of(found.ranking, position, rate))
            for name, found in snapshot.reports.items()
            if improves(name) and found.final and (rate := found.winrate) is not None
        ]
        return any(said)

    def start(self, survey: Survey) -> None:
        """Analyse a game instead of the last one."""
        if self._analyst is not None:
            self._progress = Progress(0, len(survey.positions), "whole game")
            self._analyst.start(survey.positions, survey.names, survey.estimates)

    def take(self, progress: Progress | str) -> bool:
        """Keep how far the analysis is, or that it has failed; False if it was stopped before."""
        if self._progress is None:
            return False
        if isinstance(progress, str) or progress.done == progress.total:
            self._progress = None
        else:
            self._progress = progress
        return True

    def cancel(self) -> None:
        """Stop; what was found is kept."""
        if self._analyst is not None and self._progress is not None:
            self._analyst.cancel()
        self._progress = None

    def close(self) -> None:
        """End the analysis for good."""
        if self._analyst is not None:
            self._analyst.close()
