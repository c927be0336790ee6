"""What a tree search's value of a move means: how often who makes the move wins in the end.

The logit of the value is stretched and shifted by two numbers under which the results of games are
likeliest (J. Platt's scaling), measured by ``python -m tests.benchmarks.search_chances``.
"""

import math

STRETCH, SHIFT = 1.822, -0.243
"""How the logit of a value becomes that of a chance: docs/methods.md#tree-search."""
LEAST = 1e-3
"""What is not proved is no surer than this."""


def logit(value: float) -> float:
    """Return the logarithm of the odds of a value, 0 to 1, that is not proved."""
    inside = max(LEAST, min(1 - LEAST, value))
    return math.log(inside / (1 - inside))


def win_chance(value: float) -> float:
    """Return the chance to win, 0 to 1, of a move with a value, 0 to 1; a larger one has more.

    >>> win_chance(0.4) < win_chance(0.6) < 1
    True
    """
    return 1 / (1 + math.exp(-STRETCH * logit(value) - SHIFT))
