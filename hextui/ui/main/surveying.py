"""The whole game: analysing it, keeping the results, going to its hard spots."""

from functools import partial

from hextui.analysis import stored_analysis
from hextui.analysis.estimates import Disagreement
from hextui.analysis.game_positions import GamePosition
from hextui.analysis.mistakes import blunders
from hextui.analysis.review_notes import annotate
from hextui.engines.snapshot import Progress
from hextui.ui.live.survey import Survey
from hextui.ui.main.desk import Desk
from hextui.words.names import Names
from hextui.words.reviews import mistake_sentence

SPOTS = 8
"""So many plies are hard spots: `d` goes round them."""
_FILLED = ("graph", "mistakes")  # the panels that show the whole game


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
            self._desk.tell("Analysis of the game stopped; a resumes it", 3)
        else:
            surveys.start(self._desk.survey)
            budget = f"{surveys.solve_seconds:g} s of CPU time"
            self._desk.tell(f"Solver: {budget} for this game; a stops it", 3)
            self._desk.bring("graph")
        self._fill()

    def take(self, progress: Progress | str) -> None:
        """Show how far the analysis is and in the end what it found, or complain of a failure."""
        surveys = self._desk.surveys
        if surveys.take(progress):
            if isinstance(progress, str):
                self._desk.complain(progress)
            elif not surveys.going_on:
                self._desk.tell(outcome(self._desk.survey, self._desk.shown.names))
            self._fill()

    def keep(self) -> None:
        """Write what is known of the line looked at, and its review, into the record."""
        survey = self._desk.survey
        if not survey.known:
            self._desk.complain("This game is not analysed yet; a analyses it")
            return
        record = self._desk.session.record
        results = stored_analysis.properties(survey.positions, survey.names, survey.estimates)
        sentence = partial(mistake_sentence, names=self._desk.shown.names)
        annotate(record, survey.positions, survey.estimates, sentence, results)
        self._desk.tell("Review written into the record; save to keep it", 3)
        self._desk.show()

    def disagreement(self) -> None:
        """Go to the next of the plies where the chosen evaluators disagree most."""
        survey = self._desk.survey
        found: dict[GamePosition, Disagreement] = {}
        for here in survey.positions:
            disagreement = survey.estimates.disagreement(here, survey.names)
            if disagreement is not None and disagreement.overlap < 1:
                found[here] = disagreement
        spots = sorted(found, key=lambda s: (found[s].order, s.ply))[:SPOTS]
        spot = self._go_on_to(spots)
        if spot is not None:
            overlap = round(100 * found[spot].overlap)
            place = spots.index(spot) + 1
            self._desk.tell(
                f"Disagreement {place} of {len(spots)}: {overlap}% of the five best moves agree"
            )
        elif survey.known and len(survey.names) < 2:
            self._desk.complain("Choose two evaluators or more: C")
        else:
            self._complain_of_no_spot("The evaluators agree everywhere")

    def mistake(self, step: int) -> None:
        """Go to the next mistake of the game, or with -1 to the one before."""
        survey = self._desk.survey
        entries = survey.mistakes(self._desk.shown.evaluator)
        spot = self._go_on_to([entry.before for entry in entries], step)
        if spot is None:
            self._complain_of_no_spot("No mistake found")
            return
        self._desk.bring("mistakes")  # which says what is wrong
        entry = next(entry for entry in entries if entry.before is spot)
        self._desk.session.cursor = entry.moves[0].cell
        self._desk.show_cursor()

    def _fill(self) -> None:
        for panel in _FILLED:
            self._desk.fill(panel)
        self._desk.show_cursor()  # the card speaks of what is proved of the game

    def _go_on_to(self, spots: list[GamePosition], step: int = 1) -> GamePosition | None:
        """Go to the next of the positions after the ply looked at, or to the very first.

        With a ``step`` of -1 to the last one before, or to the very last.
        """
        ply = self._desk.session.node.ply
        ordered = sorted(spots, key=lambda s: (step * s.ply <= step * ply, step * s.ply))
        if not ordered:
            return None
        self._desk.session.go_to(ordered[0].node)
        self._desk.show()
        return ordered[0]

    def _complain_of_no_spot(self, reason: str) -> None:
        known = self._desk.survey.known
        self._desk.complain(reason if known else "This game is not analysed yet; a analyses it")


def outcome(survey: Survey, names: Names) -> str:
    """Return the result of the analysis of a game: the blunder that decided it."""
    found = blunders(survey.positions, survey.estimates)
    if found:
        return mistake_sentence(found[-1], names)
    return "No proved blunder; a continues the analysis"
