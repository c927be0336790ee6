"""Games to learn from: files of JSON objects, one a line.

An object has ``id`` (a whole number), ``size`` (3 to 19), ``winner`` (red or blue), ``moves``
(separated by blanks: a1 is top left, Red is first and joins top and bottom, ``swap-pieces``
reflects the stone in the long diagonal and recolours it) and perhaps ``winner_rating`` (0 or
none: unknown). What else it has does not count.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

from hextui.engine.board import Board, Color
from hextui.engine.position import Move, MoveKind, Position
from hextui.learn.json_lines import read_json_lines

SMALLEST, LARGEST = 3, 19


@dataclass(frozen=True)
class TrainingGame:
    """One game; ``winner_rating`` is 0 where it is not known."""

    number: int
    board: Board
    winner: Color
    winner_rating: int
    moves: tuple[Move, ...]

    def plies(self) -> Iterator[tuple[Position, Move]]:
        """Yield each position of the game with the move made there.

        Raises ValueError for a move that the rules do not allow.
        """
        position = Position.empty(self.board)
        for move in self.moves:
            yield position, move
            position = _after(position, move)

    @property
    def symmetric_key(self) -> tuple[int, ...]:
        """What all images of the game have in common: its size and cells, seen from one side.

        A stone that was swapped stands where its first owner put it.
        """
        cells: list[int] = []
        mirrored = False
        for move in self.moves:
            if move.kind is MoveKind.PLAY:
                cells.append(self.board.mirror(move.cell) if mirrored else move.cell)
            else:
                mirrored = not mirrored
        turned = [self.board.rotate(cell) for cell in cells]
        return (self.board.rows, *min(cells, turned))


def after_moves(board: Board, moves: Iterable[Move]) -> Position:
    """Return the position after moves; raises ValueError for one that the rules do not allow."""
    return reduce(_after, moves, Position.empty(board))


def _after(position: Position, move: Move) -> Position:
    if move.kind is MoveKind.PLAY:
        return position.play(move.cell)
    if move.kind is MoveKind.SWAP_PIECES and position.swap_legal:
        return position.swap_pieces()
    raise ValueError(f"no move of a game to learn from: {move.name(position.board)}")


def read_games(paths: Iterable[Path]) -> list[TrainingGame]:
    """Read games from files.

    Raises ValueError, with the file and the line, for what is no game, and OSError.
    """
    return read_json_lines(paths, _checked)


def _checked(found: dict[str, Any]) -> TrainingGame:
    size = int(found["size"])
    if not SMALLEST <= size <= LARGEST:
        raise ValueError(f"a board to learn from has {SMALLEST} to {LARGEST} rows, not {size}")
    board = Board(size, size)
    moves = tuple(Move.parse(word, board) for word in str(found["moves"]).split())
    rating = int(found.get("winner_rating", 0))
    game = TrainingGame(int(found["id"]), board, Color.parse(str(found["winner"])), rating, moves)
    for _ in game.plies():  # raises ValueError at a move that is against the rules
        pass
    return game
