"""Solves the openings of a square board, one after the other; can be interrupted and run again.

    python -m tests.benchmarks.solve_openings 8 openings-8.jsonl --seconds 600

One line of JSON an opening, written when it is solved or its time is over. Openings that the file
has solved already are skipped, those it has tried in vain come last; of two that a turn of the
board exchanges the first is taken. The table is emptied before each opening, unless --share is
given.
"""

import argparse
import json
import time
from pathlib import Path

from hextui.engine.board import Board
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver, SolverSettings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", type=int)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--memory", type=int, default=512, help="MB")
    parser.add_argument("--share", action="store_true", help="keep the table between openings")
    options = parser.parse_args()
    board = Board(options.size, options.size)
    settings = SolverSettings(table_bytes=options.memory << 20, threads=options.threads)
    rows = options.out.read_text().splitlines() if options.out.exists() else []
    solved = {row["opening"]: bool(row["winner"]) for row in map(json.loads, rows)}
    left = [c for c in range((board.cells + 1) // 2) if not solved.get(board.name(c))]
    solver = Solver(board, settings)
    for cell in sorted(left, key=lambda c: board.name(c) in solved):
        if not options.share:
            solver.close()
            solver = Solver(board, settings)
        before = time.process_time()
        position = Position.empty(board).play(cell)
        *_, solution = solver.solve(position, Limit(seconds=options.seconds))
        row = {
            "opening": board.name(cell),
            "winner": None if solution.winner is None else str(solution.winner),
            "seconds": round(solution.seconds, 2),
            "processor_seconds": round(time.process_time() - before, 2),
            "nodes": solution.nodes,
            "builds": solution.builds,
            "table_used": round(solution.table_used, 3),
        }
        with options.out.open("a") as out:
            print(json.dumps(row), file=out, flush=True)
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
