"""What a network is worth on positions it did not learn from: moves found, and wins foretold.

Measured is what ships: the engine's own arithmetic, with both looks at the board.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from hextui.engine.neural.judge import NeuralJudge
from hextui.engine.position import MoveKind, Position
from hextui.learn.game_lines import TrainingGame
from hextui.studies.intervals import Interval, proportion

FIRST_PLY = 3
"""Moves from the third ply on are measured: the first two are about the swap."""
TOP = (1, 5)
BINS = 10


@dataclass(frozen=True)
class Bin:
    """Positions whose foretold chance lies in one tenth: how many, the mean, and who won."""

    positions: int
    foretold: float
    won: float


@dataclass(frozen=True)
class Measured:
    """The figures of one set of games.

    ``found``: the share of the winners' moves among the network's first 1 and 5, with 95 %
    intervals over games as if positions were independent. ``bins`` of the chance to win, over
    both sides' positions; ``error``: the mean distance of foretold and won, weighted by positions.
    """

    games: int
    moves: int
    found: dict[int, Interval]
    bins: tuple[Bin, ...]
    error: float

    def as_json(self) -> dict[str, object]:
        """Return the figures as JSON has them."""
        return {
            "games": self.games,
            "moves": self.moves,
            "found": {f"top_{top}": asdict(share) for top, share in self.found.items()},
            "calibration": [asdict(part) for part in self.bins],
            "expected_error": round(self.error, 4),
        }


def measure(judge: NeuralJudge, games: Iterable[TrainingGame]) -> Measured:
    """Measure a judge on the games' positions from FIRST_PLY on."""
    ranks: list[NDArray[np.int64]] = []
    foretold: list[NDArray[np.float32]] = []
    results: list[bool] = []
    games = list(games)
    for game in games:
        asked: list[tuple[Position, int, bool]] = []
        for ply, (position, move) in enumerate(game.plies(), start=1):
            if ply >= FIRST_PLY and move.kind is MoveKind.PLAY:
                asked.append((position, move.cell, position.to_move is game.winner))
        if asked:
            positions, cells, won = zip(*asked, strict=True)
            policy, win = judge.judge(positions)
            chosen = policy[np.arange(len(cells)), cells]
            rank = (policy > chosen[:, None]).sum(axis=1)
            ranks.append(rank[np.array(won)])
            foretold.append(win)
            results.extend(won)
    rank = np.concatenate(ranks)
    found = {top: proportion(int((rank < top).sum()), len(rank)) for top in TOP}
    bins = _bins(np.concatenate(foretold), np.array(results, float))
    total = sum(part.positions for part in bins)
    error = sum(abs(part.foretold - part.won) * part.positions for part in bins) / total
    return Measured(len(games), len(rank), found, bins, error)


def _bins(foretold: NDArray[np.float32], won: NDArray[np.float64]) -> tuple[Bin, ...]:
    """Return the bins that hold positions, the lowest chances first."""
    place = np.minimum((foretold * BINS).astype(int), BINS - 1)
    return tuple(
        Bin(
            int((place == number).sum()),
            round(float(foretold[place == number].mean()), 4),
            round(float(won[place == number].mean()), 4),
        )
        for number in range(BINS)
        if (place == number).any()
    )
