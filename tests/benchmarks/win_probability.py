"""Measure whether the tree search's win probability can be believed, ply by ply of real games.

    python -m tests.benchmarks.win_probability GAMES [--games N] [--seed N] [--visits N] [--nodes N]

GAMES has a resigned game a line: see research/training/data.py. Printed are the mean jump from one
ply to the next, as the side sees it that moved there, without moves that lose a tenth or more; and
of the positions in which a fresh solver finds the winner within --nodes, in how many the loser is
above 50 and 90 %, by the tree alone and after the check that `rank` and the screen make.
"""

import argparse
import json
import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search.tree_search import TreeSearch
from hextui.engine.solver.dfpn import Solver, SolverSettings
from research.training.data import TrainingGame, read_games

MISTAKE = 0.1


def drawn(path: Path, count: int, seed: int) -> list[TrainingGame]:
    """Return resigned games of a file."""
    ends = {row["id"]: row.get("end") for row in map(json.loads, path.read_text().splitlines())}
    games = [game for game in read_games([path]) if ends[game.number] in ("resign", None)]
    return random.Random(seed).sample(games, min(count, len(games)))


def estimates(game: TrainingGame, visits: int) -> Iterator[tuple[Position, float, float]]:
    """Yield positions with the win probability of the side to move, before and after the check."""
    search = TreeSearch(game.board)
    for position, _ in game.plies():
        search.look_at(position.without_swap)
        for _ in search.grow(Limit(visits=visits)):
            pass
        before = win_probability(search)
        for _ in search.check(in_sight=True):
            pass
        yield position.without_swap, before, win_probability(search)


def win_probability(search: TreeSearch) -> float:
    """Return the win probability of the side to move."""
    return search.moves()[0].value if search.wins is None else float(search.wins)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games_file", type=Path, metavar="GAMES")
    parser.add_argument("--games", type=int, default=14)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--visits", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=2500)
    options = parser.parse_args()
    jumps: list[float] = []
    losers: list[tuple[float, float]] = []
    for game in drawn(options.games_file, options.games, options.seed):
        solver = Solver(game.board, SolverSettings(table_bytes=1 << 26))
        seen = list(estimates(game, options.visits))
        for (_, before, _), (_, after, _) in pairwise(seen):
            if 0 < after < 1 and 1 - after - before > -MISTAKE:
                jumps.append(abs(1 - after - before))
        for position, tree, checked in seen:
            *_, solution = solver.solve(position, Limit(nodes=options.nodes))
            if solution.winner is not None:
                wins = solution.winner is position.to_move
                losers.append((1 - tree, 1 - checked) if wins else (tree, checked))
        solver.close()
    print(f"mean jump without a mistake: {sum(jumps) / len(jumps):.3f} of {len(jumps)} plies")
    for name, column in zip(("tree", "checked"), zip(*losers, strict=True), strict=True):
        half, most = (sum(value > bound for value in column) for bound in (0.5, 0.9))
        print(f"{name}: the loser above 50 % in {half}, above 90 % in {most} of {len(column)}")


if __name__ == "__main__":
    main()
