"""Games that the network plays against itself, thousands at once, with a small search of each move.

The policy learns what the search (batch_search.py) makes of it, the value the result of the game
and what the search found. Once the search is sure who wins, first choices play the rest.
"""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from research.training.batch_search import Net, connected, evaluate, search, seen_by_other

OPENING = 8
NOISE = 0.3
"""After OPENING plies the noise is multiplied by this, so that results say more."""
RESULT = 0.7
"""What part of the value to learn is the result; the rest is what the search found."""
SURE = 0.02
"""A game is settled when the search gives a side less than this."""
SETTLED = 0.25
"""This part of the positions of settled games is learned from, and their results alone."""


class Learned(NamedTuple):
    """n positions of one size of the board, as their movers see them: see samples.py.

    ``stones`` uint8[n, size, size]; ``shares`` float16[n, cells]: of the moves, they add up to 1;
    ``won`` float16[n]: the mover's win probability, 1 if it won; ``weight`` float16[n, 2]: what
    move and result count.
    """

    stones: Tensor
    shares: Tensor
    won: Tensor
    weight: Tensor

    def __len__(self) -> int:
        return len(self.stones)


class _Ply(NamedTuple):
    """Positions of one ply; ``values`` float32[n] of the search, NaN where a game was settled."""

    number: int
    games: Tensor
    stones: Tensor
    shares: Tensor
    values: Tensor


def play_games(net: Net, starts: Tensor, visits: int) -> Learned:
    """Play games to their ends and return their positions, to learn from them.

    ``starts`` uint8[n, size, size]: in which positions they begin; in none of them has a side won.
    ``visits`` of the search, a position.
    """
    games = _Games(net, starts, visits, NOISE)
    while len(games.stones):
        games.play_ply()
    return games.learned()


def play_seriously(net: Net, starts: Tensor, visits: int) -> tuple[Tensor, Tensor]:
    """Play games without noise after OPENING plies; return their positions and results.

    The positions are uint8[n, size, size], the results bool[n]: whether the mover won. For
    ``starts`` and ``visits`` see `play_games`.
    """
    games = _Games(net, starts, visits, later_noise=0.0)
    while len(games.stones):
        games.play_ply()
    return games.positions(), games.results()


class _Games:
    """Games that go on, and the plies of all of them so far."""

    def __init__(self, net: Net, starts: Tensor, visits: int, later_noise: float) -> None:
        """``later_noise``: what the noise is multiplied by after OPENING plies."""
        self._net = net
        self._visits = visits
        self._later_noise = later_noise
        self.stones = starts
        """Of the games that go on, as their movers see them."""
        self._numbers = torch.arange(len(starts), device=starts.device)
        self._settled = torch.zeros_like(self._numbers, dtype=torch.bool)
        self._winners = torch.zeros_like(self._numbers)  # of all games: 0 moves first, or 1
        self._plies: list[_Ply] = []
        self._ply = 0

    def play_ply(self) -> None:
        """Make a move in each of the games, and leave those that are over."""
        cells = torch.zeros_like(self._numbers)
        for rows, chosen in ((~self._settled, self._searched), (self._settled, self._first)):
            rows = rows.nonzero().flatten()
            if len(rows):
                cells[rows] = chosen(rows)
        boards = self.stones.flatten(1).scatter(1, cells[:, None], 1).view_as(self.stones)
        over = connected(boards)
        self._winners[self._numbers[over]] = self._ply % 2
        self.stones = seen_by_other(boards[~over])
        self._numbers, self._settled = self._numbers[~over], self._settled[~over]
        self._ply += 1

    def _searched(self, rows: Tensor) -> Tensor:
        """Return the moves that the search chooses."""
        noise = 1.0 if self._ply < OPENING else self._later_noise
        found = search(self._net, self.stones[rows], self._visits, noise)
        self._keep(rows, found.shares, found.value)
        self._settled[rows] = (found.value - 0.5).abs() > 0.5 - SURE
        return found.cells

    def _first(self, rows: Tensor) -> Tensor:
        """Return the first choices of the policy."""
        stones = self.stones[rows]
        logits, _ = evaluate(self._net, stones)
        cells = logits.masked_fill(stones.flatten(1) != 0, -torch.inf).argmax(1)
        some = (torch.rand(len(rows), device=rows.device) < SETTLED).nonzero().flatten()
        shares = functional.one_hot(cells[some], logits.shape[1])
        self._keep(rows[some], shares, torch.full_like(logits[some, 0], torch.nan))
        return cells

    def _keep(self, rows: Tensor, shares: Tensor, values: Tensor) -> None:
        games, stones = self._numbers[rows], self.stones[rows]
        self._plies.append(_Ply(self._ply, games, stones, shares.half(), values))

    def positions(self) -> Tensor:
        """Return the positions that are kept, uint8[n, size, size]."""
        return torch.cat([ply.stones for ply in self._plies])

    def results(self) -> Tensor:
        """Return whether the mover won the game, of each position, bool[n]."""
        return torch.cat([self._winners[ply.games] == ply.number % 2 for ply in self._plies])

    def learned(self) -> Learned:
        """Return the positions, with the results of their games."""
        won = self.results().float()
        values = torch.cat([ply.values for ply in self._plies])
        settled = values.isnan()
        targets = torch.where(settled, won, RESULT * won + (1 - RESULT) * values)
        return Learned(
            stones=self.positions(),
            shares=torch.cat([ply.shares for ply in self._plies]),
            won=targets.half(),
            weight=torch.stack([~settled, torch.ones_like(settled)], 1).half(),
        )


def first_moves(count: int, size: int, device: torch.device) -> Tensor:
    """Return boards uint8[count, size, size] with the opponent's first stone on any cell."""
    cells = torch.randint(size * size, (count, 1), device=device)
    stones = torch.zeros(count, size * size, dtype=torch.uint8, device=device)
    return stones.scatter(1, cells, 2).view(count, size, size)


def even(net: Net, stones: Tensor) -> Tensor:
    """Return some of the positions, the more often the less the network knows who wins.

    Players who may swap begin with such. One with the win probability p stays with 4 p (1 - p).
    """
    _, wins = evaluate(net, stones)
    win = wins.sigmoid()
    return stones[torch.rand_like(win) < 4 * win * (1 - win)]
