"""``python -m research.training``: from files of games to weights, in one command."""

import argparse
import hashlib
import sys
from pathlib import Path

import torch

from research.training.calibrating import calibrate, calibration_text, save_weights
from research.training.data import (
    STRONG,
    HeldOut,
    add_held_out,
    read_games,
    read_proofs,
    run_program,
    split,
    split_in_three,
)
from research.training.network import Shape, load_network, weights_of
from research.training.samples import samples_of, samples_of_proofs
from research.training.training import OPENING, Training, train

WEIGHTS = "weights.npz"
FACTORS = (
    (
        "strong-weight",
        "FACTOR",
        f"what moves count of games whose winner has a rating of {STRONG}, beside those of others",
    ),
    (
        "opening-weight",
        "FACTOR",
        f"what moves count while there are fewer than {OPENING} stones, beside later ones",
    ),
    ("proved-share", "SHARE", "the part of the steps, 0 to 1, that learns from proved positions"),
    ("value-weight", "FACTOR", "what the result counts, beside the move"),
    ("decay", "SHARE", "weights shrink by this times the rate in each step"),
)
"""Options that are numbers: name, metavar, help."""


def main() -> int:
    """Train as the command line asks and return the exit code: 0 done, 1 failed."""
    usual = Training()
    parser = argparse.ArgumentParser(
        prog="python -m research.training",
        description="Train a network on games, in a folder; a stopped run continues.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="settings, curve, weights")
    parser.add_argument("games", type=Path, nargs="+", metavar="GAMES", help="games, one a line")
    parser.add_argument("--steps", type=int, default=usual.steps)
    parser.add_argument("--seed", type=int, default=usual.seed)
    parser.add_argument("--workers", type=int, default=usual.workers, help="processes")
    parser.add_argument(
        "--blocks",
        type=int,
        default=usual.shape.blocks,
        help="of a new network; weights to begin with that have fewer get more",
    )
    parser.add_argument("--channels", type=int, default=usual.shape.channels)
    add_held_out(parser, "learn nothing from games whose number EVERY divides", usual.held_out)
    parser.add_argument("--rate", type=float, default=usual.rate, help="of learning, at its peak")
    parser.add_argument(
        "--proofs", type=Path, nargs="+", default=(), metavar="PROOFS", help="proved positions"
    )
    for name, metavar, what in FACTORS:
        usually = getattr(usual, name.replace("-", "_"))
        parser.add_argument(f"--{name}", type=float, default=usually, metavar=metavar, help=what)
    parser.add_argument("--start", type=Path, metavar="WEIGHTS", help="begin with these weights")
    return run_program(parser, _learn)


def _learn(options: argparse.Namespace) -> None:
    """Read the games, train, and write the weights; raises ValueError, OSError, RecordError."""
    torch.manual_seed(options.seed)
    start = load_network(options.start).enlarged(options.blocks) if options.start else None
    settings = Training(
        seed=options.seed,
        steps=options.steps,
        workers=options.workers,
        rate=options.rate,
        strong_weight=options.strong_weight,
        opening_weight=options.opening_weight,
        proved_share=options.proved_share,
        value_weight=options.value_weight,
        decay=options.decay,
        start=hashlib.sha256(options.start.read_bytes()).hexdigest()[:16] if start else "",
        shape=start.shape if start else Shape(options.blocks, options.channels),
        held_out=HeldOut(options.held_out),
    )
    learned, asked, kept = split_in_three(read_games(options.games), settings.held_out)
    if not learned:
        raise ValueError("no game is left to learn from: the others are held out or calibrate")
    samples = samples_of(learned)
    proofs, _ = split(read_proofs(options.proofs), settings.held_out)
    proved = samples_of_proofs(proofs)
    counts = ", ".join(f"{len(part)} on {part.board}" for part in (*samples, *proved))
    told = f"{len(learned)} games, {len(kept)} held out, {len(asked)} to calibrate by"
    print(f"{told}; positions: {counts}", flush=True)
    net = train(samples, settings, options.folder, start, proved, samples_of(asked))
    calibration = calibrate(weights_of(net), asked)
    save_weights(weights_of(net), calibration, options.folder / WEIGHTS)
    print(calibration_text(calibration))


if __name__ == "__main__":
    sys.exit(main())
