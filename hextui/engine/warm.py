"""Compiling the kernels ahead of use, one step at a time, each width by itself (see widths.py)."""

import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hextui.children import python_command
from hextui.engine.board import MAX_SIDE, Board, Color
from hextui.engine.kernels.folders import drop_unused_folders
from hextui.engine.widths import mark, marker_of, solver_marker_of, width_of

WaitForSolver = Callable[[Board], Iterator[tuple[int, int]]]
"""Yields (done, total) steps, in any thread, until the solver is compiled for a board."""


@dataclass(frozen=True)
class CompileStep:
    """One step of the compilation is done: ``done`` of ``total`` of this width."""

    width: int
    done: int
    total: int
    label: str


def compile_width(width: int) -> Iterator[CompileStep]:
    """Compile the kernels of a width, by using each on a small position; yield after each step.

    The solver is compiled beside, in a process of its own, and waited for last: nothing else
    needs it. Compiled code that nobody has used for weeks is removed.
    """
    from hextui.engine.evaluator_names import is_search
    from hextui.engine.evaluators import evaluator, names
    from hextui.engine.evaluators.base import Workbench
    from hextui.engine.inferior import inferior_cells
    from hextui.engine.position import Position

    drop_unused_folders()
    board = _smallest_board(width)
    chosen = [evaluator(name) for name in names() if not is_search(name)]
    total = 3 + len(chosen)
    bench = Workbench(board, width=width)
    bench.look_at(Position.empty(board).play(0))
    child = python_command(__name__, str(width))
    with subprocess.Popen(child, stdin=subprocess.PIPE) as solver:
        for color in Color:
            bench.table(color)
        yield CompileStep(width, 1, total, "connections")
        for done, each in enumerate(chosen, start=2):
            for _ in each.rank(bench):
                pass
            yield CompileStep(width, done, total, each.name)
        inferior_cells(bench.position)
        yield CompileStep(width, total - 1, total, "inferior cells")
        mark(marker_of(width))
        if solver.wait():
            compile_solver(width)  # whatever went wrong there is seen here
    yield CompileStep(width, total, total, "solver")


def _smallest_board(width: int) -> Board:
    return next(
        Board(rows, columns)
        for rows in range(1, MAX_SIDE + 1)
        for columns in range(rows, MAX_SIDE + 1)
        if rows * columns > 2 and width_of(rows * columns) == width
    )


def _solver_child(width: int) -> None:
    """Compile the solver's kernels; stand back for the parent, and end with it."""
    logging.getLogger("hextui").setLevel(logging.ERROR)  # the parent says that it compiles
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the parent, and so this one
    if hasattr(os, "nice"):
        os.nice(5)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    compile_solver(width)


def _end_with_parent() -> None:
    sys.stdin.read()
    os._exit(1)


def compile_solver(width: int) -> None:
    """Compile the kernels of the solver and of the tree search of a width, and no others."""
    from hextui.engine.position import Position
    from hextui.engine.search.tree_look import Looker
    from hextui.engine.solver.dfpn import SolverSettings
    from hextui.engine.solver.search import Search

    position = Position.empty(_smallest_board(width))
    search = Search(position.board, SolverSettings(table_bytes=1 << 20), width)
    search.start(position)
    search.go_on(1, lambda: True)
    search.look_up(position)
    search.close()
    looker = Looker(position.board, width)
    looker.start(position)
    looker.look(())
    mark(solver_marker_of(width))


if __name__ == "__main__":
    _solver_child(int(sys.argv[1]))
