"""The network's judgement of positions: how likely each move is, and the chance to win."""

import io
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Color
from hextui.engine.guards import check_board
from hextui.engine.kernels.neural import NetworkWeights, run_network
from hextui.engine.neural.planes import both_looks, one_look, seen_by_mover
from hextui.engine.position import Position

Floats = NDArray[np.float32]
Stones = NDArray[np.uint8]
Looks = Callable[[Stones], Stones]


class Opinions(NamedTuple):
    """Of n positions of one board.

    ``policy`` float32[n, cells]: how likely each move is; taken cells have 0, and the others add
    up to 1. ``win`` float32[n]: the chance that the side to move wins, 0 to 1.
    """

    policy: Floats
    win: Floats


class NeuralJudge:
    """A network that judges positions.

    Turned, or mirrored with the colours exchanged, a position is judged alike. What is asked
    together is answered faster than one after the other. Threads may share a judge.
    """

    def __init__(self, weights: NetworkWeights) -> None:
        self._weights = weights

    def judge(self, positions: Sequence[Position]) -> Opinions:
        """Judge positions of one board by two looks each: as they are, and turned.

        Raises ValueError if there is another board among them.
        """
        return self._judged(positions, both_looks)

    def glance(self, positions: Sequence[Position]) -> Opinions:
        """Judge positions of one board by one look each, in half the time of ``judge``.

        Raises ValueError if there is another board among them.
        """
        return self._judged(positions, one_look)

    def _judged(self, positions: Sequence[Position], looks: Looks) -> Opinions:
        if not positions:
            return Opinions(np.empty((0, 0), np.float32), np.empty(0, np.float32))
        board = positions[0].board
        policy = np.empty((len(positions), board.cells), np.float32)
        win = np.empty(len(positions), np.float32)
        for color in Color:
            numbers = [n for n, position in enumerate(positions) if position.to_move is color]
            if numbers:
                chosen = [positions[n] for n in numbers]
                for position in chosen:
                    check_board("the judge", board, position.board)
                policy[numbers], win[numbers] = self._seen(chosen, color, looks)
        return Opinions(policy, win)

    def _seen(self, positions: list[Position], color: Color, looks: Looks) -> tuple[Floats, Floats]:
        """Return what the network says of positions with one side to move."""
        stones = np.stack([seen_by_mover(position) for position in positions])
        count, rows, columns = stones.shape
        logits = np.empty((count, rows * columns), np.float32)
        wins = np.empty(count, np.float32)
        run_network(self._weights, np.ascontiguousarray(stones), looks(stones), logits, wins)
        policy = softmax(np.where(stones.reshape(count, -1), -np.inf, logits))
        if color is Color.WHITE:
            policy = policy.reshape(count, rows, columns).transpose(0, 2, 1).reshape(count, -1)
        return policy, (1 / (1 + np.exp(-wins))).astype(np.float32)


def softmax(logits: Floats) -> Floats:
    """Return the chances, row by row; of a row of -inf alone they are 0.

    They are added up in double precision, so that the order of the cells does not show.
    """
    wide = logits.astype(np.float64)
    powers = np.exp(wide - np.maximum(wide.max(axis=1, keepdims=True), np.finfo(float).min))
    sums = powers.sum(axis=1, keepdims=True)
    chances: Floats = np.divide(powers, sums, out=np.zeros_like(powers), where=sums > 0).astype(
        np.float32
    )
    return chances


def read_weights(data: bytes) -> NetworkWeights:
    """Return the weights that a file's bytes hold; raises ValueError if they are none."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            weights = NetworkWeights(
                *(arrays[name].astype(np.float32) for name in NetworkWeights._fields)
            )
    except (KeyError, EOFError, BadZipFile, AttributeError, TypeError, ValueError) as error:
        raise ValueError("no weights of a network") from error
    if len(weights.stem) % 8:
        raise ValueError(f"a network has a multiple of 8 channels, not {len(weights.stem)}")
    return weights


def shipped_weights() -> bytes:
    """Return the file of weights of this version."""
    return (files(__package__) / "weights.npz").read_bytes()


@cache
def shipped_judge() -> NeuralJudge:
    """Return the judge with the weights of this version, loaded when it is first asked for."""
    return NeuralJudge(read_weights(shipped_weights()))
