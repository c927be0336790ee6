"""The run of the readable solver, step by step on a board: how must-play reasoning solves Hex."""

from collections.abc import Iterator
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Footer, Static

from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engine.solver.mustplay_steps import Step
from hextui.engines.engine import EngineError, OpenLane
from hextui.engines.questions import Trace, Traced
from hextui.ui.drawing.board_view import BoardView, Connected
from hextui.ui.drawing.palette import Palette
from hextui.ui.screens.ending import EndsOnce
from hextui.ui.widgets.board import BoardWidget
from hextui.ui.widgets.status import NAMES
from hextui.wording import counted

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


class TraceScreen(EndsOnce[None]):
    """Shows one run. The record is not touched."""

    class Came(Message):
        """The run goes on or, with its steps, is over; ``problem`` says why it failed."""

        def __init__(self, run: Traced, problem: str = "") -> None:
            super().__init__()
            self.run = run
            self.problem = problem

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,right,down,j,space", "step(1)", "Next", id="trace.next"),
        Binding("p,left,up,k", "step(-1)", "Back", id="trace.previous"),
        Binding("right_square_bracket,enter", "over(1)", "Over", id="trace.over"),
        Binding("left_square_bracket", "over(-1)", "Back over", id="trace.back-over"),
        Binding("home,g", "to(0)", "First", id="trace.first"),
        Binding("end,G", "to(-1)", "Last", id="trace.last"),
        Binding("escape,q", "close", "Close", id="trace.close"),
    ]
    DEFAULT_CSS = """
    TraceScreen #trace-title { height: 1; background: $panel; padding: 0 1; text-style: bold; }
    TraceScreen Horizontal { height: 1fr; }
    TraceScreen #trace-text { width: 40; height: 1fr; padding: 1 1; }
    """

    def __init__(self, position: Position, palette: Palette, open_lane: OpenLane) -> None:
        super().__init__()
        self._open_lane = open_lane
        self._position = Position(position.board, position.stones, position.to_move)
        self._palette = palette
        self._steps: tuple[Step, ...] = ()
        self._at = 0
        self._left = False

    def compose(self) -> ComposeResult:
        """Make the title, the board and the text."""
        yield Static("Must-play trace: solving", id="trace-title", markup=False)
        with Horizontal():
            board = BoardWidget(BoardView(self._position), id="trace-board")
            board.can_focus = False
            board.palette = self._palette
            yield board
            yield Static(id="trace-text", markup=False)
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Have the position solved."""
        self._solve()

    def on_unmount(self) -> None:
        """Stop solving."""
        self._left = True

    @work(thread=True, group="trace")
    def _solve(self) -> None:
        """Wait for the engine."""
        question = Trace(self._position, remember=len(self._position.empties) > LITERAL)
        lane = self._open_lane()
        try:
            for run in lane.answers(question, lambda: self._left):
                self.post_message(self.Came(run))
        except EngineError as error:
            self.post_message(self.Came(Traced(0), str(error)))
        finally:
            lane.close()

    @on(Came)
    def _take(self, came: Came) -> None:
        looked = f"{counted(came.run.calls, 'position')} looked at"
        if came.problem:
            self._tell_title(came.problem)
        elif came.run.steps is None:
            self._tell_title(f"solving, {looked} so far")
        else:
            self._steps = came.run.steps
            self._tell_title(f"{looked}, {counted(len(self._steps), 'step')}")
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
        text = f"Step {self._at + 1} of {len(self._steps)}\n\n" + "\n".join(self._tell(step))
        self.query_one("#trace-text", Static).update(text)

    def _tell(self, step: Step) -> Iterator[str]:
        name = step.position.board.name
        mover = step.position.to_move
        me, other = NAMES[mover], NAMES[mover.opponent]
        move = "" if step.move is None else name(step.move)
        yield f"{counted(step.depth, 'move')} made, {me} to move" if step.kind != "join" else ""
        yield ""
        match step.kind:
            case "try":
                yield f"{me} tries {move}."
                yield ""
                yield f"Must-play region (::): {_listed(step.position, step.region)}."
                if len(step.region) == len(step.position.empties):
                    yield "Nothing is ruled out yet."
                else:
                    yield "A move elsewhere leaves alone a winset that beat an earlier move."
            case "join":
                yield f"{move} joins {other}'s sides."
            case "known":
                yield "This position came up before."
                yield f"{me} wins with {move}." if step.move is not None else f"{other} wins."
                yield f"Winset (++): {_listed(step.position, step.winset)}."
            case "win":
                yield f"{move} wins for {me}: {other} has no winning answer."
                yield ""
                yield f"{me}'s winset (++): {_listed(step.position, step.winset)}."
            case "refuted":
                yield f"{move} loses: {other} answers {name(step.reply or 0)}."
                yield ""
                yield f"{other} needs only (++): {_listed(step.position, step.winset)}."
                yield "Other moves must be among these cells, or the same winset beats them."
            case "lost":
                yield f"No move is left to try: {me} loses."
                yield ""
                yield f"{other}'s winset (++), all of them joined: "
                yield f"{_listed(step.position, step.winset)}."

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

    def action_close(self) -> None:
        """Go back to the record."""
        self.dismiss(None)


def _listed(position: Position, cells: frozenset[int]) -> str:
    return " ".join(position.board.name(cell) for cell in sorted(cells)) or "none"
