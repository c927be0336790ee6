"""What a tree search's value of a move means: how often who makes the move wins in the end.

A move that was visited little is held to be worth what it was taken for at first, and no more than
its position was: the best of many first estimates is too high. The logit of that is stretched by a
number, and the network's logit for the position, times another one, is added (J. Platt's scaling,
of two opinions). Under the three numbers the results of games are likeliest, measured by ``python
-m tests.benchmarks.search_chances``.
"""

import math

STRETCH = 0.95
"""By what the logit of a value is multiplied: docs/methods.md#tree-search."""
NETWORK_STRETCH = 0.5
"""By what the network's logit for the position is multiplied."""
FIRST_WEIGHT = 14.0
"""As many visits weigh what a move was taken for at first."""
LEAST = 1e-3
"""What is not proved is no surer than this."""


def logit(value: float) -> float:
    """Return the logarithm of the odds of a value, 0 to 1, that is not proved."""
    inside = max(LEAST, min(1 - LEAST, value))
    return math.log(inside / (1 - inside))


def win_chance(
    value: float,
    before: float,
    stretch: float = STRETCH,
    network_stretch: float = NETWORK_STRETCH,
) -> float:
    """Return the chance to win, 0 to 1, of a move with a value, 0 to 1; a larger one has more.

    ``before``: the network's chance of who makes the move, 0 to 1, in the position before it.

    >>> win_chance(0.4, 0.5) < win_chance(0.6, 0.5) < win_chance(0.6, 0.7) < 1
    True
    """
    return 1 / (1 + math.exp(-stretch * logit(value) - network_stretch * logit(before)))
