"""Hex as a game for `best_move`: small boards only, for it looks at every line of play."""

from dataclasses import dataclass
from functools import cached_property

from hextui.engine.board import Color
from hextui.engine.position import Move, MoveKind, Position

MOST_EMPTIES = 9
SWAP = -1
"""The move of who takes the place of the other side, where that is legal to begin with."""


@dataclass(frozen=True)
class HexGame:
    """A Hex position. Nobody may swap later: the first stone of an empty board is not swapped.

    ``exchanged``: the players have exchanged colours by ``swap-sides``. Players are named after
    the colours they had to begin with.
    """

    position: Position
    exchanged: bool = False

    @staticmethod
    def at(position: Position) -> "HexGame":
        """Return the game of a position.

        Raises ValueError if it goes on and has more than 9 empty cells.
        """
        empties = len(position.empties)
        if empties > MOST_EMPTIES and position.winner is None:
            raise ValueError(
                f"best-move takes {MOST_EMPTIES} empty cells at most, here are {empties}"
            )
        return HexGame(position)

    @property
    def moves(self) -> tuple[int, ...]:
        """The empty cells in row order, then the swap if it is legal; none after the end."""
        if self.winner is not None:
            return ()
        return (*self.position.empties, SWAP) if self.position.swap_legal else self.position.empties

    @property
    def to_move(self) -> Color:
        """The player to move."""
        return self._player(self.position.to_move)

    @cached_property
    def winner(self) -> Color | None:
        """The player who has joined the own sides, if any."""
        color = self.position.winner
        return None if color is None else self._player(color)

    def _player(self, color: Color) -> Color:
        return color.opponent if self.exchanged else color

    @property
    def if_nobody_swaps(self) -> bool:
        """Whether the opponent could swap the next stone in a real game."""
        return self.winner is None and not any(self.position.stones)

    def play(self, move: int) -> "HexGame":
        """Return the state after a stone on an empty cell, or after a swap."""
        if move == SWAP:
            kind = self._swap
            exchanged = self.exchanged ^ (kind is MoveKind.SWAP_SIDES)
            return HexGame(self.position.apply(Move(kind)), exchanged)
        after = self.position.play(move)
        return HexGame(Position(after.board, after.stones, after.to_move), self.exchanged)

    @property
    def _swap(self) -> MoveKind:
        board = self.position.board
        return MoveKind.SWAP_PIECES if board.rows == board.columns else MoveKind.SWAP_SIDES

    def move_name(self, move: int) -> str:
        """Return the cell's name, or which swap it is."""
        return str(self._swap) if move == SWAP else self.position.board.name(move)

    def player_name(self, player: int) -> str:
        """Return ``black`` or ``white``."""
        return str(Color(player))

    def __str__(self) -> str:
        return str(self.position)
