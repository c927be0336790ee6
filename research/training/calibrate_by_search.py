"""``python -m research.training.calibrate_by_search``: fits the win probability to games by search.

People's games end otherwise than the position deserves, the more often the weaker they play. So
the network plays games against itself, each move chosen by a small search, on boards of SIZES; on
each size the logit of a win is stretched and shifted as `calibrating` does it.
"""

import argparse
import sys
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from hextui.engine.kernels.neural import BOTH, NetworkWeights
from hextui.engine.neural.judge import NeuralJudge, read_weights
from research.training.calibrating import Calibration, calibration_text, fit, save_weights
from research.training.data import run_program
from research.training.fast_games import first_moves, play_seriously
from research.training.network import load_network, quick_opinion

SIZES = (9, 11, 13, 15, 17, 19)
"""Smaller boards take what fits 9x9: nearly all games on them end as the network expects."""


def main() -> int:
    """Calibrate a file of weights in place and return the exit code: 0 done, 1 failed."""
    parser = argparse.ArgumentParser(
        prog="python -m research.training.calibrate_by_search", description=__doc__
    )
    parser.add_argument("weights", type=Path, metavar="WEIGHTS", help="are calibrated in place")
    parser.add_argument("--count", type=int, default=256, help="games of each size")
    parser.add_argument("--visits", type=int, default=32, help="of the search, a move")
    parser.add_argument("--seed", type=int, default=0)
    return run_program(parser, _calibrate)


def _calibrate(options: argparse.Namespace) -> None:
    weights, _ = read_weights(options.weights.read_bytes())
    net = load_network(options.weights).eval()
    rows: list[Calibration] = []
    for size in SIZES:
        torch.manual_seed(options.seed + size)
        starts = first_moves(options.count, size, torch.device("cpu"))
        stones, won = play_seriously(partial(quick_opinion, net), starts, options.visits)
        stretch, shift = fit(win_logits(weights, stones.numpy()), won.numpy())
        row = np.array([[size, stretch, shift]], np.float32)
        print(f"{calibration_text(row)} ({len(won)} positions)", flush=True)
        rows.append(row)
    save_weights(weights, np.concatenate(rows), options.weights)


def win_logits(weights: NetworkWeights, stones: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the logits of the movers' wins, not calibrated; ``stones`` uint8[n, size, size]."""
    sides = np.full(len(stones), BOTH, np.uint8)
    _, wins = NeuralJudge(weights).logits(stones, sides)
    return wins.astype(float)


if __name__ == "__main__":
    sys.exit(main())
