"""Solves the puzzles of the folder HEXTUI_TEST_DATA and compares with what is expected of them.

    python -m tests.benchmarks.solve_puzzles --seconds 30

The side to move is the colour of the expectation. A list of moves names winning moves; others
may exist. Seconds are those of the processor, so that other work beside does not count.
"""

import argparse
import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.solution import Solution
from hextui.records.formats import parse_position_argument


@dataclass(frozen=True)
class Puzzle:
    name: str
    position: Position
    winner: Color
    winning: frozenset[int]


def puzzles(folder: Path) -> Iterator[Puzzle]:
    for entry in json.loads((folder / "puzzles.json").read_text()):
        query, answer = next(iter(entry["expect"].items()))
        color = Color.parse(query.split()[1])
        record = parse_position_argument(entry["sgf"], 1)
        position = record.position(record.main_line()[-1]).with_to_move(color)
        words = answer.strip("[]").split()
        if "find-winning" in query:
            winning = frozenset(position.board.cell(word) for word in words)
            winner = color if winning else color.opponent
        else:
            winning, winner = frozenset(), Color.parse(words[0])
        yield Puzzle(entry["name"], position, winner, winning)


def agrees(puzzle: Puzzle, solution: Solution) -> bool:
    """Tell whether nothing that is known contradicts what is expected."""
    if solution.winner is None:
        return True
    return solution.winner is puzzle.winner and not puzzle.winning & solution.losing_moves.keys()


def over(until: float) -> bool:
    return time.process_time() > until


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--memory", type=int, default=512, help="MB")
    parser.add_argument("--all-moves", action="store_true")
    options = parser.parse_args()
    settings = SolverSettings(table_bytes=options.memory << 20)
    solved = wrong = count = 0
    for puzzle in puzzles(Path(os.environ["HEXTUI_TEST_DATA"])):
        solver = Solver(puzzle.position.board, settings)
        before = time.process_time()
        *_, solution = solver.solve(
            puzzle.position,
            stop=partial(over, before + options.seconds),
            all_moves=options.all_moves,
        )
        right = agrees(puzzle, solution)
        count, solved, wrong = (
            count + 1,
            solved + (solution.winner is not None),
            wrong + (not right),
        )
        end = "unknown" if solution.winner is None else f"{solution.winner} wins"
        print(
            f"{puzzle.name:20} {'ok' if right else 'WRONG':5} {end:10} {solution.nodes:9} nodes "
            f"{time.process_time() - before:8.2f} s",
            flush=True,
        )
        solver.close()
    print(f"{solved} of {count} solved within {options.seconds:g} s each, {wrong} wrong")


if __name__ == "__main__":
    main()
