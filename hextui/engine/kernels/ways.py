"""How kernels are compiled: with refinements of numba's private parts, or by its public options.

The refinements halve the work of compiling (see refined.py). They lean on parts of numba that may
change in any version, so they are tried once for each version, in a process of its own: whatever
goes wrong there, even a crash, leaves this one on the public way. The outcome is kept on disk.

Two environment variables choose: ``HEXTUI_COMPILER=refined`` or ``public``, without a trial, and
``HEXTUI_CHECKED=1`` for kernels that check every index (see views.py).
"""

import enum
import hashlib
import importlib.metadata
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from hextui.children import python_command
from hextui.locations import cache_folder, make_private_folder, open_private_file

COMPILER = "HEXTUI_COMPILER"
CHECKED = os.environ.get("HEXTUI_CHECKED", "") not in ("", "0")
"""Whether kernels check every index: slow, for tests."""

_TRIAL = f"{__package__}.trial"
_TRIAL_SECONDS = 120


class CompileWay(enum.StrEnum):
    """How kernels are compiled."""

    REFINED = "refined"
    PUBLIC = "public"


@cache
def kernels_folder() -> Path:
    """Return the folder of all compiled kernels, found once: kernels are bound to it on import."""
    return cache_folder() / "kernels"


def known_way() -> CompileWay | None:
    """Return how kernels are compiled here, None if that has not been tried yet.

    Raises ValueError if the environment names no way.
    """
    named = os.environ.get(COMPILER)
    if named:
        return _parse(named)
    try:
        with open_private_file(_outcome_file()) as file:
            return _parse(file.read().decode())
    except (OSError, ValueError):
        return None


def way() -> CompileWay:
    """Return how kernels are compiled here; if nobody knows, try it, which takes seconds."""
    return known_way() or _tried()


def _parse(word: str) -> CompileWay:
    if word not in list(CompileWay):
        raise ValueError(f"{COMPILER} is {' or '.join(CompileWay)}, not {word!r}")
    return CompileWay(word)


def _outcome_file() -> Path:
    return kernels_folder() / f"way-{_versions()}"


@cache
def _versions() -> str:
    """Name what the outcome depends on: versions, and the sources of the refinements."""
    digest = hashlib.sha256(sys.version.encode())
    for package in ("numba", "llvmlite"):
        digest.update(f" {package} {importlib.metadata.version(package)}".encode())
    for name in ("compiling", "refined", "trial"):
        digest.update((Path(__file__).parent / f"{name}.py").read_bytes())
    return digest.hexdigest()[:16]


@cache
def _tried() -> CompileWay:
    """Try the refinements in a child with a cache of its own, and note the outcome."""
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, COMPILER: CompileWay.REFINED, "HEXTUI_HOME": home}
        try:
            trial = subprocess.run(
                python_command(_TRIAL),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                env=env,
                timeout=_TRIAL_SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired):
            return CompileWay.PUBLIC  # today; that says nothing about numba
    outcome = CompileWay.PUBLIC if trial.returncode else CompileWay.REFINED
    _write(_outcome_file(), outcome)
    return outcome


def _write(path: Path, outcome: CompileWay) -> None:
    try:
        make_private_folder(path.parent)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
            file.write(outcome)
        if path.is_dir():
            shutil.rmtree(path)
        os.replace(file.name, path)
    except OSError:
        return  # it will be tried again
