"""The must-play trace: a run of the readable solver, step by step on a board."""

import textwrap
from collections.abc import Iterator
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engine.solver.mustplay import DEFAULT, ORDERS, Step, cell_order, get_connections
from hextui.engines.engine import OpenLane
from hextui.engines.questions import Trace, Traced
from hextui.ui.drawing.board_view import BoardView, Connected
from hextui.ui.drawing.palette import Palette
from hextui.ui.screens.dialogs import LineDialog
from hextui.ui.screens.step_screen import StepScreen, step_bindings
from hextui.ui.widgets.board_widget import BoardWidget
from hextui.words.names import Names, counted

LITERAL, REMEMBERED = 9, 16
"""The most empty cells of a position, without and with a dictionary of solved positions."""
_WIDTH = 37  # columns of the text beside the board
_LABEL = 8  # columns of the words before a set


def why_not(position: Position) -> str | None:
    """Return why a position cannot be traced, None if it can."""
    if position.winner is not None:
        return "The game is over"
    empties = len(position.empties)
    if empties > REMEMBERED:
        return f"The trace takes {REMEMBERED} empty cells at most, here are {empties}"
    return None


class TraceScreen(StepScreen):
    """Shows one run of the solver."""

    BINDINGS: ClassVar[list[BindingType]] = step_bindings(
        "trace",
        [
            Binding("c", "connections", "Connected", id="trace.connections"),
            Binding("o", "order", "Order", id="trace.order"),
        ],
    )
    heading = "Must-play trace"

    def __init__(
        self,
        position: Position,
        palette: Palette,
        open_lane: OpenLane,
        names: Names = Names.RED_BLUE,
    ) -> None:
        self._position = Position(position.board, position.stones, position.to_move)
        super().__init__(BoardView(self._position), palette, open_lane, names)
        self._order = DEFAULT
        self._of: Color | None = None  # whose connections are shown

    def on_mount(self) -> None:
        """Have the position solved."""
        self._solve()

    def _solve(self) -> None:
        self.show_title("solving")
        remember = len(self._position.empties) > LITERAL
        self.ask(Trace(self._position, remember, self._order))

    def take(self, found: Traced | None, problem: str) -> None:
        """Show how far the solver is, or the first step of its run."""
        if found is None:
            self.show_title(problem)
            return
        visited = f"{counted(found.calls, 'position')} visited"
        if found.steps is None:
            self.show_title(f"solving, {visited} so far")
        else:
            self._steps = found.steps
            self.show_title(f"{visited}, {counted(len(found.steps), 'step')}; order: {self._order}")
            self.show_step()

    def show_step(self) -> None:
        """Show the current step."""
        step: Step = self._steps[self._at]
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
        of, names = self._of, self.names
        lines = step_lines(step, names) if of is None else connection_lines(step, of, names)
        self.show_text(f"Step {self._at + 1} of {len(self._steps)}\n\n" + "\n".join(lines))

    def action_over(self, direction: int) -> None:
        """Go to the next step, or the one before, that is not deeper."""
        if not self._steps:
            return
        depth, place = self._steps[self._at].depth, self._at + direction
        while 0 < place < len(self._steps) - 1 and self._steps[place].depth > depth:
            place += direction
        self.action_step(place - self._at)

    def action_connections(self) -> None:
        """Show the cells connected for Red, for Blue, or the step again."""
        after = {None: Color.BLACK, Color.BLACK: Color.WHITE, Color.WHITE: None}
        self._of = after[self._of]
        self.action_to(self._at)

    @work(group="dialogs")
    async def action_order(self) -> None:
        """Ask for the order in which cells are tried, and solve the position again."""

        def read(text: str) -> str:
            cell_order(text, self._position)
            return text.strip()

        hint = f"{', '.join(ORDERS)}; or cells such as b2 a1, before the rest."
        order = await self.app.push_screen_wait(
            LineDialog("The order of cells", hint, read, self._order)
        )
        if order is not None and order != self._order:
            self._order, self._steps, self._at = order, (), 0
            self.show_text("")
            self._solve()


def step_lines(step: Step, names: Names) -> Iterator[str]:
    """Yield the lines about a step."""
    position = step.position
    name = position.board.name
    me, other = names.player(position.to_move), names.player(position.to_move.opponent)
    move = "" if step.move is None else name(step.move)
    yield f"{counted(step.depth, 'move')} made, {me} to move" if step.kind != "join" else ""
    yield ""
    match step.kind:
        case "try":
            yield f"{me} tries {move}."
            yield ""
            yield _set("region", position, step.region)
            yield ""
            if len(step.region) == len(position.empties):
                yield "The must-play region (::) is all empty cells: nothing is ruled out yet."
            else:
                yield (
                    "Any cell outside the must-play region (::) leaves alone a winset that beat "
                    "an earlier move."
                )
        case "join":
            yield (
                f"{move} joins {other}'s sides: get_connections (c) has a way from one to the "
                "other."
            )
        case "known":
            yield "This position came up before."
            yield f"{me} wins with {move}." if step.move is not None else f"{other} wins."
            yield _set("winset", position, step.winset)
        case "win":
            yield f"{move} wins for {me}: {other} has no winning answer."
            yield ""
            if rest := step.winset - {step.move}:
                yield _set("beats", position, rest)
                yield _line("and", move)
            yield _set("winset", position, step.winset)
            yield ""
            yield f"The winset (++) is all that {me} needs: what beats every answer, and the move."
        case "refuted":
            yield f"{move} loses: {other} answers {name(step.reply or 0)}."
            yield ""
            yield _set("region", position, step.region)
            yield _set("winset", position, step.winset)
            yield _set("both", position, step.left)
            yield ""
            yield (
                f"{other} needs only the winset (++). A move that does not break it loses alike: "
                "what both have in common is the next region."
            )
        case "lost":
            yield f"No move is left to try: {me} loses."
            yield ""
            for cell, winset in step.threats:
                yield _set(f"beat {name(cell)}", position, winset)
            yield _set("joined", position, step.winset)
            yield ""
            yield f"{other}'s winset (++) joins what beat each of the moves."


def connection_lines(step: Step, color: Color, names: Names) -> Iterator[str]:
    """Yield what `get_connections` returns in the position of a step: cells connected to cells."""
    yield f"Connected for {names.player(color)}"
    yield ""
    name = step.position.board.name
    for cell, others in get_connections(step.position, color).items():
        yield _set(name(cell), step.position, others)


def _set(label: str, position: Position, cells: frozenset[int]) -> str:
    return _line(label, " ".join(position.board.name(cell) for cell in sorted(cells)) or "none")


def _line(label: str, words: str) -> str:
    return textwrap.fill(
        words,
        _WIDTH,
        initial_indent=f"{label:<{_LABEL}}",
        subsequent_indent=" " * _LABEL,
        break_on_hyphens=False,
    )
