"""Find which kernels are compiled, and which a board uses now.

Kernels are compiled once for each number of 64-bit words of a set of cells, the *width*. A marker
file then lists their files and sizes, as a power cut can leave files empty. Until its own kernels
are compiled, a board uses those of any larger width.
"""

import enum
from contextlib import suppress
from functools import cache
from pathlib import Path

from hextui.engine.board import MAX_SIDE, Board
from hextui.engine.kernels.folders import USED, compiled_folder, solver_folder
from hextui.engine.limit import check_analysed
from hextui.locations import new_private_file, open_private_file

WIDTHS = tuple(range(1, (MAX_SIDE * MAX_SIDE + 63) // 64 + 1))


def width_of(cells: int) -> int:
    """Return the number of words that a set of cells takes."""
    return (cells + 63) // 64


class Kernels(enum.StrEnum):
    """Kernels that are compiled together; the value is the start of their marker's name."""

    NETWORK = "network"
    CONNECTIONS = "connections"
    RANKINGS = "rankings"
    SOLVER = "solver"
    SEARCH = "search"


def is_warm(kernels: Kernels, width: int) -> bool:
    """Return whether kernels of a width have been compiled."""
    return holds(marker_of(kernels, width))


def is_all_warm(width: int) -> bool:
    """Return whether all kernels of a width have been compiled."""
    return all(is_warm(kernels, width) for kernels in Kernels)


def marker_of(kernels: Kernels, width: int) -> Path:
    """Return the file that marks kernels of a width as compiled."""
    of_solver = kernels in (Kernels.SOLVER, Kernels.SEARCH)
    return (solver_folder() if of_solver else compiled_folder()) / f"{kernels}-{width}"


def serving_width(board: Board, kernels: Kernels = Kernels.RANKINGS) -> int:
    """Return the width whose kernels a board uses now: its own, or the next compiled one.

    Raises TooCostlyError for a board that is not analysed.
    """
    check_analysed(board)
    own = width_of(board.cells)
    for width in range(own, WIDTHS[-1] + 1):
        with suppress(FileNotFoundError):
            _check_ready(marker_of(kernels, width))
            return width
    return own


@cache
def _check_ready(marker: Path) -> None:
    """Raise FileNotFoundError unless a marker is valid; one that was is not checked again."""
    if not holds(marker):
        raise FileNotFoundError(marker)


def mark(marker: Path) -> None:
    """Write the names and sizes of the files beside a marker into it; ignore write errors."""
    with suppress(OSError):
        folder = marker.parent
        # by public options numba keeps the code in folders of its own
        files = [path for path in folder.rglob("*") if path.is_file() and _is_code(path.name)]
        names = {path.relative_to(folder).as_posix(): path.stat().st_size for path in files}
        lines = [f"{size} {name}\n" for name, size in sorted(names.items())]
        marker.unlink(missing_ok=True)
        with open(marker, "x", encoding="utf-8", opener=new_private_file) as file:
            file.writelines(lines)


def _is_code(name: str) -> bool:
    marker = name.partition("-")[0] in list(Kernels)
    return name != USED and not marker and not name.endswith(".part")


def holds(marker: Path) -> bool:
    """Return whether there is a marker, and all files that it lists with their sizes."""
    try:
        with open_private_file(marker) as file:
            lines = file.read().decode().splitlines()
        sizes = [line.split(" ", 1) for line in lines]
        return bool(sizes) and all(
            (marker.parent / name).stat().st_size == int(size) for size, name in sizes
        )
    except (OSError, ValueError):
        return False
