"""Hex as a game for `best_move`: small boards only, for it looks at every line of play."""

from dataclasses import dataclass
from functools import cached_property

from hextui.engine.board import Color
from hextui.engine.position import Position

MOST_EMPTIES = 9


@dataclass(frozen=True)
class HexGame:
    """A Hex position without the right to swap."""

    position: Position

    @property
    def moves(self) -> tuple[int, ...]:
        """The empty cells in row order; none when the game is over."""
        return () if self.winner is not None else self.position.empties

    @property
    def to_move(self) -> Color:
        """The player to move."""
        return self.position.to_move

    @cached_property
    def winner(self) -> Color | None:
        """The player who has joined the own sides, if any."""
        return self.position.winner

    def play(self, move: int) -> "HexGame":
        """Return the state after a stone on an empty cell."""
        return HexGame(self.position.play(move))
