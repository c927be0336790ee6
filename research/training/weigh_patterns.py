"""``python -m research.training.weigh_patterns``: learns the weights of ``patterns`` from games.

Newton's method finds the most likely weights for random moves by winners: the loss is convex, so
there is one answer, and the seed chooses only the positions. Then it prints how often
the moves of games that are held out are found.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Board
from hextui.engine.evaluators.pattern_terms import TERMS, Floats, current_terms
from hextui.engine.evaluators.resistance import DIGITS
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.position import MoveKind, Position
from hextui.records.saving import save_file
from hextui.runs.proportions import proportion
from research.training.data import STRONG, HeldOut, TrainingGame, read_games, run_program, split
from research.training.measure import FIRST_PLY, TOP

PENALTY = 1.0
"""Half of the squares of all weights, times this, is added to the loss in nats."""
LEAST_GAIN = 1e-6
"""Newton's method is done when a step gains less than so many nats."""


class Choices(NamedTuple):
    """n moves that were chosen, each among the empty cells of its position.

    ``terms`` float64[cells, TERMS] of all empty cells, position after position; ``starts``
    int64[n] where each begins, ``chosen`` int64[n] the row of the cell that was played.
    """

    terms: Floats
    starts: NDArray[np.int64]
    chosen: NDArray[np.int64]


def main() -> int:
    """Learn as the command line asks and return the exit code: 0 done, 1 failed."""
    parser = argparse.ArgumentParser(
        prog="python -m research.training.weigh_patterns", description=__doc__
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the weights, a text")
    parser.add_argument("games", type=Path, nargs="+", metavar="GAMES", help="games, one a line")
    parser.add_argument("--positions", type=int, default=2000, help="to learn from")
    parser.add_argument("--measured", type=int, default=1000, help="positions to measure on")
    parser.add_argument("--seed", type=int, default=1)
    return run_program(parser, _weigh)


def _weigh(options: argparse.Namespace) -> None:
    learned, kept = split(read_games(options.games), HeldOut())
    strong = [game for game in learned if game.winner_rating >= STRONG]
    choices = choices_of(drawn(strong or learned, options.positions, options.seed))
    weights = likeliest(choices)
    save_file(options.file, text_of(weights))
    told = measured(drawn(kept, options.measured, options.seed), weights)
    print(json.dumps({"learned from": len(choices.chosen), **told}, indent=1))


def drawn(games: Sequence[TrainingGame], count: int, seed: int) -> list[tuple[Position, int]]:
    """Return random positions where a winner chose, from FIRST_PLY on, and the cells chosen.

    Raises ValueError if there are none.
    """
    found = [
        (position, move.cell)
        for game in games
        for ply, (position, move) in enumerate(game.plies(), start=1)
        if ply >= FIRST_PLY and move.kind is MoveKind.PLAY and position.to_move is game.winner
    ]
    if not found:
        raise ValueError("no move of a winner in these games")
    order = np.random.default_rng(seed).permutation(len(found))[:count]
    return [found[place] for place in order]


def choices_of(moves: Sequence[tuple[Position, int]]) -> Choices:
    """Return the terms of all cells that could have been chosen."""
    benches: dict[Board, Workbench] = {}
    terms: list[Floats] = []
    places: list[int] = []
    for position, cell in moves:
        bench = benches.setdefault(position.board, Workbench(position.board))
        bench.look_at(position)
        terms.append(current_terms(bench)[list(position.empties)])
        places.append(position.empties.index(cell))
    starts = np.cumsum([0, *map(len, terms[:-1])])
    return Choices(np.concatenate(terms), starts, starts + np.array(places))


def likeliest(choices: Choices, penalty: float = PENALTY) -> Floats:
    """Return the weights float64[TERMS] under which the choices are likeliest.

    Each step of Newton's method is halved until it gains.
    """
    weights = np.zeros(choices.terms.shape[1])
    loss, slope, bend = _loss(choices, weights, penalty)
    while True:
        step = np.linalg.solve(bend, -slope)
        after = _loss(choices, weights + step, penalty)
        while after[0] > loss and np.abs(step).max() > LEAST_GAIN:
            step /= 2
            after = _loss(choices, weights + step, penalty)
        if loss - after[0] < LEAST_GAIN:
            return weights
        weights = weights + step
        loss, slope, bend = after


def _loss(choices: Choices, weights: Floats, penalty: float) -> tuple[float, Floats, Floats]:
    """Return the loss in nats, its slope [TERMS] and how it bends [TERMS, TERMS]."""
    terms, starts, chosen = choices
    sums = terms @ weights
    counts = np.diff([*starts, len(terms)])
    powers = np.exp(sums - np.maximum.reduceat(sums, starts).repeat(counts))
    shares = powers / np.add.reduceat(powers, starts).repeat(counts)
    means = np.add.reduceat(shares[:, None] * terms, starts)
    loss = penalty / 2 * (weights @ weights) - np.log(shares[chosen]).sum()
    slope = penalty * weights + (means - terms[chosen]).sum(axis=0)
    bend = penalty * np.eye(len(weights)) + terms.T @ (shares[:, None] * terms) - means.T @ means
    return float(loss), slope, bend


def measured(moves: Sequence[tuple[Position, int]], weights: Floats) -> dict[str, object]:
    """Return how many of the moves are among the first by the weights, as JSON has it.

    Moves are equally good if they are so when rounded; half of the equal ones stand before.
    """
    terms, starts, chosen = choices_of(moves)
    sums = np.round(terms @ weights, DIGITS)
    counts = np.diff([*starts, len(terms)])
    best = sums[chosen].repeat(counts)
    ahead = np.add.reduceat(sums > best, starts, dtype=int)
    equal = np.add.reduceat(sums == best, starts, dtype=int) - 1
    place = ahead + equal // 2
    shares = {f"top_{top}": asdict(proportion(int((place < top).sum()), len(place))) for top in TOP}
    return {"moves": len(place), "found": shares}


def text_of(weights: Floats) -> str:
    """Return the weights as the engine reads them."""
    lines = [f"{weight:7.3f} {name}" for weight, name in zip(weights, TERMS, strict=True)]
    return "\n".join(["# python -m research.training.weigh_patterns: weight, term", *lines]) + "\n"


if __name__ == "__main__":
    sys.exit(main())
