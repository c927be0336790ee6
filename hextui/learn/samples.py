"""Positions to learn from or to measure on, as arrays, all seen by the side to move.

The side to move always joins top and bottom: for Blue the board is mirrored in the long diagonal.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Board, Color
from hextui.engine.neural.planes import seen_by_mover
from hextui.engine.position import MoveKind
from hextui.learn.game_lines import TrainingGame

FIRST_PLY = 2
"""The first moves of games are left out: they are chosen so that a swap is no gain."""


@dataclass(frozen=True)
class Samples:
    """n positions of one board, as their movers see them.

    ``stones`` uint8[n, rows, columns]: 0 empty, 1 the mover's, 2 the opponent's. ``move``
    int64[n]: the cell played. ``won`` float32[n]: 1 if the mover won the game, else 0. ``rating``
    int64[n]: the winner's, 0 if it is not known.
    """

    board: Board
    stones: NDArray[np.uint8]
    move: NDArray[np.int64]
    won: NDArray[np.float32]
    rating: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.move)


def samples_of(games: Iterable[TrainingGame]) -> list[Samples]:
    """Return all positions of games from FIRST_PLY on where a stone was put, a set a board."""
    found: dict[Board, list[tuple[NDArray[np.uint8], int, bool, int]]] = {}
    for game in games:
        found.setdefault(game.board, []).extend(_plies(game))
    return [_packed(board, rows) for board, rows in sorted(found.items(), key=lambda f: str(f[0]))]


def _plies(game: TrainingGame) -> Iterator[tuple[NDArray[np.uint8], int, bool, int]]:
    for ply, (position, move) in enumerate(game.plies(), start=1):
        if ply >= FIRST_PLY and move.kind is MoveKind.PLAY:
            mover = position.to_move
            cell = move.cell if mover is Color.BLACK else game.board.mirror(move.cell)
            yield seen_by_mover(position), cell, mover is game.winner, game.winner_rating


def _packed(board: Board, rows: list[tuple[NDArray[np.uint8], int, bool, int]]) -> Samples:
    stones, move, won, rating = zip(*rows, strict=True)
    return Samples(
        board,
        np.array(stones, np.uint8),
        np.array(move, np.int64),
        np.array(won, np.float32),
        np.array(rating, np.int64),
    )
