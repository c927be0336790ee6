"""Where compiled kernels are kept: a folder for each state of their sources.

A kernel takes in code of other files, so a folder is named by a hash of all sources, of the
versions of Python, numba and LLVM, and of how the kernels are compiled. The solver's kernels have
a folder of their own: work on the solver does not recompile the others.

This module does not import numba: a process that only asks what is compiled stays light.
"""

import hashlib
import importlib.metadata
import shutil
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

from hextui.engine.kernels.ways import CHECKED, CompileWay, kernels_folder, way
from hextui.locations import PRIVATE, make_private_folder

USED = "used"
"""The file of a folder whose time says when the folder was used last."""
KEPT_SECONDS = 28 * 24 * 3600
"""A folder unused for so long is dropped. Not sooner: another installation may need it."""

_SOURCES = Path(__file__).parent
_SOLVER = _SOURCES / "solver"


def compiled_folder() -> Path:
    """Return the folder of all kernels but the solver's."""
    return kernels_folder() / _base_name(way())


def solver_folder() -> Path:
    """Return the folder of the solver's kernels."""
    return kernels_folder() / _solver_name(way())


def folder_of(module: str) -> Path:
    """Return the folder in which the kernels of a module are kept."""
    solver = f"{__package__}.solver"
    return solver_folder() if f"{module}.".startswith(f"{solver}.") else compiled_folder()


@cache
def _base_name(chosen: CompileWay) -> str:
    digest = hashlib.sha256(sys.version.encode())
    for package in ("numba", "llvmlite", "numpy"):
        digest.update(f" {package} {importlib.metadata.version(package)}".encode())
    digest.update(f" {chosen} {CHECKED} ".encode())
    if chosen is CompileWay.PUBLIC:
        # numba itself then looks for the code of a function by the path of its source
        digest.update(str(_SOURCES).encode())
    others = (path for path in _SOURCES.rglob("*.py") if _SOLVER not in path.parents)
    return _hash(digest.digest(), others)


@cache
def _solver_name(chosen: CompileWay) -> str:
    return "solver-" + _hash(_base_name(chosen).encode(), _SOLVER.rglob("*.py"))


def _hash(start: bytes, sources: Iterable[Path]) -> str:
    digest = hashlib.sha256(start)
    for source in sorted(sources):
        digest.update(source.relative_to(_SOURCES).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def note_use(folder: Path) -> None:
    """Note that a folder is in use today, and make it; where nothing can be written, do nothing."""
    with suppress(OSError):
        make_private_folder(folder)
        (folder / USED).touch(PRIVATE)


def drop_unused_folders() -> None:
    """Remove compiled kernels that nobody has used for weeks: of other sources or versions."""
    oldest = time.time() - KEPT_SECONDS
    with suppress(OSError):
        for folder in kernels_folder().iterdir():
            with suppress(OSError):
                if folder.is_dir() and _last_use(folder) < oldest:
                    shutil.rmtree(folder, ignore_errors=True)


def _last_use(folder: Path) -> float:
    stamp = folder / USED
    return (stamp if stamp.exists() else folder).stat().st_mtime
