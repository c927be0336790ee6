"""Counting bits of one uint64 word, as LLVM intrinsics (one machine instruction each)."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


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
