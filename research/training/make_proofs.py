"""``python -m research.training.make_proofs``: positions whose winning moves are all proved.

The network plays against itself on a small board, by lot, for some plies; then the solver says who
wins and with which moves. Kept are positions it is done with, unless any move wins there. A line
depends on the seed and its number; a run that was stopped goes on after the last line.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import TextIO

import numpy as np

from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.neural.judge import shipped_judge
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from research.training.data import next_number, run_program

BOLDNESS = 0.7
"""The policy is raised to this power, so that less likely moves are played more often."""
TABLE_BYTES = 1 << 26


def main() -> int:
    """Write the positions and return the exit code: 0 done, 1 failed."""
    parser = argparse.ArgumentParser(
        prog="python -m research.training.make_proofs", description=__doc__
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a position a line")
    parser.add_argument("--size", type=int, default=7)
    parser.add_argument("--count", type=int, default=1000, help="positions that are tried")
    parser.add_argument("--nodes", type=int, default=1000, help="of the solver, a position")
    parser.add_argument("--seed", type=int, default=1)
    return run_program(parser, _make)


def _make(options: argparse.Namespace) -> None:
    board, begun = Board(options.size, options.size), next_number(options.file)
    with options.file.open("a", encoding="utf-8") as lines:
        prove(board, range(begun, options.count), options.seed, options.nodes, lines)


def prove(board: Board, numbers: range, seed: int, nodes: int, lines: TextIO) -> None:
    """Write a line for each position that is proved within ``nodes`` and has a choice."""
    solver = Solver(board, SolverSettings(table_bytes=TABLE_BYTES))
    for number in numbers:
        position, cells = drawn(board, np.random.default_rng((seed, number)))
        *_, solution = solver.solve(position, Limit(nodes=nodes), all_moves=True)
        winning = tuple(solution.wins)
        if solution.complete and solution.winner and len(winning) < len(position.empties):
            line = {
                "id": number,
                "size": board.rows,
                "moves": " ".join(map(board.name, cells)),
                "winner": "red" if solution.winner == 1 else "blue",
                "winning": " ".join(map(board.name, winning)),
            }
            print(json.dumps(line), file=lines, flush=True)
    solver.close()


def drawn(board: Board, chance: np.random.Generator) -> tuple[Position, list[int]]:
    """Return a position of a random game, not over and at most half full, and its moves."""
    position, cells = Position.empty(board), list[int]()
    for _ in range(chance.integers(1, board.cells // 2 + 1)):
        likely = shipped_judge().judge([position]).policy[0].astype(float) ** BOLDNESS
        cell = int(chance.choice(board.cells, p=likely / likely.sum()))
        after = position.play(cell)
        if after.winner is not None:
            break
        position = after
        cells.append(cell)
    return position, cells


if __name__ == "__main__":
    sys.exit(main())
