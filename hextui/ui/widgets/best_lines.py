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

from hextui.engine.position import Move, Position
from hextui.ui.drawing.palette import DARK, Palette
from hextui.ui.widgets.line_list import BOLD, PLAIN, LineList, Span, TextLine
from hextui.ui.widgets.panel import Panel, Sight, say
from hextui.ui.widgets.shown_lines import ShownLine, ShownLines, shown_lines

if TYPE_CHECKING:
    pass


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
    """One row a line of play: what is said of it for the side to move, and its moves.

    The line with the cursor is
    painted on the board, up to a move that Left, Right and a click change; Enter puts as much of
    it in the record.
    """

    TITLE = "Lines"
    IN_SCOPE = ""
    DEFAULT_CSS = """
    LinesPanel .note { height: 2; color: $text-muted; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._position: Position | None = None
        self._shown = ShownLines("")
        self._palette: Palette = DARK
        self._steps: int | None = None  # how many moves are painted; None: all
        self._painted: tuple[int, ...] = ()

    def compose(self) -> ComposeResult:
        """Make the note and the list."""
        yield Static("No lines yet", classes="note", markup=False)
        yield StepList()

    def fill(self, sight: Sight) -> None:
        """Show the lines found so far; one that is looked at stays in sight."""
        snapshot = sight.snapshot
        position = snapshot.position if snapshot else None
        if position != self._position:
            self._position, self._steps, self._painted = position, None, ()
        self._palette = sight.palette
        self._shown = shown_lines(snapshot, sight.shown.names)
        say(self.query_one(Static), self._shown.note)
        self._list()
        if self._painted and self.query_one(StepList).has_focus:
            self._paint()

    def _list(self) -> None:
        """Write the rows."""
        lines = self._shown.lines
        pointed = self._pointed
        if pointed is None and lines:
            pointed = lines[0]  # where the cursor will be
        self.query_one(StepList).show(
            [
                TextLine(line.moves[0], ((line.said, PLAIN), *self._moves(line, pointed)))
                for line in lines
            ],
            ((f"{self._shown.heading}line", BOLD),) if lines else None,
        )

    def _moves(self, line: ShownLine, pointed: ShownLine | None) -> list[Span]:
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
    def _pointed(self) -> ShownLine | None:
        """The line with the cursor."""
        key = self.query_one(StepList).pointed
        return next((line for line in self._shown.lines if line.moves[0] == key), None)

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
