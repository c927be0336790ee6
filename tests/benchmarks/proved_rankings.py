"""Check the rankings of late positions by ``search`` against what is proved of their moves.

    python -m tests.benchmarks.proved_rankings human_11x11.jsonl [--count 200] [--seconds 2]

The positions are 6 to 20 plies before the end of games in the folder HEXTUI_TEST_DATA. Printed are
the moves that the search or its solver has proved, but whose value is neither 1 nor 0; the moves
that `solve` proves to win within ``--seconds``, but that stand below one that it proves to lose;
and the CPU time of a ranking. All of the first two should be 0.
"""

import argparse
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from hextui.engine.evaluators.tree_evaluator import USUAL
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking
from hextui.engine.search.tree_search import TreeSearch, ranked
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.solution import Solution
from tests.benchmarks.solve import EARLIEST, LATEST, data_folder, ended_games

TABLE_BYTES = 1 << 26


@dataclass(frozen=True)
class Figures:
    """What is wrong in a ranking; ``seconds`` of CPU time that it took."""

    unproved: tuple[str, ...]
    below: tuple[str, ...]
    solved: bool
    seconds: float


def late_positions(name: str, seed: int) -> Iterator[tuple[str, Position]]:
    """Yield a name and a late position of each long game of a file, in a random order."""
    rng = random.Random(seed)
    games = [game for game in ended_games(data_folder() / name) if len(game.positions) > EARLIEST]
    for game in rng.sample(games, len(games)):
        before_end = rng.randint(EARLIEST, min(LATEST, len(game.positions) - 1))
        position = game.positions[-1 - before_end].without_swap
        if position.winner is None:
            yield f"{game.name}, {before_end} before the end", position


def ranking_of(search: TreeSearch, position: Position) -> Ranking:
    """Return the ranking that `rank` prints."""
    search.look_at(position)
    for _ in chain(
        search.grow(USUAL),
        search.check(in_sight=True),
        search.prove_moves(),
        search.evaluate_others(),
    ):
        pass
    return ranked("search", position, search.moves(), final=True, note="")


def proved_in_the_tree(search: TreeSearch) -> set[int]:
    """Return the cells, as the tree sees them, that a node or the solver's table decides."""
    found = set()
    for cell in search.tree.position.empties:
        node = search.root.after(cell)
        if (node is not None and node.proved) or search.tree.prove_move(cell) is not None:
            found.add(cell)
    return found


def wrong_values(search: TreeSearch, ranking: Ranking) -> list[int]:
    """Return the cells whose proved results the ranking does not have."""
    proved = proved_in_the_tree(search)
    values = ranking.by_cell
    cell_of = search.orientation.cell_of
    return [cell_of[cell] for cell in proved if values[cell_of[cell]].value not in (0, 1)]


def wins_below_losses(ranking: Ranking, solution: Solution) -> list[int]:
    """Return the winning moves that stand below a losing one."""
    losing = [move.rank for move in ranking.moves if move.cell in solution.losing_moves]
    first = min(losing, default=len(ranking.moves) + 1)
    winning = [move for move in ranking.moves if move.cell in solution.winning_moves]
    return [move.cell for move in winning if move.rank >= first]


def figures_of(search: TreeSearch, solver: Solver, position: Position, limit: Limit) -> Figures:
    """Return the figures of one position."""
    begun = time.process_time()
    ranking = ranking_of(search, position)
    seconds = time.process_time() - begun
    *_, solution = solver.solve(position, limit, all_moves=True)
    name = position.board.name
    return Figures(
        unproved=tuple(map(name, wrong_values(search, ranking))),
        below=tuple(map(name, wins_below_losses(ranking, solution))),
        solved=solution.winner is not None,
        seconds=seconds,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", help="a file of games in HEXTUI_TEST_DATA")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=57)
    parser.add_argument("--minutes", type=float, default=60.0, help="begin no position after them")
    options = parser.parse_args()
    found: list[Figures] = []
    search: TreeSearch | None = None
    end = time.monotonic() + 60 * options.minutes
    for name, position in late_positions(options.games, options.seed):
        if len(found) == options.count or time.monotonic() > end:
            break
        search = search or TreeSearch(position.board)
        solver = Solver(position.board, SolverSettings(table_bytes=TABLE_BYTES))
        figures = figures_of(search, solver, position, Limit(seconds=options.seconds))
        solver.close()
        found.append(figures)
        for what, moves in (("no proof", figures.unproved), ("below", figures.below)):
            if moves:
                print(f"{name}: {what}: {' '.join(moves)}", flush=True)
    seconds = sorted(figures.seconds for figures in found)
    print(f"{len(found)} positions, {sum(one.solved for one in found)} solved")
    print(f"proved moves with another value: {sum(len(one.unproved) for one in found)}")
    print(f"winning moves below losing ones: {sum(len(one.below) for one in found)}")
    print(f"positions with such moves: {sum(bool(one.below) for one in found)}")
    print(f"median CPU time {seconds[len(seconds) // 2]:.2f} s, largest {seconds[-1]:.2f} s")


if __name__ == "__main__":
    main()
