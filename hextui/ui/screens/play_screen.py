"""A game against the program: its settings, and the moves in turn on an ordinary record."""

import random
import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input, Label, Static

from hextui.engine.board import Color
from hextui.engine.limit import Limit
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.solver.proof import Proof
from hextui.engines.engine import OpenLane
from hextui.engines.questions import ChooseMove, Proved, SearchMoves, ShowProof, WhoWins
from hextui.engines.snapshot import Progress, SearchReport
from hextui.records.board_view import BoardView
from hextui.records.record_text import printable
from hextui.text import Names
from hextui.train.play_settings import GameClock, PlaySettings, player_name, player_words
from hextui.ui.parts import TrainEntry
from hextui.ui.record.session import Session
from hextui.ui.screens.dialogs import Choice, FormDialog, ListDialog
from hextui.ui.screens.step_screen import MoveScreen
from hextui.words.proofs import ProofTree
from hextui.words.verdicts import swap_advice

HINT_LIMIT = Limit(visits=200)
"""Of the search for a hint: about a second on 11x11."""
RESIGN_LIMIT = Limit(nodes=250)
"""Of the solver that looks for a lost game: about 0.2 s on 11x11."""
REASON_SECONDS = 5.0
"""The most seconds of a proof that is the reason of a hint."""
_WIDE = 66  # columns from which the texts are beside the board
_TICK = 0.2  # seconds between two checks of the clock
_OF_THE_GAME = frozenset(("turn", "no_swap", "hint", "take_back", "choose"))
"""The actions that play, until the game is over."""
_AROUND = 2  # steps from the best move to the border of the region of the first hint


class PlayScreen(MoveScreen[Session, Session]):
    """Plays a game; returns the session if the user wants to review it.

    The record has every move at once. Moves that are taken back stay as variations.
    """

    ABOUT = (
        "A game against the program. Every move is in the record at once; moves that are taken "
        "back stay as variations. A hint comes in three steps: the region, the move, the reason."
    )
    BINDINGS = [
        ("enter", "choose", "Play"),
        ("s", "turn('swap-pieces')", "Swap"),
        ("n", "no_swap", "Do not swap"),
        ("i", "hint", "Hint"),
        ("u", "take_back", "Take back"),
        ("P", "turn('pass')", "Pass"),
        ("R", "turn('resign')", "Resign"),
        ("v", "review", "Review"),
        ("escape", "leave", "Leave"),
    ]
    DEFAULT_CSS = """
    PlayScreen #clock { margin-bottom: 1; display: none; }
    PlayScreen #verdict { text-style: none; min-height: 3; }
    PlayScreen.-narrow {
        Horizontal { layout: vertical; }
        VerticalScroll { width: 1fr; height: 5; padding: 0 1; }
        #task, #clock { margin: 0; }
    }
    """
    TEXTS = ("task", "clock", "verdict")
    LOST = "Your position is lost (proved). R resigns."
    LEAVES = "Leave the game? Escape leaves; the record stays open. Any move plays on."
    AT_THE_END = "v opens the game in Review."

    def __init__(
        self, *subject: Any, opponent: OpenLane, settings: PlaySettings, color: Color
    ) -> None:
        """``opponent`` opens lanes of the engine that chooses the moves of the other side."""
        super().__init__(*subject)
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (_WIDE, "-wide")]
        self._opponent = opponent
        self._settings = settings
        self._color = color
        other = player_words(settings.opponent)
        self._other = f"{other[:1].upper()}{other[1:]}"
        self._start = self.subject.node
        self._clock = GameClock(settings.clock, time.monotonic, self._start.line())
        self._seed = random.getrandbits(32)  # of the opponent's lots
        self._thinking = False  # the opponent's move is awaited
        self._over = False
        self._asks_swap = self._asks_to_leave = False
        self._hint: SearchReport | None = None
        self._hints_given = 0

    def on_mount(self) -> None:
        self.set_text("title", printable(self.heading))
        if self._settings.clock is not None:
            self.query_one("#clock").display = True
            self.set_interval(_TICK, self._tick)
        self._next_turn()

    # What is shown

    @property
    def heading(self) -> str:
        """The title."""
        return f"{self._other} against you ({self.names.player(self._color)})"

    def outcome(self, winner: Color) -> str:
        """Return what the end means for the user."""
        return "You win" if winner is self._color else f"{self._other} wins"

    @property
    def _position(self) -> Position:
        return self.subject.position

    @property
    def _users_turn(self) -> bool:
        return not self._over and self._position.to_move is self._color

    @property
    def view(self) -> BoardView:
        position, session = self._position, self.subject
        view = BoardView(position, cursor=session.cursor, last_move=session.last_move)
        if self._hint is None:
            return view
        best = self._hint.moves[0].cell
        if self._hints_given > 1:
            return replace(view, line=(best,))
        return replace(view, outside=frozenset(range(position.board.cells)) - _near(position, best))

    @property
    def _last_move(self) -> str:
        """What the opponent has done."""
        turn = self.subject.node.turn
        if turn is None or turn.color is self._color:
            return ""
        name = turn.name(self.subject.board)
        swaps = f"swaps: your stone becomes {self.names.player(turn.color)}'s, mirrored"
        done = {"swap-pieces": swaps, "pass": "passes"}.get(name, f"plays {name}")
        return f"{self._other} {done}."

    def _show(self) -> None:
        self.show_board()
        mover = self._position.to_move
        player = (self.names.player(mover), Style(color=self.palette.ink(mover)))
        who = "you" if self._users_turn else f"{self._other} was stopped"
        if self._thinking:
            who = f"{self._other} is thinking ..."
        turn = Text.assemble(player, f" to move: {who}")
        if self._over:
            won = self.subject.record.result
            assert won.winner is not None
            outcome = self.outcome(won.winner)
            turn = Text(f"{self.names.result(won.winner, won.how)}. {outcome}.")
        self.set_text("task", turn)
        self._show_clock()
        self.refresh_bindings()

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Leave out the keys that do nothing now."""
        if action not in _OF_THE_GAME:
            return ""
        if self._over:
            return "The game is over"
        if action == "no_swap" or "swap-pieces" in parameters:
            return "" if self._asks_swap else "There is nothing to swap now"
        return self._why_not_now(action)

    def _why_not_now(self, action: str) -> str:
        """Return why a move, a hint or a question has to wait; '' if it need not."""
        match action:
            case "take_back":
                return ""
            case "choose":
                return f"{self._other} is thinking: Escape stops it" if self._thinking else ""
            case "hint" if not self._settings.hints:
                return "This game has no hints"
        return "" if self._users_turn else "It is not your turn"

    # Turns

    def _next_turn(self, *, moved: bool = False) -> None:
        """Have the next player move, unless the game is over; ``moved``: the other one has."""
        self._forget_questions()
        position = self._position
        if position.winner is not None:
            self._end(position.winner)
            return
        self._clock.start(position.to_move, moved=moved)
        if not self._users_turn:
            self._think()
            return
        self.say(self._last_move if moved else "")
        if position.first_stone_swappable:
            self.say(f"{self._other} may swap after your first stone.")
        self._asks_swap = position.swap_legal
        if self._asks_swap:
            you, other = map(self.names.player, (self._color, self._color.opponent))
            self.say(f"Do you swap? {other}'s stone becomes {you}'s, mirrored.")
        else:
            self.ask(WhoWins(position.without_swap, RESIGN_LIMIT))
        self._show()

    def _forget_questions(self) -> None:
        """Remove the hint, and what the user or the engine was asked."""
        self._thinking = False
        self._hint = None
        self._hints_given = 0
        self._asks_swap = self._asks_to_leave = False
        self.drop_question()

    def _think(self) -> None:
        self._thinking = True
        self.say("Escape stops it.")
        self._show()
        choice = ChooseMove(self._position, self._settings.opponent, self._seed)
        self.ask(choice, self._opponent)

    def _make(self, move: Move) -> None:
        """Play a move of whichever side, in the main line of the record."""
        session, mover = self.subject, self._position.to_move
        times = self._clock.properties()
        session.go_to(session.record.play(session.node, move, properties=times))
        session.record.make_main(session.node)
        if move.kind is MoveKind.RESIGN:
            self._end(mover.opponent, "R")
        else:
            self._next_turn(moved=True)

    def _end(self, winner: Color, how: str = "") -> None:
        """End the game; ``how`` as in the property RE."""
        self._forget_questions()
        self._clock.start(None)
        self._over = True
        record = self.subject.record
        record.set_texts(record.root, {"RE": f"{'BW'[winner - 1]}+{how}"})
        self.say(self.AT_THE_END)
        self._show()

    def _tick(self) -> None:
        self._show_clock()
        if (late := self._clock.out_of_time) is not None:
            self._end(late.opponent, "T")

    def _show_clock(self) -> None:
        if self._settings.clock is not None:
            self.set_text("clock", self._clock.text(self.names))

    # Keys

    def point(self, cell: int) -> None:
        self._asks_to_leave = False
        self.subject.cursor = cell
        self.show_board()

    def action_choose(self) -> None:
        """Play at the cursor; have a stopped opponent think again."""
        position, cell = self._position, self.subject.cursor
        if self.why_not("choose", ()):
            return  # a click
        if not self._users_turn:
            self._clock.start(position.to_move)
            self._think()
        elif self.is_free(position, cell):
            self._make(Move.play(cell))

    def action_no_swap(self) -> None:
        self._asks_swap = False
        self.say("")
        self._show()

    def action_turn(self, kind: str) -> None:
        self._make(Move(MoveKind(kind)))

    def action_take_back(self) -> None:
        """Go back to the user's last decision; what was played stays as a variation."""
        session = self.subject
        line = self.subject.node.line()
        before = line[line.index(self._start) : -1]
        own = [node for node in before if session.record.position(node).to_move is self._color]
        if not own:
            self.complain("There is no move of yours to take back")
            return
        session.go_to(own[-1])
        self._next_turn()

    def action_review(self) -> None:
        self.dismiss(self.subject)

    def action_leave(self) -> None:
        """Stop the opponent; ask before leaving an unfinished game."""
        if self._thinking:
            self._forget_questions()
            self._clock.start(None)
            self._show()
            self.say("Enter lets it go on.")
        elif self._over or self._asks_to_leave or self.subject.node is self._start:
            self.dismiss(None)
        else:
            self._asks_to_leave = True
            self.say(self.LEAVES)

    # Hints and what the solver finds

    def action_hint(self) -> None:
        """Show where the best move is, then the move, then the reason."""
        if self._hint is None:
            self.say("Searching for a hint ...")
            self.ask(SearchMoves(self._position, HINT_LIMIT))
            return
        self._hints_given = min(self._hints_given + 1, 3)
        best = self._hint.moves[0]
        worth = "wins (proved)" if best.proved else f"win probability {best.winrate:.0%}"
        if self._hints_given == 1:
            self.say("Hint 1 of 3: look at the marked region. i shows the move.")
        elif self._hints_given == 2:
            self.say(f"Hint 2 of 3: {best.move}. i shows the reason.")
        else:
            replies = " ".join(best.line[1:5])
            follows = f" Expected: {replies}." if replies else ""
            self.say(f"{best.move}: {worth}.{follows}")
            if best.proved:
                self.ask(ShowProof(self._position.without_swap.play(best.cell), REASON_SECONDS))
        self._show()

    def take(self, answer: Any, problem: str) -> None:
        match answer:
            case Move():
                self._thinking = False
                self._make(answer)
            case None if self._thinking:
                self._thinking = False
                self._show()
                self.say(f"{problem}. Enter asks again.")
            case None if self._hint is None:  # else the hint stays, without its reason
                self.say(f"{self._last_move} {problem}.".lstrip())
            case Progress():
                stops = ". Escape stops it." if self._thinking else " ..."
                self.say(f"{answer.label}: {answer.amount}{stops}")
            case Proved(winner=winner) if winner is self._color.opponent:
                self.say(f"{self._last_move} {self.LOST}".lstrip())
            case SearchReport():
                self._take_report(answer)
            case Proof() if self._hint is not None:
                won = answer.before(self._position.without_swap, self._hint.moves[0].cell)
                self.say(f"{ProofTree(won, self.names).first()[0].text} (proved).")

    def _take_report(self, report: SearchReport) -> None:
        """Give a hint by what the search has found."""
        match report:
            case SearchReport(winrate=float(win), swap=float(swap)):
                self.say(f"Hint: you {swap_advice(win, swap)} win probability.")
            case _ if report.moves and report.moves[0].proved is not False:
                self._hint = report
                self.action_hint()
            case _ if self._asks_swap:
                self.say("Hint: you should swap: otherwise every move loses.")
            case _:
                self.say("No hint: every move loses.")


def _near(position: Position, cell: int) -> set[int]:
    """Return the cells at most `_AROUND` steps from a cell."""
    neighbours = position.board.neighbours
    cells = {cell}
    for _ in range(_AROUND):
        cells |= {near for reached in cells for near in neighbours[reached]}
    return cells


_LABELS = {
    "opponent": ("Opponent", "1-9, or a player"),
    "size": ("Board size", "11, or 13x9"),
    "color": ("Your colour", "{black}, {white}, random"),
    "swap": ("Swap rule", "yes, no"),
    "clock": ("Clock", "10+5 (minutes + seconds)"),
    "hints": ("Hints", "yes, no"),
}
"""What the dialog says before and behind each field."""
_OF_BOARD = ("size", "swap")
"""Fields without a choice where a game begins in the middle."""


class TrainScreen(ListDialog):
    """Asks how to train, by letter, Enter or a click; returns the letter."""

    def __init__(self, entries: Sequence[TrainEntry]) -> None:
        rows = [Choice(e.key, f"{e.key}  {e.label}\n   {e.state}", e.key) for e in entries]
        super().__init__("Train", "A letter, Enter or a click chooses.", rows, 0)


class PlayDialog(FormDialog[PlaySettings]):
    """Asks how the next game is played; ``plays_on``: from the position on the board."""

    ACCEPT = "Enter starts"
    CANCEL = "Tab: next line, Escape cancels"
    DEFAULT_CSS = """
    PlayDialog Horizontal { height: 1; align-horizontal: left; }
    PlayDialog Label { width: 12; }
    PlayDialog Input { width: 22; }
    PlayDialog .about { width: 1fr; color: $text-muted; padding-left: 1; }
    """

    def __init__(
        self, last: PlaySettings, names: Names, engines: Collection[str], *, plays_on: bool
    ) -> None:
        super().__init__("Play on from here" if plays_on else "Play against the program")
        self._last = last
        self._names = names
        self._engines = engines
        self._fields = [name for name in _LABELS if not (plays_on and name in _OF_BOARD)]

    def body(self) -> ComposeResult:
        texts = self._last.texts(self._names)
        for name in self._fields:
            label, about = _LABELS[name]
            with Horizontal():
                yield Label(label)
                yield Input(texts[name].removeprefix("level:"), id=name, compact=True)
                yield Static(self._names.fill(about).lower(), classes="about", markup=False)
        yield Static(classes="error", markup=False)

    def read(self) -> PlaySettings:
        texts = {name: self.query_one(f"#{name}", Input).value for name in self._fields}
        settings = PlaySettings.read({**self._last.texts(), **texts})
        return replace(settings, opponent=player_name(settings.opponent, self._engines))
