"""A network's judgement of positions: how likely each move is, and the win probability."""

import io
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import MAX_SIDE, Board, Color
from hextui.engine.guards import check_board
from hextui.engine.kernels.neural import BOTH, TURNED, UPRIGHT, NetworkWeights, run_network
from hextui.engine.position import Position

Floats = NDArray[np.float32]
Stones = NDArray[np.uint8]
LEAST = float(np.finfo(float).min)
LEAST_WIN = 1e-6
"""Win probabilities lie between this and 1 minus this: an estimate is never certain."""
UNCALIBRATED = np.array([[1, 1, 0]], np.float32)


class Opinions(NamedTuple):
    """Of n positions of one board: ``policy`` float32[n, cells] and ``win`` float32[n], 0 to 1.

    ``policy`` is how likely each move is; taken cells have 0, and the others add up to 1. ``win``
    is the win probability of the side to move, from LEAST_WIN to 1 minus it.
    """

    policy: Floats
    win: Floats


class NetworkFileError(ValueError):
    """A network's file cannot be used; the message is one line that says why."""


class NetworkJudge(ABC):
    """A network that evaluates positions, alike in every orientation; threads may share it."""

    name: str = "network"
    only_board: Board | None = None  # that it knows; None for all

    def check(self, board: Board) -> None:
        """Raise NetworkFileError if the network does not know this board."""
        if self.only_board not in (None, board):
            raise NetworkFileError(f"{self.name} is for {self.only_board}, not for {board}")

    @abstractmethod
    def logits(self, stones: Stones, sides: Stones) -> tuple[Floats, Floats]:
        """Return float32[n, cells], the moves' logits, and float32[n], the logits of a win.

        ``stones`` uint8[n, rows, columns] are as `seen_by_mover` returns them, ``sides`` uint8[n]
        as `from_one_side`. The logits of taken cells do not matter.
        """

    def judge(self, positions: Sequence[Position], *, one_side: bool = False) -> Opinions:
        """Evaluate positions of one board as they are and turned; ValueError for another board.

        ``one_side``: only from one side each, in half the time.
        """
        if not positions:
            return Opinions(np.empty((0, 0), np.float32), np.empty(0, np.float32))
        board = positions[0].board
        self.check(board)
        policy = np.empty((len(positions), board.cells), np.float32)
        win = np.empty(len(positions), np.float32)
        for color in Color:
            numbers = [n for n, position in enumerate(positions) if position.to_move is color]
            if numbers:
                chosen = [positions[n] for n in numbers]
                for position in chosen:
                    check_board("the judge", board, position.board)
                policy[numbers], win[numbers] = self._seen(chosen, color, one_side)
        return Opinions(policy, win)

    def _seen(self, positions: list[Position], color: Color, one_side: bool) -> Opinions:
        """Evaluate positions with one side to move."""
        stones = np.array([seen_by_mover(position) for position in positions])
        count, rows, columns = stones.shape
        sides = from_one_side(stones) if one_side else np.full(count, BOTH, np.uint8)
        logits, wins = self.logits(stones, sides)
        policy = softmax(np.where(stones.reshape(count, -1), -np.inf, logits))
        if color is Color.WHITE:
            policy = policy.reshape(count, rows, columns).transpose(0, 2, 1).reshape(count, -1)
        win = np.clip(1 / (1 + np.exp(-wins)), LEAST_WIN, 1 - LEAST_WIN)
        return Opinions(policy, win.astype(np.float32))

    def move_probabilities(self, position: Position) -> dict[int, float]:
        """Return how likely each move is, by cell; they add up to 1."""
        (policy,) = self.judge([position]).policy
        return {cell: float(policy[cell]) for cell in position.empties}

    def wins_after(self, position: Position) -> dict[int, float]:
        """Return the mover's win probability after each of its moves, by cell.

        Nobody swaps in it. Of two moves that a turn by 180 degrees makes one, one is evaluated.
        """
        board, stones = position.board, position.stones
        symmetric = stones == stones[::-1]
        cells = [cell for cell in position.empties if not symmetric or cell <= board.rotate(cell)]
        wins = self.judge([position.play(cell) for cell in cells]).win
        mover_wins = {}
        for cell, win in zip(cells, wins, strict=True):
            mover_wins[cell] = 1 - float(win)
            if symmetric:
                mover_wins[board.rotate(cell)] = mover_wins[cell]
        return {cell: mover_wins[cell] for cell in position.empties}


class NeuralJudge(NetworkJudge):
    """A network of our own form, which plays on boards of all sizes."""

    def __init__(self, weights: NetworkWeights, calibration: Floats = UNCALIBRATED) -> None:
        """``calibration`` [sizes, 3]: rows of a square board, stretch and shift of a win's logit.

        Between two sizes they are interpolated; other boards take those of the nearest size.
        """
        self._weights = weights
        sizes, stretches, shifts = calibration.T
        side = np.sqrt(np.arange(MAX_SIDE * MAX_SIDE + 1))
        self._stretches, self._shifts = (np.interp(side, sizes, of) for of in (stretches, shifts))

    def logits(self, stones: Stones, sides: Stones) -> tuple[Floats, Floats]:
        """See `NetworkJudge.logits`."""
        count, rows, columns = stones.shape
        logits = np.empty((count, rows * columns), np.float32)
        wins = np.empty(count, np.float32)
        run_network(self._weights, stones, sides, logits, wins)
        wins = wins * self._stretches[rows * columns] + self._shifts[rows * columns]
        return logits, wins


_RECOLOURED = np.array([0, 2, 1], np.uint8)


def seen_by_mover(position: Position) -> Stones:
    """Return the stones uint8[rows, columns]: 0 empty, 1 the mover's, 2 the opponent's.

    The mover joins top and bottom: for White the board is mirrored in the long diagonal.
    """
    board = position.board
    stones = np.frombuffer(position.stones, np.uint8).reshape(board.rows, board.columns)
    return stones if position.to_move is Color.BLACK else _RECOLOURED[stones].T


def from_one_side(stones: Stones) -> Stones:
    """Return for boards uint8[n, rows, columns] from which one side each is evaluated.

    It is the side from which the stones, read cell by cell, are the smaller number: the same for a
    board and the board turned. One that is its own image is evaluated from both sides.
    """
    read = [board.tobytes() for board in stones]
    turned = [board[::-1] for board in read]
    return np.array(list(map(_side_of, read, turned)), np.uint8)


def _side_of(upright: bytes, rotated: bytes) -> int:
    """Return from which side a board is evaluated; ``rotated``: its cells read backwards."""
    if upright == rotated:
        return BOTH
    return UPRIGHT if upright < rotated else TURNED


def softmax(logits: Floats) -> Floats:
    """Return probabilities, row by row, 0 in a row of -inf; double sums hide the order of cells."""
    wide = logits.astype(np.float64)
    powers = np.exp(wide - np.maximum(wide.max(axis=1, keepdims=True), LEAST))
    # the largest power is 1
    shares: Floats = (powers / np.maximum(powers.sum(axis=1, keepdims=True), 1)).astype(np.float32)
    return shares


def read_weights(data: bytes) -> tuple[NetworkWeights, Floats]:
    """Return the weights and the calibration of a file; raises ValueError if they are none."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            weights = NetworkWeights(
                *(arrays[name].astype(np.float32) for name in NetworkWeights._fields)
            )
            calibration = arrays["calibration"].astype(np.float32).reshape(-1, 3)
    except (KeyError, EOFError, BadZipFile, AttributeError, TypeError, ValueError) as error:
        raise ValueError("not the weights of a network") from error
    if len(weights.stem) % 8:
        raise ValueError(f"a network has a multiple of 8 channels, not {len(weights.stem)}")
    if not len(calibration) or (np.diff(calibration[:, 0]) <= 0).any():
        raise ValueError("a calibration has sizes in order")
    return weights, calibration


def shipped_weights() -> bytes:
    """Return the file of weights of this version."""
    return (files(__package__) / "weights.npz").read_bytes()


@cache
def shipped_judge() -> NeuralJudge:
    """Return the judge with the weights of this version, loaded when it is first asked for."""
    return NeuralJudge(*read_weights(shipped_weights()))
