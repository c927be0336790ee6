"""Choose how kernels are compiled, and name the folders of their code.

A kernel contains code from other files. So a folder is named by a hash of all kernel sources, of
the versions of Python, numba, LLVM and numpy, and of the way of compiling; the solver's kernels
have their own. Two environment variables choose: ``HEXTUI_COMPILER=refined`` or ``public`` (see
compiling.py), and ``HEXTUI_CHECKED=1`` for kernels that check every index (see memory.py). This
module does not import numba.
"""

import enum
import hashlib
import importlib.metadata
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

from hextui.children import python_command
from hextui.locations import PRIVATE, cache_folder, make_private_folder, open_private_file

COMPILER = "HEXTUI_COMPILER"
CHECKED = os.environ.get("HEXTUI_CHECKED", "") not in ("", "0")
"""Whether kernels check every index: slow, for tests."""
USED = "used"
"""The file whose modification time says when its folder was last used."""
KEPT_SECONDS = 28 * 24 * 3600
"""A folder that is unused for longer is removed. Another installation may need a younger one."""

_TRIAL = f"{__package__}.compiling"
_TRIAL_SECONDS = 120
_SOURCES = Path(__file__).parent
_SOLVER = _SOURCES / "solver"


class Compiler(enum.StrEnum):
    """How kernels are compiled: with private parts of numba, or by its public options alone."""

    REFINED = "refined"
    PUBLIC = "public"


def known_compiler() -> Compiler | None:
    """Return how kernels are compiled here, None if untried; ValueError for a wrong name."""
    if named := os.environ.get(COMPILER):
        return _parse(named)
    try:
        with open_private_file(_outcome_file()) as file:
            return _parse(file.read().decode())
    except (OSError, ValueError):
        return None


def compiler() -> Compiler:
    """Return how kernels are compiled here; if that is not known, try it, which takes seconds."""
    return known_compiler() or _tried()


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


def _parse(word: str) -> Compiler:
    if word not in list(Compiler):
        raise ValueError(f"{COMPILER} is {' or '.join(Compiler)}, not {word!r}")
    return Compiler(word)


def _outcome_file() -> Path:
    return kernels_folder() / _outcome_name()


@cache
def _outcome_name() -> str:
    """Name the outcome of the trial for these versions of numba and of our code."""
    sources = (_SOURCES / name for name in ("compiling.py", "folders.py"))
    return f"compiler-{_hash(_versions('numba', 'llvmlite'), sources)}"


@cache
def _tried() -> Compiler:
    """Compile a kernel with private parts of numba in a child, and store whether that works."""
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, COMPILER: Compiler.REFINED, "HEXTUI_HOME": home}
        try:
            trial = subprocess.run(
                python_command(_TRIAL),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                env=env,
                timeout=_TRIAL_SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired):
            return Compiler.PUBLIC  # in this process only: the cause may pass
    outcome = Compiler.PUBLIC if trial.returncode else Compiler.REFINED
    _write(_outcome_file(), outcome)
    return outcome


def _write(path: Path, outcome: Compiler) -> None:
    with suppress(OSError):  # it will be tried again
        make_private_folder(path.parent)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
            file.write(outcome)
        if path.is_dir():
            shutil.rmtree(path)
        os.replace(file.name, path)


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
