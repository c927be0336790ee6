"""Best moves in a database of games, worked from the last moves back to the first.

Source: http://hex.kosmanor.com/hex/best.en_US.html, "How the best move is determined". The moves
are judged in a derivative game whose only legal moves are those in the database. Its rules:

1. A position from which no game continues is an end. If the last move completed a chain, the side
   to move has lost, and that is certain. Else the results of the games that ended there decide;
   where they are missing or balance, the player who moved last has won.
2. Where one game ends and another goes on, the continuation decides.
3. A move is winning if the opponent has only losing moves in the database after it, else losing.
4. The best move is a certain win before a possible one, each the one that wins soonest; without a
   winning move it is the losing move that holds out longest.
5. A winning move is certain if it completes a chain; a losing move is certain if a certain winning
   move refutes it. Not every legal move is in the database, so other verdicts are only possible.
6. A verdict that the solver proved is certain; the number of moves is that of the database.

A worked example: Black plays x and White has two replies. After y Black resigned; after z
White resigned one move later, when Black had played w.

>>> y = w = Ending(False, 0, 1).value().of_move()
>>> y  # the last move of a game that the player who made it won
Value(winning=True, certain=False, moves=1)
>>> z = judge([w]).of_move()
>>> z  # Black answers w, and White loses after two moves
Value(winning=False, certain=False, moves=2)
>>> judge([y, z]).of_move()  # White answers y: x is possibly losing
Value(winning=False, certain=False, moves=2)
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Value:
    """What a position is worth to the side to move, or a move to the player who makes it.

    ``moves`` is the number of moves in the best game from there, a move counted with itself;
    ``certain`` says that the verdict holds in real Hex.
    """

    winning: bool
    certain: bool
    moves: int

    def of_move(self) -> "Value":
        """Return the value of a move that leads to a position of this value."""
        return Value(not self.winning, self.certain, self.moves + 1)

    @property
    def preference(self) -> tuple[bool, bool, int]:
        """Sorts moves, the best first (rule 4)."""
        if self.winning:
            return (False, not self.certain, self.moves)
        return (True, False, -self.moves)


@dataclass(frozen=True, slots=True)
class Ending:
    """How games ended in a position: with a chain, or won and lost by the side to move."""

    complete: bool
    wins: int
    losses: int

    def value(self) -> Value:
        """Return the value of a terminal position (rule 1)."""
        winning = not self.complete and self.wins > self.losses
        return Value(winning, self.complete, 0)


def judge(moves: Iterable[Value]) -> Value:
    """Return the value of a position from those of its moves, at least one (rule 4)."""
    best = min(moves, key=lambda value: value.preference)
    return Value(best.winning, best.winning and best.certain, best.moves)
