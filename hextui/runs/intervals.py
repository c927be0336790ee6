"""95% intervals: of proportions, of their differences, and of means over games."""

import math
from collections.abc import Sequence
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from hextui.runs.proportions import LEVEL, Interval, proportion

BOOTSTRAP_SAMPLES = 2000
# bounds the memory of drawing
DRAWN_AT_ONCE = 1 << 18

Seed = int | tuple[int, ...]


def difference(first: Interval, second: Interval) -> Interval:
    """Return first - second of two independent shares with Newcombe's hybrid score interval.

    Source: R. G. Newcombe, Statistics in Medicine 17 (1998), 873-890, method 10.

    >>> from hextui.runs.proportions import proportion
    >>> f"{difference(proportion(56, 70), proportion(48, 80)):.4f}"
    '0.2000 [0.0524, 0.3339]'
    """
    value = first.value - second.value
    down = math.hypot(first.value - first.low, second.high - second.value)
    up = math.hypot(first.high - first.value, second.value - second.low)
    return Interval(value, value - down, value + up)


def mean_over_games(
    values: Sequence[float], games: Sequence[str], seed: int = 0, samples: int = BOOTSTRAP_SAMPLES
) -> Interval:
    """Return the mean of values with the percentile bootstrap interval that draws whole games.

    The moves of one game are not independent, so games are drawn, not moves. ``games[i]`` names
    the game of ``values[i]``. Raises ValueError without values.
    """
    return percentile_interval(fmean(values), drawn_means(values, games, seed, samples))


def drawn_means(
    values: Sequence[float], games: Sequence[str], seed: Seed, samples: int = BOOTSTRAP_SAMPLES
) -> NDArray[np.float64]:
    """Return float64[samples]: the mean value of as many games, drawn with replacement."""
    number = {game: place for place, game in enumerate(dict.fromkeys(games))}
    place = np.array([number[game] for game in games])
    sums = np.bincount(place, np.asarray(values, np.float64))
    counts = np.bincount(place)
    random = np.random.default_rng(seed)
    means = []
    for first in range(0, samples, step := max(1, DRAWN_AT_ONCE // len(sums))):
        drawn = random.integers(0, len(sums), (min(step, samples - first), len(sums)))
        means.append(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1))
    return np.concatenate(means)


def share_of_pairs(
    outcomes: Sequence[bool],
    pairs: Sequence[tuple[str, str]],
    seed: Seed = 0,
    samples: int = BOOTSTRAP_SAMPLES,
) -> Interval:
    """Return the share of pairs of games with an outcome, and an interval that draws the games.

    Pairs that share a game are not independent: games are drawn with replacement, and a pair counts
    as often as both of its games are drawn (T. A. B. Snijders, S. P. Borgatti, Connections 22
    (1999), 61-70). Where all outcomes agree, every draw does, so Wilson's interval with the games
    as trials is returned. ``pairs[i]`` names the two games of ``outcomes[i]``; there is a pair.

    >>> f"{share_of_pairs([False] * 3, [('a', 'b'), ('a', 'c'), ('b', 'c')]):.3f}"
    '0.000 [0.000, 0.561]'
    """
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    if len(set(outcomes)) == 1:
        return proportion(len(names) if outcomes[0] else 0, len(names))
    first = [names.index(name) for name, _ in pairs]
    second = [names.index(name) for _, name in pairs]
    random = np.random.default_rng(seed)
    drawn = random.multinomial(len(names), [1 / len(names)] * len(names), samples)
    weights = drawn[:, first] * drawn[:, second]
    weights = weights[weights.any(axis=1)]  # a draw may hold no pair
    means = weights @ np.asarray(outcomes, np.float64) / weights.sum(axis=1)
    return percentile_interval(fmean(outcomes), means)


def percentile_interval(value: float, drawn: NDArray[np.float64]) -> Interval:
    """Return an estimate with the 95% interval of its bootstrap draws."""
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(drawn, (tail, 1 - tail))
    return Interval(value, float(low), float(high))
