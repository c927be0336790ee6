"""Actions on the analysis: evaluators, overlays, explanations, attached engines."""

from hextui.engine.board import EMPTY
from hextui.engine.search.lines import DEFAULT_SEARCH
from hextui.engines.engine_config import engine_in
from hextui.locations import config_file
from hextui.ui.drawing import overlays
from hextui.ui.keys import Topic, action
from hextui.ui.panels.connections_panel import ConnectionsPanel
from hextui.ui.parts import ActionGroup

LEVELS = 3
"""Number of k-contributions of a position: k = 0, 1, 2."""


class AnalysisActions(ActionGroup):
    """Chooses what is analysed, and what of it the board and the panels show."""

    @action(
        "analysis",
        "space",
        "Analyse",
        "Switch the analysis of the position on or off",
        Topic.ANALYSIS,
    )
    def toggle(self) -> None:
        """Switch the analysis on or off."""
        self._workspace.live.toggle(self._workspace.session.position)
        self._workspace.show()

    @action(
        "next-evaluator",
        "e",
        "Next evaluator",
        "Put the next evaluator in focus",
        Topic.ANALYSIS,
        1,
    )
    @action(
        "previous-evaluator",
        "E",
        "Previous evaluator",
        "Put the previous evaluator in focus",
        Topic.ANALYSIS,
        -1,
    )
    def evaluator(self, step: int) -> None:
        """Put another evaluator in focus."""
        names, focus = self._workspace.ranked_by, self._workspace.shown.evaluator
        if names:
            at = names.index(focus) if focus in names else -step
            self._workspace.choose(evaluator=names[(at + step) % len(names)])
        else:
            self._workspace.complain("No evaluator has ranked this position yet")

    @action(
        "choose-evaluators",
        "C",
        "Choose evaluators",
        "Choose the evaluators that rank the moves, one column each",
        Topic.ANALYSIS,
    )
    async def choose_evaluators(self) -> None:
        """Ask which evaluators rank the moves."""
        from hextui.ui.screens.analysis_dialogs import EvaluatorDialog

        names = await self._workspace.ask(
            EvaluatorDialog(self._workspace.live.evaluators, self._engine_names)
        )
        if names:
            self._workspace.live.choose_evaluators(names, self._workspace.session.position)
            self._workspace.show()

    @action(
        "line-evaluator",
        "V",
        "Evaluator of lines",
        "Choose the evaluator that searches lines",
        Topic.ANALYSIS,
    )
    async def choose_line_evaluator(self) -> None:
        """Ask which evaluator searches lines."""
        from hextui.ui.screens.analysis_dialogs import LineEvaluatorDialog

        name = await self._workspace.ask(
            LineEvaluatorDialog(self._workspace.live.lines_by, self._engine_names)
        )
        if name:
            self._workspace.live.choose_lines_by(name, self._workspace.session.position)
            self._workspace.bring("lines")
            self._workspace.show()

    @property
    def _engine_names(self) -> tuple[str, ...]:
        """The names of the attached engines as evaluators."""
        return (
            self._workspace.services.attached.evaluators
            if self._workspace.services.attached
            else ()
        )

    @action(
        "overlays",
        "o",
        "Overlays",
        "Choose what colours the board: best moves, contribution, proved wins, library, nothing",
        Topic.ANALYSIS,
    )
    async def choose_overlay(self) -> None:
        """Ask for the overlay of the board."""
        from hextui.ui.screens.analysis_dialogs import OverlayDialog

        answer = await self._workspace.ask(OverlayDialog(self._workspace.shown))
        if answer == "must-play":
            self.must_play()
        elif answer == "inferior":
            self.inferior()
        elif answer:
            self.take_overlay(overlays.Overlay(answer))

    @action(
        "last-overlay", "O", "Previous overlay", "Return to the previous overlay", Topic.ANALYSIS
    )
    def last_overlay(self) -> None:
        """Return to the previous overlay."""
        self.take_overlay(self._workspace.shown.last_overlay)

    def take_overlay(self, overlay: overlays.Overlay) -> None:
        """Show an overlay and remember the one before it."""
        before = self._workspace.shown.overlay
        if overlay is not before:
            self._workspace.choose(overlay=overlay, last_overlay=before)

    @action(
        "contribution-k",
        "0",
        "Contribution k",
        "Contribution overlays: paths up to one link longer (k = 1), two (2), or none (0)",
        Topic.ANALYSIS,
    )
    def contribution_k(self) -> None:
        """Show the contribution to longer paths, or only to the shortest ones."""
        k = (self._workspace.shown.contribution_k + 1) % LEVELS
        self._workspace.choose(contribution_k=k)
        self._workspace.tell(f"Contribution: k = {k}, paths of up to d + {k} links", 3)

    @action(
        "connection-color",
        "v",
        "Other colour's connections",
        "Show the virtual connections of the other colour",
        Topic.ANALYSIS,
    )
    def connection_color(self) -> None:
        """Show the connections of the other colour."""
        color = self._workspace.shown.connections_of.opponent
        self._workspace.choose(connections_of=color, connected=None)
        self._workspace.tell(f"Connections of {self._workspace.shown.names.player(color)}", 2)

    @action(
        "connection-kinds",
        "f",
        "Full or semi connections",
        "List all connections, full ones only, or semi ones only",
        Topic.ANALYSIS,
    )
    def connection_kinds(self) -> None:
        """List other kinds of connections."""
        self._workspace.screen.query_one(ConnectionsPanel).next_kinds()

    @action(
        "must-play", "M", "Must-play region", "Show or hide the must-play region", Topic.ANALYSIS
    )
    def must_play(self) -> None:
        """Show or hide the must-play region."""
        self._workspace.choose(must_play=not self._workspace.shown.must_play)

    @action(
        "inferior",
        "I",
        "Inferior cells",
        "Show or hide dead, captured, vulnerable and dominated cells",
        Topic.ANALYSIS,
    )
    def inferior(self) -> None:
        """Show or hide the inferior cells of the side to move."""
        self._workspace.choose(inferior=not self._workspace.shown.inferior)
        if self._workspace.shown.inferior:
            self._workspace.tell("Inferior cells are marked", 3)

    @action(
        "solve-on",
        "full_stop",
        "Keep solving",
        "Give the solver as much time again for this position",
        Topic.ANALYSIS,
    )
    def solve_on(self) -> None:
        """Give the solver its time again for this position."""
        if self._workspace.live.solve_on(self._workspace.session.position):
            self._workspace.show()
        else:
            self._workspace.complain("The analysis is off: Space switches it on")

    @action(
        "explain",
        "H",
        "Why this value",
        "Explain the value of the move at the cursor by the evaluator in focus, step by step",
        Topic.ANALYSIS,
    )
    async def explain(self) -> None:
        """Explain the value that the evaluator in focus gives the move at the cursor."""
        from hextui.engines.questions import Explain
        from hextui.ui.screens.explain_screen import ExplainScreen

        position, cell = self._workspace.session.position, self._workspace.session.cursor
        name = self._workspace.shown.evaluator or next(iter(self._workspace.live.evaluators), "")
        if position.winner is not None:
            self._workspace.complain("The game is over")
        elif position.stones[cell] != EMPTY:
            self._workspace.complain(
                f"{position.board.name(cell)} is taken: only a move has a value"
            )
        elif (engine := engine_in(name)) is not None:
            self._workspace.complain(f"{engine} is another program: it gives no reasons")
        elif self._workspace.services.open_lane is None or not name:
            self._workspace.complain("There is no engine in this run")
        else:
            question = Explain(position, name, cell)
            palette, names = self._workspace.palette, self._workspace.shown.names
            await self._workspace.ask(
                ExplainScreen(question, palette, self._workspace.services.open_lane, names)
            )

    @action(
        "links",
        "N",
        "Links of a cell",
        "Show the links of the cell at the cursor in both networks, one by one",
        Topic.ANALYSIS,
    )
    async def links(self) -> None:
        """Show what the cell at the cursor is linked to in both networks."""
        from hextui.engines.questions import ShowLinks
        from hextui.ui.screens.explain_screen import ExplainScreen

        position, cell = self._workspace.session.position, self._workspace.session.cursor
        if position.stones[cell] != EMPTY:
            name = position.board.name(cell)
            self._workspace.complain(f"{name} is taken: networks are of empty cells and sides")
        elif self._workspace.services.open_lane is None:
            self._workspace.complain("There is no engine in this run")
        else:
            question = ShowLinks(position, cell)
            palette, names = self._workspace.palette, self._workspace.shown.names
            await self._workspace.ask(
                ExplainScreen(question, palette, self._workspace.services.open_lane, names)
            )

    @action(
        "trace",
        "W",
        "Trace of must-play",
        "Small positions: step through must-play reasoning, move by move, winset by winset",
        Topic.ANALYSIS,
    )
    async def trace(self) -> None:
        """Step through the readable solver's run on this position."""
        from hextui.ui.screens.trace_screen import TraceScreen, why_not

        position = self._workspace.session.position
        problem = why_not(position)
        if problem or self._workspace.services.open_lane is None:
            self._workspace.complain(problem or "There is no engine in this run")
        else:
            palette, names = self._workspace.palette, self._workspace.shown.names
            await self._workspace.ask(
                TraceScreen(position, palette, self._workspace.services.open_lane, names)
            )

    @action(
        "every-line",
        "Y",
        "Trace of best_move",
        "Small positions, tic-tac-toe, nim: step through an exhaustive search",
        Topic.ANALYSIS,
    )
    async def every_line(self) -> None:
        """Step through an exhaustive search of this position, or of another game."""
        from hextui.ui.screens.minimax_screen import MinimaxScreen

        if self._workspace.services.open_lane is None:
            self._workspace.complain("There is no engine in this run")
        else:
            position, palette = self._workspace.session.position, self._workspace.palette
            names = self._workspace.shown.names
            await self._workspace.ask(
                MinimaxScreen(position, palette, self._workspace.services.open_lane, names)
            )

    @action(
        "second-evaluator",
        "y",
        "Evaluator of the second board",
        "Show the next evaluator on the second board",
        Topic.VIEW,
        after="zoom",
    )
    def second_evaluator(self) -> None:
        """Show the next evaluator on the second board."""
        names = self._workspace.ranked_by
        if not self._workspace.shown.two_boards:
            self._workspace.complain("There is one board: 3 shows a second one, where it has room")
        elif names:
            at = names.index(self._workspace.second_evaluator)
            self._workspace.choose(second_evaluator=names[(at + 1) % len(names)])

    @action(
        "move-numbers",
        "m",
        "Move numbers",
        "Show or hide the numbers of the moves",
        Topic.VIEW,
        after="turn",
    )
    def move_numbers(self) -> None:
        """Show or hide the numbers of the moves."""
        self._workspace.choose(numbers=not self._workspace.shown.numbers)

    @action(
        "engines",
        "7",
        "Engines",
        "Other engines: add, test, start and stop them, read their log",
        Topic.FILE,
        after="new",
    )
    async def show_engines(self) -> None:
        """Show the attached engines; those that the user checks rank the moves."""
        if self._workspace.services.attached is None:
            self._workspace.complain("There are no other engines in this run")
            return
        from hextui.ui.screens.engines_screen import EnginesScreen

        live, position = self._workspace.live, self._workspace.session.position
        screen = EnginesScreen(self._workspace.services.attached, config_file(), live.evaluators)
        chosen = await self._workspace.ask(screen)
        if chosen is not None:
            live.choose_evaluators(chosen, position)
        if (
            engine_in(live.lines_by)
            and live.lines_by not in self._workspace.services.attached.evaluators
        ):
            live.choose_lines_by(DEFAULT_SEARCH, position)
        if screen.changed:
            live.look_again(position)
        self._workspace.show()
