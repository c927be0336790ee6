"""The Explain panel: why a side wins, as a tree of sentences that the board highlights."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engines.engine import OpenLane, ask_engine
from hextui.engines.snapshot import Progress
from hextui.records.board_view import Connected
from hextui.text import counted
from hextui.ui.panels.panel import (
    CONNECTION_WORDS,
    LIST_KEYS,
    MUST_PLAY_WORDS,
    Change,
    ListPanel,
    PanelInput,
    PanelText,
)
from hextui.ui.widgets.line_list import BOLD, PLAIN, TextLine
from hextui.words.connections import cell_reason

if TYPE_CHECKING:
    from hextui.engine.solver.attack import TryAnswer
    from hextui.engine.solver.proof import Proof
    from hextui.engines.questions import AnswerTry, NotProved, ShowProof
    from hextui.words.proofs import ProofLine
    from hextui.words.tries import TriedMoves

    Answer = Proof | TryAnswer | NotProved | Progress | None

SECONDS, MORE_SECONDS = 10.0, 60.0
"""Time limits of a proof: where a winner is known, and where the user asks for one."""

Path = tuple[int, ...]
_VALUE: Path = (-3,)
"""The line about the best move of the evaluator in focus."""
_SAID: Path = (-4,)
"""The line that says why a move was not tried."""
_PROVED = "proved"
Take = Callable[[Any], None]
"""Takes the proof, or the answer to a try, that was asked for."""


@dataclass(frozen=True)
class ReasonLine(TextLine):
    """A line of the tree; its key is its path: the places of those above it, and its own.

    ``connected`` and ``moves`` are highlighted on the board. ``proof``: the line of the proof, if
    there are others below it.
    """

    connected: Connected | None = None
    moves: tuple[int, ...] = ()
    proof: "ProofLine | None" = None


class ExplainPanel(ListPanel):
    """Who wins and why: the proof to be walked, must-play, and what is known of a cell.

    The board shows where the line with the cursor leads and what the winner needs there. While it
    explains a win, moves on the board are tried, and answered by the winner, not played.
    ``open_lane`` opens a lane to the engine.
    """

    TITLE = "Explain"
    KEY = "f12"
    TEXT = PanelText(
        "why a side wins, as a tree",
        (
            *CONNECTION_WORDS,
            MUST_PLAY_WORDS,
            ("threat", "What the opponent would connect after a pass."),
            ("any other move", "All the moves that one and the same reply answers."),
            ("captured", "Two cells: whichever the opponent takes, the owner takes the other."),
            ("dead", "A cell that helps neither side."),
            ("TRY", "Enter and clicks on the board try a move of the loser, who is to move."),
            ("takes back", "u takes the last try back; Escape on the board ends the tries."),
            ("defend", "9 starts a game: you hold the win, the solver resists longest."),
        ),
        (
            *LIST_KEYS,
            ("enter", "Open or close"),
            ("right", "Open, then go to what is below"),
            ("left", "Close, then go to what is above"),
        ),
        ("defend", "why", "must-play", "inferior"),
    )
    NOTE = "Nothing to explain yet"
    DEFAULT_CSS = """
    ExplainPanel .note { height: 3; }
    """
    SHOWS = frozenset({Change.SESSION, Change.ANALYSIS})
    open_lane: OpenLane

    def __init__(self) -> None:
        super().__init__()
        self._winner: Color | None = None
        self._cursor = 0
        self._named: int | None = None  # the winning move that is named wherever only one is
        self._tried: TriedMoves | None = None
        self._answered: ProofLine | None = None  # the line after which a move is tried
        self._below: dict[Path, tuple[ProofLine, ...]] = {}
        self._opened: set[Path] = set()
        self._asked = 0  # how many proofs were asked for: answers to earlier questions are stale
        self._looks = False  # for a proof
        self._proving = ""  # how far the proof is, or why there is none; '' before it is asked for
        self._is_wanted = False
        self._tries = True  # moves on the board, where a win is explained

    def explains(self, position: Position) -> bool:
        """Return whether a win of a position is explained: moves on the board are then tried."""
        if not (self.display and self._tries and position == self.of):
            return False
        has_winner = self._tried is not None or (self._looks and self._winner is not None)
        return has_winner and position.winner is None

    def begin(self) -> None:
        super().begin()
        self._asked += 1
        self._tried = None
        self._answered = None
        self._proving = ""
        self._looks = False

    def fill(self, given: PanelInput) -> None:
        """Show what is known; where somebody is known to win, have it proved."""
        self._cursor = given.session.cursor
        self._winner = given.winner
        position = given.session.position
        proved = given.verdicts.moves(position)
        self._named = proved.named if len(proved.wins) < len(position.empties) else None
        if self._is_wanted:
            self._is_wanted = False
            self.request_proof()
        elif self._winner is not None and (not self._proving or self._begins_otherwise):
            self._ask_for_proof(SECONDS)
        self.fit()

    @property
    def _begins_otherwise(self) -> bool:
        """Whether another move is named than that with which the tree begins."""
        if self._tried is None or self._named is None or self._proving != _PROVED:
            return False
        return self._tried.lines[0].moves[:1] != (self._named,)

    def point(self, position: Position, cell: int) -> None:
        """Show what is known of the cell with the cursor, if the panel shows its position."""
        if self._is_shown and position == self.of and cell != self._cursor:
            self._cursor = cell
            self.fit()

    def request_proof(self) -> None:
        """Have the winner proved, with more time than is taken without being asked.

        Where the panel is not on the screen yet, as soon as it is.
        """
        if not self._is_shown:
            self._is_wanted = True
        elif self._tried is None:
            self._ask_for_proof(MORE_SECONDS)
            self.fit()

    def _ask_for_proof(self, seconds: float) -> None:
        position, named = self.of, self._named
        if position is not None:
            proved = position if named is None else position.play(named)
            self._ask_proof(proved, seconds, partial(self._begin, position, named))

    def _ask_proof(self, position: Position, seconds: float, take: Take) -> None:
        from hextui.engines.questions import ShowProof

        self._ask(ShowProof(position, seconds), take)

    def _ask(self, question: "ShowProof | AnswerTry", take: Take) -> None:
        """Ask for a proof, or for the answer to a try, instead of what was asked before."""
        self._asked += 1
        self._looks = True
        self._proving = "searching for a proof"
        number = self._asked
        hear = partial(self.call_later, self._hear, number, take)
        look = partial(ask_engine, self.open_lane, question, lambda: self._asked != number, hear)
        self.run_worker(look, group="prove", thread=True)

    def on_unmount(self) -> None:
        self._asked += 1

    def _hear(self, number: int, take: Take, answer: "Answer", problem: str) -> None:
        """Take a proof, or show its progress, or why there is none: ``problem``."""
        from hextui.engine.solver.attack import TryAnswer
        from hextui.engine.solver.proof import Proof
        from hextui.engines.questions import NotProved

        if number != self._asked:
            return
        self._looks = isinstance(answer, Progress)
        match answer:
            case Proof() | TryAnswer():
                self._proving = _PROVED
                take(answer)
            case NotProved() if self._tried is not None and self._tried.take_known():
                self._proving = _PROVED
                self._show_tried()
            case NotProved(seconds):
                self._proving = f"no proof within {seconds:.0f} seconds"
            case Progress():
                self._proving = f"{answer.label}: {answer.amount}"
            case None:
                self._proving = problem
        self.fit()

    def _begin(self, position: Position, named: int | None, proof: "Proof") -> None:
        """Show the proof of the position, or of that after the named move."""
        from hextui.words.proofs import PASSED, ProofTree
        from hextui.words.tries import TriedMoves

        if named is not None:
            if proof.winner is not position.to_move:
                self._proving = "no proof"  # the store says who contradicts whom
                return
            proof = proof.before(position, named)
        tree = ProofTree(proof, self.given.options.names)
        self._tried = TriedMoves(tree)
        self._show_tried()
        first = self._tried.lines[0]
        key = next((cell for cell in first.moves if cell != PASSED), None)
        carrier = first.carrier if key is None else first.carrier | {key}
        self.post_message(self.WinnerProved(position, proof.winner, key, carrier))

    def _graft(self, path: Path, line: "ProofLine", proof: "Proof") -> None:
        """Show the lines below one where the proof was shortened."""
        from hextui.words.proofs import ProofTree

        tree = ProofTree(proof, self.given.options.names, played=line.moves)
        self._below[path] = tuple(below for first in tree.first() for below in tree.below(first))

    # Moves tried on the board

    def try_move(self, cell: int) -> None:
        """Have the winner answer a move of the loser in what the board shows."""
        from hextui.engines.questions import AnswerTry

        if self._tried is None:
            return
        asked = self._tried.play(cell, self._answered)
        if asked is not None:
            self._ask(AnswerTry(asked.position, asked, SECONDS), self._take_answer)
        else:
            self._show_tried()

    def _take_answer(self, answer: "TryAnswer") -> None:
        if self._tried is not None:
            self._tried.take(answer)
            self._show_tried()

    @property
    def can_take_back(self) -> bool:
        """Whether a move was tried."""
        return self._tried is not None and self._tried.count > 0

    def take_back(self) -> bool:
        """Take the last try back; return whether there was one."""
        if self._tried is None or not self._tried.take_back():
            return False
        self._asked += 1  # an answer to the try is not awaited any more
        self._looks = False
        self._proving = _PROVED
        self._show_tried()
        return True

    @property
    def tried_moves(self) -> tuple[int, ...]:
        """The moves to the last try and its answer, () before the first try."""
        return self._tried.lines[-1].moves if self._tried and self._tried.count else ()

    @property
    def defended(self) -> "ProofLine | None":
        """The last line of the tries, which a game can go on from; None before a proof."""
        return self._tried.lines[-1] if self._tried else None

    def begin_trying(self) -> None:
        """Have moves on the board tried again where a win is explained."""
        self._tries = True
        self.paint()

    def on_show(self) -> None:
        """Paint once the base class knows that the panel is on the screen."""
        self.call_later(self.paint)

    def end_trying(self) -> None:
        """Go back to the beginning of the proof; moves on the board are played again."""
        self._tries = False
        if self._tried is not None:
            self._tried.back()
            self._show_tried()

    def _show_tried(self) -> None:
        assert self._tried is not None
        last = (len(self._tried.lines) - 1,)
        if self._below.get(()) != self._tried.lines:
            self._below = {(): self._tried.lines}
            self._opened = {last}
        self.fit()
        self.list.point_at(_SAID if self._tried.said else last)
        self._answered = self._tried.lines[-1]
        self.paint()

    def paint(self) -> None:
        """Paint the line that moves on the board would answer, while they are tried."""
        position, line = self.of, self._answered
        if line is not None and position is not None and self.explains(position):
            self.post_message(self.Highlighted(position, line.painted, line.moves))

    # The tree

    def fit(self) -> None:
        self.write(self.note, self._note())
        self.list.show([*self._proof(), *self._cells()])

    def _note(self) -> str:
        """Return who wins, as far as it is known, and what can be done."""
        player = self.given.options.names.player
        winner = self._winner
        if self._tried is not None:
            swap = " if nobody swaps" if self.of and self.of.swap_legal else ""
            wins = f"{player(self._tried.lines[0].tree.winner)} wins{swap}, proved"
            tries = self._tried.prompt if self._tries else "w tries moves again"
            shown = tries if self._proving == _PROVED else self._proving
            return f"{wins}\n{shown}\n{self._line_of_tries()}"
        verdict = "Winner not known" if winner is None else f"{player(winner)} wins"
        return f"{verdict}\n{self._proving or 'w searches a minute for a proof'}"

    def _line_of_tries(self) -> str:
        """Return the moves tried so far, the newest ones where all have no room."""
        moves = self._tried.moves if self._tried else ""
        room = max(self.note.size.width - len("Tried: "), 1)
        cut = len(moves) - room
        if cut > 0:
            # from the first whole move that has room after the sign for what is left out
            _, blank, newest = moves[cut + 1 :].partition(" ")
            moves = f"… {newest}" if blank else ""
        return f"Tried: {moves}" if moves else ""

    def _proof(self) -> Iterator[ReasonLine]:
        position = self.of
        named = self._named
        tried = self._tried
        if tried is not None:
            if tried.said:
                yield self._reason(_SAID, tried.said)
            yield from self._reasons(())
        elif position and named is not None and self._winner is position.to_move:
            text = f"{self.given.options.names.player(self._winner)} plays"
            yield self._reason((0,), f"{text} {position.board.name(named)}", None, (named,))

    def _reasons(self, path: Path) -> Iterator[ReasonLine]:
        """Yield the lines below one, and those below them that are opened."""
        for place, line in enumerate(self._below.get(path, ())):
            own_path = (*path, place)
            opens = None if line.spot is None else line
            yield self._reason(own_path, line.text, line.painted, line.moves, opens)
            if own_path in self._opened:
                if own_path not in self._below and not line.tree.is_left_out(line):
                    self._below[own_path] = line.tree.below(line)
                yield from self._reasons(own_path)

    def _cells(self) -> Iterator[ReasonLine]:
        """Yield what is known of the must-play region and of the cell with the cursor."""
        snapshot, position = self.given.snapshot, self.of
        if snapshot is None or position is None or snapshot.position != position:
            return
        names = self.given.options.names
        mover = position.to_move
        region = snapshot.must_play
        if region and len(region) < len(position.empties):
            text = f"Must-play region of {names.player(mover)}: {counted(len(region), 'cell')}"
            yield self._reason((-2,), text, Connected(mover.opponent, region))
        reason = cell_reason(position, self._cursor, snapshot.threats, snapshot.inferior, names)
        if reason:
            yield self._reason((-1,), reason)
        best = self._best_move
        if best is not None:
            losing = self.given.verdicts.moves(position).losses
            lost = ", though it loses" if best in losing else ""
            evaluator = self.given.options.evaluator
            text = f"{position.board.name(best)} is best by {evaluator}{lost}: Enter says why"
            yield self._reason(_VALUE, text)

    @property
    def _best_move(self) -> int | None:
        snapshot, name = self.given.snapshot, self.given.options.evaluator
        ranking = snapshot.rankings.get(name) if snapshot else None
        return ranking.moves[0].cell if ranking and ranking.moves else None

    def _reason(
        self,
        path: Path,
        text: str,
        connected: Connected | None = None,
        moves: tuple[int, ...] = (),
        proof: "ProofLine | None" = None,
    ) -> ReasonLine:
        depth = len(path) - 1
        is_open = path in self._opened if proof else None
        first, *more = self.tree_rows(depth, is_open, text, PLAIN if depth else BOLD)
        return ReasonLine(
            key=path, spans=first, more=tuple(more), connected=connected, moves=moves, proof=proof
        )

    def pointed(self, key: Path) -> None:
        """Highlight the line; a move on the board is tried after it."""
        line: ReasonLine | None = self.list.line
        if line is not None:
            self._answered = line.proof or self._answered
            self.post_message(self.Highlighted(self.of, line.connected, line.moves))

    def chosen(self, key: Path) -> None:
        """Open or close the line, or have the best move's value explained."""
        line, best = self.list.line, self._best_move
        if line is not None and line.proof is not None:
            self._open_or_close(key, line.proof)
        elif key == _VALUE and best is not None:
            self.post_message(self.Pointed(self.of, best))
            self.post_message(self.ActionWanted("explain"))

    def _open_or_close(self, path: Path, proof: "ProofLine") -> None:
        self._opened ^= {path}
        is_new = path in self._opened and path not in self._below
        if is_new and proof.tree.is_left_out(proof):
            self._ask_proof(proof.position, SECONDS, partial(self._graft, path, proof))
        self.fit()

    def stepped(self, step: int) -> None:
        """Open the line, or go to the first below it; close it, or go to the one above it."""
        line, path = self.list.line, self.list.pointed
        if line is None or not isinstance(path, tuple):
            return
        opened = path in self._opened
        if step > 0 and opened:
            self.list.point_at((*path, 0))
        elif line.proof is not None and opened != (step > 0):
            self._open_or_close(path, line.proof)
        elif step < 0 and len(path) > 1:
            self.list.point_at(path[:-1])
        self.pointed(path)
