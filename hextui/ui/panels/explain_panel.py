"""The Explain panel: why somebody wins, as a tree of sentences whose lines the board paints."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Static

from hextui.analysis import Snapshot
from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engines.limits import SolverBudget
from hextui.engines.snapshot import Progress
from hextui.ui.drawing.board_view import Connected
from hextui.ui.drawing.palette import DARK, Palette
from hextui.ui.live.live_analysis import ask_engine
from hextui.ui.panels.panel import (
    CONNECTION_WORDS,
    LIST_KEYS,
    Panel,
    PanelInput,
    PanelText,
    set_note,
)
from hextui.ui.widgets.line_list import BOLD, DIM, PLAIN, LineList, TextLine, sentence_spans
from hextui.words.connections import cell_reason
from hextui.words.names import Names, counted

if TYPE_CHECKING:
    from hextui.engine.solver.strategy import Strategy
    from hextui.engines.engine import OpenLane
    from hextui.engines.questions import NotProved, ShowProof
    from hextui.words.proofs import ProofLine, ProofTree

SECONDS, MORE_SECONDS = 10.0, 60.0
"""Time limits of a proof: where a winner is known, and where the user asks for one."""

Path = tuple[int, ...]
_VALUE: Path = (-3,)
"""The line about the best move of the evaluator in focus."""


@dataclass(frozen=True)
class _Reason:
    """A line of the tree, at its place: the places of those above it, and its own."""

    path: Path
    text: str
    connected: Connected | None = None
    moves: tuple[int, ...] = ()
    unnamed: str = ""
    brief: str = ""
    opens: bool = False


class ReasonList(LineList):
    """Reasons, each opening to those below it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l", "open", "Open", show=False),
        Binding("left,h", "above", "To the line above", show=False),
    ]

    @dataclass
    class Step(Message):
        """The user opens a line (``step`` 1), or closes it or goes to the one above it (-1)."""

        step: int

    def action_open(self) -> None:
        """Open the line with the cursor; where it is open, go to the first below it."""
        self.post_message(self.Step(1))

    def action_above(self) -> None:
        """Close the line with the cursor; where it is closed, go to the one above it."""
        self.post_message(self.Step(-1))


class ExplainPanel(Panel):
    """Who wins and why: the proof to be walked, must-play, and what is known of a cell.

    Moving through the list paints on the board where each line leads and what the winner needs
    there. ``open_lane`` opens a lane to the engine; without it nothing is proved.
    """

    TITLE = "Explain"
    KEY = "f12"
    TEXT = PanelText(
        "why, the reasons as a tree",
        (
            *CONNECTION_WORDS,
            (
                "must-play region",
                "The cells where a winning move can be: every move outside loses.",
            ),
            ("threat", "What the opponent would connect after a pass."),
            ("any other move", "Moves that the winner can ignore: one reply answers them all."),
            ("captured", "Two cells: whichever the opponent takes, the owner takes the other."),
            ("dead", "A cell that helps neither side."),
        ),
        (
            *LIST_KEYS,
            ("enter", "Open or close"),
            ("right", "Open, then go to what is below"),
            ("left", "Close, then go to what is above"),
        ),
        ("why", "must-play", "inferior"),
    )
    OF_ANALYSIS = None
    DEFAULT_CSS = """
    ExplainPanel .note { height: 2; color: $text-muted; }
    ExplainPanel .whole { height: 3; color: $text-muted; }
    """

    class ValueWanted(Message):
        """The value of the move at the cursor is to be explained."""

    class Proved(Message):
        """The winner of a position is proved."""

        def __init__(self, position: Position, winner: Color) -> None:
            super().__init__()
            self.position = position
            self.winner = winner

    class ProofUpdate(Message):
        """The progress of a proof, or its end; ``problem``: why there is none, in one line."""

        def __init__(
            self, found: "Strategy | NotProved | Progress | None", number: int, problem: str = ""
        ) -> None:
            super().__init__()
            self.found = found
            self.number = number
            self.problem = problem

    def __init__(self) -> None:
        super().__init__()
        self.open_lane: OpenLane | None = None
        self._position: Position | None = None
        self._snapshot: Snapshot | None = None
        self._winner: Color | None = None
        self._losing: Collection[int] = ()
        self._cursor = 0
        self._evaluator = ""
        self._palette: Palette = DARK
        self._names = Names.RED_BLUE
        self._tree: ProofTree | None = None
        self._below: dict[Path, tuple[ProofLine, ...]] = {}
        self._opened: set[Path] = set()
        self._reasons: list[_Reason] = []
        self._asked = 0  # how many proofs were asked for: answers to earlier questions are stale
        self._proving = ""  # how far the proof is, or why there is none; '' before it is asked for
        self._is_wanted = False
        self._unmounted = False

    def compose(self) -> ComposeResult:
        """Make the note, the tree, and room for the whole of a line."""
        yield Static("Nothing to explain yet", classes="note", markup=False)
        yield ReasonList()
        yield Static(classes="whole", markup=False)

    def on_resize(self) -> None:
        """Fit the lines to the new width."""
        if self._position is not None:
            self._show()

    def on_unmount(self) -> None:
        """Stop proving."""
        self._unmounted = True

    @property
    def list(self) -> ReasonList:
        """The tree."""
        return self.query_one(ReasonList)

    def fill(self, given: PanelInput) -> None:
        """Show what is known; where somebody is known to win, have it proved."""
        self._palette, self._names = given.palette, given.options.names
        self._snapshot, self._cursor = given.snapshot, given.session.cursor
        self._evaluator = given.options.evaluator
        position, verdict = given.session.position, given.verdicts.of(given.session.position)
        self._winner = position.winner or (verdict.winner if verdict else None)
        self._losing = given.verdicts.moves(position).losses.keys()
        if position != self._position:
            self._begin(position)
        if self._is_wanted:
            self._is_wanted = False
            self._prove_longer()
        elif not self._proving and self._winner is not None:
            self._ask_for_proof(SECONDS)
        self._show()

    def point(self, position: Position, cell: int) -> None:
        """Show what is known of the cell with the cursor, if the panel shows its position."""
        if self._is_shown and position == self._position and cell != self._cursor:
            self._cursor = cell
            self._show()

    def request_proof(self) -> None:
        """Have the winner proved, with more time than is taken without being asked.

        Where the panel is not on the screen yet, as soon as it is.
        """
        if self._is_shown:
            self._prove_longer()
        else:
            self._is_wanted = True

    def _prove_longer(self) -> None:
        if self._position is not None and self._tree is None:
            self._ask_for_proof(MORE_SECONDS)
            self._show()

    # The proof

    def _begin(self, position: Position) -> None:
        """Turn to another position."""
        self._position = position
        self._asked += 1
        self._tree, self._proving = None, ""
        self._below.clear()
        self._opened.clear()

    def _ask_for_proof(self, seconds: float) -> None:
        from hextui.engines.questions import ShowProof

        if self.open_lane is None or self._position is None:
            self._proving = "There is no engine in this run"
            return
        self._asked += 1
        self._proving = "looking for a proof"
        table_bytes = SolverBudget().table_bytes
        self._ask(ShowProof(self._position, seconds, table_bytes), self._asked)

    @work(thread=True, group="prove")
    def _ask(self, question: "ShowProof", number: int) -> None:
        """Wait for the engine."""
        assert self.open_lane is not None
        ask_engine(
            self.open_lane,
            question,
            lambda: self._unmounted or self._asked != number,
            lambda found, problem: self.post_message(self.ProofUpdate(found, number, problem)),
        )

    @on(ProofUpdate)
    def _take(self, update: ProofUpdate) -> None:
        from hextui.engine.solver.strategy import Strategy
        from hextui.engines.questions import NotProved
        from hextui.words.proofs import ProofTree

        if update.number != self._asked:
            return
        first = False
        match update.found:
            case Strategy():
                self._proving = "proved"
                self._tree = ProofTree(update.found, self._names)
                self._below[()] = self._tree.first()
                self._opened.add((0,))
                first = True
                if self._position is not None:
                    self.post_message(self.Proved(self._position, update.found.winner))
            case NotProved(seconds):
                self._proving = f"no proof within {seconds:.0f} seconds"
            case Progress() as progress:
                self._proving = f"{progress.label}: {progress.amount}"
            case None:
                self._proving = update.problem
        self._show()
        if first:
            self.list.point_at((0,))
            if self.list.has_focus:
                self._paint()

    # The tree

    def _show(self) -> None:
        """Write note and tree."""
        set_note(self.query_one(".note", Static), self._note())
        self._reasons = [*self._proof(), *self._cells()]
        self.list.show([self._line(one) for one in self._reasons])
        self._show_whole_line()

    def _note(self) -> str:
        """Return who wins, as far as it is known, and what can be done."""
        position = self._position
        if position is None:
            return "Nothing to explain yet"
        if self._tree is not None:
            swap = " if nobody swaps" if position.swap_legal else ""
            wins = f"{self._names.player(self._tree.winner)} wins{swap}, proved"
            return f"{wins}\nright opens a line, left closes"
        winner = self._winner
        known = "Winner not known" if winner is None else f"{self._names.player(winner)} wins"
        return f"{known}\n{self._proving or 'w searches a minute for a proof'}"

    def _proof(self) -> Iterator[_Reason]:
        """Yield the lines of the proof that are open."""
        if self._tree is None:
            return
        winner = self._tree.winner

        def reasons(path: Path) -> Iterator[_Reason]:
            for place, line in enumerate(self._below[path]):
                at = (*path, place)
                cells = " ".join(map(self._cell_name, line.unnamed))
                painted = Connected(winner, line.carrier, line.ends, line.edges)
                opens = line.spot is not None
                yield _Reason(at, line.text, painted, line.moves, cells, line.brief, opens)
                if at in self._opened:
                    if at not in self._below:
                        assert self._tree is not None
                        self._below[at] = self._tree.below(line)
                    yield from reasons(at)

        yield from reasons(())

    def _cells(self) -> Iterator[_Reason]:
        """Yield what is known of the must-play region and of the cell with the cursor."""
        snapshot, position = self._snapshot, self._position
        if snapshot is None or position is None or snapshot.position != position:
            return
        mover, region = position.to_move, snapshot.must_play
        if region and len(region) < len(position.empties):
            text = f"{self._names.player(mover)} must play in {counted(len(region), 'cell')}"
            cells = " ".join(map(self._cell_name, sorted(region)))
            yield _Reason((-2,), text, Connected(mover.opponent, region), (), cells)
        reason = cell_reason(
            position, self._cursor, snapshot.threats, snapshot.inferior, self._names
        )
        if reason:
            yield _Reason((-1,), reason)
        ranking = snapshot.rankings.get(self._evaluator)
        if ranking is not None and ranking.moves:
            best = self._cell_name(ranking.moves[0].cell)
            lost = ", though it loses" if ranking.moves[0].cell in self._losing else ""
            yield _Reason(_VALUE, f"{best} is best by {ranking.evaluator}{lost}: Enter says why")

    def _cell_name(self, cell: int) -> str:
        assert self._position is not None
        return self._position.board.name(cell)

    def _line(self, reason: _Reason) -> TextLine:
        """Return a line: its sign, and its text with the players in their colours."""
        sign = "  " if not reason.opens else "- " if reason.path in self._opened else "+ "
        indent = "  " * (len(reason.path) - 1) + sign
        style = BOLD if len(reason.path) == 1 else PLAIN
        room = self._room(reason)
        text = reason.brief if self._is_shortened(reason) else reason.text
        first, *more = sentence_spans(text, self._names, self._palette, room, style)
        below = (" " * len(indent), DIM)
        return TextLine(reason.path, ((indent, DIM), *first), tuple((below, *row) for row in more))

    def _room(self, reason: _Reason) -> int:
        """Return the columns of the text of a line, behind its sign."""
        return self.list.size.width - 1 - 2 * len(reason.path)  # beside the scroll bar

    def _is_shortened(self, reason: _Reason) -> bool:
        """Whether the tree has room for the few words of a line alone."""
        room = self._room(reason)
        return bool(reason.brief) and len(reason.text) > room >= len(reason.brief)

    @property
    def _pointed(self) -> _Reason | None:
        key = self.list.pointed
        return next((one for one in self._reasons if one.path == key), None)

    def _show_whole_line(self) -> None:
        """Show the line with the cursor in full where the tree leaves words or cells out."""
        reason, text = self._pointed, ""
        if reason and (reason.unnamed or self._is_shortened(reason)):
            text = reason.text + (f": {reason.unnamed}" if reason.unnamed else "")
        set_note(self.query_one(".whole", Static), text)

    @on(LineList.Pointed)
    def _point_at(self, event: LineList.Pointed) -> None:
        """Paint where the line leads."""
        event.stop()
        self._show_whole_line()
        self._paint()

    def _paint(self) -> None:
        reason = self._pointed
        if reason is not None:
            self.post_message(self.Highlighted(self._position, reason.connected, reason.moves))

    @on(LineList.Chosen)
    def _open_or_close(self, event: LineList.Chosen) -> None:
        event.stop()
        reason = self._pointed
        if reason is not None and reason.opens:
            self._opened ^= {reason.path}
            self._show()
        elif reason is not None and reason.path == _VALUE and self._snapshot is not None:
            best = self._snapshot.rankings[self._evaluator].moves[0].cell
            self.post_message(self.Pointed(self._position, best))
            self.post_message(self.ValueWanted())

    @on(ReasonList.Step)
    def _walk(self, event: ReasonList.Step) -> None:
        event.stop()
        reason = self._pointed
        if reason is None:
            return
        opened = reason.path in self._opened
        if event.step > 0 and opened:
            self.list.point_at((*reason.path, 0))
        elif reason.opens and opened != (event.step > 0):
            self._opened ^= {reason.path}
            self._show()
        elif event.step < 0 and len(reason.path) > 1:
            self.list.point_at(reason.path[:-1])
        self._show_whole_line()
        self._paint()
