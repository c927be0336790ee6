"""The convolution over the seven cells of the hex neighbourhood, a tile of cells at a time.

A tile are AT_ONCE cells of CHANNELS channels. Its sums stay in the processor's registers while all
inputs are gone through; so the time goes into sums, not into moving them. LLVM is told so in its
own words, as no loop that numba compiles keeps them there.
"""

from collections.abc import Iterator
from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic
from numpy import float32
from numpy.typing import NDArray

from hextui.engine.kernels.compiling import kernel

tools: Any = cgutils
Floats = NDArray[float32]
LANES = 16 if llvmlite.binding.get_host_cpu_features().get("avx512f") else 8
"""Numbers in a register; with fewer in the machine's, LLVM takes two for one."""
VECTORS, CHANNELS = 3, 8 if LANES == 16 else 4
"""Registers along a channel, and channels: their sums, three inputs and a weight fill the 32, or
16, registers of the processor."""
AT_ONCE = VECTORS * LANES
"""Cells that are gone through together; a channel has a multiple of them between its rings."""


@intrinsic
def _tile(typingctx: Any, x: Any, weights: Any, y: Any, out: Any, start: Any, stride: Any) -> Any:
    """Add the convolution of ``x`` to a tile of ``y``: channels from ``out``, cells from ``start``.

    The arguments are those of add_convolution, all C contiguous; ``out`` and ``start`` intp.
    """
    if any(array.layout != "C" for array in (x, weights, y)):
        raise TypingError("a tile is of arrays that are C contiguous")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        arrays = [
            context.make_array(kind)(context, builder, value)
            for kind, value in zip(signature.args[:3], args[:3], strict=True)
        ]
        shape = tools.unpack_tuple(builder, arrays[0].shape)
        _write_tile(builder, [array.data for array in arrays], shape, args[3:])
        return context.get_dummy_value()

    return types.void(x, weights, y, types.intp, types.intp, types.intp), codegen


def _write_tile(builder: Any, arrays: Any, shape: Any, where: Any) -> None:
    """Write the instructions of a tile, from pointers to the arrays and the shape of ``x``."""
    (x, weights, y), (inputs, length), (out, start, stride) = arrays, shape, where
    vector = ir.VectorType(ir.FloatType(), LANES)
    fma = tools.get_or_insert_function(
        builder.module, ir.FunctionType(vector, [vector] * 3), f"llvm.fma.v{LANES}f32"
    )
    whole = inputs.type

    def at(pointer: Any, place: Any) -> Any:
        return builder.bitcast(builder.gep(pointer, [place]), vector.as_pointer())

    def places() -> Iterator[tuple[int, Any]]:
        for channel in range(CHANNELS):
            row = builder.mul(builder.add(out, whole(channel)), length)
            for part in range(VECTORS):
                number = channel * VECTORS + part
                yield number, builder.add(builder.add(row, start), whole(part * LANES))

    sums = [tools.alloca_once(builder, vector) for _ in range(CHANNELS * VECTORS)]
    for number, place in places():
        builder.store(builder.load(at(y, place), align=4), sums[number])
    one = whole(1)
    steps = [builder.neg(stride), builder.sub(one, stride), whole(-1), whole(0), one]
    steps += [builder.sub(stride, one), stride]
    with tools.for_range(builder, inputs) as loop:
        line = builder.add(builder.mul(loop.index, length), start)
        for tap, step in enumerate(steps):
            seen = [
                builder.load(at(x, builder.add(builder.add(line, step), whole(p * LANES))), align=4)
                for p in range(VECTORS)
            ]
            for channel in range(CHANNELS):
                row = builder.mul(builder.add(out, whole(channel)), inputs)
                place = builder.mul(builder.add(row, loop.index), whole(7))
                weight = builder.load(builder.gep(weights, [builder.add(place, whole(tap))]))
                same = _everywhere(builder, weight, vector)
                for part in range(VECTORS):
                    total = sums[channel * VECTORS + part]
                    value = builder.call(fma, [same, seen[part], builder.load(total)])
                    builder.store(value, total)
    for number, place in places():
        builder.store(builder.load(sums[number]), at(y, place), align=4)


def _everywhere(builder: Any, number: Any, vector: Any) -> Any:
    """Return a vector that holds a number in all places."""
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), number, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), None)
    return builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), zeros)


# numba's type for an intrinsic counts the typing context as an argument
tile: Any = _tile


@kernel
def add_convolution(x: Floats, weights: Floats, y: Floats, stride: int) -> None:
    """Add the convolution of the channels ``x`` to the channels ``y``.

    ``x`` and ``y`` have rows of one length: ``stride`` before, a multiple of AT_ONCE, ``stride``
    after. ``weights`` [len(y), len(x), 7]; len(y) is a multiple of 8.
    """
    for start in range(stride, x.shape[1] - stride, AT_ONCE):
        for out in range(0, len(y), CHANNELS):
            tile(x, weights, y, out, start, stride)
