"""A game against the program: its settings, and the moves in turn on an ordinary record."""

import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import pairwise
from typing import Any

from rich.style import Style
from rich.text import Text
from textual import events, on, work

from hextui.analysis.mistakes import OpeningMistake, ReviewEntry
from hextui.engine.board import Color, edges_of
from hextui.engine.limit import Limit
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.solver.proof import Proof
from hextui.engine.verdicts import Verdicts
from hextui.engines.engine import OpenLane
from hextui.engines.questions import ChooseMove, Proved, SearchMoves, ShowProof, WhoWins
from hextui.engines.snapshot import Progress, SearchReport
from hextui.records.board_view import BoardView, Connected
from hextui.records.codecs.sgf import write_sgf
from hextui.records.record_text import printable
from hextui.train.coach import Coach, CoachRemark
from hextui.train.kept_games import KeptGame
from hextui.train.ladder import Ladder
from hextui.train.play_settings import GameClock, player_words
from hextui.ui.record.session import Session
from hextui.ui.screens.dialogs import Choice, ChoiceDialog
from hextui.ui.screens.move_hint import MoveHint
from hextui.ui.screens.refutation_screen import SEARCH_LIMIT, RefutationScreen
from hextui.ui.screens.step_screen import MoveScreen
from hextui.words.proofs import ProofTree
from hextui.words.reviews import entry_move, entry_words
from hextui.words.verdicts import swap_advice

RESIGN_LIMIT = Limit(nodes=250)
"""Of the solver that looks for a lost game: about 0.2 s on 11x11."""
REASON_SECONDS = 5.0
"""The most seconds of a proof that is the reason of a hint."""
COACH_SECONDS = 1.0
"""How long the opponent waits for the coach."""
_TICK = 0.2  # seconds between two checks of the clock
_LOOK = 0.5  # seconds between two looks at the review of a game that is over
_OF_THE_GAME = frozenset(("turn", "no_swap", "hint", "take_back", "choose"))
"""The actions that play, until the game is over."""


class AfterGame(StrEnum):
    """What a game is left for."""

    REVIEW = "review"
    MISTAKE = "mistake"
    REMATCH = "rematch"
    NEXT_LEVEL = "next level"


@dataclass(frozen=True)
class GameServices:
    """What a game needs of the program around it.

    ``opponent`` opens lanes of the engine that chooses the moves of the other side. ``keep`` keeps
    the game on disk. ``first_mistake`` has the game reviewed, and returns the user's first mistake
    as far as it is known, and whether the review is done. ``ladder`` returns the user's results.
    ``verdicts``: the store of proofs.
    """

    opponent: OpenLane
    keep: Callable[[Session, KeptGame], None]
    first_mistake: Callable[[Session, Color], tuple[ReviewEntry | None, bool]]
    ladder: Callable[[], Awaitable[Ladder]]
    verdicts: Verdicts


class PlayScreen(MoveScreen[Session, AfterGame]):
    """Plays a game; returns what it is left for, None for nothing.

    The record has every move at once. Moves that are taken back stay as variations. ``game`` is
    what is kept of it.
    """

    ABOUT = (
        "A game against the program. Every move is in the record at once; moves that are taken "
        "back stay as variations. A hint comes in three steps: the region, the move, the reason. "
        "The coach says when a move of yours was a mistake, before it is answered."
    )
    BINDINGS = [
        ("enter", "choose", "Play"),
        ("enter", "go_on", "Go on"),
        ("s", "turn('swap-pieces')", "Swap"),
        ("n", "no_swap", "Do not swap"),
        ("i", "hint", "Hint"),
        ("u", "take_back", "Take back"),
        ("w", "why", "Why"),
        ("P", "turn('pass')", "Pass"),
        ("R", "turn('resign')", "Resign"),
        ("r", "next('rematch')", "Rematch"),
        ("l", "next('next level')", "Next level"),
        ("m", "mistake", "First mistake"),
        ("v", "review", "Review"),
        ("escape", "leave", "Leave"),
    ]
    DEFAULT_CSS = """
    PlayScreen #clock { margin-bottom: 1; display: none; }
    PlayScreen #verdict { text-style: none; min-height: 3; }
    PlayScreen .-below { #task, #clock { margin: 0; } }
    """
    TEXTS = ("task", "clock", "verdict")
    LOST = "Your position is lost (proved). R resigns."
    LEAVE = "Leave and keep the game"
    AT_THE_END = "r: rematch with colours exchanged. v: review."
    SHOWS_MISTAKE = True

    def __init__(self, *subject: Any, game: KeptGame, services: GameServices) -> None:
        super().__init__(*subject)
        self.game = game
        self._services = services
        self._settings = settings = game.settings
        self._color = game.color
        other = player_words(settings.opponent)
        self._other = f"{other[:1].upper()}{other[1:]}"
        line = self.subject.node.line()
        self._start = next(node for node in line if node.ply == game.start)
        self._clock = GameClock(settings.clock, time.monotonic, line)
        self._seed = random.getrandbits(32)  # of the opponent's lots
        self._thinking = False  # the opponent's move is awaited
        self._over = False
        self._asks_swap = False
        self._ladder: Ladder | None = None  # once the game is over
        self._hint: MoveHint | None = None
        self._coach: Coach | None = None
        if settings.coach:
            self._coach = Coach(self._color, self._open_lane, services.verdicts)
        self._judgements = 0  # that the coach was asked for
        self._is_lost = False  # the user's position, as the solver has proved
        self._judging = False  # the coach judges the user's move before it is answered
        self._remark: CoachRemark | None = (
            None  # the last one of the coach, about the user's last turn
        )
        self._remark_waits = False  # the opponent does not move before the user has answered it

    def on_mount(self) -> None:
        self.set_text("title", printable(self.heading))
        self._looking = self.set_interval(_LOOK, self._show_end, pause=True)
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
    def _who_moves(self) -> str:
        """What is waited for."""
        if self._judging:
            return "the coach judges your move ..."
        if self._remark_waits:
            return f"{self._other} waits"
        return "you" if self._users_turn else f"{self._other} is thinking ..."

    @property
    def view(self) -> BoardView:
        position, session = self._position, self.subject
        view = BoardView(position, cursor=session.cursor, last_move=session.last_move)
        if position.winner is not None:
            return _with_chain(view, position.winner)
        return view if self._hint is None else self._hint.shown_on(view)

    @property
    def _last_move(self) -> str:
        """What the opponent has done."""
        node = self.subject.node
        turn = node.turn
        if node is self._start or turn is None or turn.color is self._color:
            return ""
        name = turn.name(self.subject.board)
        swaps = f"swaps: your stone becomes {self.names.player(turn.color)}'s, mirrored"
        done = {"swap-pieces": swaps, "pass": "passes"}.get(name, f"plays {name}")
        return f"{self._other} {done}."

    def _show(self) -> None:
        self.show_board()
        mover = self._position.to_move
        player = (self.names.player(mover), Style(color=self.palette.ink(mover)))
        turn = Text.assemble(player, f" to move: {self._who_moves}")
        if self._over:
            won = self.subject.record.result
            assert won.winner is not None
            outcome = self.outcome(won.winner)
            turn = Text(f"{self.names.result(won.winner, won.how)}. {outcome}.")
        self.set_text("task", turn)
        self._show_clock()
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter plays, or goes on after a remark of the coach."""
        if action == ("choose" if self._remark_waits else "go_on"):
            return False
        return super().check_action(action, parameters)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Leave out the keys that do nothing now."""
        if action == "why":
            return self._why_not_explained
        if action in ("next", "mistake"):
            return self._why_not_yet(action)
        if action not in _OF_THE_GAME:
            return ""
        if self._over:
            return "The game is over"
        if action == "no_swap" or "swap-pieces" in parameters:
            return "" if self._asks_swap else "There is nothing to swap now"
        return self._why_not_now(action)

    def _why_not_yet(self, action: str) -> str:
        """Return why nothing follows a game yet."""
        if not self._over:
            return "The game goes on"
        if action == "mistake" and self._first_mistake()[0] is None:
            return "No mistake of yours is known"
        return ""

    @property
    def _why_not_explained(self) -> str:
        """Return why no remark of the coach can be explained; '' if it can be."""
        if self._over or self._remark is None:
            return "The coach has said nothing to explain"
        if isinstance(self._remark.mistake, OpeningMistake):
            return "The coach's reason is the value of the first stone"
        return ""

    def _why_not_now(self, action: str) -> str:
        """Return why a move, a hint or a question has to wait; '' if it need not."""
        match action:
            case "take_back":
                return ""
            case "choose":
                return self._why_no_move
            case "hint" if not self._settings.hints:
                return "This game has no hints"
        return "" if self._users_turn else "It is not your turn"

    @property
    def _why_no_move(self) -> str:
        if self._judging:
            return "The coach judges your move"
        if self._remark_waits:
            return "The coach waits for your answer"
        return f"{self._other} is thinking" if self._thinking else ""

    # Turns

    def _next_turn(self, *, moved: bool = False) -> None:
        """Have the next player move, unless the game is over; ``moved``: the other one has."""
        self._forget_questions()
        self._remark_waits = False
        position = self._position
        if position.winner is not None:
            self._end(position.winner)
            return
        self._clock.start(position.to_move, moved=moved)
        if not self._users_turn:
            self._think()
            return
        self._begin_turn(position)
        self._show()
        self._judge()

    def _begin_turn(self, position: Position) -> None:
        """Say what the opponent has done, and ask what the user has to know."""
        self._say_news()
        if position.first_stone_swappable:
            self.say(f"{self._other} may swap after your first stone.")
        self._asks_swap = position.swap_legal
        if self._asks_swap:
            you, other = map(self.names.player, (self._color, self._color.opponent))
            self.say(f"Do you swap? {other}'s stone becomes {you}'s, mirrored.")
        else:
            self.ask(WhoWins(position.without_swap, RESIGN_LIMIT))

    def _forget_questions(self) -> None:
        """Remove the hint, and what the user or the engine was asked."""
        self._thinking = self._judging = self._is_lost = False
        self._hint = None
        self._asks_swap = False
        self.drop_question()

    def _think(self) -> None:
        self._thinking = True
        self.say("")
        self._show()
        choice = ChooseMove(self._position, self._settings.opponent, self._seed)
        self.ask(choice, self._services.opponent)

    def _make(self, move: Move) -> None:
        """Play a move of whichever side, in the main line of the record."""
        session, mover = self.subject, self._position.to_move
        times = self._clock.properties()
        session.go_to(session.record.play(session.node, move, properties=times))
        session.record.make_main(session.node)
        self._keep()
        if mover is self._color:
            self._remark = None
        if move.kind is MoveKind.RESIGN:
            self._end(mover.opponent, "R")
        elif self._needs_coach(mover):
            self._wait_for_coach()
        else:
            self._next_turn(moved=True)

    # The coach

    def _needs_coach(self, mover: Color) -> bool:
        """Return whether the coach judges a move of ``mover``, just made, before the answer."""
        session = self.subject
        if self._coach is None or mover is not self._color or self._position.winner is not None:
            return False
        return self._coach.needs_to_judge(session.record, session.node)

    def _wait_for_coach(self) -> None:
        """Have the user's move judged, and stop the clock meanwhile."""
        self._forget_questions()
        self._clock.start(None, moved=True)
        self._judging = True
        self.say("")
        self._show()
        self._judge()
        self.set_timer(COACH_SECONDS, partial(self._hear_coach, self._judgements))

    def _judge(self) -> None:
        """Have the coach judge the newest positions."""
        if self._coach is None:
            return
        self._judgements += 1
        hear = partial(self.call_later, self._hear_coach, self._judgements)
        self._coach.judge(self.subject.record, self.subject.node, hear)

    def _hear_coach(self, number: int) -> None:
        """Say what the coach has found so far, or go on: it has ended, or its time has."""
        if self._coach is None or number != self._judgements or not self._hears_coach:
            return
        session = self.subject
        remark = self._coach.remark(session.record, session.node)
        if remark is not None:
            self._take_remark(remark)
        elif self._judging:
            self._next_turn(moved=True)

    @property
    def _hears_coach(self) -> bool:
        """Whether a remark is said now; while the opponent thinks it waits for the next turn."""
        return self.is_mounted and (self._judging or self._users_turn)

    def _take_remark(self, remark: CoachRemark) -> None:
        """Say a remark, keep it as a comment, and wait for the user where nobody has answered."""
        self._remark = remark
        lines = [*filter(None, remark.node.comment.split("\n")), remark.words(self.names)]
        self.subject.record.set_comment(remark.node, "\n".join(dict.fromkeys(lines)))
        self._keep(helped=True)
        self._remark_waits = self._judging
        self._judging = False
        self._say_news()
        self._show()

    @property
    def _remark_keys(self) -> str:
        """What can be done about the remark."""
        keys = "u takes the move back"
        if not self._why_not_explained:
            keys = f"{keys}, w shows why"
        return f"{keys}, Enter goes on." if self._remark_waits else f"{keys}."

    def _say_news(self) -> None:
        """Say what the opponent has done, and what the solver and the coach have found."""
        lines = [self._last_move]
        if self._is_lost:
            lines.append(self.LOST)
        if self._remark is not None:
            lines += [self._remark.words(self.names), self._remark_keys]
        self.say("\n\n".join(filter(None, lines)))

    def action_go_on(self) -> None:
        """Have the opponent answer the move that the coach has remarked on."""
        self._remark = None
        self._next_turn(moved=True)

    def action_why(self) -> None:
        """Show how the move is refuted; Escape leads back."""
        if self._remark is not None:
            screen = RefutationScreen(self._remark, self.palette, self._open_lane, self.names)
            self.app.push_screen(screen)

    def on_unmount(self) -> None:
        if self._coach is not None:
            self._coach.stop()

    def _end(self, winner: Color, how: str = "") -> None:
        """End the game; ``how`` as in the property RE."""
        self._forget_questions()
        self._clock.start(None)
        self._over = True
        record = self.subject.record
        record.set_texts(record.root, {"RE": f"{'BW'[winner - 1]}+{how}"})
        self._keep(won=winner is self._color)
        self._show()
        self._looking.resume()
        self._show_end()
        self._show_ladder()

    def _keep(self, **change: Any) -> None:
        """Keep the game as it stands, with what has changed."""
        session = self.subject
        sgf = write_sgf(session.record)
        self.game = replace(self.game, sgf=sgf, ply=session.node.ply, **change)
        self._services.keep(session, self.game)

    # The end

    @work
    async def _show_ladder(self) -> None:
        self._ladder = await self._services.ladder()
        self._show_end()

    def _first_mistake(self) -> tuple[ReviewEntry | None, bool]:
        if not self.SHOWS_MISTAKE:
            return None, True
        return self._services.first_mistake(self.subject, self._color)

    def _show_end(self) -> None:
        """Say what can be done now, how the user stands, and which mistake came first."""
        mistake, is_done = self._first_mistake()
        if is_done:
            self._looking.pause()
        lines = [self.AT_THE_END]
        if self._ladder is not None and self._ladder.games:
            lines.insert(0, self._ladder.words)
        if self.SHOWS_MISTAKE:
            lines.insert(0, self._mistake_words(mistake, is_done))
        self.say("\n\n".join(lines))
        self.refresh_bindings()

    def _mistake_words(self, mistake: ReviewEntry | None, is_done: bool) -> str:
        if mistake is not None:
            words = entry_words(mistake, self.names)[0]
            return f"Your first mistake: {entry_move(mistake)}: {words}. m shows it."
        return "No mistake of yours was found." if is_done else "Looking for your first mistake ..."

    def action_next(self, after: str) -> None:
        self.dismiss(AfterGame(after))

    def action_mistake(self) -> None:
        """Show the first mistake in Review; Escape leads back."""
        self.set_aside(AfterGame.MISTAKE)

    def _tick(self) -> None:
        self._show_clock()
        if (late := self._clock.out_of_time) is not None:
            self._end(late.opponent, "T")

    def _show_clock(self) -> None:
        if self._settings.clock is not None:
            self.set_text("clock", self._clock.text(self.names))

    # Keys

    def point(self, cell: int) -> None:
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

    @work(group="dialogs")
    async def action_turn(self, kind: str) -> None:
        """Swap, pass or resign; ask before the user resigns."""
        if kind == MoveKind.RESIGN:
            choices = [Choice("r", "Resign", "resign"), Choice("g", "Go on", "stay")]
            dialog = ChoiceDialog("Resign?", f"{self._other} wins then.", choices)
            if await self.app.push_screen_wait(dialog) != "resign" or not self._users_turn:
                return
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
        self._remark = None
        self._keep(helped=True)
        self._next_turn()

    def action_review(self) -> None:
        """Show the game in Review; a game that goes on waits, and counts as one with help."""
        if not self._over:
            self._rest()
            self.game = replace(self.game, helped=True)
        self.set_aside(AfterGame.REVIEW)

    def _rest(self) -> None:
        """Stop the opponent and the clock."""
        self._forget_questions()
        self._clock.start(None)

    @on(events.ScreenResume)
    def _go_on(self) -> None:
        """Let the clock run again, and have the opponent think again, if they were stopped."""
        if self._over or not self.is_mounted or self._judging or self._remark_waits:
            return
        self._clock.start(self._position.to_move)
        if not self._users_turn and not self._thinking:
            self._think()

    @work(group="dialogs")
    async def action_leave(self) -> None:
        """Ask before leaving an unfinished game."""
        if self._over or self.subject.node is self._start:
            self._rest()
            self.dismiss(None)
            return
        choices = [
            Choice("g", "Go on", "stay"),
            Choice("l", self.LEAVE, "leave"),
            Choice("r", "Resign", "resign"),
        ]
        dialog = ChoiceDialog("The game is not over", self.heading, choices)
        answer = await self.app.push_screen_wait(dialog)
        if self._over or answer not in ("leave", "resign"):
            return
        self._rest()
        if answer == "resign":
            self._end(self._color.opponent, "R")
        else:
            self.dismiss(None)

    # Hints and what the solver finds

    def action_hint(self) -> None:
        """Show where the best move is, then the move, then the reason."""
        if self._hint is None:
            self.game = replace(self.game, helped=True)
            self.say("Searching for a hint ...")
            self.ask(SearchMoves(self._position, SEARCH_LIMIT))
            return
        self._hint.give_more()
        self._show_hint(self._hint)

    def _show_hint(self, hint: MoveHint) -> None:
        self.say(hint.words)
        if hint.asks_for_proof:
            self.ask(ShowProof(self._position.without_swap.play(hint.cell), REASON_SECONDS))
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
                self.say(f"{answer.label}: {answer.amount} ...")
            case Proved(winner=winner) if winner is self._color.opponent:
                self._is_lost = True
                self._say_news()
            case SearchReport():
                self._take_report(answer)
            case Proof() if self._hint is not None:
                won = answer.before(self._position.without_swap, self._hint.cell)
                self.say(f"{ProofTree(won, self.names).first()[0].text} (proved).")

    def _take_report(self, report: SearchReport) -> None:
        """Give a hint by what the search has found."""
        match report:
            case SearchReport(winrate=float(win), swap=float(swap)):
                self.say(f"Hint: you {swap_advice(win, swap)} win probability.")
            case _ if report.moves and report.moves[0].proved is not False:
                self._hint = MoveHint(self._position, report)
                self._show_hint(self._hint)
            case _ if self._asks_swap:
                self.say("Hint: you should swap: otherwise every move loses.")
            case _:
                self.say("No hint: every move loses.")


def _with_chain(view: BoardView, winner: Color) -> BoardView:
    """Return a board with a line through the stones that join the winner's sides."""
    chain = view.position.winning_chain
    first, last = (view.position.board.cells + place for place in range(2))
    return replace(
        view,
        cursor=None,
        connected=Connected(winner, ends=frozenset(chain), edges=frozenset(edges_of(winner))),
        links=tuple(pairwise((first, *chain, last))),
        links_of=winner,
    )
