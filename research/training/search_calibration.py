"""Calibration of the tree search: its win probability is fitted to games, then measured.

    python -m research.training.search_calibration GAMES... --visits 60 100 200 400

GAMES are files as for ``python -m research.training``. The win probability of the best move is
fitted to positions of games that the network did not learn from, at all numbers of visits at once,
and measured at each on those held out. Proved positions are counted apart. Results are kept in the
files of ``--kept FOLDER``, where a later run continues.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search.tree_search import TreeSearch, ValueParts
from hextui.engine.search.win_probability import logit
from research.training.data import (
    HeldOut,
    TrainingGame,
    next_number,
    read_games,
    read_json_lines,
    run_program,
    split_in_three,
)
from research.training.measure import FIRST_PLY, bins_of, calibration_error, logistic_fit

WEIGHTS = (0, 2, 4, 8, 14, 20, 30, 40, 60, 80)
DRAWS = 500
"""How often results are drawn, to find the error that a calibrated search would show."""


@dataclass(frozen=True)
class SearchedPosition:
    """The search's estimate of a position after some visits, and whether the side to move won.

    ``parts``: those of the best move's value; None where the result is proved, which is ``wins``.
    """

    visits: int
    parts: ValueParts | None
    wins: bool
    won: bool


def drawn(games: Sequence[TrainingGame], count: int, seed: int) -> Iterator[tuple[Position, bool]]:
    """Yield random positions, of as many games as there are, and whether the mover won."""
    rng = random.Random(seed)
    order = rng.sample(range(len(games)), len(games))
    for number in range(count):
        game = games[order[number % len(order)]]
        plies = [position for position, _ in game.plies()][FIRST_PLY - 1 :]
        if plies:
            position = rng.choice(plies)
            yield position, position.to_move is game.winner


def searched(
    positions: Iterator[tuple[Position, bool]], visits: Sequence[int], kept: Path
) -> list[SearchedPosition]:
    """Return the estimates of each position after more and more visits.

    ``kept``: the file with a line for each position that was searched, and gets the others.
    """
    searches: dict[int, TreeSearch] = {}
    done = next_number(kept)
    with kept.open("a", encoding="utf-8") as lines:
        for number, (position, won) in enumerate(islice(positions, done, None), start=done):
            search = searches.setdefault(position.board.rows, TreeSearch(position.board))
            search.look_at(position)
            found = []
            for most in sorted(visits):
                for _ in search.grow(Limit(visits=most)):
                    pass
                best = None if search.root.won is not None else search.moves()[0].parts
                found.append(asdict(SearchedPosition(most, best, bool(search.root.won), won)))
            print(json.dumps({"id": number, "found": found}), file=lines, flush=True)
    return [one for line in read_json_lines([kept], _read) for one in line]


def _read(line: dict[str, Any]) -> list[SearchedPosition]:
    return [
        SearchedPosition(**one | {"parts": ValueParts(**one["parts"]) if one["parts"] else None})
        for one in line["found"]
    ]


def fitted(found: Sequence[SearchedPosition]) -> tuple[int, float]:
    """Return the weight of a position's value, and the factor of a value's logit.

    Under these the results of the positions, none of which is proved, are likeliest.
    """
    won = np.array([float(one.won) for one in found])
    fits: dict[int, tuple[float, float]] = {}
    for weight in WEIGHTS:
        parts = [one.parts for one in found if one.parts is not None]
        logits = np.array([logit(1 - p.drawn(weight)) for p in parts])
        (factor,) = logistic_fit(logits[:, None], won).tolist()
        estimated = 1 / (1 + np.exp(-logits * factor))
        likelihood = np.log(np.where(won > 0, estimated, 1 - estimated)).sum()
        fits[weight] = float(likelihood), factor
    best = max(fits, key=lambda weight: fits[weight][0])
    return best, fits[best][1]


def show(found: Sequence[SearchedPosition], visits: int) -> None:
    """Print proved results, the bins of the estimates, and the calibration error."""
    found = [one for one in found if one.visits == visits]
    proofs = [one for one in found if one.parts is None]
    right = sum(one.won == one.wins for one in proofs)
    print(f"{visits} visits: proved: {len(proofs)}, of which the game ended so: {right}")
    open_ones = [(one.parts.win_probability, one.won) for one in found if one.parts is not None]
    estimated, won = np.array(open_ones, float).T
    bins = bins_of(estimated, won)
    for part in bins:
        print(f"{part.positions:5} positions: estimated {part.estimated:.0%}, won {part.won:.0%}")
    rng = np.random.default_rng(0)
    errors = [
        calibration_error(bins_of(estimated, (rng.random(len(won)) < estimated).astype(float)))
        for _ in range(DRAWS)
    ]
    print(f"calibration error {calibration_error(bins):.3f} over {len(won)} positions,")
    print(f"estimated {estimated.mean():.3f}, won {won.mean():.3f} of them;", end=" ")
    print(f"a calibrated search would show {np.mean(errors):.3f}", flush=True)


def main() -> int:
    """Print the fit, and a table for each number of visits; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m research.training.search_calibration", description=__doc__
    )
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--visits", type=int, nargs="+", default=[60, 100, 200, 400])
    parser.add_argument("--fit", type=int, default=300, help="positions to fit to")
    parser.add_argument("--measure", type=int, default=300, help="positions to measure on")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kept", type=Path, required=True, metavar="FOLDER")
    return run_program(parser, _calibrate)


def _calibrate(options: argparse.Namespace) -> None:
    _, calibrating, held_out = split_in_three(read_games(options.games), HeldOut())
    options.kept.mkdir(parents=True, exist_ok=True)
    if options.fit:
        positions = drawn(calibrating, options.fit, options.seed)
        found = searched(positions, options.visits, options.kept / "fit.jsonl")
        weight, factor = fitted([one for one in found if one.parts is not None])
        print(f"weight {weight}, factor {factor:.2f}", flush=True)
    if options.measure:
        positions = drawn(held_out, options.measure, options.seed)
        measured = searched(positions, options.visits, options.kept / "measured.jsonl")
        for visits in options.visits:
            show(measured, visits)


if __name__ == "__main__":
    sys.exit(main())
