"""Two kinds of compiled functions: kernels, which Python calls, and their parts."""

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, TypeVar

from hextui.engine.kernels.folders import compiled_folder, note_use, solver_folder
from hextui.engine.kernels.ways import CHECKED, CompileWay, way

if way() is CompileWay.REFINED:
    from hextui.engine.kernels.refined import compile_kernel, compile_part
else:
    from hextui.engine.kernels.public import compile_kernel, compile_part

Function = TypeVar("Function", bound=Callable[..., Any])

_OPTIONS: Any = {"nogil": True, "boundscheck": CHECKED}

note_use(compiled_folder())
note_use(solver_folder())


def kernel(function: Function) -> Function:
    """Compile a function that Python calls; it is kept on disk.

    Also for small functions over arrays: those are faster if optimised before they are taken in.
    """
    return compile_kernel(function, _OPTIONS)


class Part:
    """A function that only kernels and parts call."""

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self._dispatcher = compile_part(function, _OPTIONS)

    @property
    def _numba_type_(self) -> Any:
        """What numba takes a name in compiled code for."""
        return self._dispatcher._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        """Raise TypeError: there may be no machine code to call."""
        raise TypeError(f"{self.py_func.__name__} is a part of kernels: only those can call it")


def part(function: Function) -> Function:
    """Compile a function that only kernels and parts call; called by Python it raises TypeError."""
    return Part(function)  # type: ignore[return-value]
