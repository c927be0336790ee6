"""Guess the move: the user's guesses are compared with a game's moves, and summed up at the end."""

from dataclasses import dataclass

from textual.binding import Binding
from textual.message import Message

from hextui.engines.questions import Judged, Proved
from hextui.engines.snapshot import Progress
from hextui.records.board_view import BoardView, Mark
from hextui.records.record_text import printable
from hextui.text import counted
from hextui.train.guess import Guess, GuessResult, GuessTurn, MoveValue, Wanted, instructive, score
from hextui.ui.screens.step_screen import MoveScreen
from hextui.ui.widgets.board_widget import BoardWidget

_HOW_TO = "Enter or a click guesses. e ends with the summary, Escape leaves."


class GuessScreen(MoveScreen[tuple[GuessTurn, ...], GuessTurn]):
    """Asks for the move at each turn; returns the one to review, if any. No record is changed."""

    ABOUT = (
        "Guess the moves of a game. A guess is compared with the game's move: by proofs, or by win "
        "probability. The game's move or a better one gets 2 points, an equal one 1. At a mistake "
        "of yours only a better move is right."
    )
    BINDINGS = [
        ("enter", "choose", "Guess"),
        ("enter", "go_on", "Next"),
        Binding("n,space", "next", "Next", show=False),
        ("e", "finish", "Summary"),
        *((str(number), f"review({number})", "Review") for number in (1, 2, 3)),
        ("escape", "dismiss", "Back"),
    ]
    DEFAULT_CSS = "GuessScreen #score { margin-bottom: 1; }"
    TEXTS = ("task", "verdict", "score", "how-to")

    @dataclass
    class Tried(Message):
        """A winning move was wanted at a mistake, and found or not (``right``)."""

        turn: GuessTurn
        right: bool

    sums_up = True
    """Whether the summary comes after the last guess; else the screen closes."""
    _at = 0
    _guess: Guess | None = None  # at this turn
    _game: MoveValue  # of the game's move, judged while the user thinks
    _ended = False  # the summary is shown

    def board(self) -> BoardWidget:
        self.cursor = self._turn.position.board.middle
        self._guesses: list[Guess] = []  # that are judged
        return super().board()

    def on_mount(self) -> None:
        self.set_text("how-to", _HOW_TO)
        self._begin()

    # What is shown

    @property
    def _turn(self) -> GuessTurn:
        return self.subject[self._at]

    @property
    def _guessing(self) -> bool:
        return self._guess is None and not self._ended

    @property
    def _judged(self) -> bool:
        return bool(self._guesses) and self._guesses[-1] is self._guess

    @property
    def view(self) -> BoardView:
        """The board before the turn; after a guess with the game's move, and then what wins."""
        turn = self._turn
        guess = self._guess
        last_move = self._turn.game_position.node.cell
        if guess is None:
            return BoardView(turn.position, cursor=self.cursor, last_move=last_move)
        mark = {guess.cell: Mark("? ", turn.position.to_move, 0.5)}
        wins = dict.fromkeys(turn.proved.wins if self._judged else (), True)
        if self._judged and guess.mine.wins:
            wins[guess.cell] = True
        if turn.mistake:
            return BoardView(turn.position, played=turn.played, marks=mark, verdicts=wins)
        after = turn.position.play(turn.played)
        return BoardView(after, last_move=turn.played, marks=mark, verdicts=wins)

    def _show(self) -> None:
        self.show_board()
        self.refresh_bindings()

    def _begin(self) -> None:
        turn = self._turn
        self._guess = None
        what = "My mistakes" if turn.mistake else "Guess the move"
        title = f"{what}  {turn.name}  {self._at + 1} of {len(self.subject)}"
        self.set_text("title", printable(title))
        self.set_text("task", printable(turn.task(self.names)))
        self.say("")
        self._show()
        self._game = turn.value(turn.played)
        self._prepare()

    def _prepare(self) -> None:
        """Have the game's move judged, so that the guess can be compared with it sooner."""
        turn = self._turn
        question = turn.question(turn.played, self._game)
        if question is not None and turn.wanted is not Wanted.WINNING:
            self.ask(question)

    # Guessing

    def point(self, cell: int) -> None:
        if self._guessing:
            super().point(cell)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter guesses, or goes on."""
        if action == "go_on" and self._guessing:
            return False
        if action == "choose" and not self._guessing:
            return False
        return super().check_action(action, parameters)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        match action:
            case "go_on" | "next" | "move" | "finish" if self._ended:
                return "This is the summary"
            case "go_on" | "next":
                return self._why_not_next
            case "move" if not self._guessing:
                return "You have guessed this move already"
            case "finish" if not self._guesses:
                return "There is no guess to sum up yet"
            case "review":
                return self._why_no_review(int(str(parameters[0])))
        return ""

    @property
    def _why_not_next(self) -> str:
        if self._judged:
            return ""
        return "Guess first" if self._guessing else "Your guess is being judged"

    def _why_no_review(self, number: int) -> str:
        if not self._ended:
            return "The summary offers moves to review"
        listed = len(instructive(self._guesses))
        return "" if number <= listed else f"There is no move {number} in the summary"

    def action_choose(self) -> None:
        if self._guessing and self.is_free(self._turn.position, self.cursor):
            self._go_on(Guess.at(self._turn, self.cursor, self._game))

    def _go_on(self, guess: Guess) -> None:
        """Ask what is not known of a guess yet, or show how it is judged."""
        self._guess = guess
        if guess.asked is not None:
            played = guess.turn.position.board.name(guess.turn.played)
            does = "Solving" if guess.turn.wanted is Wanted.WINNING else "Comparing"
            self.say(f"{played} was played. {does} ...")
            self._show()
            self.ask(guess.asked)
        else:
            self._judge(guess, guess.words())

    def _judge(self, guess: Guess, words: str) -> None:
        self.drop_question()
        self._guesses.append(guess)
        self.say(words, guess.points > 0 if guess.result is not GuessResult.OPEN else None)
        self.set_text("score", score(self._guesses))
        if guess.turn.wanted is Wanted.WINNING and guess.result is not GuessResult.OPEN:
            self.post_message(self.Tried(guess.turn, guess.points > 0))
        self._show()

    def take(self, answer: Proved | Judged | Progress | None, problem: str) -> None:
        guess = self._guess
        match answer:
            case Proved() | Judged() if guess is not None:
                heard = guess.heard(answer)
                if heard != guess:
                    self._go_on(heard)
            case Proved() | Judged():
                value = self._turn.heard(self._game, answer)
                if value != self._game:
                    self._game = value
                    self._prepare()
            case None if guess is not None:
                self._judge(guess, f"{guess.words()} {problem}")
            case Progress() if guess is not None:
                self.say(f"{answer.label}: {answer.amount} ...")

    def action_go_on(self) -> None:
        self.action_next()

    def action_next(self) -> None:
        if self._at + 1 < len(self.subject):
            self._at += 1
            if (last_move := self._turn.game_position.node.cell) is not None:
                self.cursor = last_move  # a second Enter guesses nothing by accident
            self._begin()
        elif self.sums_up:
            self.action_finish()
        else:
            self.dismiss(None)

    def action_finish(self) -> None:
        """Sum up, with the most instructive moments, each one key from Review."""
        self.drop_question()
        self._ended = True
        moments = instructive(self._guesses)
        lines = [f"{key}  {guess.moment()}" for key, guess in enumerate(moments, start=1)]
        self.set_text("task", "Most instructive" if lines else self._praise)
        self.say("\n".join(lines))
        notes = ["A digit opens Review at that move."] if lines else []
        if count := self._comes_back:
            what = "It comes back" if count == 1 else f"{counted(count, 'position')} come back"
            notes.append(f"{what} among the puzzles (5 z) when due.")
        self.set_text("how-to", " ".join(notes))
        self.refresh_bindings()

    @property
    def _praise(self) -> str:
        if not self._turn.mistake:
            return "No guess lost much."
        tried_all = len(self._guesses) == len(self.subject)
        return "All were found." if tried_all else "All that you tried were found."

    @property
    def _comes_back(self) -> int:
        """The number of positions without a winning move found, which become puzzles."""
        missed = [guess for guess in self._guesses if guess.is_missed]
        return sum(guess.turn.wanted is Wanted.WINNING for guess in missed)

    def action_review(self, number: int) -> None:
        self.set_aside(instructive(self._guesses)[number - 1].turn)
