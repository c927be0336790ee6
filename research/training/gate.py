"""Games between two networks, many at once: is one stronger than the other?

Both choose moves by the search of batch_search.py, without noise. Each game begins with a few plies
after which it is open who wins, and is played twice, with the sides exchanged.
"""

import torch
from torch import Tensor

from hextui.runs.proportions import Interval, proportion
from research.training.batch_search import Net, connected, gumbel, search, seen_by_other
from research.training.fast_games import even, first_moves

PLIES = 4
"""So many plies come before a game."""
VISITS = 8
"""Of the search, a move."""
SEED = 2026


def share_of_wins(first: Net, second: Net, size: int, pairs: int, device: torch.device) -> Interval:
    """Return the share of the games that ``first`` wins, with its 95 % interval.

    ``pairs`` of games are played. They begin alike each time that ``second`` is the same.
    """
    with torch.random.fork_rng([device] if device.type == "cuda" else []):
        torch.manual_seed(SEED)
        starts = openings(second, size, pairs, device)
    won = sides_that_won((first, second), starts) == 0
    won_as_other = sides_that_won((second, first), starts) == 1
    return proportion(int(won.sum() + won_as_other.sum()), 2 * len(starts))


def openings(net: Net, size: int, count: int, device: torch.device) -> Tensor:
    """Return positions uint8[count, size, size] after PLIES plies, of which the first is any."""
    kept: list[Tensor] = []
    while sum(map(len, kept)) < count:
        stones = first_moves(4 * count, size, device)
        for _ in range(PLIES - 1):
            logits, _ = net(stones)
            logits = logits.masked_fill(stones.flatten(1) != 0, -torch.inf)
            cells = (logits + gumbel(logits)).argmax(1)
            stones = seen_by_other(with_stones(stones, cells))
        kept.append(even(net, stones))
    return torch.cat(kept)[:count]


def sides_that_won(nets: tuple[Net, Net], starts: Tensor) -> Tensor:
    """Play games from positions to their ends; return int64[n], the number of the side that won.

    ``nets``: of the side that moves first, 0, and of the other, 1.
    """
    stones = starts
    numbers = torch.arange(len(starts), device=starts.device)
    winners = torch.zeros_like(numbers)
    side = 0
    while len(stones):
        cells = search(nets[side], stones, VISITS, 0.0).cells
        boards = with_stones(stones, cells)
        over = connected(boards)
        winners[numbers[over]] = side
        numbers = numbers[~over]
        stones = seen_by_other(boards[~over])
        side = 1 - side
    return winners


def with_stones(stones: Tensor, cells: Tensor) -> Tensor:
    """Return boards with a stone of the mover on a cell of each."""
    return stones.flatten(1).scatter(1, cells[:, None], 1).view_as(stones)
