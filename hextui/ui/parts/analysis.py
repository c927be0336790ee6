"""Actions on the analysis: evaluators, overlays, explanations, attached engines, the explorer."""

from hextui.engine.board import EMPTY, Color
from hextui.engine.search.lines import DEFAULT_SEARCH
from hextui.library.filters import filter_text, read_filter
from hextui.locations import config_file
from hextui.settings.engine_config import engine_in
from hextui.text import counted
from hextui.ui.app.keys import Topic, action
from hextui.ui.drawing import overlays
from hextui.ui.panels.connections_panel import ConnectionsPanel
from hextui.ui.panels.must_play_panel import MustPlayPanel
from hextui.ui.panels.panel import Change
from hextui.ui.parts import ActionGroup
from hextui.ui.screens.dialogs import EvaluatorDialog, LineEvaluatorDialog, OverlayDialog

LEVELS = 3
"""Number of k-contributions of a position: k = 0, 1, 2."""

_NEXT_SIDE = {None: Color.BLACK, Color.BLACK: Color.WHITE, Color.WHITE: None}


class AnalysisActions(ActionGroup):
    """Chooses what is analysed, and what of it the board and the panels show."""

    @action("analysis", "space", "Analyse", Topic.ANALYSIS)
    def toggle(self) -> None:
        """Switch the analysis of the position on or off."""
        if not self._live.possible:
            self._complain("There is no analysis here")
            return
        self._live.toggle(self._session.position)
        self._workspace.changed(Change.SESSION)

    @action("analysis-side", "semicolon", "Analyse one side", Topic.ANALYSIS)
    def side(self) -> None:
        """Analyse only the positions with one side to move, or all."""
        self._live.only = only = _NEXT_SIDE[self._live.only]
        whose = self._shown.names.player(only) if only else "either side"
        self._tell(f"Analysis of positions with {whose} to move", 3)
        self._workspace.changed(Change.SESSION)

    @action("win-probability-side", "percent_sign", "Side of win probabilities", Topic.ANALYSIS)
    def win_probability_side(self) -> None:
        """Show win probabilities of the side to move, or always those of one side."""
        side = _NEXT_SIDE[self._shown.win_probability_of]
        whose = self._shown.names.player(side) if side else "the side to move"
        self._tell(f"Win probabilities are those of {whose}", 3)
        self._workspace.choose(win_probability_of=side)

    @action(
        "next-evaluator",
        "e",
        "Next evaluator",
        Topic.ANALYSIS,
        "Put the next evaluator in focus",
        1,
    )
    @action(
        "previous-evaluator",
        "E",
        "Previous evaluator",
        Topic.ANALYSIS,
        "Put the previous evaluator in focus",
        -1,
    )
    def evaluator(self, step: int) -> None:
        """Put another evaluator in focus."""
        names, focus = self._workspace.ranked_by, self._shown.evaluator
        if names == [focus]:
            self._complain(f"Only {focus} ranks moves: C chooses others")
        elif names:
            place = names.index(focus) if focus in names else -step
            self._workspace.choose(evaluator=names[(place + step) % len(names)])
        else:
            self._complain("No evaluator has ranked this position yet")

    @action("choose-evaluators", "C", "Choose evaluators", Topic.ANALYSIS)
    async def choose_evaluators(self) -> None:
        """Choose the evaluators that rank the moves, one column each."""
        names = await self._ask(EvaluatorDialog(self._live.evaluators, self._engine_names))
        if names:
            self._live.choose_evaluators(names)
            self._workspace.changed(Change.SESSION)

    @action("line-evaluator", "V", "Evaluator of lines", Topic.ANALYSIS)
    async def choose_line_evaluator(self) -> None:
        """Choose the evaluator that searches lines."""
        name = await self._ask(LineEvaluatorDialog(self._live.lines_by, self._engine_names))
        if name:
            self._live.choose_lines_by(name)
            self._workspace.bring("lines")
            self._workspace.changed(Change.SESSION)

    @action("overlays", "o", "Overlays", Topic.ANALYSIS)
    async def choose_overlay(self) -> None:
        """Choose what colours the board: best moves, contribution, wins, library, nothing."""
        answer = await self._ask(OverlayDialog(self._shown))
        if answer == "must-play":
            self.must_play()
        elif answer == "inferior":
            self.inferior()
        elif answer:
            self.take_overlay(overlays.Overlay(answer))

    @action("last-overlay", "O", "Previous overlay", Topic.ANALYSIS)
    def last_overlay(self) -> None:
        """Return to the previous overlay."""
        if self._shown.last_overlay is self._shown.overlay:
            self._complain("No other overlay was shown yet: o chooses one")
        else:
            self.take_overlay(self._shown.last_overlay)
            self._tell(f"Overlay: {overlays.overlay_name(self._shown)}", 2)

    def take_overlay(self, overlay: overlays.Overlay) -> None:
        """Show an overlay and remember the one before it."""
        before = self._shown.overlay
        if overlay is not before:
            self._workspace.choose(overlay=overlay, last_overlay=before)

    @action("contribution-k", "0", "Contribution k", Topic.ANALYSIS)
    def contribution_k(self) -> None:
        """Contribution overlays: paths up to one link longer (k = 1), two (2), or none (0)."""
        k = (self._shown.contribution_k + 1) % LEVELS
        self._workspace.choose(contribution_k=k)
        self._tell(f"Contribution: k = {k}, paths of up to d + {k} links", 3)

    @action("connection-color", "v", "Other colour's connections", Topic.ANALYSIS)
    def connection_color(self) -> None:
        """Show the virtual connections of the other colour."""
        self._workspace.choose(other_connections=not self._shown.other_connections, connected=None)
        color = self._workspace.panel_input.connections_of
        self._tell(f"Connections of {self._shown.names.player(color)}", 2)

    @action("connection-kinds", "f", "Full or semi connections", Topic.ANALYSIS)
    def connection_kinds(self) -> None:
        """List all connections, full ones only, or semi ones only."""
        panel = self._screen.query_one(ConnectionsPanel)
        panel.next_kinds()
        self._tell(f"Connections listed: {panel.kinds}", 2)

    @action("must-play", "M", "Must-play region", Topic.ANALYSIS)
    def must_play(self) -> None:
        """Show or hide the must-play region."""
        self._workspace.choose(must_play=not self._shown.must_play)
        snapshot, position = self._workspace.snapshot, self._session.position
        region = snapshot.must_play if snapshot else None
        if not self._shown.must_play:
            self._tell("The must-play region is hidden", 3)
        elif region is None or len(region) == len(position.empties):
            self._complain("No must-play region: the opponent threatens no connection")

    @action("inferior", "I", "Inferior cells", Topic.ANALYSIS)
    def inferior(self) -> None:
        """Show or hide dead, captured, vulnerable and dominated cells."""
        self._workspace.choose(inferior=not self._shown.inferior)
        if self._shown.inferior:
            self._tell("Inferior cells are marked", 3)
        else:
            self._tell("Inferior cells are not marked", 3)

    @action("solve-on", "full_stop", "Keep solving", Topic.ANALYSIS)
    def solve_on(self) -> None:
        """Give the solver as much time again for this position."""
        if self._live.on:
            self._live.look_at(self._session.position, again=True)
            self._workspace.changed(Change.SESSION)
        else:
            self._complain("The analysis is off: Space switches it on")

    @action("explain", "H", "Why this value", Topic.ANALYSIS)
    async def explain(self) -> None:
        """Explain the value of the move at the cursor by the evaluator in focus, step by step."""
        from hextui.engines.questions import Explain
        from hextui.ui.screens.explain_screen import ExplainScreen

        position, cell = self._session.position, self._session.cursor
        name = self._shown.evaluator or next(iter(self._live.evaluators), "")
        if position.winner is not None:
            self._complain("The game is over")
        elif position.stones[cell] != EMPTY:
            self._complain(f"{position.board.name(cell)} is taken: choose an empty cell")
        elif (engine := engine_in(name)) is not None:
            self._complain(f"{engine} is an attached engine, which explains no values")
        else:
            await self._ask_with_engine(ExplainScreen, Explain(position, name, cell))

    @action("links", "N", "Links of a cell", Topic.ANALYSIS)
    async def links(self) -> None:
        """Show the links of the cell at the cursor; again, the whole network of a side."""
        from hextui.engines.questions import ShowLinks
        from hextui.ui.screens.explain_screen import ExplainScreen

        question = ShowLinks(self._session.position, self._session.cursor)
        await self._ask_with_engine(ExplainScreen, question)

    @action("trace", "ampersand", "Steps of must-play", Topic.ANALYSIS)
    async def trace(self) -> None:
        """Small positions: step through must-play reasoning, move by move, winset by winset."""
        from hextui.ui.screens.trace_screen import TraceScreen, why_not

        if problem := why_not(self._session.position):
            self._complain(problem)
        else:
            panel = self._screen.query_one(MustPlayPanel)
            screen = self._with_engine(TraceScreen, self._session.position)
            screen.order = panel.order
            await self._ask(screen)
            panel.choose_order(screen.order)

    @action("every-line", "Y", "Trace of best_move", Topic.ANALYSIS)
    async def every_line(self) -> None:
        """Small positions, tic-tac-toe, nim: step through an exhaustive search."""
        from hextui.ui.screens.minimax_screen import MinimaxScreen

        await self._ask_with_engine(MinimaxScreen, self._session.position)

    @action("second-evaluator", "y", "Other evaluator", Topic.VIEW, after="zoom")
    def second_evaluator(self) -> None:
        """Compare with the next evaluator; on a single board show the one compared with."""
        focus, *others = self._workspace.evaluators
        if not others:
            self._complain("Two evaluators are needed: C chooses them")
        elif self._shown.boards == 1:
            self._workspace.choose(evaluator=others[0], second_evaluator=focus)
        else:
            self._workspace.choose(second_evaluator=others[1 % len(others)])

    @action("move-numbers", "m", "Move numbers", Topic.VIEW, after="turn")
    def move_numbers(self) -> None:
        """Number the last moves, all moves, or none."""
        last = self._shown.last_numbers
        now = {0: last, last: overlays.ALL_NUMBERS}.get(self._shown.numbers, 0)
        self._workspace.choose(numbers=now)
        which = {0: "No moves", last: f"The last {counted(last, 'move')}"}.get(now, "All moves")
        self._tell(f"{which} numbered", 2)

    @action("engines", "7", "Engines", Topic.FILE, after="new")
    async def show_engines(self) -> None:
        """Other engines: add, test, start and stop them, read their log."""
        from hextui.ui.screens.engines_screen import EnginesScreen

        attached, live = self._workspace.services.attached, self._live
        screen = EnginesScreen(attached, config_file(), live.evaluators)
        chosen = await self._ask(screen)
        if chosen is not None:
            live.choose_evaluators(chosen)
        if engine_in(live.lines_by) and live.lines_by not in attached.evaluators:
            live.choose_lines_by(DEFAULT_SEARCH)
        if screen.changed:
            live.look_again()
        self._workspace.changed(Change.SESSION)

    @action("filter-library", "F", "Filter games", Topic.ANALYSIS)
    async def filter(self) -> None:
        """Choose which games of the library the explorer counts."""
        hint = (
            "Words, or player=ann color=red opponent=bob swap=yes swapper=ann rating=1800..2000 "
            "event=cup date=2019 (or 2019..2021): names match in part. Empty: all games. "
            "results=contradicting: same final position, different results. "
            "shape=R.B/.?? top: this shape. least=5: moves of at least 5 games."
        )
        value = filter_text(self._shown.library_filter, self._shown.names)
        chosen = await self._talk.ask_line("Filter games", hint, read_filter, value)
        if chosen is not None:
            self._workspace.choose(library_filter=chosen)
            self._workspace.changed(Change.LIBRARY)
