"""How often who is told a chance to win by the tree search wins: it is fitted, then measured.

    python -m tests.benchmarks.search_chances GAMES... --looks 200

GAMES are files as for ``python -m hextui.learn``. From games that are learned from, whose winner
has a rating, come positions to which the chance is fitted; from those held out, positions on which
it is measured. Proved positions count apart. The chance is that of the best move.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search import win_chance
from hextui.engine.search.tree_search import TreeSearch
from hextui.learn.game_lines import TrainingGame, read_games
from hextui.learn.held_out import HeldOut, split
from hextui.learn.measuring import FIRST_PLY

RATING = 1900
BINS = 10


@dataclass(frozen=True)
class Told:
    """What the search said of a position's best move, and whether the side to move won."""

    chance: float
    proved: bool
    won: bool


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


def told(positions: Iterator[tuple[Position, bool]], looks: int) -> Iterator[Told]:
    """Search positions with so many looks, and yield what is said of each best move."""
    searches: dict[int, TreeSearch] = {}
    for position, won in positions:
        search = searches.setdefault(position.board.rows, TreeSearch(position.board))
        search.look_at(position)
        for _ in search.grow(Limit(nodes=looks)):
            pass
        if search.root.won is not None:
            yield Told(float(search.root.won), True, won)
        else:
            yield Told(search.moves()[0].value, False, won)


def fitted(found: Sequence[Told]) -> tuple[float, float]:
    """Return by what the logits of chances are to be stretched and shifted to fit what was won."""
    from hextui.learn.calibrating import fitted as likeliest  # brings PyTorch

    logits = np.array([win_chance.logit(one.chance) for one in found])
    return likeliest(logits, np.array([float(one.won) for one in found]))


def show(found: Sequence[Told]) -> None:
    """Print proofs, then by tenths what was told and what was won, and the expected error."""
    proofs = [one for one in found if one.proved]
    right = sum(one.won == (one.chance == 1) for one in proofs)
    print(f"proved: {len(proofs)}, of which the game ended so: {right}")
    rest = [one for one in found if not one.proved]
    error = 0.0
    for number in range(BINS):
        inside = [one for one in rest if min(int(one.chance * BINS), BINS - 1) == number]
        if inside:
            foretold = sum(one.chance for one in inside) / len(inside)
            won = sum(one.won for one in inside) / len(inside)
            error += abs(foretold - won) * len(inside) / len(rest)
            print(f"{len(inside):5} positions: told {foretold:.0%}, won {won:.0%}")
    print(f"expected error {error:.3f} over {len(rest)} positions", flush=True)


def main() -> None:
    """Print the fit, and both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--looks", type=int, default=200)
    parser.add_argument("--fit", type=int, default=300, help="positions to fit to")
    parser.add_argument("--measure", type=int, default=300, help="positions to measure on")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    learned, held_out = split(read_games(options.games), HeldOut())
    strong = [game for game in learned if game.winner_rating >= RATING]
    if options.fit:
        found = list(told(drawn(strong, options.fit, options.seed), options.looks))
        show(found)
        scale, shift = fitted([one for one in found if not one.proved])
        stretch = win_chance.STRETCH * scale
        print(f"stretch {stretch:.3f}, shift {win_chance.SHIFT * scale + shift:.3f}", flush=True)
        win_chance.SHIFT, win_chance.STRETCH = win_chance.SHIFT * scale + shift, stretch
    if options.measure:
        show(list(told(drawn(held_out, options.measure, options.seed), options.looks)))


if __name__ == "__main__":
    main()
