"""How often the first move of each evaluator, and of each player, wins a puzzle.

    python -m tests.benchmarks.first_moves puzzles --players 'minimax(resistance)'

Reads the puzzles of the folder HEXTUI_TEST_DATA that name winning moves. A move wins if it is known
to, or if the solver proves it; what it cannot decide does not.
"""

import argparse
import math
import time
from collections.abc import Callable
from functools import partial

from hextui.engine.board import Color
from hextui.engine.evaluators import evaluator, names
from hextui.engine.evaluators.workbench import bench_at
from hextui.engine.position import Position
from hextui.engine.search.lines import LineSettings, split_literal
from hextui.engine.search.minimax import find_lines
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engines.registry import player
from tests.benchmarks.solve import all_puzzles, until

Choose = Callable[[Position], int]


def winner_after(position: Position, cell: int, seconds: float) -> Color | None:
    """Who wins after a move, if the solver finds it within so much CPU time."""
    after = position.play(cell)
    solver = Solver(after.board, SolverSettings(table_bytes=64 << 20))
    *_, found = solver.solve(after, stop=until(seconds))
    solver.close()
    return found.winner


def choosers(players: list[str], searches: list[str], limit: float) -> dict[str, Choose]:
    """Who chooses: all evaluators one ply ahead, players, and searches without a solver.

    ``limit``: seconds of CPU time that a player has, who then plays the best so far.
    """

    def highest(name: str, position: Position) -> int:
        *_, ranking = evaluator(name).rank(bench_at(position))
        return ranking.moves[0].cell

    def searched(name: str, position: Position) -> int:
        chosen, literal = split_literal(name)
        settings = LineSettings(count=1, literal=literal)
        *_, found = find_lines(bench_at(position), evaluator(chosen), settings)
        return found.lines[0].moves.numbers[0]

    def played(name: str, position: Position) -> int:
        cell = player(name).choose(position.without_swap, until(limit)).cell
        assert cell is not None
        return cell

    return {
        **{name: partial(highest, name) for name in names()},
        **{f"lines by {name}": partial(searched, name) for name in searches},
        **{name: partial(played, name) for name in players},
    }


def tell(wins: dict[str, int], spent: dict[str, float], count: int) -> None:
    """Print the table so far."""
    for name, won in sorted(wins.items(), key=lambda item: -item[1]):
        print(f"{name:32} {won:4} of {count}  {spent[name] / count:7.3f} s a move", flush=True)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", choices=("puzzles",))
    parser.add_argument("--count", type=int, default=1000, help="cases at most")
    parser.add_argument("--largest", type=int, default=13, help="board of a puzzle at most")
    parser.add_argument("--players", nargs="*", default=[])
    parser.add_argument("--searches", nargs="*", default=[])
    parser.add_argument("--seconds", type=float, default=4.0, help="of the solver, a move")
    parser.add_argument("--limit", type=float, default=math.inf, help="of a player, a move")
    options = parser.parse_args()
    chosen = choosers(options.players, options.searches, options.limit)
    wins, spent = dict.fromkeys(chosen, 0), dict.fromkeys(chosen, 0.0)
    count = undecided = 0
    for puzzle in all_puzzles():
        position = puzzle.position
        if position.board.columns > options.largest or not puzzle.winning:
            continue
        known: dict[int, bool] = dict.fromkeys(puzzle.winning, True)
        for name, choose in chosen.items():
            start = time.process_time()
            cell = choose(position)
            spent[name] += time.process_time() - start
            if cell not in known:
                winner = winner_after(position, cell, options.seconds)
                undecided += winner is None
                known[cell] = winner is position.to_move
            wins[name] += known[cell]
        count += 1
        print(f"{count} cases, {undecided} moves undecided", flush=True)
        if count % 10 == 0:
            tell(wins, spent, count)
        if count == options.count:
            break
    tell(wins, spent, count)


if __name__ == "__main__":
    main()
