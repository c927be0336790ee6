"""A workbench a thread, kept as long as the board is the same."""

import threading

from hextui.engine.board import Board
from hextui.engine.evaluators import Workbench

_kept = threading.local()


def bench_of(board: Board) -> Workbench:
    """Return this thread's workbench for the board."""
    bench: Workbench | None = getattr(_kept, "bench", None)
    if bench is None or bench.board != board:
        bench = _kept.bench = Workbench(board)
    return bench
