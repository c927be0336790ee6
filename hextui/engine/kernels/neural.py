"""The learned network run forward: convolutions over the seven cells of the hex neighbourhood.

A channel is a row of float32, one line of cells after the other, with a cell of the ring around the
board between two lines, and a line of it above and below. So the cells of a neighbourhood lie at
the same distances everywhere, and one loop without branches goes through a channel.
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic
from numpy import float32, int32, uint8
from numpy.typing import NDArray

from hextui.engine.kernels.compiling import kernel

Floats = NDArray[float32]
UPRIGHT = 1
TURNED = 2
BOTH = 3
"""How a board is looked at: as it is, turned by 180 degrees, or both."""


class NetworkWeights(NamedTuple):
    """The weights of a network, float32; convolutions by output, input and cell of the seven.

    ``stem`` [channels, 2, 7], ``blocks`` [blocks, 2, channels, channels, 7], ``shifts`` [blocks,
    channels, 2 * channels]: of pooled means, then of largest values. ``squeeze`` [blocks, squeezed,
    channels] and ``gates`` [blocks, channels, squeezed]; without gates ``squeezed`` is 0.
    ``policy_cells`` [hidden, channels], ``policy_shift`` [hidden, 2 * channels], ``policy_out``
    [hidden]. ``value_cells`` [pooled, channels]; where ``pooled`` is 0, the last block is pooled.
    ``value_hidden`` [hidden of the value, 2 * (pooled or channels)], ``value_out`` [hidden of the
    value], ``value_out_bias`` [1]. The number of channels is a multiple of 8.
    """

    stem: Floats
    stem_bias: Floats
    blocks: Floats
    blocks_bias: Floats
    shifts: Floats
    squeeze: Floats
    squeeze_bias: Floats
    gates: Floats
    gates_bias: Floats
    policy_cells: Floats
    policy_cells_bias: Floats
    policy_shift: Floats
    policy_out: Floats
    value_cells: Floats
    value_cells_bias: Floats
    value_hidden: Floats
    value_hidden_bias: Floats
    value_out: Floats
    value_out_bias: Floats


@intrinsic
def _plus(typingctx: Any, a: Any, b: Any) -> Any:
    """Return a + b of float32, where sums may be taken in any order: so eight at a time."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.fadd(*args, flags=("reassoc",))

    return types.float32(types.float32, types.float32), codegen


# numba's type for an intrinsic counts the typing context as an argument
plus: Any = _plus


@kernel
def rectify(x: Floats, inside: Floats) -> None:
    """Set to 0 what is below 0, and what is not on the board."""
    for i in range(len(x)):
        channel = x[i]
        for p in range(len(inside)):
            channel[p] = channel[p] * inside[p] if channel[p] > 0 else float32(0)


@kernel
def pool(x: Floats, cells: int, pooled: Floats) -> None:
    """Write each channel's mean over the board, then each one's largest value, 0 or more."""
    bits = x.view(int32)
    largest_bits = pooled.view(int32)
    for i in range(len(x)):
        total = float32(0)
        largest = int32(0)
        channel = x[i]
        in_bits = bits[i]
        for p in range(len(channel)):
            total = plus(total, channel[p])
        for p in range(len(channel)):  # in the order of the numbers, and found eight at a time
            largest = max(largest, in_bits[p])
        pooled[i] = total / float32(cells)
        largest_bits[len(x) + i] = largest


@kernel
def apply(matrix: Floats, vector: Floats, start: Floats) -> Floats:
    """Return ``matrix`` times ``vector`` and ``start``."""
    result = start.copy()
    for i in range(len(result)):
        for j in range(len(vector)):
            result[i] = plus(result[i], matrix[i, j] * vector[j])
    return result


@kernel
def gates_of(w: NetworkWeights, block: int, added: Floats, inside: Floats, cells: int) -> Floats:
    """Return what each channel that a block adds is multiplied by, 0 to 2, from their means."""
    means = np.empty(len(added), float32)
    for i in range(len(added)):
        total = float32(0)
        channel = added[i]
        for p in range(len(inside)):
            total = plus(total, channel[p] * inside[p])
        means[i] = total / float32(cells)
    squeezed = apply(w.squeeze[block], means, w.squeeze_bias[block])
    for i in range(len(squeezed)):
        squeezed[i] = max(squeezed[i], float32(0))
    gates = apply(w.gates[block], squeezed, w.gates_bias[block])
    for i in range(len(gates)):
        gates[i] = float32(2) / (float32(1) + math.exp(-gates[i]))
    return gates


@kernel
def mix(x: Floats, weights: Floats, start: Floats, y: Floats) -> None:
    """Write into channels ``y`` the sums of channels ``x`` times ``weights``, and ``start``."""
    for i in range(len(y)):
        y[i] = start[i]
        for j in range(len(x)):
            add_scaled(x[j], weights[i, j], y[i])


@kernel
def add_scaled(x: Floats, factor: float, y: Floats) -> None:
    """Add ``factor`` times ``x`` to ``y``."""
    for p in range(len(y)):
        y[p] += float32(factor) * x[p]


@kernel
def run_network(
    w: NetworkWeights, stones: NDArray[uint8], looks: NDArray[uint8], logits: Floats, wins: Floats
) -> None:
    """Judge n boards, each seen by its mover, as they are and turned by 180 degrees.

    ``stones`` uint8[n, rows, columns]: 0 empty, 1 the mover's, 2 the opponent's; ``looks`` [n]:
    UPRIGHT, TURNED or BOTH. Writes the means of a board's looks: ``logits`` [n, cells] of the
    moves, of taken cells too, and ``wins`` [n], the logit of the mover's win.
    """
    rows = stones.shape[1]
    columns = stones.shape[2]
    cells = rows * columns
    stride = columns + 1
    length = 2 * stride + (rows * stride - 1 + AT_ONCE - 1) // AT_ONCE * AT_ONCE
    channels = len(w.stem)
    pooled = np.empty(2 * len(w.stem), float32)
    planes = np.zeros((2, length), float32)
    inside = np.zeros(length, float32)
    for row in range(rows):
        inside[(row + 1) * stride : (row + 1) * stride + columns] = 1
    x = np.empty((channels, length), float32)
    y = np.empty((channels, length), float32)
    gated = w.gates.shape[2] > 0
    added = np.empty((channels, length), float32)
    target = added if gated else x
    value_planes = np.empty((len(w.value_cells), length), float32)
    value_pooled = np.empty(2 * len(w.value_cells), float32)
    line = np.empty(length, float32)
    look = np.empty(length, float32)
    for n in range(len(stones)):
        logits[n] = 0
        wins[n] = 0
        share = float32(0.5) if looks[n] == BOTH else float32(1)
        for turned in range(2):
            if not looks[n] & (TURNED if turned else UPRIGHT):
                continue
            _draw(stones[n], turned, planes)
            for i in range(channels):
                x[i] = w.stem_bias[i]
            add_convolution(planes, w.stem, x, stride)
            rectify(x, inside)
            for k in range(len(w.blocks)):
                for i in range(channels):
                    y[i] = w.blocks_bias[k, 0, i]
                add_convolution(x, w.blocks[k, 0], y, stride)
                rectify(y, inside)
                pool(y, cells, pooled)
                shift = apply(w.shifts[k], pooled, w.blocks_bias[k, 1])
                if gated:
                    added[:] = 0
                for i in range(channels):
                    target[i] += shift[i]
                add_convolution(y, w.blocks[k, 1], target, stride)
                if gated:
                    gates = gates_of(w, k, added, inside, cells)
                    for i in range(channels):
                        add_scaled(added[i], gates[i], x[i])
                rectify(x, inside)
            pool(x, cells, pooled)
            if len(w.value_cells):
                mix(x, w.value_cells, w.value_cells_bias, value_planes)
                rectify(value_planes, inside)
                pool(value_planes, cells, value_pooled)
                hidden = apply(w.value_hidden, value_pooled, w.value_hidden_bias)
            else:
                hidden = apply(w.value_hidden, pooled, w.value_hidden_bias)
            win = w.value_out_bias[0]
            for i in range(len(hidden)):
                win += max(hidden[i], float32(0)) * w.value_out[i]
            wins[n] += win * share
            shift = apply(w.policy_shift, pooled, w.policy_cells_bias)
            look[:] = 0
            for i in range(len(shift)):
                line[:] = shift[i]
                for j in range(channels):
                    add_scaled(x[j], w.policy_cells[i, j], line)
                for p in range(length):
                    look[p] += max(line[p], float32(0)) * w.policy_out[i]
            for cell in range(cells):
                place = cells - 1 - cell if turned else cell
                place_in_plane = (place // columns + 1) * stride + place % columns
                # whole looks: in any order the sum is the same
                logits[n, cell] += look[place_in_plane] * share


@kernel
def _draw(stones: NDArray[uint8], turned: int, planes: Floats) -> None:
    """Write the mover's stones and the opponent's, with edges as stones of the ring."""
    rows, columns = stones.shape
    stride = columns + 1
    planes[:] = 0
    for row in range(-1, rows + 1):
        for column in range(columns + 1):
            place = (row + 1) * stride + column
            if column == columns:
                planes[1, place] = 1
            elif row < 0 or row == rows:
                planes[0, place] = 1
            else:
                if turned:
                    stone = stones[rows - 1 - row, columns - 1 - column]
                else:
                    stone = stones[row, column]
                if stone:
                    planes[stone - 1, place] = 1


tools: Any = cgutils
LANES = 16 if llvmlite.binding.get_host_cpu_features().get("avx512f") else 8
"""Numbers in a register; with fewer in the machine's, LLVM takes two for one."""
VECTORS = 3
CHANNELS = 8 if LANES == 16 else 4
"""Registers along a channel, and channels: their sums, three inputs and a weight fill the 32, or
16, registers of the processor."""
AT_ONCE = VECTORS * LANES
"""Cells that are gone through together; a channel has a multiple of them between its rings."""


@intrinsic
def _tile(typingctx: Any, x: Any, weights: Any, y: Any, out: Any, start: Any, stride: Any) -> Any:
    """Add the convolution of ``x`` to channels of ``y`` from ``out``, cells from ``start``."""
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
    (x, weights, y) = arrays
    (inputs, length) = shape
    (out, start, stride) = where
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
    right = whole(1)
    steps = [builder.neg(stride), builder.sub(right, stride), whole(-1), whole(0), right]
    steps += [builder.sub(stride, right), stride]
    with tools.for_range(builder, inputs) as loop:
        line = builder.add(builder.mul(loop.index, length), start)
        for tap, step in enumerate(steps):
            inputs_of_tap = [
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
                    value = builder.call(fma, [same, inputs_of_tap[part], builder.load(total)])
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


@kernel
def choose_move(
    open: Any, valued: Any, values: Any, bonus: Any, visits: Any, tries: Any, first: float
) -> int:
    """Return the place of the first open move whose value and bonus are the largest.

    ``first``: the value of a move that is not known. The bonus is shared among the ``tries``: the
    visits, and others that count as lost.
    """
    best = -1
    most = -np.inf
    for place in range(len(open)):
        if open[place]:
            value = values[place] if valued[place] else first
            count = 1 + tries[place]
            total = value * ((1 + visits[place]) / count) + bonus[place] / count
            if best < 0 or total > most:
                best, most = place, total
    return best
