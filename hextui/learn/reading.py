"""Reading two plies ahead with the network: what it makes of a position when it looks further.

A move that it finds likely is made more likely by the odds that it wins, of which the network's
own chance after the move and after the likeliest replies is the measure.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hextui.engine.neural.judge import NeuralJudge
from hextui.engine.position import Position

MOVES = 24
"""So many of the likeliest moves are read."""
REPLIES = 3
"""So many of the likeliest replies to each."""
SUREST = 0.99
"""No chance is taken for surer than this."""
Floats = NDArray[np.float64]


class Foresight(NamedTuple):
    """What reading says of a position.

    ``cells`` int64[n]: the moves read; ``shares`` float64[n]: how likely each is now, they add up
    to 1.
    """

    cells: NDArray[np.int64]
    shares: Floats


def read_ahead(judge: NeuralJudge, position: Position) -> Foresight:
    """Read a position whose every move leaves a reply; nobody may win by either."""
    policy = judge.judge([position]).policy.astype(float)
    cells = _likeliest(policy, min(MOVES, len(position.empties)))[0]
    after = [position.play(cell) for cell in cells.tolist()]
    first = judge.glance(after)
    replies = _likeliest(first.policy, min(REPLIES, len(position.empties) - 1))
    answers = _answers(judge, after, replies)
    likely = np.take_along_axis(first.policy.astype(float), replies, 1)
    # who replies prefers by the same rule what is bad for the mover
    second = (by_odds(likely, 1 - answers) * answers).sum(axis=1)
    chances = (1 - first.win + second) / 2
    return Foresight(cells, by_odds(policy[:1, cells], chances[None])[0])


def by_odds(likely: Floats, chances: Floats) -> Floats:
    """Return how likely moves are, row by row, each multiplied by its odds; rows add up to 1.

    >>> by_odds(np.array([[0.5, 0.5]]), np.array([[0.75, 0.5]]))
    array([[0.75, 0.25]])
    """
    inside = np.clip(chances, 1 - SUREST, SUREST)
    weights = likely * inside / (1 - inside)
    return weights / weights.sum(axis=1, keepdims=True)


def _likeliest(policy: NDArray[np.floating], count: int) -> NDArray[np.int64]:
    """Return the cells of the largest chances of each row, int64[n, count], the first ones first.

    Of equal ones the first cell stands first.
    """
    return np.argsort(-policy, axis=1, kind="stable")[:, :count].astype(np.int64)


def _answers(judge: NeuralJudge, after: Sequence[Position], replies: NDArray[np.int64]) -> Floats:
    """Return the mover's chance after each of the replies, float64 of their shape."""
    there = [
        position.play(cell)
        for position, cells in zip(after, replies.tolist(), strict=True)
        for cell in cells
    ]
    return judge.glance(there).win.astype(float).reshape(replies.shape)
