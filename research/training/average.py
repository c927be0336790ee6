"""``python -m research.training.average``: the mean of the weights of several rounds, calibrated.

Rounds that began with the same weights lie close together, and the mean of what they learned is
often worth more than each (M. Wortsman and others, https://arxiv.org/abs/2203.05482).
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import torch

from research.training.calibrating import calibrate, calibration_text, save_weights
from research.training.data import HeldOut, add_held_out, read_games, run_program, split_in_three
from research.training.network import HexNet, load_network, weights_of


def main() -> int:
    """Write the mean and return the exit code: 0 done, 1 failed."""
    parser = argparse.ArgumentParser(
        prog="python -m research.training.average", description=__doc__
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the mean")
    parser.add_argument("games", type=Path, nargs="+", metavar="GAMES", help="games, one a line")
    parser.add_argument(
        "--of", type=Path, nargs="+", required=True, metavar="WEIGHTS", help="what it is of"
    )
    add_held_out(parser, "as of the rounds: it tells which games are there to calibrate by")
    return run_program(parser, _average)


def _average(options: argparse.Namespace) -> None:
    _, asked, _ = split_in_three(read_games(options.games), HeldOut(options.held_out))
    if not asked:
        raise ValueError("no game to calibrate by")
    net = mean_of([load_network(path) for path in options.of])
    calibration = calibrate(weights_of(net), asked)
    save_weights(weights_of(net), calibration, options.file)
    print(calibration_text(calibration))


def mean_of(nets: Sequence[HexNet]) -> HexNet:
    """Return a network with the mean of the weights of networks.

    Raises ValueError if they have not all the same shape.
    """
    made = HexNet(nets[0].shape)
    if any(net.shape != made.shape for net in nets):
        raise ValueError("networks of different shapes have no mean")
    with torch.no_grad():
        for mean, *parts in zip(
            made.parameters(), *(net.parameters() for net in nets), strict=True
        ):
            mean.copy_(sum(parts) / len(parts))
    return made


if __name__ == "__main__":
    sys.exit(main())
