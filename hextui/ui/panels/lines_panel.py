"""The lines panel: the best lines of play, stepped on the board without touching the record."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from rich.style import Style

from hextui.engine.board import Color
from hextui.engine.evaluators import improves, scale_of
from hextui.engine.position import Move
from hextui.engine.search.lines import DEFAULT_SEARCH, Lines
from hextui.engines.snapshot import ReportedMove, SearchReport, Snapshot
from hextui.settings.engine_config import engine_in
from hextui.text import Names, counted
from hextui.ui.drawing.overlays import DisplayOptions
from hextui.ui.panels.panel import ListPanel, PanelInput, PanelText
from hextui.ui.panels.value_texts import number, percent, short_count
from hextui.ui.widgets.line_list import BOLD, DIM, PLAIN, Span, TextLine

_MOVE = 4  # columns of a move
_LEAST_LINES = 3  # above the heading of lines by another search
_MORE = "more"


@dataclass(frozen=True)
class ShownLine:
    """A line of play: its moves, and its columns before them, as wide as the heading.

    ``beside``: whether it is listed below the lines of the search that was chosen.
    """

    moves: tuple[int, ...]
    prefix: str
    beside: bool = False

    @property
    def key(self) -> Hashable:
        """What identifies the line in the list."""
        return ("beside", self.moves[0]) if self.beside else self.moves[0]


@dataclass(frozen=True)
class ShownLines:
    """Lines with their heading; ``note`` has two lines at most."""

    note: str
    heading: str = ""
    lines: tuple[ShownLine, ...] = ()


def wins_first(listed: ShownLines, wins: Sequence[int]) -> ShownLines:
    """Return lines of which the first begin with the winning moves, all of them, in this order."""
    if not wins:
        return listed
    heading = listed.heading or f"{'':8}"
    proved = f"{'proved':>{len(heading) - 2}}  "
    by_move = {line.moves[0]: line for line in reversed(listed.lines)}
    winning = [by_move.get(cell, ShownLine((cell,), proved)) for cell in wins]
    others = (line for line in listed.lines if line not in winning)
    return replace(listed, heading=heading, lines=(*winning, *others))


def shown_lines(
    snapshot: Snapshot | None, options: DisplayOptions, room: int, winner: Color | None = None
) -> ShownLines:
    """Return the lines of minimax, or those of the engine or tree search chosen for lines.

    ``room``: the columns that a line has. ``winner``: who is proved to win.
    """
    if snapshot is None:
        return ShownLines(LinesPanel.NOTE)
    by = snapshot.lines_by
    if searches(by):
        return _of_reports(snapshot, options, room, winner)
    if snapshot.lines is not None:
        return _of_search(snapshot.lines, options.names, room)
    return ShownLines(f"{by}: no lines yet" if by else LinesPanel.NOTE)


def searches(name: str) -> bool:
    """Return whether lines by this name are those of a tree search or an attached engine."""
    return improves(name) or engine_in(name) is not None


def _of_reports(
    snapshot: Snapshot, options: DisplayOptions, room: int, winner: Color | None
) -> ShownLines:
    """Return the lines of the engine or tree search chosen for lines, or why there are none."""
    by = snapshot.lines_by
    problem = snapshot.problems.get(by)
    report = snapshot.reports.get(by)
    if report is not None and not problem:
        return _of_engine(report, options, room, winner, is_ours=improves(by))
    proved = _proved(winner, options.names) if winner else ""
    return ShownLines(problem or proved or f"{engine_in(by) or by}: no lines yet")


def _proved(winner: Color, names: Names) -> str:
    return f"{names.player(winner)} wins, proved"


def lines_beside(snapshot: Snapshot | None, options: DisplayOptions, room: int) -> ShownLines:
    """Return the lines of the minimax beside a search or an engine, or of the search beside it.

    There are none, and no note, before the first.
    """
    if snapshot is None or not snapshot.lines_by:
        return ShownLines("")
    report = snapshot.reports.get(DEFAULT_SEARCH)
    if not searches(snapshot.lines_by) and report is not None:
        listed = _of_engine(report, options, room, None, is_ours=True)
        note = listed.note
    elif searches(snapshot.lines_by) and snapshot.lines is not None:
        listed = _of_search(snapshot.lines, options.names, room)
        note = f"minimax by {listed.note}"
    else:
        return ShownLines("")
    lines = tuple(replace(line, beside=True) for line in listed.lines)
    return replace(listed, note=note.splitlines()[0], lines=lines)


def _of_search(lines: Lines, names: Names, room: int) -> ShownLines:
    if not lines.lines:
        return ShownLines("The game is over")
    scale = scale_of(lines.evaluator)
    values = []
    for line in lines.lines:
        value = scale.of(line.value) if scale else line.value
        values.append(f"{names.player(line.winner)} wins" if line.winner else number(value))
    return _listed(
        _note_of_search(lines, names),
        [line.moves.numbers for line in lines.lines],
        [(scale.unit if scale else "value", values)],
        room,
    )


def _note_of_search(lines: Lines, names: Names) -> str:
    going = "" if lines.final or not lines.moves else f" ({lines.searched} of {lines.moves})"
    proved = f"; {names.player(lines.winner)} wins, proved" if lines.winner else ""
    literal = ", literal" if lines.settings.literal else ""
    return (
        f"{lines.evaluator}{literal}, depth {lines.depth}{going}{proved}\n"
        f"{lines.nodes:,} of {counted(lines.full_nodes, 'node')}"
    )


def _of_engine(
    report: SearchReport, options: DisplayOptions, room: int, winner: Color | None, is_ours: bool
) -> ShownLines:
    """Return the lines of a search, ours or an attached engine's, with all that it reports."""
    moves = [move for move in report.moves if not move.is_copy]
    side = options.win_probability_of or report.position.to_move
    if side is not report.position.to_move:
        moves = list(map(_for_other_side, moves))

    rate = partial(_win_probability, is_ours=is_ours)
    possible: Sequence[_Column] = (("win prob.", rate), *_ENGINE_COLUMNS)
    columns = []
    for title, text_of in possible:
        texts = list(map(text_of, moves))
        if any(texts):
            columns.append((title, texts))

    lines = [move.line.numbers for move in moves]
    return _listed(_note_of_engine(report, options.names, side, winner), lines, columns, room)


def _for_other_side(move: ReportedMove) -> ReportedMove:
    """Return a move with the win probability of the other side, if there is one."""
    return move if move.winrate is None else replace(move, winrate=1 - move.winrate)


def _note_of_engine(report: SearchReport, names: Names, side: Color, winner: Color | None) -> str:
    """Return how much an engine has searched, and that the win probabilities are a side's.

    Where the ``winner`` is proved, that is said instead of what is still to come.
    """
    mover = report.position.to_move
    if report.position.winner is not None:
        return "The game is over"
    if winner is not None and not report.visits:
        return _proved(winner, names)
    if not report.moves:
        return f"{report.engine}: no move named {'in time' if report.final else 'yet'}"

    whose = f"{names.player(mover)} to move"
    if report.winrate is not None:
        whose = f"win probability of {names.player(side)}"
    if report.swap is not None:
        win = report.swap if side is mover else 1 - report.swap
        whose += f", {percent(win)} by a swap"
    return f"{report.engine}: {_effort(report)}\n{whose}"


def _effort(report: SearchReport) -> str:
    """Return how many visits a search has made, and how fast."""
    if not report.visits:
        return "searching"
    visits = counted(report.visits, "visit")
    return f"{visits}, {report.visits / report.seconds:,.0f} a second" if report.seconds else visits


def _win_probability(move: ReportedMove, is_ours: bool) -> str:
    """Return the win probability, or who wins; with ``?`` where an attached engine claims it."""
    if move.proved is not None:
        word = "wins" if move.proved else "loses"
        return word if is_ours else f"{word}?"
    return "" if move.winrate is None else percent(move.winrate)


_Column = tuple[str, Callable[[ReportedMove], str]]
_ENGINE_COLUMNS: Sequence[_Column] = (
    ("score", lambda move: "" if move.score is None else number(move.score)),
    ("visits", lambda move: short_count(move.visits) if move.visits else ""),
    ("policy", lambda move: "" if move.prior is None else percent(move.prior)),
)


def _listed(
    note: str,
    moves: Sequence[tuple[int, ...]],
    columns: Sequence[tuple[str, Sequence[str]]],
    room: int,
) -> ShownLines:
    """Return lines with columns in front of them, each as wide as it needs.

    The last columns are left out where they leave no room for two moves.
    """
    if not moves:
        return ShownLines(note)

    def row(texts: Iterator[str]) -> str:
        return "".join(f"{text:>{width}}  " for text, width in zip(texts, widths, strict=True))

    widths = [max(len(title), *map(len, texts)) for title, texts in columns]
    while len(widths) > 1 and sum(width + 2 for width in widths) + 2 * _MOVE > room:
        widths.pop()
    columns = columns[: len(widths)]

    lines = []
    for place, line in enumerate(moves):
        prefix = row(texts[place] for _, texts in columns)
        lines.append(ShownLine(line, prefix))
    return ShownLines(note, row(title for title, _ in columns), tuple(lines))


class LinesPanel(ListPanel):
    """One row for each line of play: its value for the side to move, and its moves.

    The board shows the line with the cursor, up to a move that Left, Right and a click change;
    Enter puts as much of it in the record.
    """

    TITLE = "Lines"
    KEY = "f8"
    TEXT = PanelText(
        "best play of both sides",
        (
            ("line", "The best moves of both sides found so far."),
            ("depth", "How many moves ahead the search has gone."),
            (
                "minimax",
                "The best lines by an evaluator, listed below those of the tree search. V chooses "
                "the evaluator; those of the tree search are listed below its lines then.",
            ),
            ("score", "The value at the end of the line, by its evaluator."),
            ("only 14 cells", "You marked the moves to consider (J); others are left out."),
        ),
        (("left right", "Step on the board"), ("enter", "Add as a variation")),
        ("line-evaluator", "region"),
    )
    NOTE = "No lines yet"
    IN_SCOPE = ""

    def __init__(self) -> None:
        super().__init__()
        self._shown = ShownLines("")
        self._beside = ShownLines("")
        self._all = False  # whether all lines are listed above those beside them
        self._steps: int | None = None  # how many moves are painted; None: all
        self._painted: tuple[int, ...] = ()

    def begin(self) -> None:
        super().begin()
        self._all = False
        self._steps = None
        self._painted = ()

    def fill(self, given: PanelInput) -> None:
        """Show the lines found so far; the board keeps the one with the cursor."""
        self.fit()
        if self._painted and self.list.has_focus:
            self._paint()

    def fit(self) -> None:
        given, room = self.given, self.list.room
        wins = tuple(given.verdicts.moves(self.of).wins) if self.of else ()
        listed = shown_lines(given.snapshot, given.options, room, given.winner)
        self._shown = wins_first(listed, wins)
        self._beside = lines_beside(given.snapshot, given.options, room)
        self.write(self.note, self._shown.note)
        self._list()

    def _list(self) -> None:
        lines = self._shown.lines
        pointed = self._pointed
        if pointed is None and lines:
            pointed = lines[0]  # where the cursor will be

        def rows_of(lines: Sequence[ShownLine]) -> list[TextLine]:
            return [
                TextLine(line.key, ((line.prefix, PLAIN), *self._moves(line, pointed)))
                for line in lines
            ]

        first = lines if self._all else lines[: self._lines_above]
        rows = rows_of(first)
        if len(first) < len(lines):
            rows.append(TextLine(_MORE, ((f"+{len(lines) - len(first)} more", DIM),)))
        if self._beside.lines:
            heading_beside = (f"{self._beside.heading}line", BOLD)
            rows.append(TextLine("beside", ((self._beside.note, DIM),), ((heading_beside,),)))
            rows += rows_of(self._beside.lines)
        heading = ((f"{self._shown.heading}line", BOLD),) if lines else None
        self.list.show(rows, heading)

    @property
    def _lines_above(self) -> int | None:
        """How many lines leave those beside them room, None without such lines."""
        if not self._beside.lines:
            return None
        taken = 1 + 1 + 2 + len(self._beside.lines)  # heading, "more", note and heading below
        return max(self.list.size.height - taken, _LEAST_LINES)

    def _moves(self, line: ShownLine, pointed: ShownLine | None) -> list[Span]:
        """Return the moves in the colours of the sides; those not painted are dim."""
        assert self.of is not None
        board, mover = self.of.board, self.of.to_move
        spans = []
        whole = max((self.list.room - len(line.prefix)) // _MOVE, 1)
        for ply, cell in enumerate(line.moves[:whole]):
            color = self.given.palette.ink(mover if ply % 2 == 0 else mover.opponent)
            dim = line is pointed and self._steps is not None and ply >= self._steps
            style = Style(color=color, bold=not dim, dim=dim)
            spans.append((f"{board.name(cell):<{_MOVE}}", style))
        return spans

    @property
    def _pointed(self) -> ShownLine | None:
        key = self.list.pointed
        lines = (*self._shown.lines, *self._beside.lines)
        return next((line for line in lines if line.key == key), None)

    def _paint(self) -> None:
        line = self._pointed
        moves = line.moves[: self._steps] if line else ()
        if moves != self._painted:
            self._painted = moves
            self.post_message(self.Highlighted(self.of, line=moves))

    def _step_to(self, moves: int | None) -> None:
        self._steps = moves
        self._list()
        self._paint()

    def pointed(self, key: Hashable) -> None:
        self._painted = ()
        self._step_to(None)

    def stepped(self, step: int) -> None:
        """Paint one move more or less; on from the whole line begins anew."""
        line = self._pointed
        if line is not None:
            length = len(line.moves)
            painted = length if self._steps is None else min(self._steps, length)
            steps = painted + step
            self._step_to(1 if steps > length else max(steps, 0))

    def clicked(self, column: int) -> bool:
        line = self._pointed
        if line is not None and column >= len(line.prefix):
            moves = (column - len(line.prefix)) // _MOVE + 1
            if moves <= len(line.moves):
                self._step_to(moves)
        return False

    def chosen(self, key: Hashable) -> None:
        line = self._pointed
        if key == _MORE:
            self._all = True
            self._list()
        elif key == "beside":
            self.post_message(self.Refused("This is a heading: choose a line below it"))
        if line is not None:
            moves = line.moves[: self._steps] or line.moves
            self.post_message(self.Played(self.of, tuple(map(Move.play, moves))))
