"""Positions to learn from or to measure on, as arrays, all seen by the side to move.

The side to move always joins top and bottom: for Blue the board is mirrored in the long diagonal.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Board, Color
from hextui.engine.neural.judge import seen_by_mover
from hextui.engine.position import MoveKind, Position
from research.training.data import ProvedPosition, TrainingGame

FIRST_PLY = 2
"""The first moves of games are left out: they are chosen so that a swap is no gain."""


@dataclass(frozen=True)
class Samples:
    """n positions of one board, as their movers see them.

    ``stones`` uint8[n, rows, columns]: 0 empty, 1 the mover's, 2 the opponent's. ``good`` bool
    of that shape: the cells to choose from, of a game the one played, of a proved position all
    that win, or, where none does, all that are empty, of self-play the most visited. ``won``
    float32[n]: 1 if the mover won the game, or wins for certain, else 0; of self-play, until the
    winner is proved, the mean of that and of the search's win probability. ``rating`` int64[n]:
    the winner's, 0 if it is not known. ``shares``, of self-play alone, float32 of the shape of the
    stones: the shares of the visits, which add up to 1.
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
    """Return all positions of games from FIRST_PLY on where a stone was put, a set a board.

    Those of self-play, from the first that was searched on, are sets of their own.
    """
    found: dict[tuple[Board, bool], list[_Row]] = {}
    for game in games:
        if rows := list(_searched_plies(game) if game.searched else _plies(game)):
            found.setdefault((game.board, game.searched is not None), []).extend(rows)
    return _packed(found)


def samples_of_proofs(proofs: Iterable[ProvedPosition]) -> list[Samples]:
    """Return proved positions, a set a board; they have no rating."""
    found: dict[tuple[Board, bool], list[_Row]] = {}
    for proof in proofs:
        position = proof.position
        good = _marked(position, proof.winning or position.empties)
        row = _Row(seen_by_mover(position), good, bool(proof.winning), 0)
        found.setdefault((position.board, False), []).append(row)
    return _packed(found)


class _Row(NamedTuple):
    """One position of samples."""

    stones: NDArray[np.uint8]
    good: NDArray[np.bool_]
    won: float
    rating: int
    shares: NDArray[np.float32] | None = None


def _plies(game: TrainingGame) -> Iterator[_Row]:
    for ply, (position, move) in enumerate(game.plies(), start=1):
        if ply >= FIRST_PLY and move.kind is MoveKind.PLAY:
            good = _marked(position, (move.cell,))
            won = position.to_move is game.winner
            yield _Row(seen_by_mover(position), good, won, game.winner_rating)


def _searched_plies(game: TrainingGame) -> Iterator[_Row]:
    found = game.searched
    assert found is not None
    for ply, (position, _) in enumerate(game.plies()):
        if ply < found.begun:
            continue
        won = float(position.to_move is game.winner)
        if ply < found.proved:
            won = (won + found.values[ply - found.begun]) / 2
        shares = _placed(position, found.shares[ply - found.begun])
        yield _Row(seen_by_mover(position), shares == shares.max(), won, 0, shares)


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


def _packed(found: dict[tuple[Board, bool], list[_Row]]) -> list[Samples]:
    samples = []
    for (board, searched), rows in sorted(found.items(), key=lambda item: str(item[0])):
        stones, good, won, rating, shares = zip(*rows, strict=True)
        samples.append(
            Samples(
                board,
                np.array(stones, np.uint8),
                np.array(good, bool),
                np.array(won, np.float32),
                np.array(rating, np.int64),
                np.array(shares, np.float32) if searched else None,
            )
        )
    return samples
