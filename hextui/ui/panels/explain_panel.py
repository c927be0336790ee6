"""The Explain panel: why somebody wins, as a tree of sentences whose lines the board paints."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on, work
from textual.app import ComposeResult
from textual.message import Message
from textual.widgets import Static
from textual.worker import get_current_worker

from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engines.limits import SolverBudget
from hextui.engines.snapshot import Progress
from hextui.ui.drawing.board_view import Connected
from hextui.ui.live.live_analysis import ask_engine
from hextui.ui.panels.panel import (
    CONNECTION_WORDS,
    LIST_KEYS,
    MUST_PLAY_WORDS,
    ListPanel,
    PanelInput,
    PanelText,
)
from hextui.ui.widgets.line_list import BOLD, PLAIN, TextLine
from hextui.words.connections import cell_reason
from hextui.words.names import counted

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


class ExplainPanel(ListPanel):
    """Who wins and why: the proof to be walked, must-play, and what is known of a cell.

    The board shows where the line with the cursor leads and what the winner needs there.
    ``open_lane`` opens a lane to the engine; without it nothing is proved.
    """

    TITLE = "Explain"
    KEY = "f12"
    TEXT = PanelText(
        "why, the reasons as a tree",
        (
            *CONNECTION_WORDS,
            MUST_PLAY_WORDS,
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
    NOTE = "Nothing to explain yet"
    OF_ANALYSIS = None
    DEFAULT_CSS = """
    ExplainPanel .whole { height: 3; color: $text-muted; }
    """

    @dataclass
    class WinnerProved(Message):
        """The winner of a position is proved."""

        position: Position
        winner: Color

    @dataclass
    class ProofUpdate(Message):
        """The progress of a proof, or its end; ``problem``: why there is none, in one line."""

        found: "Strategy | NotProved | Progress | None"
        number: int
        problem: str

    def __init__(self) -> None:
        super().__init__()
        self.open_lane: OpenLane | None = None
        self._position: Position | None = None
        self._winner: Color | None = None
        self._losing: Collection[int] = ()
        self._cursor = 0
        self._tree: ProofTree | None = None
        self._below: dict[Path, tuple[ProofLine, ...]] = {}
        self._opened: set[Path] = set()
        self._reasons: list[_Reason] = []
        self._asked = 0  # how many proofs were asked for: answers to earlier questions are stale
        self._proving = ""  # how far the proof is, or why there is none; '' before it is asked for
        self._is_wanted = False

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield Static(classes="whole", markup=False)

    def fill(self, given: PanelInput) -> None:
        """Show what is known; where somebody is known to win, have it proved."""
        self._cursor = given.session.cursor
        position, verdict = given.session.position, given.verdicts.of(given.session.position)
        self._winner = position.winner or (verdict.winner if verdict else None)
        self._losing = given.verdicts.moves(position).losses.keys()
        if position != self._position:
            self._position = position
            self._asked += 1
            self._tree, self._proving = None, ""
            self._below.clear()
            self._opened.clear()
        if self._is_wanted:
            self._is_wanted = False
            self.request_proof()
        elif not self._proving and self._winner is not None:
            self._ask_for_proof(SECONDS)
        self.fit()

    def point(self, position: Position, cell: int) -> None:
        """Show what is known of the cell with the cursor, if the panel shows its position."""
        if self._is_shown and position == self._position and cell != self._cursor:
            self._cursor = cell
            self.fit()

    def request_proof(self) -> None:
        """Have the winner proved, with more time than is taken without being asked.

        Where the panel is not on the screen yet, as soon as it is.
        """
        if not self._is_shown:
            self._is_wanted = True
        elif self._position is not None and self._tree is None:
            self._ask_for_proof(MORE_SECONDS)
            self.fit()

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
        assert self.open_lane is not None
        worker = get_current_worker()
        ask_engine(
            self.open_lane,
            question,
            lambda: worker.is_cancelled or self._asked != number,
            lambda found, problem: self.post_message(self.ProofUpdate(found, number, problem)),
        )

    @on(ProofUpdate)
    def _take(self, update: ProofUpdate) -> None:
        from hextui.engine.solver.strategy import Strategy
        from hextui.engines.questions import NotProved
        from hextui.words.proofs import ProofTree

        if update.number != self._asked:
            return
        match update.found:
            case Strategy():
                self._proving = "proved"
                self._tree = ProofTree(update.found, self.given.options.names)
                self._below[()] = self._tree.first()
                self._opened.add((0,))
                assert self._position is not None
                self.post_message(self.WinnerProved(self._position, update.found.winner))
            case NotProved(seconds):
                self._proving = f"no proof within {seconds:.0f} seconds"
            case Progress() as progress:
                self._proving = f"{progress.label}: {progress.amount}"
            case None:
                self._proving = update.problem
        self.fit()
        if isinstance(update.found, Strategy):
            self.list.point_at((0,))
            if self.list.has_focus:
                self._paint()

    # The tree

    def fit(self) -> None:
        self.write(".note", self._note())
        self._reasons = [*self._proof(), *self._cells()]
        self.list.show([self._line(one) for one in self._reasons])
        self._show_whole_line()

    def _note(self) -> str:
        """Return who wins, as far as it is known, and what can be done."""
        assert self._position is not None
        player, winner = self.given.options.names.player, self._winner
        if self._tree is not None:
            swap = " if nobody swaps" if self._position.swap_legal else ""
            wins = f"{player(self._tree.winner)} wins{swap}, proved"
            return f"{wins}\nright opens a line, left closes"
        known = "Winner not known" if winner is None else f"{player(winner)} wins"
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
        snapshot, position = self.given.snapshot, self._position
        if snapshot is None or position is None or snapshot.position != position:
            return
        names, mover, region = self.given.options.names, position.to_move, snapshot.must_play
        if region and len(region) < len(position.empties):
            text = f"{names.player(mover)} must play in {counted(len(region), 'cell')}"
            cells = " ".join(map(self._cell_name, sorted(region)))
            yield _Reason((-2,), text, Connected(mover.opponent, region), (), cells)
        reason = cell_reason(position, self._cursor, snapshot.threats, snapshot.inferior, names)
        if reason:
            yield _Reason((-1,), reason)
        best = self._best_move
        if best is not None:
            lost = ", though it loses" if best in self._losing else ""
            evaluator = self.given.options.evaluator
            yield _Reason(
                _VALUE, f"{self._cell_name(best)} is best by {evaluator}{lost}: Enter says why"
            )

    @property
    def _best_move(self) -> int | None:
        """The best move by the evaluator in focus, if it has ranked."""
        snapshot, name = self.given.snapshot, self.given.options.evaluator
        ranking = snapshot.rankings.get(name) if snapshot else None
        return ranking.moves[0].cell if ranking and ranking.moves else None

    def _cell_name(self, cell: int) -> str:
        assert self._position is not None
        return self._position.board.name(cell)

    def _line(self, reason: _Reason) -> TextLine:
        """Return a line: its sign, and its text with the players in their colours."""
        depth, text = len(reason.path) - 1, self._shortened(reason) or reason.text
        is_open = reason.path in self._opened if reason.opens else None
        return self.tree_line(reason.path, depth, is_open, text, PLAIN if depth else BOLD)

    def _shortened(self, reason: _Reason) -> str:
        """Return the few words of a line if the tree has room for them alone, or ''."""
        fits = len(reason.brief) <= self.tree_room(len(reason.path) - 1) < len(reason.text)
        return reason.brief if fits else ""

    @property
    def _pointed(self) -> _Reason | None:
        key = self.list.pointed
        return next((one for one in self._reasons if one.path == key), None)

    def _show_whole_line(self) -> None:
        """Show the line with the cursor in full where the tree leaves words or cells out."""
        reason, text = self._pointed, ""
        if reason and (reason.unnamed or self._shortened(reason)):
            text = reason.text + (f": {reason.unnamed}" if reason.unnamed else "")
        self.write(".whole", text)

    def pointed(self, key: Path) -> None:
        self._show_whole_line()
        self._paint()

    def _paint(self) -> None:
        reason = self._pointed
        if reason is not None:
            self.post_message(self.Highlighted(self._position, reason.connected, reason.moves))

    def chosen(self, key: Path) -> None:
        """Open or close the line, or have the best move's value explained."""
        reason, best = self._pointed, self._best_move
        if reason is not None and reason.opens:
            self._open_or_close(key)
        elif key == _VALUE and best is not None:
            self.post_message(self.Pointed(self._position, best))
            self.post_message(self.ActionWanted("explain"))

    def _open_or_close(self, path: Path) -> None:
        self._opened ^= {path}
        self.fit()

    def stepped(self, step: int) -> None:
        """Open the line, or go to the first below it; close it, or go to the one above it."""
        reason = self._pointed
        if reason is None:
            return
        opened = reason.path in self._opened
        if step > 0 and opened:
            self.list.point_at((*reason.path, 0))
        elif reason.opens and opened != (step > 0):
            self._open_or_close(reason.path)
        elif step < 0 and len(reason.path) > 1:
            self.list.point_at(reason.path[:-1])
        self.pointed(reason.path)
