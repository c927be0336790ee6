"""The network in PyTorch: residual blocks over the seven cells of the hex neighbourhood.

Its input is two planes, the mover's stones and the opponent's, with a ring around the board that
holds the edges as stones. It is convolutional, so its weights fit boards of any size. Its weights
are read in the format of the engine (`hextui.engine.neural`).
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from hextui.engine.kernels.neural import NetworkWeights
from hextui.engine.neural.judge import read_weights

# the cells of the neighbourhood in the 3 x 3 window of a convolution, row by row
_ROWS, _COLUMNS = (0, 0, 1, 1, 1, 2, 2), (1, 2, 0, 1, 2, 0, 1)
Numbers = NDArray[Any]


@dataclass(frozen=True)
class Shape:
    """How large a network is: ``channels`` are a multiple of 8.

    ``hidden``: of the policy's head. ``squeezed``: units between the means of channels and their
    gates, 0 for no gates. ``pooled``: channels of the value's head that are pooled, 0 if those of
    the last block are; ``value_hidden``: its units after that. Raises ValueError for other numbers
    of channels.
    """

    blocks: int = 10
    channels: int = 64
    hidden: int = 32
    squeezed: int = 16
    pooled: int = 32
    value_hidden: int = 64

    def __post_init__(self) -> None:
        if self.channels % 8:
            raise ValueError(f"a network has a multiple of 8 channels, not {self.channels}")


class HexConvolution(nn.Module):
    """A convolution over a cell and its six neighbours; beyond the board is 0.

    ``padding`` 0 takes the ring away, 1 keeps the size.
    """

    def __init__(self, inputs: int, outputs: int, padding: int = 1) -> None:
        super().__init__()
        plain = nn.Conv2d(inputs, outputs, 3)
        assert plain.bias is not None
        self.weight, self.bias = plain.weight, plain.bias
        self.padding = padding
        near = torch.tensor([[0.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 0.0]])
        self.register_buffer("near", near, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return float[n, outputs, rows, columns]."""
        near: Any = self.near
        return functional.conv2d(x, self.weight * near, self.bias, padding=self.padding)


class Affine(nn.Module):
    """A linear layer that may have no outputs."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        bound = inputs**-0.5 if inputs else 0.0
        self.weight = nn.Parameter(torch.empty(outputs, inputs).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x: Tensor) -> Tensor:
        """Return float[..., outputs] of float[..., inputs]."""
        return functional.linear(x, self.weight, self.bias)


def cells_of(x: Tensor) -> Tensor:
    """Return float[n, cells, channels] of float[n, channels, rows, columns]."""
    return x.permute(0, 2, 3, 1).flatten(1, 2)


def pooled(cells: Tensor) -> Tensor:
    """Return each channel's mean and largest value over the board, float[n, 2 * channels]."""
    return torch.cat([cells.mean(1), cells.amax(1)], 1)


class Block(nn.Module):
    """Two convolutions around what they add to; what is pooled between them shifts the second.

    What a channel adds is multiplied by a gate, 0 to 2, which depends on the means of all channels
    (J. Hu and others, https://arxiv.org/abs/1709.01507) and begins with 1. Without squeezed units
    there are no gates.
    """

    def __init__(self, channels: int, squeezed: int) -> None:
        super().__init__()
        self.first = HexConvolution(channels, channels)
        self.second = HexConvolution(channels, channels)
        self.shift = nn.Linear(2 * channels, channels, bias=False)
        self.squeeze = Affine(channels, squeezed)
        self.gates = Affine(squeezed, channels)
        for zero in (self.second.weight, self.shift.weight, self.gates.weight):
            nn.init.zeros_(zero)

    def forward(self, x: Tensor) -> Tensor:
        """Return float[n, channels, rows, columns]."""
        inner = functional.relu(self.first(x))
        added = self.second(inner) + self.shift(pooled(cells_of(inner)))[:, :, None, None]
        if len(self.squeeze.bias):
            squeezed = functional.relu(self.squeeze(added.mean((2, 3))))
            added = added * 2 * torch.sigmoid(self.gates(squeezed))[:, :, None, None]
        return functional.relu(x + added)


class HexNet(nn.Module):
    """From planes float[n, 2, rows + 2, columns + 2] to logits of the moves and of a win."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        channels, hidden = shape.channels, shape.hidden
        self.stem = HexConvolution(2, channels, padding=0)
        blocks = (Block(channels, shape.squeezed) for _ in range(shape.blocks))
        self.blocks: list[Block] = nn.ModuleList(blocks)
        self.policy_cells = nn.Conv2d(channels, hidden, 1)
        self.policy_shift = nn.Linear(2 * channels, hidden, bias=False)
        self.policy_out = nn.Conv2d(hidden, 1, 1, bias=False)
        self.value_cells = Affine(channels, shape.pooled)
        self.value_hidden = nn.Linear(2 * (shape.pooled or channels), shape.value_hidden)
        self.value_out = nn.Linear(shape.value_hidden, 1)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Return float[n, cells], of taken cells too, and float[n] for the mover."""
        x = functional.relu(self.stem(planes.contiguous(memory_format=torch.channels_last)))
        for block in self.blocks:
            x = block(x)
        whole = pooled(cells_of(x))
        shift = self.policy_shift(whole)[:, :, None, None]
        policy = self.policy_out(functional.relu(self.policy_cells(x) + shift))
        if self.shape.pooled:
            whole = pooled(functional.relu(self.value_cells(cells_of(x))))
        value = self.value_out(functional.relu(self.value_hidden(whole)))
        return policy.flatten(1), value.flatten()

    def enlarged(self, blocks: int) -> "HexNet":
        """Return a network that says the same, with gates, and a head of the value's own.

        It has ``blocks``, if this one has fewer. What is new changes nothing until it has learned.
        """
        shape = replace(
            self.shape,
            blocks=max(blocks, self.shape.blocks),
            squeezed=self.shape.squeezed or Shape.squeezed,
            pooled=self.shape.pooled or self.shape.channels,
        )
        made = HexNet(shape)
        for block in made.blocks:
            nn.init.zeros_(block.second.bias)
        # what the last block gives is not below 0
        made.value_cells.weight.data.copy_(torch.eye(shape.pooled, shape.channels))
        new = []
        if not self.shape.squeezed:
            new += [".squeeze.", ".gates."]
        if not self.shape.pooled:
            new.append("value_cells.")
        weights = self.state_dict()
        kept = {name: weights[name] for name in weights if not any(part in name for part in new)}
        made.load_state_dict(made.state_dict() | kept)
        return made


def planes_of(stones: Tensor) -> Tensor:
    """Return the planes float[n, 2, rows + 2, columns + 2] of stones uint8[n, rows, columns].

    The ring is the mover's above and below, the opponent's at the sides and in the corners.
    """
    ringed = functional.pad(stones, (1, 1, 1, 1), value=2)
    ringed[:, (0, -1), 1:-1] = 1
    return torch.stack([ringed == 1, ringed == 2], 1).float()


def quick_opinion(net: nn.Module, stones: Tensor) -> tuple[Tensor, Tensor]:
    """Return the logits of moves float[n, cells] and of a win float[n], in half precision.

    ``stones`` uint8[n, rows, columns] are as their movers see them.
    """
    kind = torch.float16 if stones.device.type == "cuda" else torch.bfloat16
    with torch.no_grad(), torch.autocast(stones.device.type, kind):
        logits, wins = net(planes_of(stones))
    return logits.float(), wins.float()


def weights_of(net: HexNet) -> NetworkWeights:
    """Return the weights of a network, float32."""
    pairs = [(block.first, block.second) for block in net.blocks]
    return NetworkWeights(
        stem=_seven(net.stem),
        stem_bias=_numbers(net.stem.bias),
        blocks=np.stack([np.stack([_seven(part) for part in pair]) for pair in pairs]),
        blocks_bias=np.stack([np.stack([_numbers(p.bias) for p in pair]) for pair in pairs]),
        shifts=np.stack([_numbers(block.shift.weight) for block in net.blocks]),
        squeeze=np.stack([_numbers(block.squeeze.weight) for block in net.blocks]),
        squeeze_bias=np.stack([_numbers(block.squeeze.bias) for block in net.blocks]),
        gates=np.stack([_numbers(block.gates.weight) for block in net.blocks]),
        gates_bias=np.stack([_numbers(block.gates.bias) for block in net.blocks]),
        policy_cells=_numbers(net.policy_cells.weight[:, :, 0, 0]),
        policy_cells_bias=_numbers(net.policy_cells.bias),
        policy_shift=_numbers(net.policy_shift.weight),
        policy_out=_numbers(net.policy_out.weight[0, :, 0, 0]),
        value_cells=_numbers(net.value_cells.weight),
        value_cells_bias=_numbers(net.value_cells.bias),
        value_hidden=_numbers(net.value_hidden.weight),
        value_hidden_bias=_numbers(net.value_hidden.bias),
        value_out=_numbers(net.value_out.weight[0]),
        value_out_bias=_numbers(net.value_out.bias),
    )


def load_network(path: Path) -> HexNet:
    """Return the network with the weights of a file. Raises OSError, ValueError."""
    arrays, _ = read_weights(path.read_bytes())
    kept: Any = NetworkWeights(*map(torch.from_numpy, arrays))
    shape = Shape(
        blocks=len(kept.blocks),
        channels=len(kept.stem),
        hidden=len(kept.policy_out),
        squeezed=kept.gates.shape[2],
        pooled=len(kept.value_cells),
        value_hidden=len(kept.value_out),
    )
    net = HexNet(shape)
    with torch.no_grad():
        _fill(net.stem, kept.stem, kept.stem_bias)
        for number, block in enumerate(net.blocks):
            for place, part in enumerate((block.first, block.second)):
                _fill(part, kept.blocks[number, place], kept.blocks_bias[number, place])
            block.shift.weight.copy_(kept.shifts[number])
            block.squeeze.weight.copy_(kept.squeeze[number])
            block.squeeze.bias.copy_(kept.squeeze_bias[number])
            block.gates.weight.copy_(kept.gates[number])
            block.gates.bias.copy_(kept.gates_bias[number])
        net.policy_cells.weight[:, :, 0, 0] = kept.policy_cells
        net.policy_cells.bias.copy_(kept.policy_cells_bias)
        net.policy_shift.weight.copy_(kept.policy_shift)
        net.policy_out.weight[0, :, 0, 0] = kept.policy_out
        net.value_cells.weight.copy_(kept.value_cells)
        net.value_cells.bias.copy_(kept.value_cells_bias)
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
