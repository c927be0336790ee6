"""The lines panel: the best lines of play, stepped on the board without touching the record."""

from collections.abc import Callable, Iterator, Sequence
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
from hextui.engine.evaluators import improves, scale_of
from hextui.engine.position import Move, Position
from hextui.engines.engine_config import engine_in
from hextui.ui.drawing.palette import DARK, Palette
from hextui.ui.panels.panel import Panel, PanelInput, PanelText, set_note
from hextui.ui.widgets.line_list import BOLD, PLAIN, LineList, Span, TextLine
from hextui.ui.widgets.move_columns import figures, number, percent, short_count
from hextui.words.names import Names, counted

if TYPE_CHECKING:
    from hextui.engine.search.lines import Lines
    from hextui.engines.snapshot import ReportedMove, SearchReport


@dataclass(frozen=True)
class ShownLine:
    """A line: its moves, and what is said of it, as wide as the heading."""

    moves: tuple[int, ...]
    prefix: str


@dataclass(frozen=True)
class ShownLines:
    """Lines with what stands above them; ``note`` has two lines at most."""

    note: str
    heading: str = ""
    lines: tuple[ShownLine, ...] = ()


def shown_lines(snapshot: Snapshot | None, names: Names) -> ShownLines:
    """Return the lines of minimax, or those of the engine or the tree search that is to judge."""
    if snapshot is None:
        return ShownLines("No lines yet")
    by = snapshot.lines_by
    engine = by if improves(by) else engine_in(by)
    if engine is not None:
        problem = snapshot.problems.get(snapshot.lines_by)
        found = snapshot.reports.get(snapshot.lines_by)
        if problem or found is None:
            return ShownLines(problem or f"{engine}: no lines yet")
        return _of_engine(found, names)
    if snapshot.lines is None:
        return ShownLines(f"{by}: no lines yet" if by else "No lines yet")
    return _of_search(snapshot.lines, names)


def _of_search(lines: "Lines", names: Names) -> ShownLines:
    """Return the lines of our search: each with its value, on a scale where it can be read."""
    if not lines.lines:
        return ShownLines("The game is over")
    scale = scale_of(lines.evaluator)
    read = [scale.of(line.value) if scale else line.value for line in lines.lines]
    places = figures(tuple(read))
    values = [
        f"{names.player(line.winner)} wins" if line.winner else number(value, places)
        for line, value in zip(lines.lines, read, strict=True)
    ]
    return _listed(
        _note_of_search(lines, names),
        [line.moves for line in lines.lines],
        [(scale.unit if scale else "value", values)],
    )


def _note_of_search(lines: "Lines", names: Names) -> str:
    """Return what was searched, and how far."""
    going = "" if lines.final or not lines.moves else f" ({lines.searched} of {lines.moves})"
    proved = f"; {names.player(lines.winner)} wins, proved" if lines.winner else ""
    literal = ", literal" if lines.settings.literal else ""
    return (
        f"{lines.evaluator}{literal}, depth {lines.depth}{going}{proved}\n"
        f"{lines.nodes:,} of {counted(lines.full_nodes, 'position')}"
    )


def _of_engine(found: "SearchReport", names: Names) -> ShownLines:
    """Return the lines of an attached engine: with all that it tells of each."""
    moves = [move for move in found.moves if move.copy_of is None]
    columns = [
        (title, texts)
        for title, tell in _ENGINE_COLUMNS
        if any(texts := [tell(move) for move in moves])  # what nobody is told is left out
    ]
    lines = [move.line or (move.cell,) for move in moves]
    return _listed(_note_of_engine(found, names), lines, columns)


def _note_of_engine(found: "SearchReport", names: Names) -> str:
    """Return how much an engine has searched, and whose the win rates are."""
    if found.position.winner is not None:
        return "The game is over"
    if not found.moves:
        return f"{found.engine}: no move named{' in its time' if found.final else ' yet'}"
    mover = names.player(found.position.to_move)
    visits = counted(found.visits, "visit") if found.visits else "searching"
    speed = f", {found.visits / found.seconds:,.0f} a second" if found.seconds else ""
    whose = f"win rates of {mover}" if found.winrate is not None else f"{mover} to move"
    return f"{found.engine}: {visits}{speed if found.visits else ''}\n{whose}"


def _win_rate(move: "ReportedMove") -> str:
    if move.proved is not None:
        return "wins" if move.proved else "loses"
    return "" if move.winrate is None else percent(move.winrate)


_ENGINE_COLUMNS: Sequence[tuple[str, "Callable[[ReportedMove], str]"]] = (
    ("win rate", _win_rate),
    ("score", lambda move: "" if move.score is None else number(move.score)),
    ("visits", lambda move: short_count(move.visits) if move.visits else ""),
    ("policy", lambda move: "" if move.prior is None else percent(move.prior)),
)


def _listed(
    note: str, moves: Sequence[tuple[int, ...]], columns: Sequence[tuple[str, Sequence[str]]]
) -> ShownLines:
    """Return lines with columns in front of them, each as wide as it needs."""
    if not moves:
        return ShownLines(note)

    def row(texts: Iterator[str]) -> str:
        return "".join(f"{text:>{width}}  " for text, width in zip(texts, widths, strict=True))

    widths = [max(len(title), *map(len, texts)) for title, texts in columns]
    lines = tuple(
        ShownLine(line, row(texts[place] for _, texts in columns))
        for place, line in enumerate(moves)
    )
    return ShownLines(note, row(title for title, _ in columns), lines)


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
    KEY = "f8"
    TEXT = PanelText(
        "best play of both sides",
        (
            ("line", "The best moves of both sides found so far."),
            ("depth", "How many moves ahead the search has gone."),
            ("score", "The value at the end of the line, by its evaluator."),
            ("only 14 cells", "You marked the moves to consider (J); others are left out."),
        ),
        (("left right", "Step on the board"), ("enter", "Add as a variation")),
        ("line-evaluator", "region"),
    )
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

    def fill(self, given: PanelInput) -> None:
        """Show the lines found so far; one that is looked at stays in sight."""
        snapshot = given.snapshot
        position = snapshot.position if snapshot else None
        if position != self._position:
            self._position, self._steps, self._painted = position, None, ()
        self._palette = given.palette
        self._shown = shown_lines(snapshot, given.options.names)
        set_note(self.query_one(Static), self._shown.note)
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
                TextLine(line.moves[0], ((line.prefix, PLAIN), *self._moves(line, pointed)))
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
            self.post_message(self.Highlighted(self.of, line=self._painted))

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
