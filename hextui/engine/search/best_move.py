"""`best_move` for any two-player game (docs/methods.md#exhaustive-search).

Step 1 takes a move that wins at once. Step 2 asks for the opponent's best reply to each move:
a reply that loses ends the search, of the others a draw is better than a loss. Equal moves fall
as in that section's code: of draws the last one found stands, of losses the first.

A call remembers nothing, so each call inside is what a call on that state is by itself: a run can
be stepped through by asking for one call at a time.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Protocol, Self

from hextui.engine.limit import StoppedError


class GameState(Hashable, Protocol):
    """One state of a two-player game, with the side to move in it.

    States are never changed: ``play`` returns the next one. ``str`` draws the state.
    """

    @property
    def moves(self) -> tuple[int, ...]:
        """The legal moves, in the order in which they are tried; none when the game is over."""
        ...

    @property
    def to_move(self) -> int:
        """The player to move."""
        ...

    @property
    def winner(self) -> int | None:
        """The player who has won; None while nobody has, and in a draw."""
        ...

    def play(self, move: int) -> Self:
        """Return the state after a move of the player to move."""
        ...

    def move_name(self, move: int) -> str:
        """Return what people call a move."""
        ...

    def player_name(self, player: int) -> str:
        """Return what people call a player."""
        ...


WIN, DRAW, LOSS = 1, 0, -1


@dataclass(frozen=True)
class BestMove:
    """A move and the score that the player to move reaches with it: 1, 0 or -1.

    ``move`` is None when the game is over.
    """

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
    """One call of `best_move`: what it found, and the moves of step 2 in the order they were asked.

    ``asked`` is empty if the game is over or a move wins at once.
    """

    best: BestMove
    asked: tuple[AskedMove, ...] = ()


class EveryLine:
    """Looks at every line; ``positions`` counts the calls so far.

    ``stop`` is asked at every call whether to raise StoppedError.
    """

    def __init__(self, stop: Callable[[], bool] = lambda: False) -> None:
        self.positions = 0
        self._stop = stop

    def call(self, game: GameState) -> Call:
        """Find the best move of the player to move and its score.

        A finished game has no move; its score is 0 if it is drawn, else 1 or -1.
        """
        if self._stop():
            raise StoppedError("stopped before every line was looked at")
        self.positions += 1
        player = game.to_move
        if game.winner is not None:
            return Call(BestMove(None, WIN if game.winner == player else LOSS))
        for move in game.moves:
            if game.play(move).winner == player:
                return Call(BestMove(move, WIN))
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

    def scores(self, game: GameState, known: Call) -> Mapping[int, int]:
        """Return the scores of all moves, of those too that the ``known`` call had no need for."""
        player = game.to_move
        asked = {one.move: one for one in known.asked}
        return {
            move: WIN
            if game.play(move).winner == player
            else (asked.get(move) or self.ask(game, move)).score
            for move in game.moves
        }


def best_move(game: GameState) -> BestMove:
    """Return the best move of the player to move and its score (see `EveryLine.call`)."""
    return EveryLine().call(game).best
