"""Makes tests/engine/network_pairs.npz: what the framework says of positions, by the same weights.

Run after the weights change, where the extra ``learn`` is installed:
python -m tests.make_network_pairs
"""

from importlib.resources import files
from pathlib import Path

import numpy as np
import torch

import hextui.engine.neural
from hextui.engine.board import Board, Color
from hextui.engine.neural.judge import read_weights, seen_by_mover, shipped_weights
from hextui.engine.position import Position
from research.training.network import load_network, planes_of
from tests.engine.test_neural import PAIRS, some_positions

SIZES = ("3", "4x7", "7x4", "8", "11", "13", "19")
EACH = 3


def main() -> None:
    """Ask the framework, in double precision, and write the file."""
    net = load_network(Path(str(files(hextui.engine.neural) / "weights.npz"))).double()
    arrays: dict[str, object] = {}
    for size in SIZES:
        positions = some_positions(1, Board.parse(size), EACH)
        answers = [_answer(net, position) for position in positions]
        arrays[f"stones_{size}"] = np.array([list(p.stones) for p in positions], np.uint8)
        arrays[f"mover_{size}"] = np.array([int(p.to_move) for p in positions], np.uint8)
        arrays[f"policy_{size}"] = np.array([policy for policy, _ in answers], np.float32)
        arrays[f"win_{size}"] = np.array([win for _, win in answers], np.float32)
    np.savez_compressed(PAIRS, **arrays)  # type: ignore[arg-type]


def _answer(net: torch.nn.Module, position: Position) -> tuple[list[float], float]:
    stones = torch.from_numpy(seen_by_mover(position).copy())[None]
    with torch.no_grad():
        upright, win = net(planes_of(stones).double())
        turned, turned_win = net(planes_of(stones.flip(1, 2)).double())
    logits = ((upright + turned.flip(1)) / 2)[0]
    logits[stones.flatten() != 0] = -torch.inf
    policy = logits.softmax(0)
    if position.to_move is Color.WHITE:
        policy = policy.view(stones.shape[1:]).T.flatten()
    _, calibration = read_weights(shipped_weights())
    size = position.board.cells**0.5
    stretch, shift = (np.interp(size, calibration[:, 0], calibration[:, n]) for n in (1, 2))
    return policy.tolist(), torch.sigmoid((win + turned_win) / 2 * stretch + shift).item()


if __name__ == "__main__":
    main()
