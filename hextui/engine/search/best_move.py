"""`best_move` for any two-player game (docs/methods.md#looking-at-every-line).

Step 1 takes a move that wins at once. Step 2 asks for the opponent's best reply to each move:
a reply that loses ends the search, of the others a draw is better than a loss. Equal moves fall
as in that section's code: of draws the last one found stands, of losses the first.
"""

from dataclasses import dataclass
from typing import Protocol, Self


class GameState(Protocol):
    """One state of a two-player game, with the side to move in it.

    States are never changed: ``play`` returns the next one.
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


WIN, DRAW, LOSS = 1, 0, -1


@dataclass(frozen=True)
class BestMove:
    """A move and the score that the player to move reaches with it: 1, 0 or -1.

    ``move`` is None when the game is over.
    """

    move: int | None
    score: int


def best_move(game: GameState) -> BestMove:
    """Return the best move of the player to move and its score.

    A finished game has no move; its score is 0 if it is drawn, else 1 or -1.
    """
    player = game.to_move
    if game.winner is not None:
        return BestMove(None, WIN if game.winner == player else LOSS)
    for move in game.moves:
        if game.play(move).winner == player:
            return BestMove(move, WIN)
    candidate: BestMove | None = None
    for move in game.moves:
        response = best_move(game.play(move))
        if response.score == LOSS:
            return BestMove(move, WIN)
        if response.score == DRAW:
            candidate = BestMove(move, DRAW)
        elif candidate is None:
            candidate = BestMove(move, LOSS)
    return candidate or BestMove(None, DRAW)
