"""Puzzles: the user tries moves in a position; the solver judges them, and plays on."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text
from textual import work
from textual.message import Message

from hextui.engine.board import EMPTY
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.solver.attack import TryAnswer
from hextui.engine.solver.proof import Proof
from hextui.engines.questions import AnswerTry, NotProved, Proved, ShowProof, WhoWins
from hextui.engines.snapshot import Progress
from hextui.records.board_view import BoardView
from hextui.records.record_text import RecordError, printable
from hextui.text import Names, either
from hextui.train.puzzle import Puzzle, puzzle_of, puzzle_record
from hextui.ui.record.session import Session
from hextui.ui.screens.step_screen import MoveScreen
from hextui.ui.widgets.board_widget import BoardWidget
from hextui.words.proofs import PASSED, ProofTree
from hextui.words.tries import TriedMoves

JUDGE_SECONDS = 30.0
"""The most seconds that the solver spends on a try, or on the solution of a puzzle."""
_AT_MOST = f"for {JUDGE_SECONDS:g} s at most"
GAME_OVER = "The game is over"
_BY_FILE = " (claimed by the file)"
"""Follows what the file of the puzzle claims, until it is proved."""

_HOW_TO = (
    "The analysis is hidden.\n\n"
    "Enter or a click tries a move. Then play on for the side that loses: the winner answers. "
    "Escape takes all back; again, it leaves. s shows the solution."
)


@dataclass
class PuzzleSeries:
    """Puzzles shown one after another: the session of the current one, and its number.

    ``load`` opens the puzzle with a number, from 1, in any thread; raises ValueError. It is None
    where there are no others. ``count``: of all, 0 if that is not known. ``name``: what the title
    calls one of them. ``timed``: they are solved against the clock. ``leads_on``: the screen closes
    after the last one.
    """

    session: Session
    load: Callable[[int], Session] | None = None
    number: int = 0
    count: int = 0
    name: str = "Puzzle"
    timed: bool = False
    leads_on: bool = False

    @classmethod
    def of(cls, puzzles: Sequence[Puzzle], names: Names, name: str, end: str) -> "PuzzleSeries":
        """Return a series of one puzzle or more; ``end`` says that there are no others."""

        def load(number: int) -> Session:
            if not 1 <= number <= len(puzzles):
                raise RecordError(end)
            puzzle = puzzles[number - 1]
            return Session(puzzle_record(puzzle, names), name=puzzle.name)

        return cls(load(1), load=load, number=1, count=len(puzzles), name=name)

    @property
    def puzzle(self) -> Puzzle:
        """The position without a swap, which the solver does not know; the record's solution."""
        position = self.session.position.without_swap
        stored = puzzle_of(self.session.record)
        same = stored is not None and stored.position == position
        return stored if stored is not None and same else Puzzle(position)


class PuzzleScreen(MoveScreen[PuzzleSeries, str]):
    """Shows puzzles one by one, and changes no record.

    Closes with what to do then: nothing (``''``), show the ``board`` of the puzzle's session, or
    tell ``why`` a side wins there.
    """

    ABOUT = (
        "Find a winning move. The solver judges each try and answers a losing one; the first try "
        "counts. The analysis is hidden until you ask for it."
    )
    BINDINGS = [
        ("enter", "choose", "Try"),
        ("n,right_curly_bracket", "go(1)", "Next"),
        ("p,left_curly_bracket", "go(-1)", "Previous"),
        ("s", "solution", "Solution"),
        ("w", "look('why')", "Why"),
        ("u", "take_back", "Undo"),
        ("escape", "back", "Back"),
        ("v", "look('board')", "Analysis"),
    ]

    @dataclass
    class Tried(Message):
        """The first move tried in a puzzle, or its solution shown instead, was judged."""

        puzzle: Puzzle
        right: bool

    _puzzle: Puzzle
    _counted: tuple[int | None, bool] | None = None  # the first move tried, and whether it wins
    _solved = False
    _wins: tuple[int, ...] = ()
    _asked_all = False
    _prepares = False  # the solver works before it is asked anything
    # the move tried now, what the file answers, and then what the solver says
    _try: int | None = None
    _reply: tuple[int, ...] = ()
    _is_listed = False  # the file says whether it wins, and that is not proved yet
    _right = False
    _tried: TriedMoves | None = None
    _following: int | None = None  # a move of the loser that waits for the proof

    def board(self) -> BoardWidget:
        self._puzzle = self.subject.puzzle
        self._loading = asyncio.Lock()
        return super().board()

    def on_mount(self) -> None:
        self._begin()

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Offer the proof once the puzzle is solved."""
        if parameters == ("why",) and not self._solved:
            return "The proof is shown once the puzzle is solved"
        return ""

    @property
    def is_solved(self) -> bool:
        """Whether a winning move was tried."""
        return self._solved

    # What is shown

    @property
    def _position(self) -> Position:
        return self._puzzle.position

    @property
    def _moves(self) -> tuple[int, ...]:
        """The moves on the board, after those of the puzzle."""
        if self._tried is not None:
            return tuple(cell for cell in self._tried.lines[-1].moves if cell != PASSED)
        return () if self._try is None else (self._try, *self._reply)

    @property
    def view(self) -> BoardView:
        position, moves = self._position, self._moves
        if self._tried is not None:
            position = self._tried.lines[-1].position
        else:
            for cell in moves:
                position = position.play(cell)
        verdicts = {} if moves else dict.fromkeys(self._wins, True)
        last = moves[-1] if moves else None
        return BoardView(
            position,
            cursor=self.cursor,
            last_move=last,
            verdicts=verdicts,
            connected=self._tried.lines[-1].painted if self._tried else None,
        )

    def _begin(self) -> None:
        series = self.subject
        self._puzzle = puzzle = series.puzzle
        self.cursor = self._position.board.middle
        self._counted = None
        self._solved = False
        self._wins = ()
        self.set_text("title", self.heading())
        self._take_back()
        side = self._position.winner or self._position.to_move
        player = self.names.player(side)
        style = Style(color=self.palette.ink(side))
        task = Text(f"{player} has won" if self._position.winner else self.task_words())
        task.stylize(style, 0, len(player))
        task.append(f"\nLevel {puzzle.level}" if puzzle.level else "")
        self.set_text("task", task)
        self.show_help()
        if self._position.winner is None:
            self.prepare()

    def prepare(self) -> None:
        """Have the solver work while the user thinks."""
        self._ask_solution(all_moves=True, prepares=True)

    def task_words(self) -> str:
        """Return what is asked; it begins with the player to move."""
        return self._puzzle.task(self.names)

    def heading(self) -> str:
        """The title: which puzzle this is, and where it is from."""
        series = self.subject
        number = f" {series.number}" if series.number else ""
        number += f" of {series.count}" if series.count else ""
        return printable(f"{series.name}{number}  {self._puzzle.name or series.session.name}")

    def show_help(self) -> None:
        """Show how to solve the puzzle; once it is solved what it was about, and what follows."""
        text, theme = _HOW_TO, self._puzzle.theme
        if self._solved:
            text = "n, or Enter on the winning move: next puzzle. w: the proof."
            if self._right and self._tried is not None:
                mover = self.names.player(self._position.to_move)
                text = f"{mover} wins inside the tinted cells.\n\n{text}"
            text = f"Theme: {theme}. {text}" if theme else text
        self.set_text("how-to", text)
        self.refresh_bindings()

    # Trying

    def click(self, cell: int, button: int) -> None:
        self.point(cell)
        if button == 1:  # a second click on a move shows no other puzzle
            self._play(cell)

    def action_choose(self) -> None:
        """Try the move at the cursor; at a stone, once the puzzle is solved, show the next one."""
        if self._right and self.view.position.stones[self.cursor] != EMPTY:
            if not self._loading.locked():
                self.action_go(1)
        else:
            self._play(self.cursor)

    def _play(self, cell: int) -> None:
        """Try a move, or answer the loser's where the try has been judged."""
        position = self._position
        if self._tried is not None:
            self._play_on(self._tried, cell)
        elif self._is_listed:
            self._following = cell
        elif position.winner is not None:
            self.complain(GAME_OVER)
        elif self.is_free(position, cell):
            self.begin_try(cell)

    def _play_on(self, tried: TriedMoves, cell: int) -> None:
        asked = tried.play(cell)
        if asked is None:
            self._show_answer(tried)
        else:
            self._prepares = False
            self.ask(AnswerTry(asked.position, asked, JUDGE_SECONDS))

    def show_try(self, cell: int) -> None:
        """Show a move on the board, before anything is known of it."""
        self._try = cell
        self._reply = ()
        self._is_listed = False
        self.show_board()

    def begin_try(self, cell: int) -> None:
        """Show what the file says of a move, and have the solver judge it."""
        puzzle = self._puzzle
        right = cell in puzzle.wins
        listed = self._listed_line(cell)
        self._try = cell
        self._is_listed = bool(puzzle.wins and listed)

        played = self._position.play(cell)
        self._reply = ()
        if self._is_listed and not right and played.winner is None:
            self._reply = tuple(reply for reply in listed[1:2] if played.stones[reply] == EMPTY)

        if self._is_listed:
            self._judge(right, _BY_FILE)
        else:
            self.say(f"Solving {self._position.board.name(cell)}, {_AT_MOST} ...")
        self.show_board()
        self._ask_proof(played.play(*self._reply) if self._reply else played)

    def _listed_line(self, cell: int) -> tuple[int, ...]:
        """Return the line of the file that begins with a move, () if there is none."""
        lines = (line.numbers for line in self._puzzle.lines)
        return next((line for line in lines if line[0] == cell), ())

    def _ask_proof(self, position: Position) -> None:
        self._prepares = False
        self.ask(ShowProof(position, JUDGE_SECONDS))

    def _judge(self, right: bool, how: str) -> None:
        """Show whether the move tried wins, and count the first one; ``how`` that is known."""
        said = judgement(self._position, self._moves, right, self.names)
        self.settle(right, f"{said}{how}")

    def settle(self, right: bool, said: str) -> None:
        """Show what is said about the move tried, and count the first one."""
        self._right = right
        self._solved = self._solved or right
        if self._counted is None or self._counted == (self._try, not right):
            self._count(right)
        self.say(said, right)
        self.show_help()

    def _count(self, right: bool) -> None:
        self._counted = self._try, right
        self.count_try(self._puzzle, right)

    def count_try(self, puzzle: Puzzle, right: bool) -> None:
        """Have the first try at a puzzle kept."""
        self.post_message(self.Tried(puzzle, right))

    def _take_proof(self, proof: Proof, tried: int) -> None:
        """Judge a move by its proof; where that fails on the file's reply, without the reply."""
        right = proof.winner is self._position.to_move
        if right and self._reply:
            self._reply = ()
            self._ask_proof(self._position.play(tried))
            return
        tree = ProofTree(proof, self.names, played=(tried, *self._reply))
        self._tried = TriedMoves(tree)
        self._is_listed = False
        self.show_board()
        self._judge(right, " (proved)")
        if self._following is not None:
            self._play_on(self._tried, self._following)
            self._following = None

    def _show_answer(self, tried: TriedMoves) -> None:
        self.show_board()
        prompt = f" {tried.prompt}." if tried.count else ""
        self.say(tried.said or f"{tried.lines[-1].text}{prompt}")

    def action_solution(self) -> None:
        if self._position.winner is not None:
            self.complain(GAME_OVER)
        else:
            self._take_back()
            self.say(f"Solving, {_AT_MOST} ...")
            if self._puzzle.wins:
                self.say(f"{self._puzzle.solution(self.names)}{_BY_FILE}. Solving ...")
                self.reveal()
            self._ask_solution(all_moves=False)

    def _ask_solution(self, *, all_moves: bool, prepares: bool = False) -> None:
        """Ask for one winning move, which is shown as soon as it is found, or for all of them.

        ``prepares``: the answer is not shown, but makes those to the user's tries come sooner.
        """
        self._asked_all = all_moves
        self._prepares = prepares
        self.ask(WhoWins(self._position, Limit(JUDGE_SECONDS), all_moves))

    def action_take_back(self) -> None:
        if self._tried is not None and self._tried.take_back():
            self.drop_question()
            self._show_answer(self._tried)
        elif self._try is not None:
            self._take_back()
        else:
            self.complain("There is no try to take back")

    def action_look(self, what: str) -> None:
        """Look at the ``board`` with the analysis, or ``why`` a side wins; Escape leads back."""
        self.set_aside(what)

    def action_back(self) -> None:
        if self._try is None:
            self.dismiss("")
        else:
            self._take_back()

    def _take_back(self) -> None:
        self.drop_question()
        self._try = self._tried = self._following = None
        self._reply = ()
        self._is_listed = False
        self._right = False
        self.say("")
        self.show_board()

    def take(
        self, answer: Proof | TryAnswer | NotProved | Proved | Progress | None, problem: str
    ) -> None:
        if self._prepares:
            return
        match answer:
            case None:
                self._take_problem(problem)
            case Progress():
                if not self._is_listed:
                    self.say(f"{answer.label}: {answer.amount} ...")
            case NotProved():
                self._take_no_proof()
            case Proved():
                self._take_solution(answer)
            case TryAnswer() if self._tried is not None:
                self._tried.take(answer)
                self._show_answer(self._tried)
            case Proof() if self._try is not None:
                self._take_proof(answer, self._try)

    def _take_problem(self, problem: str) -> None:
        if self._is_listed:
            self._judge_by_file(f"not proved: {problem}")
            return
        self._following = None
        shown = f"{self._tried.said or self._tried.lines[-1].text} " if self._tried else ""
        self.say(f"{shown}{problem}")

    def _take_no_proof(self) -> None:
        if self._is_listed:
            self._judge_by_file(f"not proved in {JUDGE_SECONDS:g} s")
        elif self._tried is not None and self._tried.take_known():
            self._show_answer(self._tried)
        else:
            self.say(f"Not decided: the solver gave up after {JUDGE_SECONDS:g} s")

    def _judge_by_file(self, why: str) -> None:
        """Judge the move tried as the file does; ``why`` the solver does not."""
        self._judge(self._right, f" (claimed by the file; {why})")
        self._is_listed = False
        self._following = None

    def _take_solution(self, proved: Proved) -> None:
        self._wins = proved.wins
        self.show_board()
        wins = proved.winner is self._position.to_move
        looks_on = wins and not proved.complete and not self._asked_all
        self.say(solution_words(self._position, proved, self.names, looks_on))
        if wins:
            self.reveal()
        if looks_on:
            self._ask_solution(all_moves=True)

    def reveal(self) -> None:
        """Tell what the puzzle is about, now that its solution is shown."""
        if self._counted is None:
            self._count(False)
        self._solved = True
        self.show_help()

    # Other puzzles

    @work(group="dialogs")
    async def action_go(self, step: int) -> None:
        series = self.subject
        if series.leads_on and series.number + step > series.count:
            self.dismiss("")
            return
        async with self._loading:  # a second key goes on from where the first one leads
            number = series.number + step
            try:
                if series.load is None:
                    raise RecordError("There is no other puzzle in this file")
                session = await asyncio.to_thread(series.load, number)
            except ValueError as error:
                self.complain(error)
                return
            series.session, series.number = session, number
            self._begin()


def judgement(position: Position, moves: Sequence[int], right: bool, names: Names) -> str:
    """Return in words whether a move wins: the first of ``moves``, with what refutes it."""
    tried, *answer = map(position.board.name, moves)
    if right:
        return f"Right: {tried} wins"
    winner = names.player(position.to_move.opponent)
    answers = f"; {winner} answers {answer[0]}" if answer else ""
    return f"No: {tried} loses{answers}"


def solution_words(position: Position, proved: Proved, names: Names, looks_on: bool = False) -> str:
    """Return the solution of a puzzle in words; ``looks_on``: other moves are still judged."""
    mover = names.player(position.to_move)
    if proved.winner is None:
        return f"Not decided: the solver gave up after {JUDGE_SECONDS:g} s"
    if proved.winner is not position.to_move:
        return f"{names.player(proved.winner)} wins, whatever {mover} plays (proved)"
    wins = either([position.board.name(cell) for cell in proved.wins])
    others = "solving the other moves ..." if looks_on else "other moves are undecided"
    rest = "every other move loses" if proved.complete else others
    return f"{mover} wins with {wins} (proved); {rest}"
