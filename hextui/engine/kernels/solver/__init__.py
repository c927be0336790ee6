"""The compiled part of the strong solver.

Its compiled code lies in a folder of its own, named by a hash of these sources and of the
connection kernels they call, so that work on the solver does not recompile the connections.
Importing this package imports all its kernels, so that they find that folder.
"""

import hashlib
import shutil
from importlib import import_module
from pathlib import Path

from numba.core import config

from hextui.engine.kernels import compiled_folder

_MODULES = [
    "whole",
    "layout",
    "ring",
    "fill",
    "table",
    "proofs",
    "stones",
    "links",
    "order",
    "expand",
    "cache",
    "dfpn",
]


def solver_folder() -> Path:
    """Return the folder that holds the compiled kernels of these sources."""
    digest = hashlib.sha256(compiled_folder().name.encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return compiled_folder() / f"solver-{digest.hexdigest()[:16]}"


def drop_old_folders() -> None:
    """Remove compiled kernels of other sources of the solver."""
    current = solver_folder()
    for folder in current.parent.glob("solver-*"):
        if folder != current:
            shutil.rmtree(folder, ignore_errors=True)


def _import_kernels() -> None:
    before = config.CACHE_DIR  # type: ignore[attr-defined]
    # numba asks where to keep a function when it is decorated, that is now
    config.CACHE_DIR = str(solver_folder())  # type: ignore[attr-defined]
    try:
        for module in _MODULES:
            import_module(f"{__name__}.{module}")
    finally:
        config.CACHE_DIR = before  # type: ignore[attr-defined]


_import_kernels()
