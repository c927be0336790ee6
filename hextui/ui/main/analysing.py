"""The analysis on the main screen: switched on and off, its evaluators, and what is shown of it."""

from textual import on, work

from hextui.engine.position import Move
from hextui.engines.engine import OpenLane
from hextui.ui.drawing import overlays
from hextui.ui.live.analyst import LookedUp
from hextui.ui.main.editing import EditingScreen
from hextui.ui.widgets.connections import ConnectionsPanel
from hextui.ui.widgets.panel import Panel
from hextui.ui.widgets.status import NAMES


class AnalysingScreen(EditingScreen):
    """Chooses what is analysed, and what of it the board and the panels show."""

    open_lane: OpenLane | None = None
    """Makes somebody to ask, if there is an engine."""

    def action_toggle_analysis(self) -> None:
        """Switch the analysis on or off."""
        self.live.toggle(self.session.position)
        self.show()

    def action_solve_on(self) -> None:
        """Let the solver go on with the position, for its time again."""
        if self.live.solve_on(self.session.position):
            self.show()
        else:
            self.complain("The analysis is off: Space switches it on")

    def action_evaluator(self, step: int) -> None:
        """Put another evaluator in focus."""
        snapshot = self.live.of(self.session.position)
        names = list(snapshot.rankings) if snapshot else []
        if names:
            at = names.index(self.shown.evaluator) if self.shown.evaluator in names else -step
            self.choose(evaluator=names[(at + step) % len(names)])
        else:
            self.complain("No evaluator has ranked this position yet")

    @property
    def second_evaluator(self) -> str:
        """The evaluator on the second board: the chosen one, or the next after that in focus."""
        snapshot = self.live.of(self.session.position)
        names = list(snapshot.rankings) if snapshot else []
        if self.shown.second_evaluator in names or not names:
            return self.shown.second_evaluator
        focus = self.shown.evaluator
        return names[(names.index(focus) + 1) % len(names)] if focus in names else names[0]

    def action_second_evaluator(self) -> None:
        """Show the next evaluator on the second board."""
        snapshot = self.live.of(self.session.position)
        names = list(snapshot.rankings) if snapshot else []
        if not self.shown.two_boards:
            self.complain("There is one board: 2 shows a second one")
        elif names:
            at = names.index(self.second_evaluator)
            self.choose(second_evaluator=names[(at + 1) % len(names)])

    @work(exclusive=True, group="dialogs")
    async def action_choose_evaluators(self) -> None:
        """Ask which evaluators are to rank the moves."""
        from hextui.ui.screens.evaluators import EvaluatorDialog

        names = await self.app.push_screen_wait(EvaluatorDialog(self.live.evaluators))
        if names:
            self.live.choose_evaluators(names, self.session.position)
            self.show()

    @work(exclusive=True, group="dialogs")
    async def action_choose_line_evaluator(self) -> None:
        """Ask which evaluator is to judge lines."""
        from hextui.ui.screens.evaluators import LineEvaluatorDialog

        name = await self.app.push_screen_wait(LineEvaluatorDialog(self.live.lines_by))
        if name:
            self.live.choose_lines_by(name, self.session.position)
            self.panels.bring("lines")
            self.show()

    def action_play_best(self) -> None:
        """Play the best move of the evaluator in focus."""
        snapshot = self.live.of(self.session.position)
        ranking = snapshot.rankings.get(self.shown.evaluator) if snapshot else None
        if ranking and ranking.moves:
            self.session.cursor = ranking.moves[0].cell
            self.turn(Move.play(ranking.moves[0].cell))
        else:
            self.complain("No best move is known yet")

    def action_overlay(self, steps: int) -> None:
        """Show another overlay on the board."""
        self.choose(overlay=overlays.step(self.shown.overlay, steps))
        self.notify(f"Overlay: {self.shown.overlay}", timeout=2)

    def action_must_play(self) -> None:
        """Show or hide the must-play region."""
        self.choose(must_play=not self.shown.must_play)

    def action_inferior(self) -> None:
        """Show or hide the inferior cells of the side to move."""
        self.choose(inferior=not self.shown.inferior)
        if self.shown.inferior:
            self.notify(f"Inferior cells: {overlays.INFERIOR_LEGEND}", timeout=6)

    def action_trace(self) -> None:
        """Step through the readable solver's run on this position."""
        from hextui.ui.screens.trace import TraceScreen, why_not

        problem = why_not(self.session.position)
        if problem or self.open_lane is None:
            self.complain(problem or "There is no engine here")
            return
        position, palette = self.session.position, self.board.palette
        self.app.push_screen(TraceScreen(position, palette, self.open_lane))

    def action_move_numbers(self) -> None:
        """Show or hide the numbers of the moves."""
        self.choose(numbers=not self.shown.numbers)

    def action_connection_color(self) -> None:
        """Show the connections of the other colour."""
        color = self.shown.connections_of.opponent
        self.choose(connections_of=color, connected=None)
        self.notify(f"Connections of {NAMES[color]}", timeout=2)

    def action_connection_kinds(self) -> None:
        """List full connections, semi connections, or both."""
        self.query_one(ConnectionsPanel).next_kinds()

    @on(ConnectionsPanel.Wanted)
    def _look_up(self, event: ConnectionsPanel.Wanted) -> None:
        """Have connections listed; the answer comes from another thread."""
        question = event.question
        self.live.look_up(question, lambda found: self.post_message(LookedUp(question, found)))

    @on(LookedUp)
    def _list(self, event: LookedUp) -> None:
        self.query_one(ConnectionsPanel).take(event.question, event.connections)

    @on(Panel.Painted)
    def _paint_choice(self, event: Panel.Painted) -> None:
        self.choose(connected=event.connected, line=event.line)
