"""The game that a client of ours has played: any colour at any time, and a way back."""

from dataclasses import dataclass
from enum import StrEnum

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.position import Move, MoveKind, Position
from hextui.htp.htp_requests import HtpError

DEFAULT_SIZE = 11


class SwapBoard(StrEnum):
    """What swap-pieces does to the board: stones are reflected, or stay as they are.

    HexGui reflects, and expects it of us; tournament scripts for Benzene's programs keep.
    """

    KEEP = "keep"
    REFLECT = "reflect"


@dataclass(frozen=True)
class _Turn:
    """What was played last, and the position that it led to."""

    move: str
    position: Position


class ServedGame:
    """A board and all that was played on it."""

    def __init__(self, board: Board | None = None) -> None:
        self.start(Position.empty(board or Board(DEFAULT_SIZE, DEFAULT_SIZE)))

    def start(self, position: Position) -> None:
        """Begin anew at a position."""
        self._turns = [_Turn("", position)]

    @property
    def position(self) -> Position:
        """The position that was reached, with the side to move that follows from the last turn."""
        return self._turns[-1].position

    @property
    def board(self) -> Board:
        """The board."""
        return self.position.board

    def may_swap(self, color: Color) -> bool:
        """Tell whether a colour could swap now, if the rule is in use."""
        position = self.position
        return position.swap_legal and position.to_move is color

    def play(self, color: Color, move: Move, swap: SwapBoard | None = None) -> None:
        """Play a move of a colour; resigning changes nothing. ``swap``: None if it is not allowed.

        Raises HtpError.
        """
        position = self.position.with_to_move(color)
        match move.kind:
            case MoveKind.PLAY:
                if position.stones[move.cell] != EMPTY:
                    raise _illegal(color, move, self.board, "occupied")
                position = position.play(move.cell)
            case MoveKind.SWAP_PIECES:
                if swap is None:
                    raise _illegal(color, move, self.board, "allow_swap is 0")
                if not self.may_swap(color):
                    raise _illegal(color, move, self.board, "only after the first move")
                position = self._swapped(color, swap)
            case MoveKind.RESIGN:
                return
            case _:
                raise _illegal(color, move, self.board, "no move here")
        self._turns.append(_Turn(move.name(self.board), position))

    def _swapped(self, color: Color, swap: SwapBoard) -> Position:
        if swap is SwapBoard.KEEP:
            return self.position.pass_turn()
        if self.board.rows != self.board.columns:
            raise _illegal(color, Move(MoveKind.SWAP_PIECES), self.board, "the board is not square")
        return self.position.swap_pieces()

    def undo(self) -> None:
        """Take the last turn back; raises HtpError if there is none."""
        if len(self._turns) == 1:
            raise HtpError("nothing to undo")
        self._turns.pop()

    def shown(self) -> str:
        """Return the board as text, with names along its sides, the last move and whose turn."""
        position, board = self.position, self.board
        letters = " ".join(board.name(column)[0] for column in range(board.columns))
        rows = str(position).split("\n")
        lines = [f"   {letters}"]
        for number, row in enumerate(rows, start=1):
            marks = row.strip()
            lines.append(f"{' ' * (number - 1)}{number:2} {marks} {number}")
        lines.append(f"{' ' * (board.rows + 3)}{letters}")
        last = f", last move {self._turns[-1].move}" if self._turns[-1].move else ""
        winner = position.winner
        turn = f"{winner} has won" if winner else f"{position.to_move} to move"
        return "\n".join(["", *lines, turn + last])


def _illegal(color: Color, move: Move, board: Board, why: str) -> HtpError:
    return HtpError(f"illegal move: {color} {move.name(board)} ({why})")
