"""Two kinds of compiled functions: kernels, which Python calls, and their parts.

numba optimises every function, with all that it calls, and makes machine code of it; whoever calls
it takes it in and does so again. Of nested functions most of that is thrown away. So a part is only
translated, and optimised and compiled within each kernel that takes it in: half the work.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from numba import njit
from numba.core import config
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

from hextui.engine.kernels.sealed import SealedCache


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


Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function that Python calls; it is kept on disk.

    Also for small functions over arrays: those are faster if optimised before they are taken in.
    """
    compiled = njit(nogil=True, no_cfunc_wrapper=True)(function)  # type: ignore
    compiled._cache = SealedCache(function, Path(config.CACHE_DIR))  # type: ignore
    return compiled


def part(function: Function) -> Function:
    """Compile a function that only kernels and parts call; called by Python it would crash."""
    return njit(  # type: ignore
        nogil=True,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        pipeline_class=_PartCompiler,
    )(function)
