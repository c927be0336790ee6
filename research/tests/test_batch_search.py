"""The search of many positions does in each what a plain one does, and finds winning moves."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from research.tests.test_reinforce import joins, mirrored  # noqa: E402
from research.training import batch_search  # noqa: E402
from research.training.batch_search import GAIN, GAIN_OF_VISIT, sequential_halving  # noqa: E402

SIZE = 4


def opinion(stones: Any) -> Any:
    """Return logits and a win's logit that depend on the stones, and on nothing else."""
    flat = stones.flatten(1).float()
    numbers = torch.arange(flat.shape[1]).float()
    key = (flat * (numbers + 1) ** 1.7).sum(1, keepdim=True)
    return 2 * torch.sin(key + 3 * numbers), torch.sin(key[:, 0] * 1.3)


@dataclass
class Node:
    """A position of a plain tree, with the values of all that was visited below it."""

    stones: np.ndarray
    over: bool = False
    values: list[float] = field(default_factory=list)
    children: dict[int, "Node"] = field(default_factory=dict)

    def __post_init__(self) -> None:
        logits, win = opinion(torch.from_numpy(self.stones[None].copy()))
        empties = np.flatnonzero(self.stones.ravel() == 0).tolist()
        self.logits: dict[int, float] = {cell: float(logits[0, cell]) for cell in empties}
        self.own = 0.0 if self.over else 1 / (1 + math.exp(-float(win[0])))
        self.values.append(self.own)

    def value_of(self, cell: int) -> float:
        values = self.children[cell].values
        return 1 - sum(values) / len(values)

    def visits(self, cell: int) -> int:
        return len(self.children[cell].values) if cell in self.children else 0

    def policy(self, logits: dict[int, float]) -> dict[int, float]:
        most = max(logits.values())
        powers = {cell: math.exp(logit - most) for cell, logit in logits.items()}
        return {cell: power / sum(powers.values()) for cell, power in powers.items()}

    def mixed(self) -> float:
        policy = self.policy(self.logits)
        total = sum(map(self.visits, self.children))
        weight = sum(policy[cell] for cell in self.children) or 1.0
        moves = sum(policy[cell] * self.value_of(cell) for cell in self.children) / weight
        return (self.own + total * moves) / (1 + total)

    def improved(self) -> dict[int, float]:
        gain = GAIN + GAIN_OF_VISIT * max([0, *map(self.visits, self.children)])
        mixed = self.mixed()
        return {
            cell: logit + gain * (self.value_of(cell) if cell in self.children else mixed)
            for cell, logit in self.logits.items()
        }

    def visit(self, cell: int) -> float:
        """Visit a move, and return the value for the side to move here."""
        if cell not in self.children:
            after = self.stones.copy()
            after.ravel()[cell] = 1
            self.children[cell] = Node(mirrored(after).astype(np.uint8), over=joins(after))
            value = self.children[cell].own
        else:
            child = self.children[cell]
            value = child.go_on()
        self.values.append(1 - value)
        return 1 - value

    def go_on(self) -> float:
        """Visit the move that the improved policy wants most; return the value here."""
        if self.over:
            self.values.append(0.0)
            return 0.0
        wanted = self.policy(self.improved())
        total = sum(map(self.visits, self.children))
        return self.visit(max(wanted, key=lambda c: wanted[c] - self.visits(c) / (1 + total)))

    def considered(self, had: int, noise: np.ndarray) -> int:
        wanted = min(had, max(map(self.visits, self.logits)))
        improved = self.improved()
        cells = [cell for cell in self.logits if self.visits(cell) == wanted]
        return max(cells, key=lambda cell: improved[cell] + noise[cell])


def boards(count: int, stones: int) -> np.ndarray:
    """Return positions uint8[count, SIZE, SIZE] in which nobody has won."""
    chance = np.random.default_rng(5)
    made = list[np.ndarray]()
    while len(made) < count:
        board = np.zeros(SIZE * SIZE, np.uint8)
        cells = chance.permutation(SIZE * SIZE)[:stones]
        board[cells] = 1 + np.arange(stones) % 2
        square = board.reshape(SIZE, SIZE)
        if not joins(square) and not joins(mirrored(square)):
            made.append(square)
    return np.array(made)


@pytest.mark.parametrize("stones", [0, 4, 8])
@pytest.mark.parametrize("visits", [1, 7, 24])
def test_each_tree_is_that_of_a_plain_search(stones: int, visits: int) -> None:
    positions = boards(30, stones)
    torch.manual_seed(visits)
    found = batch_search.search(opinion, torch.from_numpy(positions), visits, 1.0)
    torch.manual_seed(visits)
    noise = batch_search.gumbel(torch.zeros(30, SIZE * SIZE)).numpy()
    for number, position in enumerate(positions):
        root = Node(position)
        for had in sequential_halving(min(8, SIZE * SIZE - stones), visits):
            root.visit(root.considered(had, noise[number]))
        best = root.considered(visits, noise[number])
        assert int(found.cells[number]) == best
        assert float(found.value[number]) == pytest.approx(root.mixed(), abs=1e-4)
        shares = root.policy(root.improved())
        listed = [shares.get(cell, 0.0) for cell in range(SIZE * SIZE)]
        assert found.shares[number].tolist() == pytest.approx(listed, abs=1e-3)


def test_visits_are_halved() -> None:
    assert sequential_halving(8, 16) == [0] * 8 + [1] * 4 + [2, 2, 3, 3]
    assert sequential_halving(1, 3) == [0, 1, 2]
    for moves in range(1, 20):
        for visits in (1, 2, 16, 33):
            plan = sequential_halving(moves, visits)
            assert len(plan) == visits
            assert plan == sorted(plan)


def test_a_move_that_wins_at_once_is_found() -> None:
    board = np.zeros((SIZE, SIZE), np.uint8)
    board[0, 1] = board[1, 1] = board[2, 1] = 1
    board[0, 2] = board[1, 2] = board[2, 2] = 2
    positions = torch.from_numpy(board[None].repeat(20, 0))
    found = batch_search.search(opinion, positions, 40, 0.0)
    after = positions.flatten(1).scatter(1, found.cells[:, None], 1).view_as(positions)
    assert batch_search.connected(after).all()
