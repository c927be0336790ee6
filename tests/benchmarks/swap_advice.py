"""How often the advice to swap a first stone agrees with that of another engine.

    python -m tests.benchmarks.swap_advice openings_11x11.npz --evaluators network search:visits=800

The file has positions after moves on an empty square board: ``line`` int[n, moves], the cells, -1
after the end, and ``value`` int[n], Red's win probability in per mille, -1 if unknown. Counted are
those of one stone whose value is not about even.
"""

import argparse
from pathlib import Path

import numpy as np

from hextui.engine.board import Board
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.workbench import bench_at
from hextui.engine.position import Position
from hextui.engine.swap import is_about_even, wants_swap


def first_stones(path: Path) -> dict[int, float]:
    """Return Red's win probability by the cell of Red's only stone."""
    found = {}
    with np.load(path) as data:
        lines, values = data["line"], data["value"]
    for line, value in zip(lines, values, strict=True):
        if line[0] >= 0 > line[1] and value >= 0:
            found[int(line[0])] = int(value) / 1000
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--size", type=int, default=11, help="rows of the square board")
    parser.add_argument("--evaluators", nargs="+", default=["network", "search"])
    options = parser.parse_args()
    board = Board(options.size, options.size)
    stones = first_stones(options.file)
    clear = {cell: red for cell, red in stones.items() if not is_about_even(red)}
    for name in options.evaluators:
        agree = even = 0
        for cell, red in clear.items():
            *_, ranking = evaluator(name).rank(bench_at(Position.empty(board).play(cell)))
            assert ranking.swap is not None
            swaps = ranking.swap.rank == 1
            agree += swaps is wants_swap(1 - red)
            even += is_about_even(ranking.swap.value)
            print(f"{name} {board.name(cell)}: {ranking.swap.value:.1%}, the other {red:.1%}")
        print(f"{name}: {agree} of {len(clear)} agree; {even} of our values are about even")


if __name__ == "__main__":
    main()
