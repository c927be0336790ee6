"""Games that the network plays against itself, thousands at once, by looking one ply ahead.

Of each position the CANDIDATES moves are tried that have the largest sum of logit and Gumbel noise;
the network gives the win probability after each, or the game is won. The move with the largest sum
of noise, logit and GAIN times win probability is played, and the policy learns from all moves what
it should have been: logit and GAIN times win probability, with the position's own for moves that
were not tried (I. Danihelka and others, "Policy improvement by planning with Gumbel", 2022).
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

CANDIDATES = 12
GAIN = 15.0
OPENING = 8
NOISE = 0.3
"""After OPENING plies the noise is multiplied by this, so that results say more."""
AT_ONCE = 65536
"""So many positions are evaluated at a time."""
CHECKED = 8
"""After so many steps of a flood from the top it is seen whether it still spreads."""
Net = Callable[[Tensor], tuple[Tensor, Tensor]]
"""Takes stones uint8[n, size, size]; returns logits of moves [n, cells] and of a win [n]."""


class Learned(NamedTuple):
    """n positions of one size of the board, as their movers see them: see samples.py.

    ``stones`` uint8[n, size, size]; ``shares`` float16[n, cells]: of the moves, they add up to 1;
    ``won`` float16[n]: 1 if the mover won; ``weight`` float16[n, 2]: what move and result count.
    """

    stones: Tensor
    shares: Tensor
    won: Tensor
    weight: Tensor

    def __len__(self) -> int:
        return len(self.stones)


def play_games(net: Net, starts: Tensor) -> Learned:
    """Play games to their ends and return their positions.

    ``starts`` uint8[n, size, size]: in which positions they begin; in none of them has a side won.
    """
    stones, size = starts, starts.shape[1]
    logits, wins = evaluate(net, stones)
    numbers = torch.arange(len(starts), device=starts.device)
    played: list[tuple[Tensor, Tensor, Tensor, int]] = []
    winners = torch.zeros(len(starts), dtype=torch.int64, device=starts.device)
    ply = 0
    while len(stones):
        taken = stones.flatten(1) != 0
        logits = logits.masked_fill(taken, -torch.inf)
        noise = _gumbel(logits) * (1 if ply < OPENING else NOISE)
        count = min(CANDIDATES, int((~taken).sum(1).min()))
        cells = (logits + noise).topk(count, dim=1).indices
        children = _after(stones, cells)
        over = connected(children.view(-1, size, size)).view(-1, count)
        seen = seen_by_other(children.view(-1, size, size))
        next_logits, next_wins = evaluate(net, seen)
        value = torch.where(over, 1.0, torch.sigmoid(-next_wins).view(-1, count))
        own = torch.sigmoid(wins)[:, None].expand(-1, size * size)
        better = logits + GAIN * own.scatter(1, cells, value)
        played.append((stones, better.softmax(1).half(), numbers, ply))
        choice = (better + noise).gather(1, cells).argmax(1)
        rows = torch.arange(len(stones), device=stones.device)
        chosen = rows * count + choice
        ended = over[rows, choice]
        winners[numbers[ended]] = ply % 2
        left = chosen[~ended]
        stones, logits, wins = seen[left], next_logits[left], next_wins[left]
        numbers = numbers[~ended]
        ply += 1
    won = [(winners[who] == ply % 2).half() for _, _, who, ply in played]
    boards, shares = (torch.cat([part[k] for part in played]) for k in (0, 1))
    return Learned(boards, shares, torch.cat(won), torch.ones_like(shares[:, :2]))


def evaluate(net: Net, stones: Tensor) -> tuple[Tensor, Tensor]:
    """Return logits of moves float[n, cells] and of a win float[n], AT_ONCE positions at a time."""
    with torch.no_grad():
        parts = [net(part) for part in stones.split(AT_ONCE)]
    return torch.cat([part[0] for part in parts]).float(), torch.cat([p[1] for p in parts]).float()


def first_moves(count: int, size: int, device: torch.device) -> Tensor:
    """Return boards uint8[count, size, size] with the opponent's first stone on any cell."""
    cells = torch.randint(size * size, (count, 1), device=device)
    stones = torch.zeros(count, size * size, dtype=torch.uint8, device=device)
    return stones.scatter(1, cells, 2).view(count, size, size)


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


def _gumbel(logits: Tensor) -> Tensor:
    return -torch.log(-torch.log(torch.rand_like(logits).clamp(1e-9, 1 - 1e-7)))


def _after(stones: Tensor, cells: Tensor) -> Tensor:
    """Return boards uint8[n, moves, size, size] after each of the moves int64[n, moves]."""
    count, moves = cells.shape
    boards = stones.flatten(1)[:, None].repeat(1, moves, 1)
    boards.scatter_(2, cells[:, :, None], 1)
    return boards.view(count, moves, *stones.shape[1:])


def seen_by_other(stones: Tensor) -> Tensor:
    """Return boards as the other side sees them: recoloured and mirrored in the long diagonal."""
    return ((3 - stones) * (stones != 0)).transpose(1, 2).contiguous()
