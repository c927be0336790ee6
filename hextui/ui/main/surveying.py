"""The whole game: analysing it, keeping the results, going to its hard spots."""

from hextui.analysis import keeping
from hextui.analysis.judgements import Disagreement
from hextui.analysis.stations import Station
from hextui.engines.snapshot import Progress
from hextui.ui.main.desk import Desk

SPOTS = 8
"""So many plies are hard spots: `d` and `D` go round them."""


class Surveying:
    """Analyses the line looked at, ply by ply."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def whole_game(self) -> None:
        """Analyse the whole game, or stop doing so."""
        surveys = self._desk.surveys
        if not surveys.possible:
            self._desk.complain("There is no analysis here")
            return
        if surveys.going_on:
            surveys.cancel()
            self._desk.tell("The analysis of the game is stopped; a goes on", 3)
        else:
            surveys.start(self._desk.survey)
            self._desk.bring("graph")
        self._desk.fill("graph")

    def take(self, progress: Progress | str) -> None:
        """Show how far the analysis is, or complain that it has failed."""
        if self._desk.surveys.take(progress):
            if isinstance(progress, str):
                self._desk.complain(progress)
            self._desk.fill("graph")

    def keep(self) -> None:
        """Write what is known of the line looked at into the record."""
        survey = self._desk.survey
        if not survey.known:
            self._desk.complain("Nothing is known of this game yet: a analyses it")
            return
        record = self._desk.session.record
        keeping.keep(record, survey.stations, survey.names, survey.judgements)
        self._desk.tell("The results are in the record now; save it to keep them", 3)
        self._desk.show()

    def disagreement(self) -> None:
        """Go to the next of the plies where the chosen evaluators disagree most."""
        survey = self._desk.survey
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
            self._desk.tell(
                f"Disagreement {place} of {len(spots)}: the five best share {overlap} %"
            )
        elif survey.known and len(survey.names) < 2:
            self._desk.complain("Choose two evaluators or more: C")
        else:
            self._complain_of_no_spot("The evaluators agree everywhere")

    def worst_move(self) -> None:
        """Go to the next of the plies where the move made ranks worst by the one in focus."""
        survey, focus = self._desk.survey, self._desk.shown.evaluator
        name = focus if focus in survey.names else next(iter(survey.names), "")
        found = {
            station: quality
            for station in survey.stations
            if (quality := survey.judgements.quality(station, name)) and quality.rank > 1
        }
        spots = sorted(found, key=lambda s: (found[s].mid_q, s.ply))[:SPOTS]
        spot = self._go_on_to(spots)
        if spot is not None and spot.cell is not None:
            session, quality = self._desk.session, found[spot]
            move = session.board.name(spot.cell)
            place = f"{spots.index(spot) + 1} of {len(spots)}"
            session.cursor = spot.cell
            self._desk.show_cursor()
            self._desk.tell(
                f"Worst move {place}: {move}, rank {quality.rank} of {quality.candidates} by {name}"
            )
        else:
            self._complain_of_no_spot(f"{name} ranks every move first")

    def _go_on_to(self, spots: list[Station]) -> Station | None:
        """Go to the first of the stations after the ply looked at, or to the very first."""
        ply = self._desk.session.node.ply
        ordered = sorted(spots, key=lambda station: (station.ply <= ply, station.ply))
        if not ordered:
            return None
        self._desk.session.go_to(ordered[0].node)
        self._desk.show()
        return ordered[0]

    def _complain_of_no_spot(self, reason: str) -> None:
        known = self._desk.survey.known
        self._desk.complain(reason if known else "The game is not analysed yet: a analyses it")
