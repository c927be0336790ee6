"""Compiling with refinements of numba's private parts; ways.py tells when they are used.

numba optimises every function, with all that it calls, and makes machine code of it; whoever calls
it takes it in and does so again. Of nested functions most of that is thrown away. So a part is only
translated, and optimised and compiled within each kernel that takes it in: a board class then
compiles in two thirds of the processor's time. The code itself is kept as sealed.py tells.
"""

import logging
from collections.abc import Callable
from functools import cache
from typing import Any

from numba import njit
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

from hextui.engine.kernels.folders import folder_of
from hextui.engine.kernels.sealed import SealedCache

_njit: Any = njit  # its types know only the public options
_log = logging.getLogger("hextui")


@cache
def say_that_it_compiles() -> None:
    """Say once, by logging, that this takes its time."""
    _log.warning("compiling for the first use; the result is kept on disk")


class _PartLibrary(JITCodeLibrary):
    """The code of a part, as it is to be linked into that of kernels."""

    def _optimize_final_module(self) -> None:
        """Leave it as it is."""

    def _finalize_final_module(self) -> None:
        """Make no machine code."""
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: there is none."""
        self._ensure_finalized()  # type: ignore[no-untyped-call]
        return 0

    @property
    def codegen(self) -> Any:
        """What is asked to set the environment of the machine code."""
        return self

    def set_env(self, name: str, env: Any) -> None:
        """Do nothing: there is no machine code."""


class _PartCompiler(Compiler):
    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        library = _PartLibrary(target.codegen(), "part")  # type: ignore[no-untyped-call]
        super().__init__(typing, target, library, *rest)  # type: ignore[no-untyped-call]


def compile_kernel(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Return numba's dispatcher of a function that Python calls."""
    dispatcher = _njit(no_cfunc_wrapper=True, **options)(function)
    dispatcher._cache = SealedCache(function, folder_of(function.__module__), say_that_it_compiles)
    return dispatcher


def compile_part(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Return numba's dispatcher of a function that only compiled code calls."""
    return _njit(
        no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=_PartCompiler, **options
    )(function)
