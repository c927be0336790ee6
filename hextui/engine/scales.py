"""Scales on which an evaluator's values can be read. Nothing heavy is imported.

On large boards every score of ``blocking`` is above 0.9999: a random opponent hardly ever meets
four paths. The logarithm of its odds, log10(p / (1 - p)), tells such scores apart: 4.7 means
50 000 to 1. What the network, the patterns and the tree search say of a move are chances: so many
per cent.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """A scale in ``words``, ``short`` in a few letters, what takes a value there, and writes it.

    The order of values stays the same, but for ties. Infinite ones, which are proved wins and
    losses, stay.
    """

    words: str
    short: str
    of: Callable[[float], float]
    text: Callable[[float], str]


def log_odds(chance: float) -> float:
    """Return log10(p / (1 - p)) of a chance p, and an infinite number as it is.

    >>> round(log_odds(0.99998), 2), round(log_odds(0.00002), 2), log_odds(0.5)
    (4.7, -4.7, 0.0)
    """
    if math.isinf(chance):
        return chance
    if chance in (0.0, 1.0):
        return math.copysign(math.inf, chance - 0.5)
    return math.log10(chance / (1 - chance))


def log_odds_text(chance: float) -> str:
    """Return the logarithm of a chance's odds in three figures.

    >>> log_odds_text(0.99998), log_odds_text(0.5), log_odds_text(float("-inf"))
    ('4.70', '0.00', '-inf')
    """
    odds = log_odds(chance)
    return f"{odds:#.3g}" if math.isfinite(odds) else str(odds)


def per_cent(chance: float) -> float:
    """Return a chance in per cent.

    >>> per_cent(0.25)
    25.0
    """
    return 100 * chance


def per_cent_text(chance: float) -> str:
    """Return a chance in per cent, to a tenth; no chance that there is looks like none.

    >>> [per_cent_text(chance) for chance in (0.71032, 0.084, 0.0002, 0.0, 0.9999, 1.0)]
    ['71.0', '8.4', '<0.1', '0', '>99.9', '100']
    """
    if chance in (0, 1):
        return f"{100 * chance:.0f}"
    if not 0.0005 <= chance < 0.9995:
        return "<0.1" if chance < 0.5 else ">99.9"
    return f"{100 * chance:.1f}"


def scale_of(evaluator: str) -> Scale | None:
    """Return the scale of an evaluator's values, by its name; None where they are read as they are.

    >>> scale_of("blocking:seed=7").words, scale_of("resistance")
    ('log10 odds', None)
    """
    return _SCALES.get(evaluator.partition(":")[0])


_PER_CENT = Scale("per cent", "%", per_cent, per_cent_text)
_SCALES = {
    "blocking": Scale("log10 odds", "lg", log_odds, log_odds_text),
    "network": _PER_CENT,
    "patterns": _PER_CENT,
    "search": _PER_CENT,
}
