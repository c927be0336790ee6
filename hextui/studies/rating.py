"""Ratings from games: the Bradley-Terry model on Elo's scale.

Source: R. A. Bradley and M. E. Terry 1952 (https://doi.org/10.1093/biomet/39.3-4.324); the
iteration is that of D. R. Hunter 2004 (https://doi.org/10.1214/aos/1079120141).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hextui.matches.intervals import LEVEL, Interval

# a drawn game more for each pair: without it a player that never lost has no finite rating
PRIOR_GAMES = 1.0
SAMPLES = 300
_ITERATIONS = 10_000
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class RatedGame:
    """A game between players i and j that i won; ``block``: what is drawn as one for intervals."""

    winner: int
    loser: int
    block: int


def strengths(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Elo ratings float64[n] of mean 0 from a table of wins.

    ``wins[i, j]``: how often i beat j. Between any two that played, one drawn game is added.
    Who never played has rating 0.

    >>> strengths(np.array([[0.0, 75.0], [25.0, 0.0]])).round(0).tolist()
    [94.0, -94.0]
    """
    games = wins + wins.T
    prior = np.where(games > 0, PRIOR_GAMES, 0.0)
    games = games + prior
    won = (wins + prior / 2).sum(axis=1)
    strength = np.ones(len(wins))
    for _ in range(_ITERATIONS):
        expected = (games / (strength[:, np.newaxis] + strength)).sum(axis=1)
        new = np.where(expected > 0, won / np.where(expected > 0, expected, 1), strength)
        new /= math.exp(np.log(new).mean())
        change = np.abs(np.log(new / strength)).max()
        strength = new
        if change < _TOLERANCE:
            break
    elo: NDArray[np.float64] = 400 * np.log10(strength)
    return elo


def ratings(players: int, outcomes: Sequence[RatedGame], seed: int) -> list[Interval]:
    """Return each player's Elo rating with its 95 % interval, by number.

    The interval draws blocks of games with replacement (percentile bootstrap).
    """
    names = sorted({outcome.block for outcome in outcomes})
    place = {name: i for i, name in enumerate(names)}
    by_block = np.zeros((len(names), players, players))
    for outcome in outcomes:
        by_block[place[outcome.block], outcome.winner, outcome.loser] += 1
    values = strengths(by_block.sum(axis=0))
    random = np.random.default_rng(seed)
    drawn = np.array(
        [
            strengths(by_block[random.integers(0, len(names), len(names))].sum(axis=0))
            for _ in range(SAMPLES)
        ]
    )
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(drawn, (tail, 1 - tail), axis=0)
    return [
        Interval(float(v), float(a), float(b)) for v, a, b in zip(values, low, high, strict=True)
    ]
