"""Memory and machine words as kernels see them.

A *handle* is a tuple of ints: the address of an int32 array, the address of a uint64 array, and one
0 for each 64-bit word of a set of cells. So the number of words W is part of the handle's type, and
loops over words are unrolled for each W. Bare pointers have no reference counts, which took several
times as long as the connection search itself, and do not wrap negative indices. The caller keeps
the arrays alive. In checked kernels (``HEXTUI_CHECKED``) a handle holds the arrays, and a view is a
span with a length, which raises IndexError for an index outside.
"""

import mmap
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import accumulate, chain
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy import int64
from numpy.typing import NDArray

from hextui.engine.kernels.compiling import part
from hextui.engine.kernels.folders import CHECKED

Handle = tuple[int, ...]
_PRIVATE: Any = {}
if sys.platform != "win32":
    _PRIVATE = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANON}

whole: Callable[[Any], int] = int64  # type: ignore[assignment]
"""Convert a number read from int32 memory to int64, so that each kernel is compiled only once."""


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
_ints = _maker(types.int32)
_words = _maker(types.uint64)
_reals = _maker(types.float64)


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
    """Return a view of the handle's uint64 array as float64."""
    return _reals(handle[1])


def int_record(names: str) -> np.dtype[Any]:
    """Return a record of int32 fields, named with blanks between; # begins a comment."""
    words = (line.partition("#")[0].split() for line in names.splitlines())
    return np.dtype([(name, np.int32) for name in chain.from_iterable(words)])


def record_of(kind: np.dtype[Any]) -> Callable[[Handle], Any]:
    """Return the part that views the start of a handle's int32 array as a record of ``kind``."""
    fields = numba.from_dtype(kind)

    @intrinsic
    def record(typingctx: Any, begin: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            address = args[0]
            if CHECKED:
                address = context.make_array(begin)(context, builder, address).data
                return builder.bitcast(address, context.get_value_type(fields))
            return builder.inttoptr(address, context.get_value_type(fields))

        return fields(begin if CHECKED else types.int64), codegen

    @part
    def see(handle: Handle) -> Any:
        return record(handle[0])  # type: ignore[call-arg]

    return see


def zeros_as_needed(count: int, kind: type[Any]) -> Any:
    """Return zeros in memory without huge pages, taken as it is written; may raise MemoryError."""
    size = max(count * np.dtype(kind).itemsize, 1)
    try:
        memory = mmap.mmap(-1, size, **_PRIVATE)
    except (OSError, OverflowError) as error:
        raise MemoryError(f"{size} bytes") from error
    if hasattr(memory, "madvise") and hasattr(mmap, "MADV_NOHUGEPAGE"):
        with suppress(OSError):  # a system without huge pages
            memory.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(memory, kind, count)


def make_handle(ints: NDArray[np.int32], words: NDArray[np.uint64], width: int) -> Handle:
    """Return the handle of two arrays for sets of ``width`` words; keep the arrays alive."""
    zeros = (0,) * width
    if CHECKED:
        return (ints, words, *zeros)  # type: ignore[arg-type]
    return (ints.ctypes.data, words.ctypes.data, *zeros)


def places(*lengths: int) -> list[int]:
    """Return where fields of these lengths begin, one after the other, and where the last ends.

    >>> places(1, 3, 1)
    [0, 1, 4, 5]
    """
    return list(accumulate(lengths, initial=0))


def lay_out(header: Any, arrays: Iterable[tuple[Any, int]], start: int = 0) -> int:
    """Write where arrays of these lengths begin into a header; return where the last ends."""
    for place, length in arrays:
        header[place] = start
        start += int(length)
    return start


@intrinsic
def _popcount(typingctx: Any, word: Any) -> Any:
    """Number of set bits of a uint64, as int64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


@intrinsic
def _lowest(typingctx: Any, word: Any) -> Any:
    """Index of the lowest set bit of a uint64, as int64; 64 if the word is 0."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), codegen


# numba's type for an intrinsic counts the typing context as an argument
popcount: Callable[[Any], int] = _popcount  # type: ignore[assignment]
lowest: Callable[[Any], int] = _lowest  # type: ignore[assignment]
