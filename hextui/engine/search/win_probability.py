"""Win probabilities from a tree search's values of moves, calibrated by the results of games.

The value of a move with few visits is drawn to its first estimate. Its logit is scaled, and the
network's logit for the position, scaled, is added (J. Platt's scaling of two estimates). The three
numbers maximise the likelihood of games' results (``research.training.search_calibration``).
"""

import math

STRETCH = 0.95  # factor of the logit of a value: docs/methods.md#tree-search
NETWORK_STRETCH = 0.5  # factor of the network's logit for the position
FIRST_WEIGHT = 14.0  # the first estimate of a move weighs as much as so many visits
LEAST = 1e-3  # probabilities that are not proved lie between this and 1 minus this


def logit(value: float) -> float:
    """Return the logarithm of the odds of a value, 0 to 1, that is not proved."""
    inside = max(LEAST, min(1 - LEAST, value))
    return math.log(inside / (1 - inside))


def estimated_win(value: float, before: float) -> float:
    """Return the win probability of a move by its value, both 0 to 1.

    ``before``: the network's win probability of the same side in the position before the move.

    >>> estimated_win(0.4, 0.5) < estimated_win(0.6, 0.5) < estimated_win(0.6, 0.7) < 1
    True
    """
    return 1 / (1 + math.exp(-STRETCH * logit(value) - NETWORK_STRETCH * logit(before)))
