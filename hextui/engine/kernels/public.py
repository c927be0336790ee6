"""Compiling by numba's public options alone; ways.py tells when."""

from collections.abc import Callable
from typing import Any

from numba import config, njit

from hextui.engine.kernels.folders import folder_of


def compile_kernel(function: Callable[..., Any], options: Any) -> Any:
    """Return numba's dispatcher of a function that Python calls.

    numba asks its settings where to keep a function when it is decorated: for that moment only
    they name our folder.
    """
    before = config.CACHE_DIR  # type: ignore[attr-defined]
    config.CACHE_DIR = str(folder_of(function.__module__))  # type: ignore[attr-defined]
    try:
        return njit(cache=True, **options)(function)
    finally:
        config.CACHE_DIR = before  # type: ignore[attr-defined]


def compile_part(function: Callable[..., Any], options: Any) -> Any:
    """Return numba's dispatcher of a function that only compiled code calls."""
    return njit(**options)(function)
