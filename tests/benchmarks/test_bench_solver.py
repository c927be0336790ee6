"""The solver: seconds, expansions, connection builds. Run: pytest tests/benchmarks

Kernels are loaded, the table is empty. Seconds of the processor stand among the extra figures:
on a machine with other work they say more than the clock.
"""

import time

import numpy as np
import pytest

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engine.solver.search import Search, SolverSettings

EMPTY = ""

WORK = {
    "6x6 openings": (6, [Board(6, 6).name(cell) for cell in range(36)]),
    "7x7 empty": (7, [EMPTY]),
    "7x7 a4": (7, ["a4"]),
    "7x7 openings up to rotation": (7, [Board(7, 7).name(cell) for cell in range(25)]),
    "8x8 empty": (8, [EMPTY]),
    "8x8 b7": (8, ["b7"]),
    "8x8 d5": (8, ["d5"]),
}


def never() -> bool:
    return False


def take_memory(search: Search) -> None:
    """Have the system hand out all memory now, not during the search."""
    search.table.fill(0)
    search.shared[1].fill(0)
    for worker in search.workers:
        for links in worker.links.values():
            links._ints += 0
            links._words += np.uint64(0)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", WORK)
def test_solver(benchmark, name: str, threads: int) -> None:
    size, moves = WORK[name]
    board = Board(size, size)
    settings = SolverSettings(table_bytes=1 << (26 if size > 6 else 22), threads=threads)
    warm = Search(board, settings)
    warm.start(Position.empty(board).play(0))
    warm.go_on(10, never)
    counted = {"expansions": 0, "builds": 0, "processor_seconds": 0.0}

    def work(searches: list[tuple[Search, Position]]) -> None:
        before = time.process_time()
        for search, position in searches:
            search.start(position)
            assert search.go_on(None, never)
            counted["expansions"] += search.expansions
            counted["builds"] += sum(int(worker.header["builds"]) for worker in search.workers)
        counted["processor_seconds"] += time.process_time() - before

    def setup() -> tuple[tuple[list[tuple[Search, Position]]], dict[str, object]]:
        empty = Position.empty(board)
        positions = [empty.play(board.cell(move)) if move else empty for move in moves]
        searches.extend((Search(board, settings), position) for position in positions)
        for search, _ in searches:
            take_memory(search)
        return (searches,), {}

    searches: list[tuple[Search, Position]] = []
    benchmark.pedantic(work, setup=setup, rounds=1)
    for search, _ in searches:
        search.close()
    benchmark.extra_info.update(counted)
