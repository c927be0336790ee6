"""`best_move` for any two-player game (docs/methods.md#exhaustive-search), and a walk through it.

A move that wins at once is taken. Else the opponent's best reply to each move decides: a losing one
ends the search, a draw is better than a loss. Of draws the last stands, of losses the first.
"""

import enum
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, Self

from hextui.engine.limit import StoppedError


class GameState(Hashable, Protocol):
    """One immutable state of a two-player game, with the side to move; ``str`` draws it."""

    @property
    def moves(self) -> tuple[int, ...]:
        """The legal moves, in the order in which they are tried; none when the game is over."""

    @property
    def to_move(self) -> int:
        """The player to move."""

    @property
    def winner(self) -> int | None:
        """The player who has won; None while nobody has, and in a draw."""

    def play(self, move: int) -> Self:
        """Return the state after a move of the player to move."""

    def move_name(self, move: int) -> str:
        """Return what people call a move."""

    def player_name(self, player: int) -> str:
        """Return what people call a player."""


WIN = 1
DRAW = 0
LOSS = -1


@dataclass(frozen=True)
class BestMove:
    """A move and the score that it reaches, 1, 0 or -1; ``move`` is None when the game is over."""

    move: int | None
    score: int


@dataclass(frozen=True)
class AskedMove:
    """A move of step 2: the opponent's best reply to it, and how many positions that took."""

    move: int
    reply: BestMove
    positions: int

    @property
    def score(self) -> int:
        """The move's score for the player who makes it."""
        return -self.reply.score


@dataclass(frozen=True)
class Call:
    """The result of a `best_move` call, and the moves of step 2 in the order they were asked."""

    best: BestMove
    asked: tuple[AskedMove, ...] = ()


class EveryLine:
    """Searches every line; counts calls in ``positions``; StoppedError once ``stop()`` is true."""

    def __init__(self, stop: Callable[[], bool] = lambda: False) -> None:
        self.positions = 0
        self._stop = stop

    def call(self, game: GameState) -> Call:
        """Find the best move and its score; a finished game has a score but no move."""
        if self._stop():
            raise StoppedError("stopped before every line was searched")
        self.positions += 1
        player = game.to_move
        if game.winner is not None:
            return Call(BestMove(None, WIN if game.winner == player else LOSS))
        winning_move = _winning_at_once(game)
        if winning_move is not None:
            return Call(BestMove(winning_move, WIN))
        asked: list[AskedMove] = []
        candidate: BestMove | None = None
        for move in game.moves:
            asked.append(self.ask(game, move))
            response = asked[-1].reply
            if response.score == LOSS:
                return Call(BestMove(move, WIN), tuple(asked))
            if response.score == DRAW:
                candidate = BestMove(move, DRAW)
            elif candidate is None:
                candidate = BestMove(move, LOSS)
        return Call(candidate or BestMove(None, DRAW), tuple(asked))

    def ask(self, game: GameState, move: int) -> AskedMove:
        """Ask for the opponent's best reply to a move."""
        before = self.positions
        reply = self.call(game.play(move)).best
        return AskedMove(move, reply, self.positions - before)

    def scores(self, game: GameState, call: Call) -> Mapping[int, int]:
        """Return the scores of all moves, of those too that the ``call`` had no need for."""
        player = game.to_move
        asked = {child.move: child for child in call.asked}
        scores = {}
        for move in game.moves:
            if game.play(move).winner == player:
                scores[move] = WIN
            else:
                scores[move] = (asked.get(move) or self.ask(game, move)).score
        return scores


def _winning_at_once(game: GameState) -> int | None:
    """Return the first move that wins at once, None if there is none."""
    for move in game.moves:
        if game.play(move).winner == game.to_move:
            return move
    return None


def best_move(game: GameState) -> BestMove:
    """Return the best move of the player to move and its score (see `EveryLine.call`)."""
    return EveryLine().call(game).best


class CallStep(enum.Enum):
    """What happens in a step of a call."""

    BEGIN = enum.auto()  # step 1: every move is tried, whether it wins at once
    ASK = enum.auto()  # step 2: a move is made, and the opponent's best reply is asked for
    HEAR = enum.auto()  # the reply has come, and with it the score of the move
    RETURN = enum.auto()  # the call returns its best move


@dataclass(frozen=True)
class CallPlace:
    """A place in a call: its state, and the step; -1 is the last one, whatever its number."""

    state: GameState
    number: int = 0

    def step(self, call: Call) -> tuple[CallStep, int]:
        """Return what happens here, and how many moves have been asked about so far."""
        last = 1 + 2 * len(call.asked)
        place = last if self.number < 0 else self.number
        if place == 0:
            return CallStep.BEGIN, 0
        if place == last:
            return CallStep.RETURN, len(call.asked)
        return (CallStep.ASK if place % 2 else CallStep.HEAR), (place + 1) // 2

    def moved(self, call: Call, steps: int) -> "CallPlace | None":
        """Return the place so many steps on in the same call, None outside of it."""
        last = 1 + 2 * len(call.asked)
        place = (last if self.number < 0 else self.number) + steps
        return CallPlace(self.state, place) if 0 <= place <= last else None


@dataclass
class Walk:
    """A way through a run, begun with the first call on a state; stays until its call is known."""

    places: list[CallPlace]
    calls: dict[GameState, Call] = field(default_factory=dict)

    @property
    def state(self) -> GameState:
        """The state that the walk is at."""
        return self.places[-1].state

    @property
    def depth(self) -> int:
        """How many moves were made since the first call."""
        return len(self.places) - 1

    @property
    def call(self) -> Call | None:
        """The call that the walk is in, if it is known."""
        return self.calls.get(self.state)

    def into(self, steps: int) -> None:
        """Go one step on (1) or back (-1), into the calls inside."""
        call = self.call
        if call is None:
            return
        what, asked = self.places[-1].step(call)
        if what is not (CallStep.ASK if steps > 0 else CallStep.HEAR):
            self.over(steps)
            return
        if steps < 0:
            self.over(-1)  # to where the question was asked
        inside = self.state.play(call.asked[asked - 1].move)
        self.places.append(CallPlace(inside, 0 if steps > 0 else -1))

    def over(self, steps: int) -> None:
        """Go one step on (1) or back (-1) in the same call, or out of it."""
        call = self.call
        if call is None:
            return
        place = self.places[-1].moved(call, steps)
        if place is not None:
            self.places[-1] = place
        elif self.depth:
            self.places.pop()
            if steps > 0:
                self.over(1)

    def to(self, place: int) -> None:
        """Go to the first (0) or the last (-1) step of the first call."""
        self.places[:] = [CallPlace(self.places[0].state, place)]
