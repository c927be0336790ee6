"""The lines panel: the best lines of play, stepped on the board without touching the record."""

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, ClassVar

from rich.style import Style
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Static

from hextui.analysis import Snapshot
from hextui.engine.position import Move, Position
from hextui.engine.scales import Scale, scale_of
from hextui.ui.drawing.palette import DARK, Palette
from hextui.ui.widgets.line_list import BOLD, PLAIN, LineList, Span, TextLine
from hextui.ui.widgets.move_columns import figures, number
from hextui.ui.widgets.panel import Panel, Sight
from hextui.wording import counted, player_name

if TYPE_CHECKING:
    from hextui.engine.search.lines import Line as FoundLine


class StepList(LineList):
    """A list in which Left and Right step through the line of moves with the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "step(-1)", "One move back", show=False),
        Binding("right,l", "step(1)", "One move on", show=False),
    ]

    @dataclass
    class Stepped(Message):
        """The user goes moves on or back in the line."""

        moves: int

    @dataclass
    class Clicked(Message):
        """The user clicked on a move of the line: the last of so many."""

        moves: int

    def action_step(self, moves: int) -> None:
        """Tell that the user goes moves on or back."""
        self.post_message(self.Stepped(moves))

    def _clicked(self, column: int) -> bool:
        """Tell which move was clicked, if it was one."""
        value, *moves = (len(text) for text, _ in self.lines[self._at].spans)
        ends = accumulate(moves, initial=value)
        passed = sum(column >= end for end in ends)
        if 0 < passed <= len(moves):
            self.post_message(self.Clicked(passed))
        return False


class LinesPanel(Panel):
    """One row a line of play: its value for the side to move, and its moves.

    A value stands on the scale on which its evaluator's can be read. The line with the cursor is
    painted on the board, up to a move that Left, Right and a click change; Enter puts as much of
    it in the record.
    """

    TITLE = "Lines"
    DEFAULT_CSS = """
    LinesPanel .note { height: 2; color: $text-muted; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._position: Position | None = None
        self._lines: dict[int, FoundLine] = {}
        self._palette: Palette = DARK
        self._scale: Scale | None = None
        self._steps: int | None = None  # how many moves are painted; None: all
        self._painted: tuple[int, ...] = ()

    def compose(self) -> ComposeResult:
        """Make the note and the list."""
        yield Static("No lines yet", classes="note", markup=False)
        yield StepList()

    def fill(self, sight: Sight) -> None:
        """Show the lines found so far; one that is looked at stays in sight."""
        snapshot = sight.snapshot
        found = snapshot.lines if snapshot else None
        position = snapshot.position if snapshot else None
        if position != self._position:
            self._position, self._steps, self._painted = position, None, ()
        self._palette = sight.palette
        self._lines = {line.moves[0]: line for line in found.lines} if found else {}
        self._scale = scale_of(found.evaluator) if found else None
        self.query_one(Static).update(_note(snapshot), layout=False)
        self._list()
        if self._painted and self.query_one(StepList).has_focus:
            self._paint()

    def _list(self) -> None:
        """Write the rows."""
        rows = self.query_one(StepList)
        lines = list(self._lines.values())
        read = [self._scale.of(line.value) if self._scale else line.value for line in lines]
        shown = figures(tuple(read))
        values = [
            f"{player_name(line.winner)} wins" if line.winner else number(value, shown)
            for line, value in zip(lines, read, strict=True)
        ]
        heading = self._scale.words if self._scale else "value"
        width = max(map(len, (heading, *values)))
        pointed = self._pointed
        if pointed is None and lines:
            pointed = lines[0]  # where the cursor will be
        rows.show(
            [
                TextLine(
                    line.moves[0], ((f"{value:>{width}}  ", PLAIN), *self._moves(line, pointed))
                )
                for line, value in zip(lines, values, strict=True)
            ],
            ((f"{heading:>{width}}  line", BOLD),) if lines else None,
        )

    def _moves(self, line: "FoundLine", pointed: "FoundLine | None") -> list[Span]:
        """Return the moves in the colours of the sides; those not painted are dim."""
        assert self._position is not None
        board, mover = self._position.board, self._position.to_move
        spans = []
        for ply, cell in enumerate(line.moves):
            color = self._palette.ink(mover if ply % 2 == 0 else mover.opponent)
            dim = line is pointed and self._steps is not None and ply >= self._steps
            spans.append((f"{board.name(cell):<4}", Style(color=color, bold=not dim, dim=dim)))
        return spans

    @property
    def _pointed(self) -> "FoundLine | None":
        """The line with the cursor."""
        key = self.query_one(StepList).pointed
        return self._lines.get(key) if isinstance(key, int) else None

    @property
    def _chosen(self) -> tuple[int, ...]:
        """The moves of the line with the cursor, up to the one stepped to."""
        line = self._pointed
        return line.moves[: self._steps] if line else ()

    def _paint(self) -> None:
        if self._chosen != self._painted:
            self._painted = self._chosen
            self.post_message(self.Painted(self.of, line=self._painted))

    @on(LineList.Pointed)
    def _point(self, event: LineList.Pointed) -> None:
        """Paint the whole line."""
        event.stop()
        self._steps, self._painted = None, ()
        self._list()
        self._paint()

    @on(StepList.Stepped)
    def _step(self, event: StepList.Stepped) -> None:
        """Paint one move more or less; on from the whole line begins anew."""
        event.stop()
        line = self._pointed
        if line is None:
            return
        length = len(line.moves)
        steps = length if self._steps is None else min(self._steps, length)
        steps += event.moves
        self._step_to(1 if steps > length else max(steps, 0))

    @on(StepList.Clicked)
    def _step_to_clicked(self, event: StepList.Clicked) -> None:
        """Paint the line up to the move."""
        event.stop()
        self._step_to(event.moves)

    def _step_to(self, moves: int) -> None:
        self._steps = moves
        self._list()
        self._paint()

    @on(LineList.Chosen)
    def _choose(self, event: LineList.Chosen) -> None:
        """Put the moves in the record."""
        event.stop()
        line = self._pointed
        if line:
            moves = self._chosen or line.moves
            self.post_message(self.Played(self.of, tuple(map(Move.play, moves))))


def _note(snapshot: Snapshot | None) -> str:
    """Return what was searched, and how far."""
    if snapshot is None or snapshot.lines is None:
        by = snapshot.lines_by if snapshot else ""
        return f"{by}: no lines yet" if by else "No lines yet"
    lines = snapshot.lines
    if not lines.lines:
        return "The game is over"
    going = "" if lines.final or not lines.moves else f" ({lines.searched} of {lines.moves})"
    proved = f"; {player_name(lines.winner)} wins, proved" if lines.winner else ""
    literal = ", literal" if lines.settings.literal else ""
    return (
        f"{lines.evaluator}{literal}, depth {lines.depth}{going}{proved}\n"
        f"{lines.nodes:,} of {counted(lines.full_nodes, 'position')}"
    )
