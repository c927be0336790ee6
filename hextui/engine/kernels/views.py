"""Arrays from raw addresses, so that a kernel takes one small handle.

A handle is a tuple of ints: the address of an int32 array, the address of a uint64 array, and
one 0 for each 64-bit word of a set of cells. The number of words W is so part of the handle's
type, and loops over words are unrolled for each W. Bare pointers own nothing and do not wrap
negative indices: with arrays as arguments, reference counting had taken several times as long
as the connection search itself, and wrapping a fifth of it. Whoever makes a handle keeps the
arrays alive.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from hextui.engine.kernels.compiling import part

Handle = tuple[int, ...]


def _pointer_maker(dtype: Any) -> Callable[[int], Any]:
    """Return the intrinsic that turns an address into a pointer to ``dtype``."""

    @intrinsic
    def pointer(typingctx: Any, address: Any) -> Any:
        kind = types.CPointer(dtype)  # type: ignore[no-untyped-call]

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(kind))

        return kind(types.int64), codegen

    return pointer  # type: ignore[return-value]


_int_pointer = _pointer_maker(types.int32)
_word_pointer = _pointer_maker(types.uint64)
_real_pointer = _pointer_maker(types.float64)


@part
def int_view(handle: Handle) -> Any:
    """Return a pointer to the handle's int32 array; nothing is checked."""
    return _int_pointer(handle[0])


@part
def word_view(handle: Handle) -> Any:
    """Return a pointer to the handle's uint64 array; nothing is checked."""
    return _word_pointer(handle[1])


@part
def real_view(handle: Handle) -> Any:
    """Return a pointer to the handle's uint64 array seen as float64; nothing is checked."""
    return _real_pointer(handle[1])


def make_handle(ints: NDArray[np.int32], words: NDArray[np.uint64], cells: int) -> Handle:
    """Return the handle of two arrays for sets of ``cells`` cells; keep the arrays alive."""
    return (ints.ctypes.data, words.ctypes.data, *(0,) * ((cells + 63) // 64))
