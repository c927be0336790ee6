"""The whole game on the main screen: analysing it, keeping the results, going to its hard spots."""

from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from textual import on

from hextui.analysis import keeping
from hextui.analysis.judgements import Disagreement, Judgements
from hextui.analysis.stations import Station, stations
from hextui.engines.snapshot import Progress
from hextui.records.record import Record
from hextui.ui.live.survey import GameAnalyst, GameProgressed, MakeGameAnalyst, Survey
from hextui.ui.main.analysing import AnalysingScreen
from hextui.ui.widgets.graph import GraphPanel
from hextui.ui.widgets.panel import Sight

SPOTS = 8
"""So many plies are hard spots: `d` and `D` go round them."""


@dataclass(frozen=True)
class _Known:
    """What is known of a record, and the evaluators whose results it came with."""

    judgements: Judgements
    names: tuple[str, ...]


class SurveyingScreen(AnalysingScreen):
    """Analyses the line looked at, ply by ply."""

    _game_analyst: GameAnalyst | None = None
    _surveyed: Record | None = None
    _kept: "WeakKeyDictionary[Record, _Known]"
    _progress: Progress | None = None

    def start_surveys(self, make: MakeGameAnalyst | None) -> None:
        """Be ready to analyse games."""
        self._game_analyst = make(self._hear_of_game) if make else None
        self._kept = WeakKeyDictionary()

    def end_surveys(self) -> None:
        """End the analysis for good."""
        if self._game_analyst:
            self._game_analyst.close()

    @property
    def sight(self) -> Sight:
        """What the panels are shown."""
        return replace(super().sight, survey=self.survey)

    @property
    def survey(self) -> Survey:
        """What is known of the line looked at; results that the record holds are taken over."""
        record = self.session.record
        if record is not self._surveyed:
            self._cancel_survey()
            self._surveyed = record
            if record not in self._kept:
                judgements = Judgements()
                names = keeping.read(stations(record, record.main_line()), judgements)
                self._kept[record] = _Known(judgements, names)
        known = self._kept[record]
        return Survey(
            stations(record, self.session.line()),
            self.live.evaluators or known.names,
            known.judgements,
            self._progress,
        )

    def action_whole_game(self) -> None:
        """Analyse the whole game, or stop doing so."""
        if self._game_analyst is None:
            self.complain("There is no analysis here")
            return
        if self._progress is not None:
            self._cancel_survey()
            self.notify("The analysis of the game is stopped; a goes on", timeout=3)
        else:
            survey = self.survey
            self._progress = Progress(0, len(survey.stations), "whole game")
            self._game_analyst.start(survey.stations, survey.names, survey.judgements)
            self.panels.bring("graph")
        self._show_survey()

    def action_keep_survey(self) -> None:
        """Write what is known of the line looked at into the record."""
        survey = self.survey
        if not survey.known:
            self.complain("Nothing is known of this game yet: a analyses it")
            return
        keeping.keep(self.session.record, survey.stations, survey.names, survey.judgements)
        self.notify("The results are in the record now; save it to keep them", timeout=3)
        self.show()

    def action_disagreement(self) -> None:
        """Go to the next of the plies where the chosen evaluators disagree most."""
        survey = self.survey
        found: dict[Station, Disagreement] = {}
        for station in survey.stations:
            disagreement = survey.judgements.disagreement(station, survey.names)
            if disagreement is not None and disagreement.overlap < 1:
                found[station] = disagreement
        spots = sorted(found, key=lambda s: (found[s].order, s.ply))[:SPOTS]
        spot = self._go_on_to(spots)
        if spot is not None:
            overlap = round(100 * found[spot].overlap)
            place = spots.index(spot) + 1
            self.notify(f"Disagreement {place} of {len(spots)}: the five best share {overlap} %")
        elif survey.known and len(survey.names) < 2:
            self.complain("Choose two evaluators or more: C")
        else:
            self._complain_of_no_spot("The evaluators agree everywhere")

    def action_worst_move(self) -> None:
        """Go to the next of the plies where the move made ranks worst by the one in focus."""
        survey = self.survey
        name = self.shown.evaluator if self.shown.evaluator in survey.names else ""
        name = name or next(iter(survey.names), "")
        found = {
            station: quality
            for station in survey.stations
            if (quality := survey.judgements.quality(station, name)) and quality.rank > 1
        }
        spots = sorted(found, key=lambda s: (found[s].mid_q, s.ply))[:SPOTS]
        spot = self._go_on_to(spots)
        if spot is not None and spot.cell is not None:
            move, quality = self.session.board.name(spot.cell), found[spot]
            place = f"{spots.index(spot) + 1} of {len(spots)}"
            self.session.cursor = spot.cell
            self.show_cursor()
            self.notify(
                f"Worst move {place}: {move}, rank {quality.rank} of {quality.candidates} by {name}"
            )
        else:
            self._complain_of_no_spot(f"{name} ranks every move first")

    def _go_on_to(self, spots: list[Station]) -> Station | None:
        """Go to the first of the stations after the ply looked at, or to the very first."""
        ply = self.session.node.ply
        ordered = sorted(spots, key=lambda station: (station.ply <= ply, station.ply))
        if not ordered:
            return None
        self.session.go_to(ordered[0].node)
        self.show()
        return ordered[0]

    def _complain_of_no_spot(self, reason: str) -> None:
        known = self.survey.known
        self.complain(reason if known else "The game is not analysed yet: a analyses it")

    def _cancel_survey(self) -> None:
        if self._game_analyst and self._progress is not None:
            self._game_analyst.cancel()
        self._progress = None

    def _hear_of_game(self, progress: Progress | str) -> None:
        """Take progress from any thread."""
        self.post_message(GameProgressed(progress))

    @on(GameProgressed)
    def _take_progress(self, event: GameProgressed) -> None:
        if self._progress is None:
            return  # stopped in the meantime
        if isinstance(event.progress, str):
            self._progress = None
            self.complain(event.progress)
        else:
            done = event.progress.done == event.progress.total
            self._progress = None if done else event.progress
        self._show_survey()

    def _show_survey(self) -> None:
        """Bring the graph up to what is known."""
        self.query_one(GraphPanel).show(self.sight)
