"""The run of the readable solver, step by step on a board: how must-play reasoning solves Hex."""

from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.widgets import Static

from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engine.solver.mustplay import DEFAULT, ORDERS, Step, cell_order
from hextui.engines.engine import OpenLane
from hextui.engines.questions import Trace, Traced
from hextui.ui.drawing.board_view import BoardView, Connected
from hextui.ui.drawing.palette import Palette
from hextui.ui.live.live_messages import hear
from hextui.ui.screens.dialogs import LineDialog
from hextui.ui.screens.trace_text import tell_connections, tell_step
from hextui.ui.textual_fixes import BaseScreen
from hextui.ui.widgets.board_widget import BoardWidget
from hextui.ui.widgets.key_lines import ScreenKeys
from hextui.words.names import Names, counted

LITERAL, REMEMBERED = 9, 16
"""With how many empty cells a position is taken, without and with a dictionary of positions."""


def why_not(position: Position) -> str | None:
    """Return why a position cannot be traced, None if it can."""
    if position.winner is not None:
        return "The game is over"
    empties = len(position.empties)
    if empties > REMEMBERED:
        return f"The trace takes {REMEMBERED} empty cells at most, here are {empties}"
    return None


class TraceScreen(BaseScreen[None]):
    """Shows one run. The record is not touched."""

    class Came(Message):
        """The run of a question goes on or, with its steps, is over; ``problem``: why it failed."""

        def __init__(self, run: Traced, number: int, problem: str = "") -> None:
            super().__init__()
            self.run = run
            self.number = number
            self.problem = problem

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,right,down,j,space", "step(1)", "Next", id="trace.next"),
        Binding("p,left,up,k", "step(-1)", "Back", id="trace.previous"),
        Binding("right_square_bracket,enter", "over(1)", "Over", id="trace.over"),
        Binding("left_square_bracket", "over(-1)", "Back over", id="trace.back-over"),
        Binding("home,g", "to(0)", "First", id="trace.first", show=False),
        Binding("end,G", "to(-1)", "Last", id="trace.last", show=False),
        Binding("c", "connections", "Connected", id="trace.connections"),
        Binding("o", "order", "Order", id="trace.order"),
        Binding("pagedown", "scroll(1)", "Text on", id="trace.text-on", show=False),
        Binding("pageup", "scroll(-1)", "Text back", id="trace.text-back", show=False),
        Binding("escape,q", "close", "Close", id="trace.close"),
    ]
    DEFAULT_CSS = """
    TraceScreen #trace-title { height: 1; background: $panel; padding: 0 1; text-style: bold; }
    TraceScreen Horizontal { height: 1fr; }
    TraceScreen VerticalScroll { width: 40; height: 1fr; padding: 1 0 0 1; }
    """

    def __init__(
        self,
        position: Position,
        palette: Palette,
        open_lane: OpenLane,
        names: Names = Names.RED_BLUE,
    ) -> None:
        super().__init__()
        self._open_lane = open_lane
        self._names = names
        self._position = Position(position.board, position.stones, position.to_move)
        self._palette = palette
        self._steps: tuple[Step, ...] = ()
        self._at = 0
        self._left = False
        self._order = DEFAULT
        self._of: Color | None = None  # whose connections are shown
        self._asked = 0  # how often it was solved: answers to earlier questions are stale

    def compose(self) -> ComposeResult:
        """Make the title, the board and the text."""
        yield Static("Must-play trace: solving", id="trace-title", markup=False)
        with Horizontal():
            board = BoardWidget(BoardView(self._position), id="trace-board")
            board.can_focus = False
            board.palette = self._palette
            yield board
            with VerticalScroll(can_focus=False):
                yield Static(id="trace-text", markup=False)
        yield ScreenKeys()

    def on_mount(self) -> None:
        """Have the position solved."""
        self._solve()

    def on_unmount(self) -> None:
        """Stop solving."""
        self._left = True

    def _solve(self) -> None:
        """Have the position solved; an earlier question is given up."""
        self._asked += 1
        remember = len(self._position.empties) > LITERAL
        self._ask(Trace(self._position, remember, self._order), self._asked)

    @work(thread=True, group="trace")
    def _ask(self, question: Trace, number: int) -> None:
        """Wait for the engine."""
        hear(
            self._open_lane,
            question,
            lambda: self._left or self._asked != number,
            lambda run, problem: self.post_message(self.Came(run or Traced(0), number, problem)),
        )

    @on(Came)
    def _take(self, came: Came) -> None:
        if came.number != self._asked:
            return
        looked = f"{counted(came.run.calls, 'position')} visited"
        if came.problem:
            self._tell_title(came.problem)
        elif came.run.steps is None:
            self._tell_title(f"solving, {looked} so far")
        else:
            self._steps = came.run.steps
            self._tell_title(f"{looked}, {counted(len(self._steps), 'step')}; order: {self._order}")
            self._show()

    def _tell_title(self, text: str) -> None:
        self.query_one("#trace-title", Static).update(f"Must-play trace: {text}")

    def _show(self) -> None:
        step = self._steps[self._at]
        connected = None if step.owner is None else Connected(Color(step.owner), step.winset)
        self.query_one(BoardWidget).show(
            BoardView(
                step.position,
                cursor=step.move if step.kind != "join" else None,
                last_move=step.move if step.kind == "join" else None,
                must_play=step.region,
                connected=connected,
            )
        )
        of, names = self._of, self._names
        told = tell_step(step, names) if of is None else tell_connections(step, of, names)
        text = f"Step {self._at + 1} of {len(self._steps)}\n\n" + "\n".join(told)
        self.query_one("#trace-text", Static).update(text)
        self.query_one(VerticalScroll).scroll_home(animate=False)

    def action_step(self, steps: int) -> None:
        """Go steps on or back."""
        self.action_to(max(0, min(self._at + steps, len(self._steps) - 1)))

    def action_over(self, direction: int) -> None:
        """Go to the next step, or the one before, that is not deeper."""
        if not self._steps:
            return
        depth, place = self._steps[self._at].depth, self._at + direction
        while 0 < place < len(self._steps) - 1 and self._steps[place].depth > depth:
            place += direction
        self.action_step(place - self._at)

    def action_to(self, place: int) -> None:
        """Go to the first step (0), the last (-1) or any other."""
        if self._steps:
            self._at = place % len(self._steps)
            self._show()

    def action_scroll(self, pages: int) -> None:
        """Show what follows in the text, or what came before."""
        side = self.query_one(VerticalScroll)
        side.scroll_relative(y=pages * side.size.height, animate=False)

    def action_connections(self) -> None:
        """Show what is connected for Red, for Blue, or the step again."""
        after = {None: Color.BLACK, Color.BLACK: Color.WHITE, Color.WHITE: None}
        self._of = after[self._of]
        if self._steps:
            self._show()

    @work(group="dialogs")
    async def action_order(self) -> None:
        """Ask in which order cells are tried, and solve the position again."""

        def read(text: str) -> str:
            cell_order(text, self._position)
            return text.strip()

        hint = f"{', '.join(ORDERS)}; or cells such as b2 a1, before the rest."
        order = await self.app.push_screen_wait(
            LineDialog("The order of cells", hint, read, self._order)
        )
        if order is not None and order != self._order:
            self._order, self._steps, self._at = order, (), 0
            self.query_one("#trace-text", Static).update("")
            self._tell_title("solving")
            self._solve()

    def action_close(self) -> None:
        """Go back to the record."""
        self.dismiss(None)
