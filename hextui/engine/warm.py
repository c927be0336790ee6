"""Compile the kernels of widths ahead of use, one step at a time (see widths.py).

One width compiles soonest in two processes: rankings in this one, the solver in a child. Several
widths compile in a process each, which translates the parts of both once.
"""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from queue import SimpleQueue

from hextui.children import python_command
from hextui.engine.board import MAX_SIDE, Board, Color
from hextui.engine.kernels.folders import drop_unused_folders
from hextui.engine.widths import Kernels, is_all_warm, mark, marker_of, width_of

ALL = "all"
SOLVER = "solver"
"""What a child compiles; the second is also the label of the last step."""

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


def compile_widths(widths: Sequence[int], cores: int) -> Iterator[CompileStep]:
    """Compile the kernels of widths that are missing, on so many cores; yield after each step."""
    missing = [width for width in widths if not is_all_warm(width)]
    if len(missing) > 1:
        yield from _compile_in_children(missing, cores)
        missing = [width for width in missing if not is_all_warm(width)]
    for width in missing:
        yield from compile_width(width)  # raises here what went wrong in a child


def _compile_in_children(widths: Sequence[int], cores: int) -> Iterator[CompileStep]:
    """Compile each width in a process, so many at once; yield after each step of any width."""
    waiting = list(widths)
    steps: SimpleQueue[CompileStep | None] = SimpleQueue()
    with ExitStack() as children:
        running = 0
        while waiting or running:
            if waiting and running < cores:
                child = children.enter_context(_child(waiting.pop(0), ALL, output=subprocess.PIPE))
                children.callback(child.terminate)
                threading.Thread(target=_read_steps, args=(child, steps.put), daemon=True).start()
                running += 1
                continue
            step = steps.get()
            if step is None:
                running -= 1
            else:
                yield step


def _read_steps(
    child: "subprocess.Popen[str]", heard: Callable[[CompileStep | None], None]
) -> None:
    """Pass on the steps that a child prints, and None when it has ended."""
    assert child.stdout is not None
    for line in child.stdout:
        width, done, total, label = line.rstrip("\n").split(" ", 3)
        heard(CompileStep(int(width), int(done), int(total), label))
    child.wait()
    heard(None)


def compile_width(width: int) -> Iterator[CompileStep]:
    """Compile the kernels of a width; yield after each step.

    The kernels for the first answers come first. A child compiles the solver at the same time.
    """
    with _child(width, SOLVER) as solver:
        yield from _compile_rankings(width)
        if solver.wait():
            compile_solver(width)  # raises here what went wrong there
    yield CompileStep(width, _steps(), _steps(), SOLVER)


def _compile_rankings(width: int) -> Iterator[CompileStep]:
    """Compile all but the solver by using each kernel on a small position.

    Compiled code that has not been used for weeks is removed.
    """
    from hextui.engine.evaluators import evaluator
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

    total = _steps()
    rank("network")
    mark(marker_of(Kernels.NETWORK, width))
    yield CompileStep(width, 1, total, Kernels.NETWORK)
    for color in Color:
        bench.table(color)
    mark(marker_of(Kernels.CONNECTIONS, width))
    yield CompileStep(width, 2, total, Kernels.CONNECTIONS)
    for done, name in enumerate(_ranked_last(), start=3):
        rank(name)
        yield CompileStep(width, done, total, name)
    inferior_cells(bench.position)
    yield CompileStep(width, total - 1, total, "inferior cells")
    mark(marker_of(Kernels.RANKINGS, width))


def _ranked_last() -> list[str]:
    """Return the evaluators whose kernels are compiled after the connections."""
    from hextui.engine.evaluators import improves, names

    return [name for name in names() if not improves(name) and name != "network"]


def _steps() -> int:
    """Return the number of steps of a width: also the network, connections, cells, the solver."""
    return len(_ranked_last()) + 4


def _smallest_board(width: int) -> Board:
    return next(
        Board(rows, columns)
        for rows in range(1, MAX_SIDE + 1)
        for columns in range(rows, MAX_SIDE + 1)
        if rows * columns > 2 and width_of(rows * columns) == width
    )


def _child(width: int, what: str, output: int | None = None) -> "subprocess.Popen[str]":
    """Start a child that compiles a width, or its solver, and ends with this process."""
    command = python_command(__name__, str(width), what)
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, text=True)


def _run_child(width: int, what: str) -> None:
    """Compile at a lower priority than the parent; print the steps of a whole width."""
    logging.getLogger("hextui").setLevel(logging.ERROR)  # the parent reports that it compiles
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the parent, and so this one
    if hasattr(os, "nice"):
        os.nice(5)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if what == ALL:
        for step in _compile_rankings(width):
            print(step.width, step.done, step.total, step.label, flush=True)
    compile_solver(width)
    if what == ALL:
        print(width, _steps(), _steps(), SOLVER, flush=True)


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
    _run_child(int(sys.argv[1]), sys.argv[2])
