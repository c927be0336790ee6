"""A position as the network sees it: always with the side to move joining top and bottom."""

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Color
from hextui.engine.kernels.neural import BOTH, TURNED, UPRIGHT
from hextui.engine.position import Position

_LOOKS = np.array([BOTH, TURNED, UPRIGHT], np.uint8)
"""By how the first stone differs from the one turned onto it: not at all, more, less (-1)."""
_RECOLOURED = np.array([0, 2, 1], np.uint8)


def seen_by_mover(position: Position) -> NDArray[np.uint8]:
    """Return the stones uint8[rows, columns]: 0 empty, 1 the mover's, 2 the opponent's.

    For White the board is mirrored in the long diagonal, so rows and columns are exchanged.
    """
    board = position.board
    stones = np.frombuffer(position.stones, np.uint8).reshape(board.rows, board.columns)
    return stones if position.to_move is Color.BLACK else _RECOLOURED[stones].T


def both_looks(stones: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return for boards uint8[n, rows, columns] that each is looked at from both sides."""
    return np.full(len(stones), BOTH, np.uint8)


def one_look(stones: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return for boards uint8[n, rows, columns] from which one side each is looked at.

    It is the side from which the stones, read cell by cell, are the smaller number: the same side
    of a board and of the board turned, so that both are judged alike. A board that is its own
    image has no such side and is looked at from both.
    """
    read = stones.reshape(len(stones), -1).astype(np.int8)
    above = read - read[:, ::-1]
    first = above[np.arange(len(read)), (above != 0).argmax(axis=1)]
    looks: NDArray[np.uint8] = _LOOKS[np.sign(first)]
    return looks
