"""Calibration of the win probability: of positions estimated at 70 %, 70 of 100 are won.

Training stops before the network is as sure as it could be. Its logit of a win is stretched and
shifted by the two numbers under which the results of games are likeliest (J. Platt's scaling).
"""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from hextui.engine.neural.judge import NeuralJudge
from research.training.data import TrainingGame
from research.training.measure import estimates, logistic_fit
from research.training.network import HexNet, weights_of

GAMES = 2000
"""Games to fit to, drawn at random."""
LEAST = 1e-7
"""Probabilities are clipped to this and 1 less this."""


def calibrate(net: HexNet, games: Sequence[TrainingGame], seed: int) -> tuple[float, float]:
    """Stretch and shift a network's logit of a win to fit games; return both numbers."""
    chosen = np.random.default_rng(seed).permutation(len(games))[:GAMES]
    seen = estimates(NeuralJudge(weights_of(net)), [games[number] for number in chosen])
    logits = logits_of(seen.win)
    inputs = np.stack([logits, np.ones_like(logits)], axis=1)
    scale, shift = logistic_fit(inputs, seen.won.astype(float)).tolist()
    with torch.no_grad():
        net.value_out.weight.mul_(scale)
        net.value_out.bias.mul_(scale).add_(shift)
    return scale, shift


def logits_of(probabilities: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the logits; single precision rounds some probabilities to 0 or 1, which have none."""
    inside = np.clip(probabilities.astype(float), LEAST, 1 - LEAST)
    return np.log(inside / (1 - inside))
