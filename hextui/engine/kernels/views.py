"""Arrays from raw addresses, so that a kernel takes one small handle.

A handle is a tuple of ints: the address of an int32 array, the address of a uint64 array, and
one 0 for each 64-bit word of a set of cells. The number of words W is so part of the handle's
type, and loops over words are unrolled for each W. Views made from addresses own nothing:
passing them from kernel to kernel costs no reference counting, which had taken several times
as long as the search itself. Whoever makes a handle keeps the arrays alive.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import intrinsic
from numba.np.numpy_support import carray
from numpy.typing import NDArray

Handle = tuple[int, ...]

_ANY_LENGTH = (1 << 40,)


@intrinsic
def _intrinsic_pointer(typingctx: Any, address: Any) -> Any:
    """Turn an address into a pointer."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.int64), codegen


# numba's type for an intrinsic counts the typing context as an argument
_pointer: Callable[[int], Any] = _intrinsic_pointer  # type: ignore[assignment]


@njit(cache=True, nogil=True)
def int_view(handle: Handle) -> Any:
    """Return the handle's int32 array; its length is not checked."""
    return carray(_pointer(handle[0]), _ANY_LENGTH, np.int32)


@njit(cache=True, nogil=True)
def word_view(handle: Handle) -> Any:
    """Return the handle's uint64 array; its length is not checked."""
    return carray(_pointer(handle[1]), _ANY_LENGTH, np.uint64)


@njit(cache=True, nogil=True)
def real_view(handle: Handle) -> Any:
    """Return the handle's uint64 array seen as float64; its length is not checked."""
    return carray(_pointer(handle[1]), _ANY_LENGTH, np.float64)


def make_handle(ints: NDArray[np.int32], words: NDArray[np.uint64], cells: int) -> Handle:
    """Return the handle of two arrays for sets of ``cells`` cells; keep the arrays alive."""
    return (ints.ctypes.data, words.ctypes.data, *(0,) * ((cells + 63) // 64))
