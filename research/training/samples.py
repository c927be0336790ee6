"""Positions to learn from or to measure on, as arrays, all seen by the side to move.

The side to move always joins top and bottom: for Blue the board is mirrored in the long diagonal.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Board, Color
from hextui.engine.neural.judge import seen_by_mover
from hextui.engine.position import MoveKind, Position
from research.training.data import OwnPosition, ProvedPosition, TrainingGame

FIRST_PLY = 2
"""The first moves of games are left out: they are chosen so that a swap is no gain."""


@dataclass(frozen=True)
class Samples:
    """n positions of one board, as their movers see them.

    ``stones`` uint8[n, rows, columns]: 0 empty, 1 the mover's, 2 the opponent's. ``good`` bool
    of that shape: the cells to choose from, of a game the one played, of a proved position all
    that win, or, where none does, all that are empty, of own play the likeliest ones. ``won``
    float32[n]: 1 if the mover won the game, or wins for certain, else 0; of own play it says
    nothing. ``rating`` int64[n]: the winner's, 0 if it is not known. ``shares``, of own play alone,
    float32 of the shape of the stones: how likely each cell is, they add up to 1.
    """

    board: Board
    stones: NDArray[np.uint8]
    good: NDArray[np.bool_]
    won: NDArray[np.float32]
    rating: NDArray[np.int64]
    shares: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.won)


def samples_of(games: Iterable[TrainingGame]) -> list[Samples]:
    """Return all positions of games from FIRST_PLY on where a stone was put, a set a board."""
    found: dict[Board, list[_Row]] = {}
    for game in games:
        found.setdefault(game.board, []).extend(_plies(game))
    return _packed(found)


def samples_of_proofs(proofs: Iterable[ProvedPosition]) -> list[Samples]:
    """Return proved positions, a set a board; they have no rating."""
    found: dict[Board, list[_Row]] = {}
    for proof in proofs:
        position = proof.position
        good = _marked(position, proof.winning or position.empties)
        row = _Row(seen_by_mover(position), good, bool(proof.winning), 0)
        found.setdefault(position.board, []).append(row)
    return _packed(found)


def samples_of_own(own: Iterable[OwnPosition]) -> list[Samples]:
    """Return positions of own play, a set a board; they have shares and no rating."""
    found: dict[Board, list[_Row]] = {}
    shares: dict[Board, list[NDArray[np.float32]]] = {}
    for one in own:
        board = one.position.board
        best = max(one.shares.values())
        good = _marked(one.position, [cell for cell, share in one.shares.items() if share == best])
        row = _Row(seen_by_mover(one.position), good, True, 0)
        found.setdefault(board, []).append(row)
        shares.setdefault(board, []).append(_placed(one.position, one.shares))
    return [replace(part, shares=np.array(shares[part.board])) for part in _packed(found)]


class _Row(NamedTuple):
    """One position of samples."""

    stones: NDArray[np.uint8]
    good: NDArray[np.bool_]
    won: bool
    rating: int


def _plies(game: TrainingGame) -> Iterator[_Row]:
    for ply, (position, move) in enumerate(game.plies(), start=1):
        if ply >= FIRST_PLY and move.kind is MoveKind.PLAY:
            good = _marked(position, (move.cell,))
            won = position.to_move is game.winner
            yield _Row(seen_by_mover(position), good, won, game.winner_rating)


def _marked(position: Position, cells: Iterable[int]) -> NDArray[np.bool_]:
    """Return which cells these are, bool[rows, columns], as the mover sees the board."""
    return _placed(position, dict.fromkeys(cells, 1.0)) > 0


def _placed(position: Position, shares: dict[int, float]) -> NDArray[np.float32]:
    """Return the cells' shares, float32[rows, columns], as the mover sees the board."""
    board = position.board
    placed = np.zeros(board.cells, np.float32)
    placed[list(shares)] = list(shares.values())
    shaped = placed.reshape(board.rows, board.columns)
    return shaped if position.to_move is Color.BLACK else shaped.T


def _packed(found: dict[Board, list[_Row]]) -> list[Samples]:
    samples = []
    for board, rows in sorted(found.items(), key=lambda item: str(item[0])):
        stones, good, won, rating = zip(*rows, strict=True)
        samples.append(
            Samples(
                board,
                np.array(stones, np.uint8),
                np.array(good, bool),
                np.array(won, np.float32),
                np.array(rating, np.int64),
            )
        )
    return samples
