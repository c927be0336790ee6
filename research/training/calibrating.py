"""``python -m research.training.calibrating``: fits the win probability of weights to games.

Of positions estimated at 70 %, 70 of 100 shall be won. On each size of the board the network's
logit of a win is stretched and shifted by the two numbers under which the results of games are
likeliest (J. Platt's scaling). The games are others than those that the network learned from: it is
surer of what it has seen.
"""

import argparse
import io
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hextui.engine.kernels.neural import NetworkWeights
from hextui.engine.neural.judge import NeuralJudge, read_weights
from hextui.records.saving import save_file
from research.training.data import (
    ProvedPosition,
    TrainingGame,
    read_games,
    read_proofs,
    run_program,
)
from research.training.measure import SMALLEST, estimates, logistic_fit

LEAST = 50
"""A size with fewer games, or proved positions, is not calibrated by itself."""
Calibration = NDArray[np.float32]


def calibrate(
    weights: NetworkWeights, games: Sequence[TrainingGame], proofs: Sequence[ProvedPosition] = ()
) -> Calibration:
    """Return size, stretch and shift of each size with enough games, float32[sizes, 3].

    ``proofs`` serve sizes that have enough of them and no games. If no size has enough, the one
    row changes nothing.
    """
    judge, fits = NeuralJudge(weights), dict[int, Sequence[float]]()
    for size in {proof.position.board.rows for proof in proofs}:
        positions = [proof for proof in proofs if proof.position.board.rows == size]
        if len(positions) >= LEAST:
            win = [judge.judge([proof.position]).win[0] for proof in positions]
            won = np.array([bool(proof.winning) for proof in positions])
            fits[size] = fit(logits_of(np.array(win)), won)
    for size in {game.board.rows for game in games}:
        some = [game for game in games if game.board.rows == size]
        if len(some) >= LEAST:
            seen = estimates(judge, some)
            fits[size] = fit(logits_of(seen.win), seen.won)
    rows = [[size, *fits[size]] for size in sorted(fits)]
    return np.array(rows or [[1, 1, 0]], np.float32)


def fit(logits: NDArray[np.float64], won: NDArray[np.bool_]) -> Sequence[float]:
    """Return the stretch and the shift of logits under which results are likeliest."""
    inputs = np.stack([logits, np.ones_like(logits)], axis=1)
    found: list[float] = logistic_fit(inputs, won.astype(float)).tolist()
    return found


def logits_of(probabilities: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the logits; single precision rounds some probabilities to 0 or 1, which have none."""
    inside = np.clip(probabilities.astype(float), SMALLEST, 1 - SMALLEST)
    return np.log(inside / (1 - inside))


def save_weights(weights: NetworkWeights, calibration: Calibration, path: Path) -> None:
    """Write weights as float16, by their names, and the calibration; raises RecordError."""
    written = io.BytesIO()
    arrays = {name: array.astype(np.float16) for name, array in weights._asdict().items()}
    np.savez_compressed(written, calibration=calibration, **arrays)
    save_file(path, written.getvalue())


def calibration_text(calibration: Calibration) -> str:
    """Return a calibration as people read it."""
    return "\n".join(
        f"{size:.0f}x{size:.0f}: the logit of a win times {stretch:.3f}, then {shift:+.3f}"
        for size, stretch, shift in calibration.tolist()
    )


def main() -> int:
    """Calibrate a file of weights in place and return the exit code: 0 done, 1 failed."""
    parser = argparse.ArgumentParser(
        prog="python -m research.training.calibrating", description=__doc__
    )
    parser.add_argument("weights", type=Path, metavar="WEIGHTS", help="are calibrated in place")
    parser.add_argument("games", type=Path, nargs="+", metavar="GAMES", help="all are fitted to")
    parser.add_argument("--proofs", type=Path, nargs="+", default=(), metavar="PROOFS")
    return run_program(parser, _calibrate)


def _calibrate(options: argparse.Namespace) -> None:
    weights, _ = read_weights(options.weights.read_bytes())
    calibration = calibrate(weights, read_games(options.games), read_proofs(options.proofs))
    save_weights(weights, calibration, options.weights)
    print(calibration_text(calibration))


if __name__ == "__main__":
    sys.exit(main())
