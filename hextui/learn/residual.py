"""The network to train: residual blocks over the seven cells of the hex neighbourhood.

Its input are two planes, the mover's stones and the opponent's, with a ring around the board that
holds the edges as stones. Any board fits: nothing in the network knows its size.
"""

from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class Shape:
    """How large a network is: ``channels`` are a multiple of 8, ``hidden`` those of the heads.

    Raises ValueError for other numbers of channels.
    """

    blocks: int = 6
    channels: int = 32
    hidden: int = 32

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


def pooled(x: Tensor) -> Tensor:
    """Return each channel's mean and largest value over the board, float[n, 2 * channels]."""
    cells = x.permute(0, 2, 3, 1).flatten(1, 2)
    return torch.cat([cells.mean(1), cells.amax(1)], 1)


class Block(nn.Module):
    """Two convolutions around what they add to; what is pooled between them shifts the second."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = HexConvolution(channels, channels)
        self.second = HexConvolution(channels, channels)
        self.shift = nn.Linear(2 * channels, channels, bias=False)
        nn.init.zeros_(self.second.weight)
        nn.init.zeros_(self.shift.weight)

    def forward(self, x: Tensor) -> Tensor:
        """Return float[n, channels, rows, columns]."""
        inner = functional.relu(self.first(x))
        added = self.second(inner) + self.shift(pooled(inner))[:, :, None, None]
        return functional.relu(x + added)


class HexNet(nn.Module):
    """From planes float[n, 2, rows + 2, columns + 2] to logits of the moves and of a win."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        channels, hidden = shape.channels, shape.hidden
        self.stem = HexConvolution(2, channels, padding=0)
        self.blocks: list[Block] = nn.ModuleList(Block(channels) for _ in range(shape.blocks))
        self.policy_cells = nn.Conv2d(channels, hidden, 1)
        self.policy_shift = nn.Linear(2 * channels, hidden, bias=False)
        self.policy_out = nn.Conv2d(hidden, 1, 1, bias=False)
        self.value_hidden = nn.Linear(2 * channels, hidden)
        self.value_out = nn.Linear(hidden, 1)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Return float[n, cells], of taken cells too, and float[n] for the mover."""
        x = functional.relu(self.stem(planes.contiguous(memory_format=torch.channels_last)))
        for block in self.blocks:
            x = block(x)
        whole = pooled(x)
        shift = self.policy_shift(whole)[:, :, None, None]
        policy = self.policy_out(functional.relu(self.policy_cells(x) + shift))
        value = self.value_out(functional.relu(self.value_hidden(whole)))
        return policy.flatten(1), value.flatten()

    def deepened(self, blocks: int) -> "HexNet":
        """Return a network that says the same, with this many blocks if it had fewer.

        A new block adds nothing to what it gets until it has learned.
        """
        made = HexNet(replace(self.shape, blocks=max(blocks, self.shape.blocks)))
        for block in made.blocks:
            nn.init.zeros_(block.second.bias)
        made.load_state_dict(made.state_dict() | self.state_dict())
        return made


def planes_of(stones: Tensor) -> Tensor:
    """Return the planes float[n, 2, rows + 2, columns + 2] of stones uint8[n, rows, columns].

    The ring is the mover's above and below, the opponent's at the sides and in the corners.
    """
    ringed = functional.pad(stones, (1, 1, 1, 1), value=2)
    ringed[:, (0, -1), 1:-1] = 1
    return torch.stack([ringed == 1, ringed == 2], 1).float()
