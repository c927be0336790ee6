"""The weights that ship: those of a trained network as the engine reads them, and back."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hextui.engine.kernels.neural import NetworkWeights
from hextui.engine.neural.judge import read_weights
from hextui.learn.residual import HexConvolution, HexNet, Shape
from hextui.records.saving import save_bytes

# the cells of the neighbourhood in the 3 x 3 window of a convolution, row by row
_ROWS, _COLUMNS = (0, 0, 1, 1, 1, 2, 2), (1, 2, 0, 1, 2, 0, 1)
Numbers = NDArray[Any]


def save_weights(net: HexNet, path: Path) -> None:
    """Write the weights as float16, by the names of ``NetworkWeights``; raises RecordError."""
    written = io.BytesIO()
    arrays = {name: array.astype(np.float16) for name, array in weights_of(net)._asdict().items()}
    np.savez_compressed(written, **arrays)
    save_bytes(path, written.getvalue())


def weights_of(net: HexNet) -> NetworkWeights:
    """Return the weights of a network, float32."""
    pairs = [(block.first, block.second) for block in net.blocks]
    return NetworkWeights(
        stem=_seven(net.stem),
        stem_bias=_numbers(net.stem.bias),
        blocks=np.stack([np.stack([_seven(part) for part in pair]) for pair in pairs]),
        blocks_bias=np.stack([np.stack([_numbers(p.bias) for p in pair]) for pair in pairs]),
        shifts=np.stack([_numbers(block.shift.weight) for block in net.blocks]),
        policy_cells=_numbers(net.policy_cells.weight[:, :, 0, 0]),
        policy_cells_bias=_numbers(net.policy_cells.bias),
        policy_shift=_numbers(net.policy_shift.weight),
        policy_out=_numbers(net.policy_out.weight[0, :, 0, 0]),
        value_hidden=_numbers(net.value_hidden.weight),
        value_hidden_bias=_numbers(net.value_hidden.bias),
        value_out=_numbers(net.value_out.weight[0]),
        value_out_bias=_numbers(net.value_out.bias),
    )


def load_network(path: Path) -> HexNet:
    """Return the network with the weights of a file. Raises OSError, ValueError."""
    arrays = read_weights(path.read_bytes())
    kept: Any = NetworkWeights(*map(torch.from_numpy, arrays))
    net = HexNet(Shape(len(kept.blocks), len(kept.stem), len(kept.policy_out)))
    with torch.no_grad():
        _fill(net.stem, kept.stem, kept.stem_bias)
        for number, block in enumerate(net.blocks):
            for place, part in enumerate((block.first, block.second)):
                _fill(part, kept.blocks[number, place], kept.blocks_bias[number, place])
            block.shift.weight.copy_(kept.shifts[number])
        net.policy_cells.weight[:, :, 0, 0] = kept.policy_cells
        net.policy_cells.bias.copy_(kept.policy_cells_bias)
        net.policy_shift.weight.copy_(kept.policy_shift)
        net.policy_out.weight[0, :, 0, 0] = kept.policy_out
        net.value_hidden.weight.copy_(kept.value_hidden)
        net.value_hidden.bias.copy_(kept.value_hidden_bias)
        net.value_out.weight[0] = kept.value_out
        net.value_out.bias.copy_(kept.value_out_bias)
    return net


def _seven(convolution: HexConvolution) -> Numbers:
    return _numbers(convolution.weight[:, :, _ROWS, _COLUMNS])


def _fill(convolution: HexConvolution, weight: Any, bias: Any) -> None:
    convolution.weight[:, :, _ROWS, _COLUMNS] = weight
    convolution.bias.copy_(bias)


def _numbers(tensor: Tensor) -> Numbers:
    return np.ascontiguousarray(tensor.detach().numpy(), np.float32)
