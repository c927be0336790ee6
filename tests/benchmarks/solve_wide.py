"""Solves 107 positions of 7x7 and 8x8 that take 150 to 4 000 nodes each: work that scatters less.

    python -m tests.benchmarks.solve_wide

Nearly equal moves in another order double the nodes of one opening, or halve them; so changes of
the solver are judged by the sums over many positions. These come from a random first stone and
one to five moves more, drawn by the network's policy; each is solved with a fresh table. Seconds
are those of the processor, so that other work beside does not count.
"""

import argparse
import json
import time
from pathlib import Path

from hextui.engine.board import Board
from hextui.engine.position import Move, Position
from hextui.engine.solver.search import Search, SolverSettings
from research.training.data import after_moves

POSITIONS = Path(__file__).with_name("wide_positions.json")


def positions() -> list[tuple[str, Position]]:
    """Return the positions with their names: size and moves."""
    found = []
    for size, moves in json.loads(POSITIONS.read_text()):
        board = Board(size, size)
        position = after_moves(board, [Move.parse(word, board) for word in moves.split()])
        found.append((f"{size}x{size} {moves}", position))
    return found


def never() -> bool:
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memory", type=int, default=256, help="MB")
    options = parser.parse_args()
    settings = SolverSettings(table_bytes=options.memory << 20)
    nodes, seconds = 0, 0.0
    for name, position in positions():
        search = Search(position.board, settings)
        search.table.fill(0)
        before = time.process_time()
        search.start(position)
        search.go_on(None, never)
        took = time.process_time() - before
        print(f"{name:24} {search.expansions:6} nodes {took:6.2f} s", flush=True)
        nodes, seconds = nodes + search.expansions, seconds + took
        search.close()
    print(f"{nodes} nodes, {seconds:.1f} s of processor")


if __name__ == "__main__":
    main()
