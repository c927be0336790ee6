"""The Explain panel: why a side wins, as a tree of sentences that the board highlights."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import work
from textual.widgets import Static
from textual.worker import get_current_worker

from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engines.engine import ask_engine
from hextui.engines.limits import SolverBudget
from hextui.engines.snapshot import Progress
from hextui.records.board_view import Connected
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
class ReasonLine(TextLine):
    """A line of the tree; its key is its path: the places of those above it, and its own.

    ``text``: the whole of it; ``is_cut``: the tree leaves words or cells out. ``connected`` and
    ``moves`` are highlighted on the board.
    """

    text: str = ""
    is_cut: bool = False
    connected: Connected | None = None
    moves: tuple[int, ...] = ()
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

    def __init__(self) -> None:
        self.whole = Static(classes="whole", markup=False)
        super().__init__(self.whole)
        self.open_lane: OpenLane | None = None
        self._position: Position | None = None
        self._winner: Color | None = None
        self._losing: Collection[int] = ()
        self._cursor = 0
        self._tree: ProofTree | None = None
        self._below: dict[Path, tuple[ProofLine, ...]] = {}
        self._opened: set[Path] = set()
        self._asked = 0  # how many proofs were asked for: answers to earlier questions are stale
        self._proving = ""  # how far the proof is, or why there is none; '' before it is asked for
        self._is_wanted = False

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
            lambda found, problem: self.call_later(self._take, number, found, problem),
        )

    def _take(
        self, number: int, found: "Strategy | NotProved | Progress | None", problem: str
    ) -> None:
        """Show the progress of a proof, or its end, or why there is none: ``problem``."""
        from hextui.engine.solver.strategy import Strategy
        from hextui.engines.questions import NotProved
        from hextui.words.proofs import ProofTree

        if number != self._asked:
            return
        match found:
            case Strategy():
                self._proving = "proved"
                self._tree = ProofTree(found, self.given.options.names)
                self._below[()] = self._tree.first()
                self._opened.add((0,))
                assert self._position is not None
                self.post_message(self.WinnerProved(self._position, found.winner))
            case NotProved(seconds):
                self._proving = f"no proof within {seconds:.0f} seconds"
            case Progress() as progress:
                self._proving = f"{progress.label}: {progress.amount}"
            case None:
                self._proving = problem
        self.fit()
        if isinstance(found, Strategy):
            self.list.point_at((0,))
            if self.list.has_focus:
                self._paint()

    # The tree

    def fit(self) -> None:
        self.write(self.note, self._note())
        self.list.show([*self._proof(), *self._cells()])
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

    def _proof(self) -> Iterator[ReasonLine]:
        tree, position = self._tree, self._position
        if tree is None or position is None:
            return

        def reasons(path: Path) -> Iterator[ReasonLine]:
            for place, line in enumerate(self._below[path]):
                at = (*path, place)
                cells = " ".join(map(position.board.name, line.unnamed))
                painted = Connected(tree.winner, line.carrier, line.ends, line.edges)
                opens = line.spot is not None
                yield self._reason(at, line.text, painted, line.moves, cells, line.brief, opens)
                if at in self._opened:
                    if at not in self._below:
                        self._below[at] = tree.below(line)
                    yield from reasons(at)

        yield from reasons(())

    def _cells(self) -> Iterator[ReasonLine]:
        """Yield what is known of the must-play region and of the cell with the cursor."""
        snapshot, position = self.given.snapshot, self._position
        if snapshot is None or position is None or snapshot.position != position:
            return
        names, mover, region = self.given.options.names, position.to_move, snapshot.must_play
        if region and len(region) < len(position.empties):
            text = f"{names.player(mover)} must play in {counted(len(region), 'cell')}"
            cells = " ".join(map(position.board.name, sorted(region)))
            yield self._reason((-2,), text, Connected(mover.opponent, region), (), cells)
        reason = cell_reason(position, self._cursor, snapshot.threats, snapshot.inferior, names)
        if reason:
            yield self._reason((-1,), reason)
        best = self._best_move
        if best is not None:
            lost = ", though it loses" if best in self._losing else ""
            evaluator = self.given.options.evaluator
            text = f"{position.board.name(best)} is best by {evaluator}{lost}: Enter says why"
            yield self._reason(_VALUE, text)

    @property
    def _best_move(self) -> int | None:
        """The best move by the evaluator in focus, if it has ranked."""
        snapshot, name = self.given.snapshot, self.given.options.evaluator
        ranking = snapshot.rankings.get(name) if snapshot else None
        return ranking.moves[0].cell if ranking and ranking.moves else None

    def _reason(
        self,
        path: Path,
        text: str,
        connected: Connected | None = None,
        moves: tuple[int, ...] = (),
        unnamed: str = "",
        brief: str = "",
        opens: bool = False,
    ) -> ReasonLine:
        """Return a line; ``brief`` stands for a text that has no room, ``unnamed`` are cells that
        the text only counts.
        """
        depth, is_open = len(path) - 1, path in self._opened if opens else None
        shown = brief if len(brief) <= self.tree_room(depth) < len(text) else ""
        first, *more = self.tree_rows(depth, is_open, shown or text, PLAIN if depth else BOLD)
        text, is_cut = f"{text}: {unnamed}" if unnamed else text, bool(unnamed or shown)
        return ReasonLine(path, first, tuple(more), text, is_cut, connected, moves, opens)

    def _show_whole_line(self) -> None:
        line: ReasonLine | None = self.list.line
        self.write(self.whole, line.text if line and line.is_cut else "")

    def pointed(self, key: Path) -> None:
        self._show_whole_line()
        self._paint()

    def _paint(self) -> None:
        line: ReasonLine | None = self.list.line
        if line is not None:
            self.post_message(self.Highlighted(self._position, line.connected, line.moves))

    def chosen(self, key: Path) -> None:
        """Open or close the line, or have the best move's value explained."""
        line, best = self.list.line, self._best_move
        if line is not None and line.opens:
            self._open_or_close(key)
        elif key == _VALUE and best is not None:
            self.post_message(self.Pointed(self._position, best))
            self.post_message(self.ActionWanted("explain"))

    def _open_or_close(self, path: Path) -> None:
        self._opened ^= {path}
        self.fit()

    def stepped(self, step: int) -> None:
        """Open the line, or go to the first below it; close it, or go to the one above it."""
        line, path = self.list.line, self.list.pointed
        if line is None or not isinstance(path, tuple):
            return
        opened = path in self._opened
        if step > 0 and opened:
            self.list.point_at((*path, 0))
        elif line.opens and opened != (step > 0):
            self._open_or_close(path)
        elif step < 0 and len(path) > 1:
            self.list.point_at(path[:-1])
        self.pointed(path)
