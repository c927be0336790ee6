"""Compile the kernels of a width ahead of use, one step at a time (see widths.py)."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hextui.children import python_command
from hextui.engine.board import MAX_SIDE, Board, Color
from hextui.engine.kernels.folders import drop_unused_folders
from hextui.engine.widths import Kernels, mark, marker_of, width_of

_STEP_SECONDS = {
    "network": 3.7,
    "connections": 9.6,
    "k-paths:2": 6.2,
    "k-mixed:1": 0.9,
    "resistance": 0.4,
    "blocking": 2.1,
    "inferior cells": 4.4,
}
"""Measured processor time of the steps in seconds; only their proportions matter."""
_LAST_SECONDS = 3.0  # how much longer the solver takes, compiled beside these steps


@dataclass(frozen=True)
class CompileStep:
    """A finished step of the compilation: ``done`` of ``total`` steps of this width."""

    width: int
    done: int
    total: int
    label: str


class CompileEstimate:
    """Estimates the progress of the compilation of a width from its finished steps."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._begun = self._step_begun = clock()
        self._todo = dict(_STEP_SECONDS)
        self._done = 0.0

    def finish(self, label: str) -> None:
        """Record that a step is finished."""
        self._done += self._todo.pop(label, 0.0)
        self._step_begun = self._clock()

    def now(self) -> tuple[int, int]:
        """Return the percentage done, and the estimated seconds left, 1 or more."""
        step = next(iter(self._todo.values()), _LAST_SECONDS)
        in_step = self._clock() - self._step_begun
        rate = (self._step_begun - self._begun) / self._done if self._done else 1.0
        rate = max(rate, in_step / step)
        done = self._done + min(in_step / rate, 0.95 * step) if rate else 0.0
        total = sum(_STEP_SECONDS.values()) + _LAST_SECONDS
        return round(100 * done / total), max(1, round(rate * (total - done)))


def compile_width(width: int) -> Iterator[CompileStep]:
    """Compile the kernels of a width by using each on a small position; yield after each step.

    The kernels for the first answers come first. A child compiles the solver at the same time.
    Compiled code that has not been used for weeks is removed.
    """
    from hextui.engine.evaluators import evaluator, improves, names
    from hextui.engine.evaluators.workbench import Workbench
    from hextui.engine.inferior import inferior_cells
    from hextui.engine.position import Position

    drop_unused_folders()
    board = _smallest_board(width)
    bench = Workbench(board, width=width)
    bench.look_at(Position.empty(board).play(0))

    def rank(name: str) -> None:
        for _ in evaluator(name).rank(bench):
            pass

    rest = [name for name in names() if not improves(name) and name != "network"]
    total = len(rest) + 4
    with subprocess.Popen(python_command(__name__, str(width)), stdin=subprocess.PIPE) as solver:
        rank("network")
        mark(marker_of(Kernels.NETWORK, width))
        yield CompileStep(width, 1, total, Kernels.NETWORK)
        for color in Color:
            bench.table(color)
        mark(marker_of(Kernels.CONNECTIONS, width))
        yield CompileStep(width, 2, total, Kernels.CONNECTIONS)
        for done, name in enumerate(rest, start=3):
            rank(name)
            yield CompileStep(width, done, total, name)
        inferior_cells(bench.position)
        yield CompileStep(width, total - 1, total, "inferior cells")
        mark(marker_of(Kernels.RANKINGS, width))
        if solver.wait():
            compile_solver(width)  # raises here what went wrong there
    yield CompileStep(width, total, total, "solver")


def _smallest_board(width: int) -> Board:
    return next(
        Board(rows, columns)
        for rows in range(1, MAX_SIDE + 1)
        for columns in range(rows, MAX_SIDE + 1)
        if rows * columns > 2 and width_of(rows * columns) == width
    )


def _solver_child(width: int) -> None:
    """Compile the solver's kernels at a lower priority than the parent, and end with it."""
    logging.getLogger("hextui").setLevel(logging.ERROR)  # the parent reports that it compiles
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
    from hextui.engine.search.tree_evaluation import NodeEvaluator
    from hextui.engine.search.tree_growth import TreeNode
    from hextui.engine.solver.search import Search, SolverSettings

    position = Position.empty(_smallest_board(width))
    search = Search(position.board, SolverSettings(table_bytes=1 << 20), width)
    search.start(position)
    search.go_on(1, lambda: True)
    search.look_up(position)
    search.close()
    mark(marker_of(Kernels.SOLVER, width))
    evaluator = NodeEvaluator(position.board, width=width)
    evaluator.analyse(position, ())
    TreeNode(evaluator.begin(position)()).choose()
    mark(marker_of(Kernels.SEARCH, width))


if __name__ == "__main__":
    _solver_child(int(sys.argv[1]))
