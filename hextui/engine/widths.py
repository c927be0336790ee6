"""Which kernels are compiled, and which serve a board.

Kernels are compiled once for each number of 64-bit words that a set of cells takes, its *width*. A
width whose kernels lie ready in the cache has a marker file beside them, which tells their sizes:
what a power cut has left empty is compiled again before it is asked for. Until those of a board are
ready, the kernels of any larger width serve it: they do the same on sets with room to spare.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from hextui.engine.board import MAX_SIDE
from hextui.engine.kernels.folders import USED, compiled_folder, solver_folder
from hextui.engine.kernels.ways import known_way

WIDTHS = tuple(range(1, (MAX_SIDE * MAX_SIDE + 63) // 64 + 1))


def width_of(cells: int) -> int:
    """Return the number of words that a set of cells takes."""
    return (cells + 63) // 64


def is_warm(width: int) -> bool:
    """Tell whether all kernels of a width but the solver's have been compiled."""
    return known_way() is not None and holds(marker_of(width))


def is_solver_warm(width: int) -> bool:
    """Tell whether the solver's kernels of a width have been compiled."""
    return known_way() is not None and holds(solver_marker_of(width))


def marker_of(width: int) -> Path:
    """Return the file that marks a width as compiled, the solver left out."""
    return compiled_folder() / f"width-{width}"


def solver_marker_of(width: int) -> Path:
    """Return the file that marks a width's solver as compiled."""
    return solver_folder() / f"width-{width}"


def serving_width(cells: int) -> int:
    """Return the width whose kernels a board of so many cells takes now, the solver's left out.

    Its own if they are compiled, or nothing wider is; else the least wider one that is.
    """
    return _least_ready(cells, is_warm, marker_of)


def serving_solver_width(cells: int) -> int:
    """Return the width whose solver a board of so many cells takes now."""
    return _least_ready(cells, is_solver_warm, solver_marker_of)


def _least_ready(cells: int, ready: Callable[[int], bool], marker: Callable[[int], Path]) -> int:
    own = width_of(cells)
    if known_way() is None:
        return own
    for width in range(own, WIDTHS[-1] + 1):
        if marker(width) in _seen_ready or ready(width):
            _seen_ready.add(marker(width))
            return width
    return own


_seen_ready: set[Path] = set()
"""Markers that told the truth once: objects that are made often do not look again."""


def mark(marker: Path) -> None:
    """Write the names and sizes of the files that lie beside a marker, where that can be done."""
    with suppress(OSError):
        folder = marker.parent
        # in the public way numba keeps the code in folders of its own
        files = [path for path in folder.rglob("*") if path.is_file() and _is_code(path.name)]
        names = {path.relative_to(folder).as_posix(): path.stat().st_size for path in files}
        lines = [f"{size} {name}\n" for name, size in sorted(names.items())]
        marker.write_text("".join(lines), encoding="utf-8")


def _is_code(name: str) -> bool:
    return name != USED and not name.startswith("width-") and not name.endswith(".part")


def holds(marker: Path) -> bool:
    """Tell whether there is a marker, and what it tells of."""
    try:
        lines = marker.read_text(encoding="utf-8").splitlines()
        sizes = [line.split(" ", 1) for line in lines]
        return bool(sizes) and all(
            (marker.parent / name).stat().st_size == int(size) for size, name in sizes
        )
    except (OSError, ValueError):
        return False
