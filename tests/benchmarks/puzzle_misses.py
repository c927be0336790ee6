"""Measure whether the difficulty of puzzles predicts which proved wins people miss.

    nice -n 15 python -m tests.benchmarks.puzzle_misses find GAMES.jsonl ROWS.csv [--games N]
    python -m tests.benchmarks.puzzle_misses auc ROWS.csv... [--nodes N]

``find`` appends the positions of games of people that the side to move wins, where its move is
proved to win or to lose, with the figures of their difficulty; an interrupted run goes on. ``auc``
prints how well the level, the difficulty and a logistic model of the figures tell the missed wins
from the others. The model is judged on games that it was not fitted to; intervals are bootstrapped
by game. ``--nodes`` leaves out positions whose proof took fewer.
"""

import argparse
import csv
import json
import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, fields
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hextui.analysis.game_positions import GamePosition, game_positions
from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.neural.judge import shipped_judge
from hextui.engine.position import Move, Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.solution import Reason, Solution
from hextui.records.record import Record
from hextui.train.finder import TABLE_BYTES
from hextui.train.grades import FRESH, PLAUSIBLE, Difficulty, difficulty_of

NODES = Limit(nodes=1000)
"""Of the proof of a winner."""
MISSES = 4  # positions in a row without a proved winner that end the way back
MOST_JUDGED = 15  # moves by the network's probability until one wins
FOLDS, SAMPLES = 5, 1000
RIDGE = 1.0
_OTHERS = ("length", "distance", "must_play", "stones")

Values = NDArray[np.float64]


def records(path: Path) -> Iterator[tuple[str, Record]]:
    """Yield the games of people in a file, each with its number there."""
    for line in path.read_text().splitlines():
        game = json.loads(line)
        if not game.get("bot"):
            board = Board(game["size"], game["size"])
            moves = [Move.parse(name, board) for name in game["moves"].split()]
            yield str(game["id"]), Record.of_moves(board, moves)


class Finder:
    """Finds the proved positions of games on one board."""

    def __init__(self, board: Board) -> None:
        self._solver = Solver(board, SolverSettings(table_bytes=TABLE_BYTES))

    def close(self) -> None:
        self._solver.close()

    def rows(self, name: str, record: Record) -> Iterator[dict[str, object]]:
        """Yield what is known of each position whose win was kept or missed."""
        line = [p for p in game_positions(record, record.main_line()) if any(p.position.stones)]
        solutions = self._solutions(line)
        moves = (None, *(each.cell for each in line))
        for last_move, (before, after) in zip(moves, pairwise(line), strict=False):
            solution, reply = solutions.get(before.ply), solutions.get(after.ply)
            if solution is None or reply is None or after.position == before.position:
                continue
            mover = solution.position.to_move
            if solution.winner is mover:
                figures = self._figures(solution.position, last_move)
                if figures is not None:
                    missed = int(reply.winner is not mover)
                    yield {"game": name, "ply": before.ply, "missed": missed, **figures}

    def _solutions(self, line: Sequence[GamePosition]) -> dict[int, Solution]:
        """Return the proofs of the winner by ply, from the end back."""
        solutions: dict[int, Solution] = {}
        misses = 0
        for each in reversed(line):
            solution = self._solved(each.position.without_swap)
            if solution.winner is not None:
                solutions[each.ply] = solution
                misses = 0
            elif (misses := misses + 1) == MISSES:
                break
        return solutions

    def _solved(self, position: Position) -> Solution:
        *_, last = self._solver.solve(position, NODES)
        return last

    def _figures(self, position: Position, last: int | None) -> dict[str, object] | None:
        """Return the figures of a position, None if it is clear or a likely move is undecided.

        Its proof is made afresh: what the solver keeps of a win that was not missed shortens it.
        """
        with closing(Solver(position.board, FRESH)) as fresh:
            *_, solution = fresh.solve(position, NODES)
        if solution.winner is None or _is_clear(solution):
            return None
        mover = position.to_move
        likely = shipped_judge().move_probabilities(position)
        judged: dict[int, bool] = {}
        for cell in sorted(likely, key=lambda cell: (-likely[cell], cell))[:MOST_JUDGED]:
            if any(judged.values()) and likely[cell] < PLAUSIBLE:
                break
            winner = self._solved(position.play(cell)).winner
            if winner is None:
                return None
            judged[cell] = winner is mover
        wins = [cell for cell, won in judged.items() if won]
        if not wins:
            return None
        difficulty = difficulty_of(position, wins, likely)
        near = 0 if last is None else min(_distance(position.board, last, cell) for cell in wins)
        return {
            **asdict(difficulty),
            "length": len(solution.line),
            "distance": near,
            "must_play": len(solution.must_play),
            "stones": sum(map(bool, position.stones)),
        }


def _is_clear(solution: Solution) -> bool:
    """Return whether a virtual connection holds the win, or only one cell can."""
    joined = any(v.reason is Reason.CONNECTED for v in solution.wins.values())
    return joined or len(solution.must_play) < 2


def _distance(board: Board, first: int, second: int) -> int:
    """Return the steps between two cells."""
    down = second // board.columns - first // board.columns
    right = second % board.columns - first % board.columns
    return max(abs(down), abs(right), abs(down + right))


def find(games: Path, target: Path, most: int) -> None:
    """Append the positions of the games that were not looked at yet."""
    progress = target.with_suffix(".done")
    first = int(progress.read_text()) if progress.exists() else 0
    for number, (name, record) in enumerate(records(games)):
        if not first <= number < most:
            continue
        with closing(Finder(record.board)) as finder:
            rows = list(finder.rows(name, record))
        with target.open("a", newline="") as file:
            for row in rows:
                writer = csv.DictWriter(file, row)
                if file.tell() == 0:
                    writer.writeheader()
                writer.writerow(row)
        progress.write_text(str(number + 1))


# How well the figures tell the missed wins from the others


def area(values: Values, missed: NDArray[np.bool_]) -> float:
    """Return the area under the ROC curve: how often a missed win has the larger value."""
    differences = values[missed][:, None] - values[~missed][None, :]
    return float(((differences > 0) + 0.5 * (differences == 0)).mean())


def fitted(columns: Values, missed: NDArray[np.bool_]) -> Values:
    """Return the weights of a logistic model, the constant last."""
    inputs = np.column_stack([columns, np.ones(len(columns))])
    penalty = RIDGE * np.eye(inputs.shape[1])
    penalty[-1, -1] = 0
    weights = np.zeros(inputs.shape[1])
    for _ in range(30):
        expected = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (missed - expected) - penalty @ weights
        curvature = (inputs.T * (expected * (1 - expected))) @ inputs + penalty
        weights += np.linalg.solve(curvature, slope)
    return weights


def held_out(columns: Values, missed: NDArray[np.bool_], games: Sequence[str]) -> Values:
    """Return what models say of the games that they were not fitted to."""
    names = sorted(set(games))
    random.Random(0).shuffle(names)
    fold_of = {name: place % FOLDS for place, name in enumerate(names)}
    folds = np.array([fold_of[game] for game in games])
    scale = columns.std(axis=0) + 1e-9
    inputs = (columns - columns.mean(axis=0)) / scale
    said = np.zeros(len(games))
    for fold in range(FOLDS):
        weights = fitted(inputs[folds != fold], missed[folds != fold])
        said[folds == fold] = inputs[folds == fold] @ weights[:-1]
    return said


def interval(values: Values, missed: NDArray[np.bool_], games: Sequence[str]) -> tuple[float, ...]:
    """Return the 2.5% and 97.5% quantiles of the area over samples of games."""
    places: dict[str, list[int]] = {}
    for place, game in enumerate(games):
        places.setdefault(game, []).append(place)
    lots = random.Random(0)
    areas = []
    for _ in range(SAMPLES):
        drawn = lots.choices(list(places), k=len(places))
        chosen = [place for game in drawn for place in places[game]]
        if 0 < missed[chosen].sum() < len(chosen):
            areas.append(area(values[chosen], missed[chosen]))
    return tuple(float(q) for q in np.quantile(areas, [0.025, 0.975]))


def auc(files: Sequence[Path], least: int) -> None:
    """Print the areas of level, difficulty and models, on proofs of so many nodes at least."""
    rows = [row for file in files for row in csv.DictReader(file.open(newline=""))]
    rows = [row for row in rows if int(row["nodes"]) >= least]
    games = [row["game"] for row in rows]
    missed = np.array([row["missed"] == "1" for row in rows])
    if len(set(missed)) < 2:
        raise SystemExit("There are no missed wins, or no others")
    difficulties = [
        Difficulty(float(row["probability"]), int(row["plausible"]), int(row["nodes"]))
        for row in rows
    ]
    terms = np.array([d.terms for d in difficulties])
    others = np.array([[float(row[name]) for name in _OTHERS] for row in rows])
    scores = {
        "level": np.array([float(d.level) for d in difficulties]),
        "difficulty": np.array([d.amount for d in difficulties]),
        "model of its terms": held_out(terms, missed, games),
        "model with others": held_out(np.hstack([terms, others]), missed, games),
    }
    print(f"{len(rows)} positions of {len(set(games))} games, {missed.sum()} wins missed")
    for name, values in scores.items():
        low, high = interval(values, missed, games)
        print(f"{name:24} AUC {area(values, missed):.3f}, 95% CI {low:.3f}-{high:.3f}")
    weights = fitted(np.hstack([terms, others]), missed)
    names = [field.name for field in fields(Difficulty)]
    labels = [*names, *_OTHERS, "constant"]
    print(" ".join(f"{n} {w:.3f}" for n, w in zip(labels, weights, strict=True)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(required=True, dest="command")
    finding = commands.add_parser("find")
    finding.add_argument("games", type=Path)
    finding.add_argument("rows", type=Path)
    finding.add_argument("--games", type=int, default=10**6, dest="most")
    measuring = commands.add_parser("auc")
    measuring.add_argument("rows", type=Path, nargs="+")
    measuring.add_argument("--nodes", type=int, default=0)
    options = parser.parse_args()
    if options.command == "find":
        find(options.games, options.rows, options.most)
    else:
        auc(options.rows, options.nodes)


if __name__ == "__main__":
    main()
