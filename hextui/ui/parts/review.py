"""Actions on the whole game: analyse it, keep the review, go to its mistakes; the swap map."""

from dataclasses import replace
from functools import partial

from hextui.analysis import stored_analysis
from hextui.analysis.estimates import Disagreement
from hextui.analysis.game_positions import GamePosition
from hextui.analysis.mistakes import blunders
from hextui.analysis.review_notes import annotate
from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engines.snapshot import Progress
from hextui.ui.drawing.swap_map import SwapMap
from hextui.ui.keys import Topic, action
from hextui.ui.live.game_review import LineReview
from hextui.ui.live.live_analysis import SwapMapCame, ask_engine
from hextui.ui.parts import ActionGroup
from hextui.ui.workspace import OF_GAME, Workspace
from hextui.words.names import Names
from hextui.words.reviews import mistake_sentence

DISAGREEMENTS = 8
"""The plies with the largest disagreements, which ``d`` visits in turn."""
LOOKS = 200
"""Nodes that the search expands for each first move: half a second on 11x11, or less."""


class ReviewActions(ActionGroup):
    """Analyses the whole game, keeps the review and goes to its mistakes."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._swap_maps: dict[Board, SwapMap] = {}
        self._asked = 0

    @action("whole-game", "a", "Analyse the game", Topic.ANALYSIS)
    def whole_game(self) -> None:
        """Analyse every ply of the line in the background, or stop."""
        surveys = self._workspace.surveys
        if not surveys.possible:
            self._complain("There is no analysis here")
            return
        if surveys.going_on:
            surveys.cancel()
            self._tell("Analysis of the game stopped; a resumes it", 3)
        else:
            surveys.start(self._workspace.survey)
            budget = f"{surveys.solve_seconds:g} s of CPU time"
            self._tell(f"Solver: {budget} for this game; a stops it", 3)
            self._workspace.bring("graph")
        self._fill()

    def take(self, progress: Progress | str) -> None:
        """Show the progress of the analysis, its result at the end, or its failure."""
        surveys = self._workspace.surveys
        if surveys.take(progress):
            if isinstance(progress, str):
                self._complain(progress)
            elif not surveys.going_on:
                self._tell(outcome(self._workspace.survey, self._shown.names))
            self._fill()

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
        self._workspace.show()

    @action("disagreement", "d", "Next disagreement", Topic.ANALYSIS)
    def disagreement(self) -> None:
        """Go to the next of the plies where the chosen evaluators disagree most."""
        survey = self._workspace.survey
        found: dict[GamePosition, Disagreement] = {}
        for here in survey.positions:
            disagreement = survey.estimates.disagreement(here, survey.names)
            if disagreement is not None and disagreement.overlap < 1:
                found[here] = disagreement
        spots = sorted(found, key=lambda s: (found[s].order, s.ply))[:DISAGREEMENTS]
        spot = self._go_on_to(spots)
        if spot is not None:
            overlap = round(100 * found[spot].overlap)
            place = spots.index(spot) + 1
            self._tell(
                f"Disagreement {place} of {len(spots)}: {overlap}% of the five best moves agree"
            )
        elif survey.known and len(survey.names) < 2:
            self._complain("Choose two evaluators or more: C")
        else:
            self._complain_of_no_spot("The evaluators agree everywhere")

    @action("worst-move", "D,greater_than_sign", "Next mistake", Topic.ANALYSIS)
    def worst_move(self) -> None:
        """Go to the next mistake of the game: proved, or the worst by the evaluator in focus."""
        self.mistake(1)

    @action("previous-mistake", "less_than_sign", "Previous mistake", Topic.ANALYSIS)
    def previous_mistake(self) -> None:
        """Go to the previous mistake of the game."""
        self.mistake(-1)

    def mistake(self, step: int) -> None:
        """Go to the next mistake of the game (1) or the previous one (-1)."""
        survey = self._workspace.survey
        entries = survey.mistakes(self._shown.evaluator)
        spot = self._go_on_to([entry.before for entry in entries], step)
        if spot is None:
            self._complain_of_no_spot("No mistake found")
            return
        self._workspace.bring("mistakes")
        entry = next(entry for entry in entries if entry.before is spot)
        self._session.cursor = entry.moves[0].cell
        self._workspace.show_cursor()

    def _fill(self) -> None:
        for panel in OF_GAME:
            self._workspace.fill(panel)
        self._workspace.show_cursor()  # the card shows verdicts of the game

    def _go_on_to(self, spots: list[GamePosition], step: int = 1) -> GamePosition | None:
        """Go to the next of the positions after the current ply, or to the first of all.

        With a ``step`` of -1 go to the last one before, or to the last of all.
        """
        ply = self._session.node.ply
        ordered = sorted(spots, key=lambda s: (step * s.ply <= step * ply, step * s.ply))
        if not ordered:
            return None
        self._session.go_to(ordered[0].node)
        self._workspace.show()
        return ordered[0]

    def _complain_of_no_spot(self, reason: str) -> None:
        known = self._workspace.survey.known
        self._complain(reason if known else "This game is not analysed yet; a analyses it")

    def follow_swap_map(self, board: Board | None) -> None:
        """Judge the first moves of a board while its swap map is shown; None for no board.

        Work on another board ends; what is known of it is kept, and continued the next time.
        """
        self._asked += 1
        if board is None:
            return
        known = replace(self._swap_maps.get(board, SwapMap(board)), note="")
        if not known.complete:
            if self._workspace.services.open_lane is None:
                known = replace(known, note="no engine in this run")
            else:
                self._judge(known, self._asked)
        self.take_swap_map(known)

    def take_swap_map(self, known: SwapMap) -> None:
        """Keep what is known of first moves, and show it if the board is shown."""
        self._swap_maps[known.board] = known
        if known.board == self._session.board:
            self._workspace.choose(swap_map=known)

    def close(self) -> None:
        """End the work on a swap map."""
        self._asked += 1

    def _judge(self, known: SwapMap, number: int) -> None:
        from hextui.engines.questions import JudgeOpenings, OpeningsJudged

        open_lane, screen = self._workspace.services.open_lane, self._screen
        assert open_lane is not None
        question = JudgeOpenings.of(known.board, Limit(nodes=LOOKS), known.openings)
        so_far = known

        def take(found: OpeningsJudged | Progress | None, problem: str) -> None:
            nonlocal so_far
            match found:
                case OpeningsJudged(openings, total):
                    so_far = SwapMap(known.board, openings, total)
                case Progress(done, total, label):
                    so_far = replace(so_far, note=f"{done} of {total} {label}")
                case None:
                    so_far = replace(so_far, note=problem)
            screen.post_message(SwapMapCame(so_far))

        judge = partial(ask_engine, open_lane, question, lambda: self._asked != number, take)
        screen.run_worker(judge, thread=True, group="swap-map")


def outcome(survey: LineReview, names: Names) -> str:
    """Return the result of the analysis of a game: the blunder that decided it."""
    found = blunders(survey.positions, survey.estimates)
    if found:
        return mistake_sentence(found[-1], names)
    return "No proved blunder; a continues the analysis"
