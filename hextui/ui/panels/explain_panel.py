"""The Explain panel: why a side wins, as a tree of sentences that the board highlights."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
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
    from hextui.words.proofs import ProofLine, TriedMoves

SECONDS, MORE_SECONDS = 10.0, 60.0
"""Time limits of a proof: where a winner is known, and where the user asks for one."""

Path = tuple[int, ...]
_VALUE: Path = (-3,)
"""The line about the best move of the evaluator in focus."""
_SAID: Path = (-4,)
"""The line that says why a move was not tried."""
_LOOKING = "searching for a proof"
Take = Callable[["Strategy"], None]
"""Takes the proof that was asked for."""


@dataclass(frozen=True)
class ReasonLine(TextLine):
    """A line of the tree; its key is its path: the places of those above it, and its own.

    ``text``: the whole of it; ``is_cut``: the tree leaves words or cells out. ``connected`` and
    ``moves`` are highlighted on the board. ``proof``: the line of the proof that it is about.
    """

    text: str = ""
    is_cut: bool = False
    connected: Connected | None = None
    moves: tuple[int, ...] = ()
    proof: "ProofLine | None" = None

    @property
    def opens(self) -> bool:
        """Whether there are lines below it."""
        return self.proof is not None and self.proof.spot is not None


class ExplainPanel(ListPanel):
    """Who wins and why: the proof to be walked, must-play, and what is known of a cell.

    The board shows where the line with the cursor leads and what the winner needs there. While it
    explains a win, moves on the board are tried, and answered by the winner, not played.
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
            ("TRY", "Enter and clicks on the board try a move of the loser; Escape there ends it."),
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
        self._named: int | None = None  # the winning move that is named wherever only one is
        self._tried: TriedMoves | None = None
        self._below: dict[Path, tuple[ProofLine, ...]] = {}
        self._opened: set[Path] = set()
        self._asked = 0  # how many proofs were asked for: answers to earlier questions are stale
        self._proving = ""  # whether there is a proof, or why not; '' before it is asked for
        self._progress = ""  # of the proof that is looked for
        self._is_wanted = False
        self._tries = True  # moves on the board, where a win is explained
        self._painted: ProofLine | None = None

    def explains(self, position: Position) -> bool:
        """Return whether a win of a position is explained: moves on the board are then tried."""
        there = self._is_shown and self._tries and position == self._position
        return there and position.winner is None and (self._tried is not None or self._searches)

    @property
    def _searches(self) -> bool:
        """Whether the proof of a known winner is on its way."""
        return self._winner is not None and self._proving == _LOOKING

    def fill(self, given: PanelInput) -> None:
        """Show what is known; where somebody is known to win, have it proved."""
        self._cursor = given.session.cursor
        position, verdict = given.session.position, given.verdicts.of(given.session.position)
        self._winner = position.winner or (verdict.winner if verdict else None)
        known = given.verdicts.moves(position)
        self._losing, named = known.losses.keys(), known.named
        if len(known.wins) == len(position.empties):
            named = None  # any move wins
        if position != self._position:
            self._position = position
            self._asked += 1
            self._tried, self._proving, self._painted = None, "", None
            self._below.clear()
            self._opened.clear()
        is_new, self._named = named != self._named, named
        if self._is_wanted:
            self._is_wanted = False
            self.request_proof()
        elif self._winner is not None and (not self._proving or (self._tried and is_new)):
            self._ask_for_proof(SECONDS)
        self.fit()

    def point(self, position: Position, cell: int) -> None:
        """Show what is known of the cell with the cursor, if the panel shows its position."""
        if self._is_shown and position == self._position and cell != self._cursor:
            self._cursor = cell
            self.fit()

    def on_show(self) -> None:
        super().on_show()
        self.paint()

    def request_proof(self) -> None:
        """Have the winner proved, with more time than is taken without being asked.

        Where the panel is not on the screen yet, as soon as it is.
        """
        self._tries = True
        if not self._is_shown:
            self._is_wanted = True
        elif self._position is not None and self._tried is None:
            self._ask_for_proof(MORE_SECONDS)
            self.fit()

    def _ask_for_proof(self, seconds: float) -> None:
        """Ask for a proof that begins with the named move."""
        position, named = self._position, self._named
        if position is not None:
            proved = position if named is None else position.play(named)
            self._ask(proved, seconds, partial(self._begin, position, named))

    def _ask(self, position: Position, seconds: float, take: "Take") -> None:
        """Ask for the proof of a position instead of what was asked before."""
        from hextui.engines.questions import ShowProof

        if self.open_lane is None:
            self._proving = "No engine is configured"
            return
        self._asked += 1
        self._proving = self._progress = _LOOKING
        table_bytes = SolverBudget().table_bytes
        self._wait_for(ShowProof(position, seconds, table_bytes), self._asked, take)

    @work(thread=True, group="prove")
    def _wait_for(self, question: "ShowProof", number: int, take: "Take") -> None:
        assert self.open_lane is not None
        worker = get_current_worker()
        ask_engine(
            self.open_lane,
            question,
            lambda: worker.is_cancelled or self._asked != number,
            lambda found, problem: self.call_later(self._hear, number, take, found, problem),
        )

    def _hear(
        self,
        number: int,
        take: "Take",
        found: "Strategy | NotProved | Progress | None",
        problem: str,
    ) -> None:
        """Take a proof, or show its progress, or why there is none: ``problem``."""
        from hextui.engine.solver.strategy import Strategy
        from hextui.engines.questions import NotProved

        if number != self._asked:
            return
        match found:
            case Strategy():
                self._proving = "proved"
                take(found)
            case NotProved(seconds):
                self._proving = f"no proof within {seconds:.0f} seconds"
            case Progress() as progress:
                self._progress = f"{progress.label}: {progress.amount}"
            case None:
                self._proving = problem
        self.fit()

    def _begin(self, position: Position, named: int | None, found: "Strategy") -> None:
        """Show the proof of the position, or of that after the named move."""
        from hextui.words.proofs import ProofTree, TriedMoves

        if named is not None:
            if found.winner is not position.to_move:
                self._proving = "no proof"  # the store says who contradicts whom
                return
            found = found.before(position, named)
        self._tried = TriedMoves(ProofTree(found, self.given.options.names))
        self._painted = None
        self._show_tried()
        key = next(iter(self._tried.lines[0].moves), None)
        self.post_message(self.WinnerProved(position, found.winner, key))

    def _graft(self, path: Path, line: "ProofLine", found: "Strategy") -> None:
        """Show the lines below one where the proof was shortened."""
        from hextui.words.proofs import ProofTree

        tree = ProofTree(found, self.given.options.names, played=line.moves)
        self._below[path] = tuple(below for first in tree.first() for below in tree.below(first))

    # Moves tried on the board

    def try_move(self, cell: int) -> None:
        """Have the winner answer a move of the loser in what the board shows."""
        if self._tried is None:
            return
        asked = self._tried.play(cell, self._painted)
        if asked is not None:
            self._ask(asked, SECONDS, self._answer)
        self._show_tried()

    def _answer(self, found: "Strategy") -> None:
        if self._tried is not None:
            self._tried.take(found)
            self._show_tried()

    def begin_trying(self) -> None:
        """Have moves on the board tried again where a win is explained."""
        self._tries = True
        self.paint()

    def end_trying(self) -> None:
        """Go back to the beginning of the proof; moves on the board are played again."""
        self._tries = False
        if self._tried is not None:
            self._tried.back()
            self._show_tried()

    def _show_tried(self) -> None:
        """Show the moves tried, open the last one and paint it."""
        assert self._tried is not None
        last = (len(self._tried.lines) - 1,)
        if self._below.get(()) != self._tried.lines:
            self._below, self._opened = {(): self._tried.lines}, {last}
        self.fit()
        self.list.point_at(_SAID if self._tried.said else last)
        self._painted = self._tried.lines[-1]
        self.paint()

    def paint(self) -> None:
        """Paint the line that moves on the board would answer, while they are tried."""
        position, line = self._position, self._painted
        if line is not None and position is not None and self.explains(position):
            self.post_message(self.Highlighted(position, line.painted, line.moves))

    # The tree

    def fit(self) -> None:
        self.write(self.note, self._note())
        self.list.show([*self._proof(), *self._cells()])
        self._show_whole_line()

    def _note(self) -> str:
        """Return who wins, as far as it is known, and what can be done."""
        assert self._position is not None
        player, winner = self.given.options.names.player, self._winner
        if self._tried is not None:
            swap = " if nobody swaps" if self._position.swap_legal else ""
            wins = f"{player(self._tried.lines[0].tree.winner)} wins{swap}, proved"
            tries = "Enter on the board tries a move" if self._tries else "w tries moves again"
            return f"{wins}\n{self._progress if self._proving == _LOOKING else tries}"
        known = "Winner not known" if winner is None else f"{player(winner)} wins"
        proving = self._progress if self._proving == _LOOKING else self._proving
        return f"{known}\n{proving or 'w searches a minute for a proof'}"

    def _proof(self) -> Iterator[ReasonLine]:
        position, named = self._position, self._named
        if position is None:
            return
        if self._tried is None:
            if self._winner is position.to_move and named is not None:
                text = f"{self.given.options.names.player(self._winner)} plays"
                yield self._reason((0,), f"{text} {position.board.name(named)}", None, (named,))
            return
        if self._tried.said:
            yield self._reason(_SAID, self._tried.said)

        def reasons(path: Path) -> Iterator[ReasonLine]:
            for place, line in enumerate(self._below[path]):
                at = (*path, place)
                cells = " ".join(map(position.board.name, line.unnamed))
                yield self._reason(at, line.text, line.painted, line.moves, cells, line.brief, line)
                if at in self._opened:
                    if at not in self._below and not line.tree.is_left_out(line):
                        self._below[at] = line.tree.below(line)
                    if at in self._below:
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
        proof: "ProofLine | None" = None,
    ) -> ReasonLine:
        """Return a line; ``brief`` stands for a text that has no room, ``unnamed`` are cells that
        the text only counts.
        """
        opens = proof is not None and proof.spot is not None
        depth, is_open = len(path) - 1, path in self._opened if opens else None
        shown = brief if len(brief) <= self.tree_room(depth) < len(text) else ""
        first, *more = self.tree_rows(depth, is_open, shown or text, PLAIN if depth else BOLD)
        text, is_cut = f"{text}: {unnamed}" if unnamed else text, bool(unnamed or shown)
        return ReasonLine(path, first, tuple(more), text, is_cut, connected, moves, proof)

    def _show_whole_line(self) -> None:
        line: ReasonLine | None = self.list.line
        self.write(self.whole, line.text if line and line.is_cut else "")

    def pointed(self, key: Path) -> None:
        self._show_whole_line()
        self._paint_pointed()

    def _paint_pointed(self) -> None:
        line: ReasonLine | None = self.list.line
        if line is not None:
            if line.opens:
                self._painted = line.proof
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
        line: ReasonLine = self.list.line
        self._opened ^= {path}
        proof, is_new = line.proof, path in self._opened and path not in self._below
        if is_new and proof is not None and proof.tree.is_left_out(proof):
            self._ask(proof.position, SECONDS, partial(self._graft, path, proof))
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
