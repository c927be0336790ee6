"""How often the first move of each evaluator, and of each player, wins.

    python -m tests.benchmarks.first_moves puzzles --players 'minimax(resistance)'

Reads the folder HEXTUI_TEST_DATA: of ``puzzles`` those that name winning moves; of ``games``, real
ones on 11x11, the first late position of each in which the solver proves that the side to move
wins. A move wins if it is known to, or if the solver proves it; what it cannot decide does not.
"""

import argparse
import math
import time
from collections.abc import Callable, Iterator
from functools import partial

from hextui.engine.board import Color
from hextui.engine.evaluators import evaluator, names
from hextui.engine.evaluators.workbench import bench_at
from hextui.engine.position import Position
from hextui.engine.search.lines import LineSettings, split_literal
from hextui.engine.search.minimax import find_lines
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.matches.players import player
from hextui.studies.games import Filters, choices, collect
from tests.benchmarks.solve import all_puzzles, data_folder, until

Case = tuple[Position, frozenset[int]]
Choose = Callable[[Position], int]
LATE = 0.4
"""From this share of a game's moves on its positions are looked at."""
STEP = 4
SECONDS = 1.0
"""The solver's time for a position of a game, in seconds of the processor."""


def puzzle_cases() -> Iterator[Case]:
    """The puzzles with the winning moves that they name."""
    for puzzle in all_puzzles():
        if puzzle.winning:
            yield puzzle.position, puzzle.winning


def game_cases() -> Iterator[Case]:
    """One position a game, with a winning move; connections alone do not decide it."""
    for task in collect([data_folder() / "human_11x11.jsonl"], Filters(human=True)).games:
        moves = list(choices(task.record()))
        for choice in moves[int(LATE * len(moves)) :: STEP]:
            position = choice.position
            bench = bench_at(position)
            tables = [bench.table(color) for color in Color]
            if any(table.edge_fulls or table.edge_semis for table in tables):
                break
            best = winning_move(position, SECONDS)
            if best is not None:
                yield position, frozenset([best])
                break


def solved(position: Position, seconds: float) -> tuple[Color | None, int | None]:
    """Who wins, and a winning move of the side to move."""
    solver = Solver(position.board, SolverSettings(table_bytes=64 << 20))
    *_, found = solver.solve(position, stop=until(seconds))
    answer = solver.look_up(position)
    solver.close()
    return found.winner, answer.best if answer else None


def winning_move(position: Position, seconds: float) -> int | None:
    """A winning move of the side to move, if the solver finds one."""
    winner, best = solved(position, seconds)
    return best if winner is position.to_move else None


def choosers(players: list[str], searches: list[str], limit: float) -> dict[str, Choose]:
    """Who chooses: all evaluators one ply ahead, players, and searches without a solver.

    ``limit``: seconds of the processor that a player has, who then plays the best so far.
    """

    def highest(name: str, position: Position) -> int:
        bench = bench_at(position)
        *_, ranking = evaluator(name).rank(bench)
        return ranking.moves[0].cell

    def searched(name: str, position: Position) -> int:
        chosen, literal = split_literal(name)
        bench = bench_at(position)
        settings = LineSettings(count=1, literal=literal)
        *_, found = find_lines(bench, evaluator(chosen), settings)
        return found.lines[0].moves[0]

    def played(name: str, position: Position) -> int:
        cell = player(name).choose(position, False, until(limit)).cell
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
    parser.add_argument("cases", choices=("puzzles", "games"))
    parser.add_argument("--count", type=int, default=1000, help="cases at most")
    parser.add_argument("--largest", type=int, default=13, help="board of a puzzle at most")
    parser.add_argument("--players", nargs="*", default=[])
    parser.add_argument("--searches", nargs="*", default=[])
    parser.add_argument("--seconds", type=float, default=4.0, help="of the solver, a move")
    parser.add_argument("--limit", type=float, default=math.inf, help="of a player, a move")
    options = parser.parse_args()
    cases = {"puzzles": puzzle_cases, "games": game_cases}[options.cases]()
    chosen = choosers(options.players, options.searches, options.limit)
    wins, spent = dict.fromkeys(chosen, 0), dict.fromkeys(chosen, 0.0)
    count = undecided = 0
    for position, winning in cases:
        if position.board.columns > options.largest:
            continue
        known: dict[int, bool] = dict.fromkeys(winning, True)
        for name, choose in chosen.items():
            start = time.process_time()
            cell = choose(position)
            spent[name] += time.process_time() - start
            if cell not in known:
                winner, _ = solved(position.play(cell), options.seconds)
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
