"""A tree search of many positions at once, for the targets of `reinforce`.

Each position has a tree of its own, and all trees grow by one visit at a time. The search is that
of I. Danihelka and others, "Policy improvement by planning with Gumbel" (2022,
https://openreview.net/forum?id=bERaNdoegnO): at the root, moves are drawn without replacement by
Gumbel noise, and sequential halving divides the visits among them; below it, visits follow the
improved policy. A value is the win probability of the side to move.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

CANDIDATES = 8
"""So many moves of a position are tried at most."""
GAIN = 15.0
"""What a win is worth beside a loss, in logits of the policy, before there are visits."""
GAIN_OF_VISIT = 0.3
"""So much more for each visit of the most visited move: its value is known better then."""
AT_ONCE = 65536
"""So many positions are evaluated at a time."""
CHECKED = 8
"""After so many steps of a flood from the top it is seen whether it still spreads."""
Net = Callable[[Tensor], tuple[Tensor, Tensor]]
"""Takes stones uint8[n, size, size]; returns logits of moves [n, cells] and of a win [n]."""


@dataclass(frozen=True)
class Found:
    """What a search of n positions found.

    ``cells`` int64[n]: the move to play. ``shares`` float32[n, cells]: the improved policy, which
    adds up to 1. ``value`` float32[n]: the win probability of the side to move.
    """

    cells: Tensor
    shares: Tensor
    value: Tensor


def search(net: Net, stones: Tensor, visits: int, noise: float) -> Found:
    """Search n positions of one size, in none of which a side has won.

    ``stones`` uint8[n, size, size], as the mover sees them. ``visits``: 1 or more, of moves.
    ``noise``: what the Gumbel noise is multiplied by; with 0 the moves with the largest logits are
    tried, and the best is played.
    """
    trees = Trees(net, stones, visits)
    empties = int((stones.flatten(1) == 0).sum(1).min())
    drawn = noise * gumbel(trees.root_logits)
    for least in sequential_halving(min(CANDIDATES, empties), visits):
        trees.visit(least, drawn)
    return trees.found(drawn)


def sequential_halving(moves: int, visits: int) -> list[int]:
    """Return for each visit at the root how many the move to visit has had.

    The visits are divided equally among the halvings of the moves.

    >>> sequential_halving(4, 8)
    [0, 0, 0, 0, 1, 1, 2, 2]
    """
    halvings = max(1, (moves - 1).bit_length())
    made: list[int] = []
    had = 0
    while len(made) < visits:
        each = max(1, visits // (halvings * moves))
        for more in range(each):
            made += [had + more] * moves
        had += each
        if moves > 2:
            moves = (moves + 1) // 2
    return made[:visits]


class Trees:
    """A tree for each of n positions, with a root and room for as many nodes as there are visits.

    A node has the number of the visit that added it; the root is 0, which as a child means none.
    """

    def __init__(self, net: Net, stones: Tensor, visits: int) -> None:
        count, size, _ = stones.shape
        self._net = net
        self._size = size
        self._rows = torch.arange(count, device=stones.device)
        self._roots = torch.zeros_like(self._rows)
        self._added = 0
        nodes = (count, visits + 1)
        self._stones = stones.new_zeros((*nodes, size, size))
        self._logits = torch.zeros((*nodes, size * size), device=stones.device)
        self._children = torch.zeros_like(self._logits, dtype=torch.int16)
        self._parents = torch.zeros(nodes, dtype=torch.int64, device=stones.device)
        self._over = torch.zeros(nodes, dtype=torch.bool, device=stones.device)
        self._values = torch.zeros(nodes, device=stones.device)  # by the network; 0 of a lost game
        self._visits = torch.zeros(nodes, device=stones.device)
        self._totals = torch.zeros(nodes, device=stones.device)  # of the values visited below
        self._evaluate(self._rows, stones)
        self._count(self._roots)

    @property
    def root_logits(self) -> Tensor:
        """The policy's logits at the roots, float32[n, cells], -inf of taken cells."""
        return self._logits[:, 0]

    def visit(self, least: int, noise: Tensor) -> None:
        """Visit the best move of each root of those that have had ``least`` visits.

        The best has the largest sum of noise, logit and gain. Where no move has had so many, those
        with the most visits are looked at.
        """
        nodes = self._roots
        cells = self._considered(least, noise).argmax(1)
        walking = torch.ones_like(self._over[:, 0])
        while walking.any():
            children = self._children[self._rows, nodes, cells].long()
            walking = walking & (children > 0)
            nodes = torch.where(walking, children, nodes)
            walking = walking & ~self._over[self._rows, nodes]
            cells = torch.where(walking, self._interior_choice(nodes), cells)
        self._count(self._expanded(nodes, cells))

    def found(self, noise: Tensor) -> Found:
        """Return what the search found: the best move is one of the most visited."""
        most = int(self._visits_of_moves(self._roots).max())
        return Found(
            cells=self._considered(most, noise).argmax(1),
            shares=self._improved(self._roots).softmax(1),
            value=self._mixed_value(self._roots),
        )

    def _considered(self, had: int, noise: Tensor) -> Tensor:
        """Return the sums of noise, logit and gain at the roots; -inf of moves not considered."""
        visits = self._visits_of_moves(self._roots)
        visits = visits.masked_fill(self.root_logits == -torch.inf, -1)
        wanted = visits.amax(1, keepdim=True).clamp(max=had)
        scores = noise + self._improved(self._roots)
        return scores.masked_fill(visits != wanted, -torch.inf)

    def _interior_choice(self, nodes: Tensor) -> Tensor:
        """Return the cells whose shares of the visits lie furthest below the improved policy."""
        visits = self._visits_of_moves(nodes)
        shares = visits / (1 + visits.sum(1, keepdim=True))
        return (self._improved(nodes).softmax(1) - shares).argmax(1)

    def _improved(self, nodes: Tensor) -> Tensor:
        """Return the logits of the improved policy, float32[n, cells], -inf of taken cells.

        A move without a visit has the value of the position.
        """
        visits = self._visits_of_moves(nodes)
        own = self._mixed_value(nodes)[:, None]
        values = torch.where(visits > 0, self._values_of_moves(nodes), own)
        gain = GAIN + GAIN_OF_VISIT * visits.amax(1, keepdim=True)
        return self._logits[self._rows, nodes] + gain * values

    def _mixed_value(self, nodes: Tensor) -> Tensor:
        """Return the mean of the network's value, once, and for each visit of the moves' values.

        The values of moves with visits count by the policy.
        """
        visits = self._visits_of_moves(nodes)
        policy = self._logits[self._rows, nodes].softmax(1) * (visits > 0)
        weight = policy.sum(1)
        moves = (policy * self._values_of_moves(nodes)).sum(1) / weight.clamp(min=1e-9)
        total = visits.sum(1)
        return (self._values[self._rows, nodes] + total * moves) / (1 + total)

    def _visits_of_moves(self, nodes: Tensor) -> Tensor:
        """Return how often the moves of a node of each tree have been visited, [n, cells]."""
        children = self._children[self._rows, nodes].long()
        return self._visits.gather(1, children) * (children > 0)

    def _values_of_moves(self, nodes: Tensor) -> Tensor:
        """Return the values of moves for the side that makes them; of others any number."""
        children = self._children[self._rows, nodes].long()
        return 1 - self._totals.gather(1, children) / self._visits.gather(1, children)

    def _expanded(self, nodes: Tensor, cells: Tensor) -> Tensor:
        """Add the children of nodes and return them; a node of a game that is over stays."""
        self._added += 1
        number = self._added
        rows = self._rows[~self._over[self._rows, nodes]]
        parents, moves = nodes[rows], cells[rows]
        boards = self._stones[rows, parents].flatten(1).scatter(1, moves[:, None], 1)
        boards = boards.view(-1, self._size, self._size)
        self._children[rows, parents, moves] = number
        self._parents[rows, number] = parents
        over = connected(boards)
        self._over[rows, number] = over
        self._evaluate(rows[~over], seen_by_other(boards[~over]))
        leaves = nodes.clone()
        leaves[rows] = number
        return leaves

    def _evaluate(self, rows: Tensor, stones: Tensor) -> None:
        """Write the positions that were added last to some trees, with what the network says."""
        if not len(rows):
            return
        logits, wins = evaluate(self._net, stones)
        self._stones[rows, self._added] = stones
        self._logits[rows, self._added] = logits.masked_fill(stones.flatten(1) != 0, -torch.inf)
        self._values[rows, self._added] = wins.sigmoid()

    def _count(self, nodes: Tensor) -> None:
        """Count a visit, with the value of these nodes, for them and all above them."""
        values = self._values[self._rows, nodes]
        rows = self._rows
        while len(rows):
            self._visits[rows, nodes] += 1
            self._totals[rows, nodes] += values
            below = nodes > 0
            rows, nodes, values = rows[below], nodes[below], 1 - values[below]
            nodes = self._parents[rows, nodes]


def evaluate(net: Net, stones: Tensor) -> tuple[Tensor, Tensor]:
    """Return logits of moves float[n, cells] and of a win float[n], AT_ONCE positions at a time."""
    with torch.no_grad():
        parts = [net(part) for part in stones.split(AT_ONCE)]
    return torch.cat([part[0] for part in parts]).float(), torch.cat([p[1] for p in parts]).float()


def connected(stones: Tensor) -> Tensor:
    """Return where the mover's stones join top and bottom, bool[n].

    >>> stones = torch.zeros(2, 3, 3, dtype=torch.uint8)
    >>> for row, column in ((0, 1), (1, 1), (2, 0)):
    ...     stones[0, row, column] = 1
    >>> connected(stones).tolist()
    [True, False]
    """
    own = stones == 1
    reached = functional.pad(own, (1, 1, 1, 1))
    reached[:, 2:] = False
    own = functional.pad(own, (1, 1, 1, 1))
    while True:
        before = reached
        for _ in range(CHECKED):
            inner = reached.clone()
            inner[:, :, 1:] |= reached[:, :, :-1]
            inner[:, :, :-1] |= reached[:, :, 1:]
            inner[:, 1:] |= reached[:, :-1]
            inner[:, :-1] |= reached[:, 1:]
            inner[:, 1:, :-1] |= reached[:, :-1, 1:]
            inner[:, :-1, 1:] |= reached[:, 1:, :-1]
            reached = inner & own
        if torch.equal(before, reached):
            return reached[:, -2].any(1)


def seen_by_other(stones: Tensor) -> Tensor:
    """Return boards as the other side sees them: recoloured and mirrored in the long diagonal."""
    return ((3 - stones) * (stones != 0)).transpose(1, 2).contiguous()


def gumbel(logits: Tensor) -> Tensor:
    """Return Gumbel noise of the shape of ``logits``."""
    return -torch.log(-torch.log(torch.rand_like(logits).clamp(1e-9, 1 - 1e-7)))
