"""A position as the network sees it: always with the side to move joining top and bottom."""

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Color
from hextui.engine.position import Position

_RECOLOURED = np.array([0, 2, 1], np.uint8)


def seen_by_mover(position: Position) -> NDArray[np.uint8]:
    """Return the stones uint8[rows, columns]: 0 empty, 1 the mover's, 2 the opponent's.

    For White the board is mirrored in the long diagonal, so rows and columns are exchanged.
    """
    board = position.board
    stones = np.frombuffer(position.stones, np.uint8).reshape(board.rows, board.columns)
    return stones if position.to_move is Color.BLACK else _RECOLOURED[stones].T
