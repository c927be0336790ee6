"""Choose how kernels are compiled, and name the folders of their code.

A kernel contains code from other files. So a folder is named by a hash of all kernel sources, of
the versions of Python, numba, LLVM and numpy, and of the way of compiling; the solver's kernels
have their own. The version of numba decides how kernels are compiled (see compiling.py), or
``HEXTUI_COMPILER=refined`` or ``public`` in the environment; with ``HEXTUI_CHECKED=1`` they check
every index (see memory.py). This module does not import numba.
"""

import enum
import hashlib
import importlib.metadata
import os
import shutil
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

from hextui.locations import PRIVATE, cache_folder, make_private_folder

COMPILER = "HEXTUI_COMPILER"
CHECKED = os.environ.get("HEXTUI_CHECKED", "") not in ("", "0")
"""Whether kernels check every index: slow, for tests."""
USED = "used"
"""The file whose modification time says when its folder was last used."""
TESTED_NUMBA = ("0.68.",)
"""How the versions of numba begin whose private parts are tested to work."""
KEPT_SECONDS = 28 * 24 * 3600
"""A folder that is unused for longer is removed. Another installation may need a younger one."""

_SOURCES = Path(__file__).parent
_SOLVER = _SOURCES / "solver"


class Compiler(enum.StrEnum):
    """How kernels are compiled: with private parts of numba, or by its public options alone."""

    REFINED = "refined"
    PUBLIC = "public"


def compiler() -> Compiler:
    """Return how kernels are compiled here; ValueError for a wrong name in the environment."""
    named = os.environ.get(COMPILER)
    if not named:
        return _tested_compiler()
    if named not in list(Compiler):
        raise ValueError(f"{COMPILER} is {' or '.join(Compiler)}, not {named!r}")
    return Compiler(named)


@cache
def _tested_compiler() -> Compiler:
    tested = importlib.metadata.version("numba").startswith(TESTED_NUMBA)
    return Compiler.REFINED if tested else Compiler.PUBLIC


@cache
def kernels_folder() -> Path:
    """Return the folder of all compiled kernels. It is fixed by the first call."""
    return cache_folder() / "kernels"


def compiled_folder() -> Path:
    """Return the folder of all kernels except the solver's."""
    return kernels_folder() / _base_name(compiler())


def solver_folder() -> Path:
    """Return the folder of the solver's kernels."""
    return kernels_folder() / _solver_name(compiler())


def folder_of(module: str) -> Path:
    """Return the folder of the kernels of a module."""
    solver = f"{__package__}.solver"
    return solver_folder() if f"{module}.".startswith(f"{solver}.") else compiled_folder()


def note_use(folder: Path) -> None:
    """Make a folder if it is missing, and note that it is used now; ignore write errors."""
    with suppress(OSError):
        make_private_folder(folder)
        (folder / USED).touch(PRIVATE)


def drop_unused_folders() -> None:
    """Remove compiled kernels that have not been used for weeks."""
    oldest = time.time() - KEPT_SECONDS
    with suppress(OSError):
        for folder in kernels_folder().iterdir():
            with suppress(OSError):
                if folder.is_dir() and _last_use(folder) < oldest:
                    shutil.rmtree(folder, ignore_errors=True)


def _last_use(folder: Path) -> float:
    stamp = folder / USED
    return (stamp if stamp.exists() else folder).stat().st_mtime


@cache
def _base_name(chosen: Compiler) -> str:
    state = _versions("numba", "llvmlite", "numpy") + f" {chosen} {CHECKED} ".encode()
    if chosen is Compiler.PUBLIC:
        # numba itself then finds the code of a function by the path of its source
        state += str(_SOURCES).encode()
    return _hash(state, (path for path in _SOURCES.rglob("*.py") if _SOLVER not in path.parents))


@cache
def _solver_name(chosen: Compiler) -> str:
    return "solver-" + _hash(_base_name(chosen).encode(), _SOLVER.rglob("*.py"))


def _versions(*packages: str) -> bytes:
    versions = (f" {package} {importlib.metadata.version(package)}" for package in packages)
    return (sys.version + "".join(versions)).encode()


def _hash(start: bytes, sources: Iterable[Path]) -> str:
    digest = hashlib.sha256(start)
    for source in sorted(sources):
        digest.update(source.relative_to(_SOURCES).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]
