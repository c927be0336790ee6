"""Actions on the whole game: analyse it, keep the review, go to its mistakes."""

from functools import partial

from hextui.analysis import stored_analysis
from hextui.analysis.estimates import Disagreement
from hextui.analysis.game_positions import GamePosition
from hextui.analysis.mistakes import ReviewEntry
from hextui.analysis.review_notes import annotate
from hextui.ui.app.keys import Topic, action
from hextui.ui.panels.panel import Change
from hextui.ui.parts import ActionGroup
from hextui.words.reviews import mistake_sentence

DISAGREEMENTS = 8
"""The plies with the largest disagreements, which ``d`` visits in turn."""


class ReviewActions(ActionGroup):
    """Analyses the whole game, keeps the review and goes to its mistakes."""

    @action("whole-game", "a", "Analyse the game", Topic.ANALYSIS)
    def whole_game(self) -> None:
        """Analyse every ply of the line in the background, or stop."""
        surveys = self._workspace.surveys
        if surveys.analyst is None:
            self._complain("There is no analysis here")
            return
        if surveys.progress:
            surveys.cancel()
            self._tell("Analysis of the game stopped; a resumes it", 3)
        else:
            survey = self._workspace.survey
            surveys.start(survey)
            left = survey.budget - survey.estimates.spent(survey.positions)
            seconds = f"{left if left > 0 else survey.budget:.0f} s of CPU time"
            self._tell(f"Solver: {seconds} for this game; a stops it", 3)
            self._workspace.bring("graph")
        self._workspace.changed(Change.GAME)

    @action("keep-analysis", "A", "Write the review", Topic.ANALYSIS)
    def keep(self) -> None:
        """Write the review and all results into the record, also for other programs."""
        survey = self._workspace.survey
        if not survey.known:
            self._complain("This game is not analysed yet; a analyses it")
            return
        record = self._session.record
        results = stored_analysis.properties(survey.positions, survey.names, survey.estimates)
        sentence = partial(mistake_sentence, names=self._shown.names)
        annotate(record, survey.positions, survey.estimates, sentence, results)
        self._tell("Review written into the record; save to keep it", 3)
        self._workspace.changed(Change.SESSION)

    @action("disagreement", "d", "Next disagreement", Topic.ANALYSIS)
    def disagreement(self) -> None:
        """Go to the next of the plies where the chosen evaluators disagree most."""
        survey = self._workspace.survey
        disagreements = self._disagreements()
        spots = list(disagreements)
        spot = self._next_of(spots)
        if spot is not None:
            self._go_to(spot)
            overlap = round(100 * disagreements[spot].overlap)
            place = spots.index(spot) + 1
            self._tell(
                f"Disagreement {place} of {len(spots)}: {overlap}% of the five best moves agree"
            )
        elif survey.known and len(survey.names) < 2:
            self._complain("Two evaluators are needed: C chooses them")
        else:
            self._complain_of_no_spot("The evaluators agree everywhere")

    def _disagreements(self) -> dict[GamePosition, Disagreement]:
        """Return the positions where the chosen evaluators disagree most, the worst first."""
        survey = self._workspace.survey
        disagreements = []
        for position in survey.positions:
            disagreement = survey.estimates.disagreement(position, survey.names)
            if disagreement is not None and disagreement.overlap < 1:
                disagreements.append((position, disagreement))
        disagreements.sort(key=lambda pair: (pair[1].overlap, -pair[1].spread, pair[0].ply))
        return dict(disagreements[:DISAGREEMENTS])

    @action("worst-move", "D", "Worst mistake", Topic.ANALYSIS)
    def worst_move(self) -> None:
        """Go to the worst mistake of the game, proved or by the evaluator in focus, or the next."""
        entries = self._entries
        if not entries:
            self._show_mistake(None)
            return
        shown = -1
        for place, entry in enumerate(entries):
            at_move = self._session.cursor == entry.moves[0].cell
            if at_move and entry.before.node is self._session.node:
                shown = place
        self._show_mistake(entries[(shown + 1) % len(entries)].before)

    @action(
        "next-mistake",
        "greater_than_sign",
        "Next mistake",
        Topic.ANALYSIS,
        "Go to the next mistake in the order of play",
        1,
    )
    @action(
        "previous-mistake",
        "less_than_sign",
        "Previous mistake",
        Topic.ANALYSIS,
        "Go to the previous mistake in the order of play",
        -1,
    )
    def mistake(self, step: int) -> None:
        """Go to another mistake in the order of play."""
        self._show_mistake(self._next_of([entry.before for entry in self._entries], step))

    @property
    def _entries(self) -> list[ReviewEntry]:
        """The mistakes, the worst first."""
        return self._workspace.survey.final_mistakes(self._shown.evaluator)

    def _show_mistake(self, spot: GamePosition | None) -> None:
        """Go to the position before a mistake, with the cursor at the move."""
        if spot is None:
            self._complain_of_no_spot("No mistake found")
            return
        self._go_to(spot)
        self._workspace.bring("mistakes")
        entry = next(entry for entry in self._entries if entry.before is spot)
        self._session.cursor = entry.moves[0].cell
        self._workspace.changed(Change.CURSOR)

    def _go_to(self, spot: GamePosition) -> None:
        self._session.go_to(spot.node)
        self._workspace.changed(Change.SESSION)

    def _next_of(self, spots: list[GamePosition], step: int = 1) -> GamePosition | None:
        """Return the next of the positions in the game (1) or the previous one, in a circle."""
        ply = self._session.node.ply
        ordered = sorted(spots, key=lambda s: (step * s.ply <= step * ply, step * s.ply))
        return next(iter(ordered), None)

    def _complain_of_no_spot(self, reason: str) -> None:
        survey = self._workspace.survey
        if survey.known and not survey.summary.finished:
            reason = f"{reason} yet; a resumes the analysis"
        self._complain(reason if survey.known else "This game is not analysed yet; a analyses it")
