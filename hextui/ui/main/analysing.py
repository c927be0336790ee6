"""The analysis: switched on and off, its evaluators, and what is shown of it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from hextui.engine.board import EMPTY
from hextui.engines.attached.engine_config import engine_in
from hextui.ui.drawing import overlays
from hextui.ui.main.desk import Desk

if TYPE_CHECKING:
    from hextui.engines.attached.attached_engines import AttachedEngines
    from hextui.engines.engine import OpenLane

LEVELS = 3
"""So many k-contributions are known of a position: k = 0, 1, 2."""


class Analysing:
    """Chooses what is analysed, and what of it the board and the panels show.

    ``next_kinds`` lists other kinds of connections. ``open_lane`` makes somebody to ask.
    ``why`` tells why somebody wins. ``engines`` are the attached ones.
    """

    def __init__(
        self,
        desk: Desk,
        next_kinds: Callable[[], None],
        open_lane: "OpenLane | None" = None,
        why: Callable[[], None] = lambda: None,
        engines: "AttachedEngines | None" = None,
    ) -> None:
        self._desk = desk
        self._engines = engines
        self._open_lane = open_lane
        self.connection_kinds = next_kinds
        self.why = why

    def toggle(self) -> None:
        """Switch the analysis on or off."""
        self._desk.live.toggle(self._desk.session.position)
        self._desk.show()

    def solve_on(self) -> None:
        """Let the solver go on with the position, for its time again."""
        if self._desk.live.solve_on(self._desk.session.position):
            self._desk.show()
        else:
            self._desk.complain("The analysis is off: Space switches it on")

    def evaluator(self, step: int) -> None:
        """Put another evaluator in focus."""
        names, focus = self._desk.ranked_by, self._desk.shown.evaluator
        if names:
            at = names.index(focus) if focus in names else -step
            self._desk.choose(evaluator=names[(at + step) % len(names)])
        else:
            self._desk.complain("No evaluator has ranked this position yet")

    def second_evaluator(self) -> None:
        """Show the next evaluator on the second board."""
        names = self._desk.ranked_by
        if not self._desk.shown.two_boards:
            self._desk.complain("There is one board: 3 shows a second one, where it has room")
        elif names:
            at = names.index(self._desk.second_evaluator)
            self._desk.choose(second_evaluator=names[(at + 1) % len(names)])

    @property
    def _engine_names(self) -> tuple[str, ...]:
        """The names of the attached engines as evaluators."""
        return self._engines.evaluators if self._engines else ()

    async def choose_evaluators(self) -> None:
        """Ask which evaluators are to rank the moves."""
        from hextui.ui.screens.analysis_dialogs import EvaluatorDialog

        names = await self._desk.ask(
            EvaluatorDialog(self._desk.live.evaluators, self._engine_names)
        )
        if names:
            self._desk.live.choose_evaluators(names, self._desk.session.position)
            self._desk.show()

    async def choose_line_evaluator(self) -> None:
        """Ask which evaluator is to judge lines."""
        from hextui.ui.screens.analysis_dialogs import LineEvaluatorDialog

        name = await self._desk.ask(
            LineEvaluatorDialog(self._desk.live.lines_by, self._engine_names)
        )
        if name:
            self._desk.live.choose_lines_by(name, self._desk.session.position)
            self._desk.bring("lines")
            self._desk.show()

    async def choose_overlay(self) -> None:
        """Ask what is to colour the board."""
        from hextui.ui.screens.analysis_dialogs import OverlayDialog

        answer = await self._desk.ask(OverlayDialog(self._desk.shown))
        if answer == "must-play":
            self.must_play()
        elif answer == "inferior":
            self.inferior()
        elif answer:
            self.take_overlay(overlays.Overlay(answer))

    def last_overlay(self) -> None:
        """Take the overlay before this one again."""
        self.take_overlay(self._desk.shown.last_overlay)

    def take_overlay(self, overlay: overlays.Overlay) -> None:
        """Show an overlay; the one before it is remembered."""
        before = self._desk.shown.overlay
        if overlay is not before:
            self._desk.choose(overlay=overlay, last_overlay=before)

    def contribution_k(self) -> None:
        """Show the contribution to longer paths, or again to the shortest ones alone."""
        k = (self._desk.shown.contribution_k + 1) % LEVELS
        self._desk.choose(contribution_k=k)
        self._desk.tell(f"Contribution: k = {k}, paths of up to d + {k} links", 3)

    def must_play(self) -> None:
        """Show or hide the must-play region."""
        self._desk.choose(must_play=not self._desk.shown.must_play)

    def inferior(self) -> None:
        """Show or hide the inferior cells of the side to move."""
        self._desk.choose(inferior=not self._desk.shown.inferior)
        if self._desk.shown.inferior:
            self._desk.tell("Inferior cells are marked", 3)

    async def explain(self) -> None:
        """Say why the evaluator in focus gives the move at the cursor its value."""
        from hextui.engines.questions import Explain
        from hextui.ui.screens.explain_screen import ExplainScreen

        position, cell = self._desk.session.position, self._desk.session.cursor
        name = self._desk.shown.evaluator or next(iter(self._desk.live.evaluators), "")
        if position.winner is not None:
            self._desk.complain("The game is over")
        elif position.stones[cell] != EMPTY:
            self._desk.complain(f"{position.board.name(cell)} is taken: only a move has a value")
        elif (engine := engine_in(name)) is not None:
            self._desk.complain(f"{engine} is another program: it gives no reasons")
        elif self._open_lane is None or not name:
            self._desk.complain("There is no engine in this run")
        else:
            question = Explain(position, name, cell)
            palette, names = self._desk.palette, self._desk.shown.names
            await self._desk.ask(ExplainScreen(question, palette, self._open_lane, names))

    async def links(self) -> None:
        """Show what the cell at the cursor is linked to in both networks."""
        from hextui.engines.questions import ShowLinks
        from hextui.ui.screens.explain_screen import ExplainScreen

        position, cell = self._desk.session.position, self._desk.session.cursor
        if position.stones[cell] != EMPTY:
            name = position.board.name(cell)
            self._desk.complain(f"{name} is taken: networks are of empty cells and sides")
        elif self._open_lane is None:
            self._desk.complain("There is no engine in this run")
        else:
            question = ShowLinks(position, cell)
            palette, names = self._desk.palette, self._desk.shown.names
            await self._desk.ask(ExplainScreen(question, palette, self._open_lane, names))

    async def trace(self) -> None:
        """Step through the readable solver's run on this position."""
        from hextui.ui.screens.trace_screen import TraceScreen, why_not

        position = self._desk.session.position
        problem = why_not(position)
        if problem or self._open_lane is None:
            self._desk.complain(problem or "There is no engine in this run")
        else:
            palette, names = self._desk.palette, self._desk.shown.names
            await self._desk.ask(TraceScreen(position, palette, self._open_lane, names))

    async def every_line(self) -> None:
        """Step through the search that looks at every line of this position, or another game."""
        from hextui.ui.screens.minimax_screen import MinimaxScreen

        if self._open_lane is None:
            self._desk.complain("There is no engine in this run")
        else:
            position, palette = self._desk.session.position, self._desk.palette
            names = self._desk.shown.names
            await self._desk.ask(MinimaxScreen(position, palette, self._open_lane, names))

    def move_numbers(self) -> None:
        """Show or hide the numbers of the moves."""
        self._desk.choose(numbers=not self._desk.shown.numbers)

    def connection_color(self) -> None:
        """Show the connections of the other colour."""
        color = self._desk.shown.connections_of.opponent
        self._desk.choose(connections_of=color, connected=None)
        self._desk.tell(f"Connections of {self._desk.shown.names.player(color)}", 2)
