"""Arrays from raw addresses, so that a kernel takes one small handle.

A handle is a tuple of ints: the address of an int32 array, the address of a uint64 array, and
one 0 for each 64-bit word of a set of cells. The number of words W is so part of the handle's
type, and loops over words are unrolled for each W. Bare pointers own nothing and do not wrap
negative indices: with arrays as arguments, reference counting had taken several times as long
as the connection search itself, and wrapping a fifth of it. Whoever makes a handle keeps the
arrays alive.

In checked kernels (see ways.py) a handle holds the arrays instead of their addresses, and a view is
a span with a length, which raises IndexError for an index outside.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.ways import CHECKED

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


if CHECKED:
    from hextui.engine.kernels.checked_views import span_maker as _maker
else:
    _maker = _pointer_maker
_ints, _words, _reals = _maker(types.int32), _maker(types.uint64), _maker(types.float64)


@part
def int_view(handle: Handle) -> Any:
    """Return a view of the handle's int32 array."""
    return _ints(handle[0])


@part
def word_view(handle: Handle) -> Any:
    """Return a view of the handle's uint64 array."""
    return _words(handle[1])


@part
def real_view(handle: Handle) -> Any:
    """Return a view of the handle's uint64 array seen as float64."""
    return _reals(handle[1])


def make_handle(ints: NDArray[np.int32], words: NDArray[np.uint64], width: int) -> Handle:
    """Return the handle of two arrays for sets of ``width`` words; keep the arrays alive."""
    zeros = (0,) * width
    if CHECKED:
        return (ints, words, *zeros)  # type: ignore[arg-type]
    return (ints.ctypes.data, words.ctypes.data, *zeros)
