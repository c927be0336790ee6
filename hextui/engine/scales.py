"""Scales on which an evaluator's values can be read. Nothing heavy is imported.

On large boards every score of ``blocking`` is above 0.9999: a random opponent hardly ever meets
four paths. The logarithm of its odds, log10(p / (1 - p)), tells such scores apart: 4.7 means
50 000 to 1. What the network and the tree search say of a move are chances: so many per cent.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """A scale in ``words``, ``short`` in a few letters, and what takes a value there.

    The order of values stays the same, but for ties. Infinite ones, which are proved wins and
    losses, stay.
    """

    words: str
    short: str
    of: Callable[[float], float]


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


def per_cent(chance: float) -> float:
    """Return a chance in per cent, to a tenth.

    >>> per_cent(0.71032), per_cent(0.000828)
    (71.0, 0.1)
    """
    return round(100 * chance, 1)


def scale_of(evaluator: str) -> Scale | None:
    """Return the scale of an evaluator's values, by its name; None where they are read as they are.

    >>> scale_of("blocking:seed=7").words, scale_of("resistance")
    ('log10 odds', None)
    """
    return _SCALES.get(evaluator.partition(":")[0])


_PER_CENT = Scale("per cent", "%", per_cent)
_SCALES = {
    "blocking": Scale("log10 odds", "lg", log_odds),
    "network": _PER_CENT,
    "search": _PER_CENT,
}
