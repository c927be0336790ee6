"""What a tree search's value of a move means: how often who makes the move wins in the end.

The logit of the value is stretched by a number (J. Platt's scaling), and a move that was visited
little is held to be worth what it was taken for at first, and no more than its position was: the
best of many first estimates is too high. Under the two numbers the results of games are likeliest,
measured by ``python -m tests.benchmarks.search_chances``.
"""

import math

STRETCH = 1.7
"""By what the logit of a value is multiplied: docs/methods.md#tree-search."""
FIRST_WEIGHT = 14.0
"""As many visits weigh what a move was taken for at first."""
LEAST = 1e-3
"""What is not proved is no surer than this."""


def logit(value: float) -> float:
    """Return the logarithm of the odds of a value, 0 to 1, that is not proved."""
    inside = max(LEAST, min(1 - LEAST, value))
    return math.log(inside / (1 - inside))


def win_chance(value: float, stretch: float = STRETCH) -> float:
    """Return the chance to win, 0 to 1, of a move with a value, 0 to 1; a larger one has more.

    >>> win_chance(0.4) < win_chance(0.6) < 1
    True
    """
    return 1 / (1 + math.exp(-stretch * logit(value)))
