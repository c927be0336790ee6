"""Win probabilities from a tree search's values of moves, calibrated by the results of games.

The value of a move with few visits is drawn to the network's for its position, and its logit is
scaled. Both numbers are fitted to games' results (``research.training.search_calibration``).
"""

import math

STRETCH = 1.35  # factor of the logit of a value: docs/methods.md#tree-search
POSITION_WEIGHT = 20.0  # the network's value of the position weighs as much as so many visits
LEAST = 1e-3  # probabilities that are not proved lie between this and 1 minus this


def logit(value: float) -> float:
    """Return the logarithm of the odds of a value, 0 to 1, that is not proved."""
    inside = max(LEAST, min(1 - LEAST, value))
    return math.log(inside / (1 - inside))


def estimated_win(value: float) -> float:
    """Return the win probability of a move by its value, both 0 to 1.

    >>> 0 < estimated_win(0.4) < estimated_win(0.5) == 0.5 < estimated_win(0.6) < 1
    True
    """
    return 1 / (1 + math.exp(-STRETCH * logit(value)))
