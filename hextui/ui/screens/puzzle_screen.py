"""Puzzles: the user tries moves in a position; the solver judges them, and plays on."""

import asyncio
from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Static

from hextui.engine.board import EMPTY
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.solver.strategy import Strategy
from hextui.engines.limits import SolverBudget
from hextui.engines.questions import NotProved, Proved, ShowProof, WhoWins
from hextui.engines.snapshot import Progress
from hextui.records.board_view import BoardView
from hextui.records.text import printable
from hextui.ui import files
from hextui.ui.screens.step_screen import QuestionScreen
from hextui.ui.session import Session
from hextui.ui.widgets.board_widget import CURSOR, BoardWidget
from hextui.words.names import Names, either
from hextui.words.proofs import ProofLine, ProofTree, TriedMoves

JUDGE_SECONDS = 30.0
"""The most seconds that the solver spends on a try, or on the solution of a puzzle."""
_AT_MOST = f"for {JUDGE_SECONDS:g} s at most"

_HOW_TO = (
    "The analysis is hidden.\n\n"
    "Enter or a click tries a move, and the solver judges it. Then play on for the side that "
    "loses: the winner answers. Escape takes all back; again, it leaves. s shows the solution, } "
    "and { go to other puzzles."
)


class PuzzleScreen(QuestionScreen[Session, Session]):
    """Shows the puzzles of a file one by one; returns the last. No record is changed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(one.keys, f"move{one.arguments}", one.label, show=False) for one in CURSOR),
        ("enter", "try", "Try"),
        ("s", "solution", "Solution"),
        ("u", "take_back", "Undo"),
        ("right_curly_bracket", "go(1)", "Next"),
        ("left_curly_bracket", "go(-1)", "Previous"),
        ("escape", "back", "Back"),
        ("q,Q", "leave", "Analysis"),
    ]
    DEFAULT_CSS = """
    PuzzleScreen VerticalScroll { width: 30; padding: 1 1 0 1; }
    PuzzleScreen #puzzle-task { text-style: bold; margin-bottom: 1; }
    PuzzleScreen #puzzle-verdict {
        text-style: bold; margin-bottom: 1; min-height: 4;
        &.-right { color: $success; }
        &.-wrong { color: $warning; }
    }
    PuzzleScreen #puzzle-how-to { color: $text-muted; }
    """

    @dataclass
    class Solved(Message):
        """The user has found a winning move of the puzzle with this id."""

        puzzle: str

    _cursor: int
    _try: int | None = None
    _tried: TriedMoves | None = None  # after the try, once it is judged
    _wins: tuple[int, ...] = ()
    _asked_all = False

    def board(self) -> BoardWidget:
        self._cursor = free_cell(self.subject)
        return BoardWidget(self._view, self._point, self._click)

    def texts(self) -> ComposeResult:
        yield Static(id="puzzle-task", markup=False)
        yield Static(id="puzzle-verdict", markup=False)
        yield Static(_HOW_TO, id="puzzle-how-to", markup=False)

    def on_mount(self) -> None:
        self._begin()

    # What is shown

    @property
    def _position(self) -> Position:
        """The puzzle, without a swap: the solver knows none."""
        position = self.subject.position
        return Position(position.board, position.stones, position.to_move)

    @property
    def _view(self) -> BoardView:
        position, connected = self._position, None
        moves: tuple[int, ...] = () if self._try is None else (self._try,)
        if self._tried is not None:
            line = self._tried.lines[-1]
            moves, connected = line.moves, line.painted
        for cell in moves:
            position = position.play(cell)
        verdicts = {} if moves else dict.fromkeys(self._wins, True)
        last, at = moves[-1] if moves else None, self._cursor
        return BoardView(
            position, cursor=at, last_move=last, verdicts=verdicts, connected=connected
        )

    def _begin(self) -> None:
        record = self.subject.record
        name = record.info("GN") or self.subject.name
        number = f" {record.origin.number}" if record.origin and not record.origin.alone else ""
        self.query_one("#title", Static).update(printable(f"Puzzle{number}  {name}"))
        self._wins = ()
        self._take_back()
        over = self._position.winner
        side = over or self._position.to_move
        player = (self.names.player(side), Style(color=self.palette.ink(side)))
        task = Text.assemble(player, " to move: which moves win?" if over is None else " has won")
        self.query_one("#puzzle-task", Static).update(task)

    def _show(self) -> None:
        self.query_one(BoardWidget).show(self._view)

    def _say(self, text: str, right: bool | None = None) -> None:
        """Show what the solver does or found; ``right``: whether a try wins, if known."""
        verdict = self.query_one("#puzzle-verdict", Static)
        verdict.set_class(right is True, "-right").set_class(right is False, "-wrong")
        verdict.update(text)

    # Trying

    def _point(self, cell: int) -> None:
        self._cursor = cell
        self._show()

    def action_move(self, down: int, right: int) -> None:
        self.query_one(BoardWidget).action_step(down, right)

    def _click(self, cell: int, button: int) -> None:
        self._point(cell)
        if button == 1:
            self.action_try()

    def action_try(self) -> None:
        """Try the move at the cursor, or answer the winner where the try has been judged."""
        position, cell = self._position, self._cursor
        name = position.board.name(cell)
        if self._tried is not None:
            asked = self._tried.play(cell)
            if asked is not None:
                self._ask_proof(asked)
            self._show_answer(self._tried)
        elif position.stones[cell] != EMPTY or position.winner is not None:
            self._say(f"{name} is taken" if position.winner is None else "The game is over")
        else:
            self._try = cell
            self._show()
            self._say(f"Solving {name}, {_AT_MOST} ...")
            self._ask_proof(position.play(cell))

    def _ask_proof(self, position: Position) -> None:
        self.ask(ShowProof(position, JUDGE_SECONDS, SolverBudget().table_bytes))

    def _show_answer(self, tried: TriedMoves) -> None:
        self._show()
        self._say(tried.said or tried.lines[-1].text)

    def action_solution(self) -> None:
        """Have the solver find the winning moves, and mark them."""
        if self._position.winner is None:
            self._take_back()
            self._say(f"Solving, {_AT_MOST} ...")
            self._ask_solution(all_moves=False)

    def _ask_solution(self, *, all_moves: bool) -> None:
        """Ask for one winning move, which is shown as soon as it is found, or for all of them."""
        self._asked_all = all_moves
        self.ask(WhoWins(self._position, Limit(JUDGE_SECONDS), all_moves=all_moves))

    def action_take_back(self) -> None:
        if self._tried is not None and len(self._tried.lines) > 1:
            self._tried.lines = self._tried.lines[:-1]
            self._show_answer(self._tried)
        elif self._try is not None:
            self._take_back()

    def action_back(self) -> None:
        if self._try is None:
            self.action_leave()
        else:
            self._take_back()

    def _take_back(self) -> None:
        self.drop_question()
        self._try = self._tried = None
        self._say("")
        self._show()

    def take(self, found: Strategy | NotProved | Proved | Progress | None, problem: str) -> None:
        match found:
            case None:
                self._say(problem)
            case Progress():
                self._say(f"{found.label}: {found.amount} ...")
            case NotProved():
                self._say(f"Not decided: the solver gave up after {JUDGE_SECONDS:g} s")
            case Proved():
                self._wins = found.wins
                self._show()
                wins = found.winner is self._position.to_move and not found.complete
                looks_on = wins and not self._asked_all
                self._say(solution_words(self._position, found, self.names, looks_on))
                if looks_on:
                    self._ask_solution(all_moves=True)
            case Strategy() if self._tried is not None:
                self._tried.take(found)
                self._show_answer(self._tried)
            case Strategy() if self._try is not None:
                tree = ProofTree(found, self.names, played=(self._try,))
                self._tried = TriedMoves(tree)
                self._show()
                right = found.winner is self._position.to_move
                if right:
                    self.post_message(self.Solved(files.puzzle_id(self._position)))
                self._say(judgement(self._position, self._tried.lines[0], self.names), right)

    # Other puzzles

    @work(group="dialogs")
    async def action_go(self, step: int) -> None:
        origin = self.subject.record.origin
        if origin is None or origin.path is None or origin.alone:
            self._say("There is no other puzzle in this file")
            return
        number = origin.number + step
        try:
            session = await asyncio.to_thread(files.open_other, origin, number)
        except ValueError as error:
            self.notify(str(error), severity="warning", timeout=4, markup=False)
            return
        self.subject, self._cursor = session, free_cell(session)
        self._begin()

    def action_leave(self) -> None:
        self.dismiss(self.subject)


def judgement(position: Position, line: ProofLine, names: Names) -> str:
    """Return the verdict on a try in words; ``line`` begins the proof of who wins after it."""
    name, winner = position.board.name, line.tree.winner
    tried, *answer = map(name, line.moves)
    if winner is position.to_move:
        return f"Right: {tried} wins (proved)"
    answers = f"; {names.player(winner)} answers {answer[0]}" if answer else ""
    return f"No: {tried} loses{answers} (proved)"


def free_cell(session: Session) -> int:
    """Return the empty cell nearest to the session's cursor, where a puzzle's cursor begins."""
    position, start = session.position, divmod(session.cursor, session.board.columns)

    def steps(cell: int) -> int:
        row, column = divmod(cell, position.board.columns)
        down, right = row - start[0], column - start[1]
        return max(abs(down), abs(right), abs(down + right))

    return min(position.empties, key=steps, default=session.cursor)


def solution_words(position: Position, found: Proved, names: Names, looks_on: bool = False) -> str:
    """Return the solution of a puzzle in words; ``looks_on``: other moves are still judged."""
    mover = names.player(position.to_move)
    if found.winner is None:
        return f"Not decided: the solver gave up after {JUDGE_SECONDS:g} s"
    if found.winner is not position.to_move:
        return f"{names.player(found.winner)} wins, whatever {mover} plays (proved)"
    wins = either([position.board.name(cell) for cell in found.wins])
    others = "solving the other moves ..." if looks_on else "other moves are open"
    rest = "every other move loses" if found.complete else others
    return f"{mover} wins by {wins} (proved); {rest}"
