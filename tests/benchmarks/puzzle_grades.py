"""Measure whether the levels of puzzles order them by how often a search of fixed visits fails.

    python -m tests.benchmarks.puzzle_grades [FILE] [--visits N]

Prints, by level, the share of puzzles that the network's first move and a search solve, each with
Wilson's 95% interval.
"""

import argparse
from collections import defaultdict
from pathlib import Path

from hextui.engine.limit import Limit
from hextui.engine.neural.judge import shipped_judge
from hextui.engine.search.tree_search import TreeSearch
from hextui.runs.proportions import proportion
from hextui.train.puzzle import BUILT_IN_FILE, Puzzle, read_puzzles


def solved(puzzle: Puzzle, visits: int) -> tuple[bool, bool]:
    """Return whether the network and the search solve a puzzle."""
    position = puzzle.position
    policy = shipped_judge().judge([position]).policy[0]
    search = TreeSearch(position.board)
    search.look_at(position)
    for _ in search.grow(Limit(visits=visits)):
        pass
    return int(policy.argmax()) in puzzle.wins, search.moves()[0].cell in puzzle.wins


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, default=BUILT_IN_FILE)
    parser.add_argument("--visits", type=int, default=20)
    options = parser.parse_args()
    levels: dict[int, list[tuple[bool, bool]]] = defaultdict(list)
    for puzzle in read_puzzles(options.file):
        levels[puzzle.level or 0].append(solved(puzzle, options.visits))
    print(f"level  puzzles  network{'':14}search, {options.visits} visits")
    for level, found in sorted(levels.items()):
        shares = [proportion(sum(column), len(found)) for column in zip(*found, strict=True)]
        network, search = (f"{share:.3f}" for share in shares)
        print(f"{level:5}  {len(found):7}  {network:21}{search}")


if __name__ == "__main__":
    main()
