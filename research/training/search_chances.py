"""How often who is told a chance to win by the tree search wins: it is fitted, then measured.

    python -m research.training.search_chances GAMES... --looks 60 100 200 400

GAMES are files as for ``python -m research.training``. The chance is fitted to positions of games
that the network did not learn from, at all numbers of looks at once, and measured at each on those
held out. Proved positions count apart. The chance is that of the best move. What was told is kept
in the files ``--kept FOLDER``: who starts the program again goes on from there.
"""

import argparse
import json
import random
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
    split_in_three,
)
from research.training.measure import FIRST_PLY

BINS = 10
WEIGHTS = (0, 1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 25, 30, 40)
STEPS = 30
"""Of Newton's method, which is at rest after a few."""
DRAWS = 500
"""So often results are drawn by lot, to tell what error chances that are right would show."""


@dataclass(frozen=True)
class Told:
    """What the search said of a position's best move, and whether the side to move won.

    ``parts``: what the move's value is made of, None where it is proved; then it wins if ``wins``.
    """

    looks: int
    parts: ValueParts | None
    wins: bool
    won: bool

    @property
    def chance(self) -> float:
        """The chance to win that the search tells, 0 to 1."""
        return float(self.wins) if self.parts is None else self.parts.win_probability


def drawn(games: Sequence[TrainingGame], count: int, seed: int) -> Iterator[tuple[Position, bool]]:
    """Yield positions drawn by lot, of as many games as there are, and whether the mover won."""
    rng = random.Random(seed)
    order = rng.sample(range(len(games)), len(games))
    for number in range(count):
        game = games[order[number % len(order)]]
        plies = [position for position, _ in game.plies()][FIRST_PLY - 1 :]
        if plies:
            position = rng.choice(plies)
            yield position, position.to_move is game.winner


def told(
    positions: Iterator[tuple[Position, bool]], looks: Sequence[int], kept: Path
) -> list[Told]:
    """Return what is said of each position's best move after more and more looks.

    ``kept``: the file that has a line for each position that was searched, and gets the others.
    """
    searches: dict[int, TreeSearch] = {}
    done = next_number(kept)
    with kept.open("a", encoding="utf-8") as lines:
        for number, (position, won) in enumerate(islice(positions, done, None), start=done):
            search = searches.setdefault(position.board.rows, TreeSearch(position.board))
            found = [asdict(one) for one in searched(search, position, won, looks)]
            print(json.dumps({"id": number, "told": found}), file=lines, flush=True)
    return [one for line in read_json_lines([kept], _told) for one in line]


def searched(
    search: TreeSearch, position: Position, won: bool, looks: Sequence[int]
) -> Iterator[Told]:
    """Search a position with more and more looks, and yield what is said of the best move."""
    search.look_at(position)
    for most in sorted(looks):
        for _ in search.grow(Limit(nodes=most)):
            pass
        best = None if search.root.won is not None else search.moves()[0].parts
        yield Told(most, best, bool(search.root.won), won)


def _told(line: dict[str, Any]) -> list[Told]:
    """Return what a line of a file of what was told stands for."""
    return [Told(**one | {"parts": _parts(one["parts"])}) for one in line["told"]]


def _parts(kept: dict[str, Any] | None) -> ValueParts | None:
    return ValueParts(**kept) if kept else None


def fitted(found: Sequence[Told]) -> tuple[int, np.ndarray]:
    """Return the weight, and the stretches of the value's logit and of the network's.

    Under these what was won is likeliest; nothing of what is given is proved.
    """
    won = np.array([float(one.won) for one in found])
    fits = {weight: stretched(_logits(found, weight), won) for weight in WEIGHTS}
    best = max(fits, key=lambda weight: fits[weight][1])
    return best, fits[best][0]


def _logits(found: Sequence[Told], weight: int) -> np.ndarray:
    """Return of each position the logits of its best move's value and of the network's chance."""
    parts = [one.parts for one in found if one.parts is not None]
    return np.array([[logit(1 - p.drawn(weight)), logit(1 - p.win_before)] for p in parts])


def stretched(logits: np.ndarray, won: np.ndarray) -> tuple[np.ndarray, float]:
    """Return by what each column is multiplied where results are likeliest, and how likely.

    The second number is the logarithm. A logistic regression, by Newton's method.
    """
    stretches = np.zeros(logits.shape[1])
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-logits @ stretches))
        curvature = (logits * (chances * (1 - chances))[:, None]).T @ logits
        stretches += np.linalg.solve(curvature, logits.T @ (won - chances))
    chances = 1 / (1 + np.exp(-logits @ stretches))
    return stretches, float(np.log(np.where(won > 0, chances, 1 - chances)).sum())


def expected_error(chances: np.ndarray, won: np.ndarray) -> float:
    """Return the mean distance of what is told and what is won, by tenths of what is told."""
    tenths = np.minimum((chances * BINS).astype(int), BINS - 1)
    inside = [tenths == number for number in set(tenths.tolist())]
    return float(sum(abs(np.sum(chances[some] - won[some])) for some in inside) / len(won))


def show(found: Sequence[Told], looks: int) -> None:
    """Print proofs, then by tenths what was told and what was won, and the expected error."""
    found = [one for one in found if one.looks == looks]
    proofs = [one for one in found if one.parts is None]
    right = sum(one.won == one.wins for one in proofs)
    print(f"{looks} looks: proved: {len(proofs)}, of which the game ended so: {right}")
    rest = [one for one in found if one.parts is not None]
    chances = np.array([one.chance for one in rest])
    won = np.array([float(one.won) for one in rest])
    for number in range(BINS):
        inside = np.minimum((chances * BINS).astype(int), BINS - 1) == number
        if inside.any():
            mean, ended = chances[inside].mean(), won[inside].mean()
            print(f"{inside.sum():5} positions: told {mean:.0%}, won {ended:.0%}")
    rng = np.random.default_rng(0)
    lots = [expected_error(chances, rng.random(len(won)) < chances) for _ in range(DRAWS)]
    print(f"expected error {expected_error(chances, won):.3f} over {len(rest)} positions,")
    print(f"told {chances.mean():.3f}, won {won.mean():.3f} of them;", end=" ")
    print(f"chances that are right would show {np.mean(lots):.3f}", flush=True)


def main() -> None:
    """Print the fit, and a table for each number of looks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--looks", type=int, nargs="+", default=[60, 100, 200, 400])
    parser.add_argument("--fit", type=int, default=300, help="positions to fit to")
    parser.add_argument("--measure", type=int, default=300, help="positions to measure on")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kept", type=Path, required=True, metavar="FOLDER")
    options = parser.parse_args()
    _, calibrating, held_out = split_in_three(read_games(options.games), HeldOut())
    options.kept.mkdir(parents=True, exist_ok=True)
    if options.fit:
        positions = drawn(calibrating, options.fit, options.seed)
        found = told(positions, options.looks, options.kept / "fit.jsonl")
        weight, stretches = fitted([one for one in found if one.parts is not None])
        print(f"weight {weight}, stretches {stretches.round(2)}", flush=True)
    if options.measure:
        positions = drawn(held_out, options.measure, options.seed)
        measured = told(positions, options.looks, options.kept / "measured.jsonl")
        for looks in options.looks:
            show(measured, looks)


if __name__ == "__main__":
    main()
