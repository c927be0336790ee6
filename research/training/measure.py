"""``python -m research.training.measure``: how good weights are on the games that are held out.

Reported are top-1 and top-5 accuracy for the winners' moves and, for each size of the board and
each third of a game, the quality of the win probability: log loss, Brier score and calibration; and
accuracy on proved positions. What is measured is what ships: the engine's own arithmetic, with both
orientations of the board.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hextui.engine.neural.judge import NeuralJudge, read_weights
from hextui.engine.position import MoveKind
from hextui.runs.proportions import Interval, proportion
from research.training.data import (
    HeldOut,
    ProvedPosition,
    TrainingGame,
    add_held_out,
    read_games,
    read_proofs,
    run_program,
    split,
)

FIRST_PLY = 3
"""Moves from the third ply on are measured: the first two are about the swap."""
TOP = (1, 5)
BINS = 10
SMALLEST = 1e-7
"""Win probabilities are clipped to this and 1 less this."""


@dataclass(frozen=True)
class Bin:
    """Positions with win probabilities in one tenth: their number, the mean, and the share won."""

    positions: int
    estimated: float
    won: float


@dataclass(frozen=True)
class MeasuredWins:
    """The figures of a win probability, over both sides' positions.

    ``log_loss``, ``brier``: the mean cost of the estimate; of a coin they are 0.693 and 0.25.
    ``error``: the expected calibration error of the ``bins``.
    """

    log_loss: float
    brier: float
    error: float
    bins: tuple[Bin, ...]

    @staticmethod
    def of(win: NDArray[np.float32], won: NDArray[np.bool_]) -> "MeasuredWins":
        """Measure estimates of one position at least."""
        bins = bins_of(win, won.astype(float))
        right = np.clip(np.where(won, win, 1 - win.astype(float)), SMALLEST, 1)
        log_loss, brier = float(-np.log(right).mean()), float(((1 - right) ** 2).mean())
        error = calibration_error(bins)
        return MeasuredWins(round(log_loss, 4), round(brier, 4), round(error, 4), bins)


@dataclass(frozen=True)
class Measured:
    """The figures of the games on one board.

    ``found``: the share of the winners' moves among the network's first 1 and 5, with 95 %
    intervals as if positions were independent. ``wins``: of the win probability; ``thirds``: of
    each third of the games that has positions, the first one first.
    """

    games: int
    moves: int
    found: dict[int, Interval]
    wins: MeasuredWins
    thirds: tuple[MeasuredWins, ...]

    def as_json(self) -> dict[str, object]:
        """Return the figures as JSON has them."""
        thirds = [asdict(part) for part in self.thirds]
        for third in thirds:
            del third["bins"]
        return {
            "games": self.games,
            "moves": self.moves,
            "found": {f"top_{top}": asdict(share) for top, share in self.found.items()},
            "wins": asdict(self.wins),
            "thirds": thirds,
        }


@dataclass(frozen=True)
class MeasuredProofs:
    """The figures of proved positions.

    ``first``: the share of first choices that win, of the ``won`` positions where a move does.
    ``winner``: the share of all whose winner is the likelier one, ``bins`` and ``error`` as of
    games, estimated against proved.
    """

    positions: int
    won: int
    first: Interval
    winner: Interval
    bins: tuple[Bin, ...]
    error: float

    def as_json(self) -> dict[str, object]:
        """Return the figures as JSON has them."""
        return asdict(self) | {"error": round(self.error, 4)}


class Estimates(NamedTuple):
    """Of m positions of games: the place of the move (0 is the first), win probability, winner.

    ``place`` int64[m], ``win`` float32[m], ``won`` bool[m], the latter two for the side to move;
    ``third`` int64[m]: of the game, 0 to 2.
    """

    place: NDArray[np.int64]
    win: NDArray[np.float32]
    won: NDArray[np.bool_]
    third: NDArray[np.int64]


def estimates(judge: NeuralJudge, games: Iterable[TrainingGame]) -> Estimates:
    """Return what a judge says of the games' positions from FIRST_PLY on, and what came of them.

    Of self-play they begin with the first position that was searched.
    """
    found = [_game_estimates(judge, game) for game in games if len(game.moves) > _first_ply(game)]
    return Estimates(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _first_ply(game: TrainingGame) -> int:
    return max(FIRST_PLY, game.searched.begun + 1 if game.searched else 0)


def _game_estimates(judge: NeuralJudge, game: TrainingGame) -> Estimates:
    asked = [
        (ply, position, move.cell)
        for ply, (position, move) in enumerate(game.plies())
        if ply + 1 >= _first_ply(game) and move.kind is MoveKind.PLAY
    ]
    cells = np.array([cell for _, _, cell in asked], int)
    positions = [position for _, position, _ in asked]
    third = np.array([3 * ply // len(game.moves) for ply, _, _ in asked], int)
    policy, win = judge.judge(positions)
    chosen = policy[np.arange(len(cells)), cells]
    place = (policy > chosen[:, None]).sum(axis=1)
    won = np.array([position.to_move is game.winner for position in positions], bool)
    return Estimates(place, win, won, third)


def measure(judge: NeuralJudge, games: Sequence[TrainingGame]) -> Measured:
    """Measure a judge on the games' positions from FIRST_PLY on; there is one at least."""
    seen = estimates(judge, games)
    thirds = [seen.third == third for third in range(3) if (seen.third == third).any()]
    place = seen.place[seen.won]
    found = {top: proportion(int((place < top).sum()), len(place)) for top in TOP}
    return Measured(
        len(games),
        len(place),
        found,
        MeasuredWins.of(seen.win, seen.won),
        tuple(MeasuredWins.of(seen.win[part], seen.won[part]) for part in thirds),
    )


def measure_proofs(judge: NeuralJudge, proofs: Sequence[ProvedPosition]) -> MeasuredProofs:
    """Measure a judge on proved positions; in one of them at least the side to move wins."""
    policy, win = zip(*(_judged(judge, proof) for proof in proofs), strict=True)
    right = [best in proof.winning for best, proof in zip(policy, proofs, strict=True)]
    won = np.array([bool(proof.winning) for proof in proofs])
    wins = np.array(win, np.float32)
    bins = bins_of(wins, won.astype(float))
    return MeasuredProofs(
        len(proofs),
        int(won.sum()),
        proportion(sum(right), int(won.sum())),
        proportion(int(((wins > 0.5) == won).sum()), len(proofs)),
        bins,
        calibration_error(bins),
    )


def _judged(judge: NeuralJudge, proof: ProvedPosition) -> tuple[int, float]:
    """Return the first choice and the win probability."""
    policy, win = judge.judge([proof.position])
    return int(policy[0].argmax()), float(win[0])


def calibration_error(bins: Sequence[Bin]) -> float:
    """Return the expected calibration error: the mean difference of the bins, by positions."""
    total = sum(part.positions for part in bins)
    return sum(abs(part.estimated - part.won) * part.positions for part in bins) / total


def bins_of(win: NDArray[Any], won: NDArray[np.float64]) -> tuple[Bin, ...]:
    """Return the bins that hold positions, the lowest probabilities first."""
    place = np.minimum((win * BINS).astype(int), BINS - 1)
    return tuple(
        Bin(
            int((place == number).sum()),
            round(float(win[place == number].mean()), 4),
            round(float(won[place == number].mean()), 4),
        )
        for number in range(BINS)
        if (place == number).any()
    )


def logistic_fit(inputs: NDArray[np.float64], won: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the factors float64[k] of inputs float64[n, k] that make ``won``, 0 or 1, likeliest.

    >>> sure, half = np.log(3) * np.ones(4), np.zeros(2)
    >>> inputs = np.stack([np.r_[sure, half], np.ones(6)], axis=1)
    >>> logistic_fit(inputs, np.array([1, 1, 1, 0, 1, 0])).round(6).tolist()
    [1.0, 0.0]
    """
    factors = np.zeros(inputs.shape[1])
    for _ in range(50):  # Newton's method: a handful of steps
        estimated = 1 / (1 + np.exp(-inputs @ factors))
        curvature = (inputs * (estimated * (1 - estimated))[:, None]).T @ inputs
        step = np.linalg.solve(curvature, inputs.T @ (won - estimated))
        factors += step
        if np.abs(step).max() < 1e-9:
            break
    return factors


def diagram(bins: Sequence[Bin]) -> str:
    """Return a reliability diagram: a line a bin, with its estimate (|) and the share won (o)."""
    lines = []
    for part in bins:
        marks = [" "] * 51
        marks[round(50 * part.estimated)] = "|"
        marks[round(50 * part.won)] = "o"
        figures = f"{part.positions:7} estimated {part.estimated:4.0%}, won {part.won:4.0%}"
        lines.append(f"{figures}  {''.join(marks).rstrip()}")
    return "\n".join(lines)


def main() -> int:
    """Print the figures as JSON and return the exit code: 0 done, 1 failed."""
    parser = argparse.ArgumentParser(
        prog="python -m research.training.measure", description=__doc__
    )
    parser.add_argument("weights", type=Path, metavar="WEIGHTS")
    parser.add_argument("games", type=Path, nargs="+", metavar="GAMES", help="games, one a line")
    add_held_out(parser, "measure on games whose number EVERY divides")
    parser.add_argument("--diagram", action="store_true", help="print reliability diagrams instead")
    parser.add_argument(
        "--proofs",
        type=Path,
        nargs="+",
        default=(),
        metavar="PROOFS",
        help="measure on proved positions too whose number EVERY divides",
    )
    return run_program(parser, _measure)


def _measure(options: argparse.Namespace) -> None:
    judge = NeuralJudge(*read_weights(options.weights.read_bytes()))
    held_out = HeldOut(options.held_out)
    _, kept = split(read_games(options.games), held_out)
    if not kept:
        raise ValueError("no game is held out")
    boards = sorted({game.board for game in kept}, key=lambda board: board.cells)
    found = {str(b): measure(judge, [game for game in kept if game.board == b]) for b in boards}
    if options.diagram:
        for board, measured in found.items():
            print(f"{board}, calibration error {measured.wins.error:.3f}")
            print(diagram(measured.wins.bins))
        return
    told: dict[str, object] = {board: measured.as_json() for board, measured in found.items()}
    _, proofs = split(read_proofs(options.proofs), held_out)
    if proofs:
        told["proved"] = measure_proofs(judge, proofs).as_json()
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    sys.exit(main())
