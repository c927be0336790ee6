"""Compiling by numba's public options alone; ways.py tells when.

numba unpickles whatever lies in the folder of its cache, and makes its files by the umask. So the
folder is for the user alone, and if it holds anything of somebody else it is emptied first.
"""

import atexit
import logging
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numba import config, njit

from hextui.engine.kernels.folders import folder_of
from hextui.locations import check_private_folder, is_foreign, make_private_folder

_log = logging.getLogger(__name__)


def compile_kernel(function: Callable[..., Any], options: Any) -> Any:
    """Return numba's dispatcher of a function that Python calls.

    numba asks its settings where to keep a function when it is decorated: for that moment only
    they name our folder.
    """
    before = config.CACHE_DIR  # type: ignore[attr-defined]
    config.CACHE_DIR = str(_usable(folder_of(function.__module__)))  # type: ignore[attr-defined]
    try:
        return njit(cache=True, **options)(function)
    finally:
        config.CACHE_DIR = before  # type: ignore[attr-defined]


def compile_part(function: Callable[..., Any], options: Any) -> Any:
    """Return numba's dispatcher of a function that only compiled code calls."""
    return njit(**options)(function)


@cache
def _usable(folder: Path) -> Path:
    """Return a folder for numba's cache: this one, or if it cannot be used one for this process."""
    try:
        make_private_folder(folder)
        check_private_folder(folder)
        if any(is_foreign(path.lstat()) for path in folder.rglob("*")):
            shutil.rmtree(folder)
            make_private_folder(folder)
        if os.access(folder, os.W_OK):
            return folder
        reason = "it cannot be written"
    except OSError as error:
        reason = error.strerror or str(error)
    _log.warning("hextui: %s: compiled code is not kept there: %s", folder, reason)
    fresh = tempfile.mkdtemp(prefix="hextui-")
    atexit.register(shutil.rmtree, fresh, ignore_errors=True)
    return Path(fresh)
