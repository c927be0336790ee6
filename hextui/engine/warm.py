"""Compiling the kernels ahead of use, one step at a time.

Kernels are compiled once for each number of 64-bit words that a set of cells takes. A width
whose kernels lie ready in the cache has a marker file beside them, which tells their sizes: what
a power cut has left empty is compiled again before it is asked for. Numba finds compiled code
again only where the sources lie in the same place and are of the same time: the marker says both.
"""

import hashlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hextui.engine.board import MAX_SIDE, Board, Color

WIDTHS = tuple(range(1, (MAX_SIDE * MAX_SIDE + 63) // 64 + 1))

WaitForSolver = Callable[[Board], Iterator[tuple[int, int]]]
"""Yields (done, total) steps, in any thread, until the solver is compiled for a board."""


def width_of(cells: int) -> int:
    """Return the number of words that a set of cells takes."""
    return (cells + 63) // 64


def is_warm(width: int) -> bool:
    """Tell whether all kernels of a width but the solver's have been compiled."""
    return _holds(_marker(width))


def is_solver_warm(width: int) -> bool:
    """Tell whether the solver's kernels of a width have been compiled."""
    return _holds(_solver_marker(width))


@cache
def _marker(width: int) -> Path:
    from hextui.engine.kernels import compiled_folder

    return compiled_folder() / f"width-{width}-{_sources_stamp()}"


def _solver_marker(width: int) -> Path:
    from hextui.engine.kernels.solver import solver_folder

    return solver_folder() / f"width-{width}-{_sources_stamp()}"


@cache
def _sources_stamp() -> str:
    """Name the place of the kernels' sources and the times of their last change."""
    folder = Path(__file__).parent / "kernels"
    digest = hashlib.sha256(str(folder).encode())
    for source in sorted(folder.rglob("*.py")):
        digest.update(str(source.stat().st_mtime_ns).encode())
    return digest.hexdigest()[:16]


@dataclass(frozen=True)
class Step:
    """One step of the compilation is done: ``done`` of ``total`` of this width."""

    width: int
    done: int
    total: int
    label: str


def compile_width(width: int) -> Iterator[Step]:
    """Compile the kernels of a width, by using each on a small position; yield after each step.

    The solver is compiled beside, in a process of its own, and waited for last: nothing else
    needs it. Old compiled code, of other sources, is removed.
    """
    from hextui.engine.evaluators import evaluator, names
    from hextui.engine.evaluators.base import Workbench
    from hextui.engine.inferior import inferior_cells
    from hextui.engine.kernels import drop_old_folders
    from hextui.engine.position import Position

    drop_old_folders()
    board = _smallest_board(width)
    chosen = [evaluator(name) for name in names()]
    total = 3 + len(chosen)
    bench = Workbench(board)
    bench.look_at(Position.empty(board).play(0))
    child = [sys.executable, "-c", _SOLVER_CHILD, str(width)]
    with subprocess.Popen(child, stdin=subprocess.PIPE) as solver:
        for color in Color:
            bench.table(color)
        yield Step(width, 1, total, "connections")
        for done, each in enumerate(chosen, start=2):
            for _ in each.rank(bench):
                pass
            yield Step(width, done, total, each.name)
        inferior_cells(bench.position)
        yield Step(width, total - 1, total, "inferior cells")
        _mark(_marker(width))
        if solver.wait():
            compile_solver(width)  # whatever went wrong there is seen here
    yield Step(width, total, total, "solver")


def _smallest_board(width: int) -> Board:
    return next(
        Board(rows, columns)
        for rows in range(1, MAX_SIDE + 1)
        for columns in range(rows, MAX_SIDE + 1)
        if rows * columns > 2 and width_of(rows * columns) == width
    )


_SOLVER_CHILD = "import sys; from hextui.engine import warm; warm.solver_child(int(sys.argv[1]))"


def solver_child(width: int) -> None:
    """Compile the solver's kernels; stand back for the parent, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the parent, and so this one
    if hasattr(os, "nice"):
        os.nice(5)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    compile_solver(width)


def _end_with_parent() -> None:
    sys.stdin.read()
    os._exit(1)


def compile_solver(width: int) -> None:
    """Compile the solver's kernels of a width, and no others."""
    from hextui.engine.kernels.solver import drop_old_folders
    from hextui.engine.position import Position
    from hextui.engine.solver.dfpn import SolverSettings
    from hextui.engine.solver.search import Search

    drop_old_folders()
    position = Position.empty(_smallest_board(width))
    search = Search(position.board, SolverSettings(table_bytes=1 << 20))
    search.start(position)
    search.go_on(1, lambda: True)
    search.look_up(position)
    search.close()
    _mark(_solver_marker(width))


def _mark(marker: Path) -> None:
    """Write the names and sizes of the files that lie beside a marker, where that can be done."""
    with suppress(OSError):
        beside = marker.parent.iterdir()
        files = [path for path in beside if path.is_file() and _is_code(path.name)]
        lines = [f"{path.stat().st_size} {path.name}\n" for path in sorted(files)]
        marker.write_text("".join(lines), encoding="utf-8")


def _is_code(name: str) -> bool:
    return not name.startswith("width-") and not name.endswith(".part")


def _holds(marker: Path) -> bool:
    """Tell whether there is a marker, and what it tells of."""
    try:
        lines = marker.read_text(encoding="utf-8").splitlines()
        sizes = [line.split(" ", 1) for line in lines]
        return bool(sizes) and all(
            (marker.parent / name).stat().st_size == int(size) for size, name in sizes
        )
    except (OSError, ValueError):
        return False
