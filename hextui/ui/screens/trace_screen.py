"""The must-play trace: a run of the readable solver, step by step on a board."""

from collections.abc import Iterator

from textual import work

from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engine.solver.mustplay import (
    DEFAULT,
    LITERAL_EMPTIES,
    ORDERS,
    REMEMBERED_EMPTIES,
    RunStep,
    StepKind,
    cell_order,
    get_connections,
)
from hextui.engines.questions import Trace, Traced
from hextui.records.board_view import BoardView, Connected
from hextui.text import Names, counted
from hextui.ui.screens.dialogs import LineDialog
from hextui.ui.screens.step_screen import (
    NO_STEP_YET,
    ShownStep,
    StepScreen,
    labelled,
    step_bindings,
)
from hextui.ui.widgets.board_widget import BoardWidget


def why_not(position: Position) -> str | None:
    """Return why a position cannot be traced, None if it can."""
    if position.winner is not None:
        return "The game is over"
    empties = len(position.empties)
    if empties > (most := REMEMBERED_EMPTIES):
        return f"The trace supports up to {most} empty cells; this position has {empties}"
    return None


class TraceScreen(StepScreen[Position, RunStep]):
    """Shows one run of the solver on a position, which tries cells in an ``order``."""

    BINDINGS = step_bindings([("c", "connections", "Connected"), ("o", "order", "Order")])
    heading = "Must-play trace"
    order = DEFAULT
    _of: Color | None = None  # whose connections are shown
    _calls = 0  # of the solver

    def board(self) -> BoardWidget:
        return BoardWidget(BoardView(self.subject))

    def on_mount(self) -> None:
        self._solve()

    def _solve(self) -> None:
        self.show_title("solving")
        position = self.subject.without_swap  # the solver knows no swap
        self.ask(Trace(position, len(position.empties) > LITERAL_EMPTIES, self.order))

    def take(self, answer: Traced | None, problem: str) -> None:
        if answer is None:
            self.show_title(problem)
            return
        if answer.steps is None:
            self.show_title(f"solving, {counted(answer.calls, 'position')} visited so far")
        else:
            self._calls = answer.calls
            self._steps = answer.steps
            self.show_step()

    def shown(self, step: RunStep) -> ShownStep:
        joins = step.kind is StepKind.JOIN
        view = BoardView(
            step.position,
            cursor=None if joins else step.move,
            last_move=step.move if joins else None,
            must_play=step.region,
            connected=None if step.owner is None else Connected(Color(step.owner), step.winset),
        )
        of, names = self._of, self.names
        lines = step_lines(step, names) if of is None else connection_lines(step, of, names)
        about = f"order: {self.order}; {self._calls:,} visited"
        return ShownStep(view, "\n".join(lines), about)

    def begins(self, place: int) -> bool:
        """Return whether the step at a place is not deeper than the present one."""
        return self._steps[place].depth <= self._steps[self._at].depth

    def action_connections(self) -> None:
        """Show the cells connected for Red, for Blue, or the step again."""
        if not self._steps:
            self.complain(NO_STEP_YET)
            return
        after = {None: Color.BLACK, Color.BLACK: Color.WHITE, Color.WHITE: None}
        self._of = after[self._of]
        self.show_step()

    @work(group="dialogs")
    async def action_order(self) -> None:

        def read(text: str) -> str:
            cell_order(text, self.subject)
            return text.strip()

        hint = f"{', '.join(ORDERS)}; or cells such as b2 a1, before the rest."
        order = await self.app.push_screen_wait(
            LineDialog("The order of cells", hint, read, self.order)
        )
        if order is not None and order != self.order:
            self.order = order
            self._steps = ()
            self._at = 0
            self.show_text("")
            self._solve()


def step_lines(step: RunStep, names: Names) -> Iterator[str]:
    """Yield the lines about a step."""
    position = step.position
    name = position.board.name
    me = names.player(position.to_move)
    other = names.player(position.to_move.opponent)
    move = "" if step.move is None else name(step.move)
    region = _set("region", step, step.region)
    winset = _set("winset", step, step.winset)
    yield from (_heading(step, me), "")
    match step.kind:
        case StepKind.TRY:
            yield from (f"{me} tries {move}.", "", region, "")
            yield _region_words(step)
        case StepKind.JOIN:
            yield (
                f"{move} joins {other}'s sides: get_connections (c) has a way from one to the "
                "other."
            )
        case StepKind.KNOWN:
            yield "This position came up before."
            yield f"{me} wins with {move}." if move else f"{other} wins."
            yield winset
        case StepKind.WIN:
            yield from (f"{move} wins for {me}: {other} has no winning answer.", "")
            yield from _beating_lines(step, move)
            yield from (winset, "")
            yield f"The winset (++) is all that {me} needs: what beats every answer, and the move."
        case StepKind.REFUTED:
            yield from (f"{move} loses: {other} answers {name(step.reply or 0)}.", "")
            yield from (region, winset, _set("both", step, step.region & step.winset), "")
            yield (
                f"{other} needs only the winset (++). A move that does not break it loses too: "
                "the cells in both are the next region."
            )
        case StepKind.LOST:
            yield from (f"No move is left to try: {me} loses.", "")
            yield from _threat_lines(step)
            yield from (_set("joined", step, step.winset), "")
            yield f"{other}'s winset (++) is the union of what beat each of the moves."


def _heading(step: RunStep, me: str) -> str:
    """Return how many moves are made, and whose turn it is; '' where a move joins the sides."""
    if step.kind is StepKind.JOIN:
        return ""
    return f"{counted(step.depth, 'move')} made, {me} to move"


def _region_words(step: RunStep) -> str:
    """Return what the must-play region of a step means for other moves."""
    if len(step.region) == len(step.position.empties):
        return "The must-play region (::) is all empty cells: nothing is ruled out yet."
    return (
        "A move outside the must-play region (::) leaves intact a winset that beat an earlier move."
    )


def _beating_lines(step: RunStep, move: str) -> Iterator[str]:
    """Yield the cells that beat every answer to a winning move, and the move, if there are any."""
    if cells := step.winset - {step.move}:
        yield _set("beats", step, cells)
        yield labelled("and", [move])


def _threat_lines(step: RunStep) -> Iterator[str]:
    """Yield the cells that beat each of the losing moves."""
    for cell, threat in step.threats:
        yield _set(f"beat {step.position.board.name(cell)}", step, threat)


def connection_lines(step: RunStep, color: Color, names: Names) -> Iterator[str]:
    """Yield what `get_connections` returns in the position of a step: cells connected to cells."""
    yield from (f"Connected for {names.player(color)}", "")
    for cell, others in get_connections(step.position, color).items():
        yield _set(step.position.board.name(cell), step, others)


def _set(label: str, step: RunStep, cells: frozenset[int]) -> str:
    return labelled(label, map(step.position.board.name, sorted(cells)) if cells else ["none"])
