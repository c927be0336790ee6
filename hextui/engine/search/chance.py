"""What a value of the tree search means: a probability to win."""


def probability(value: float, proved: bool) -> float:
    """Return the probability to win of a move or position of this value, 0 to 1.

    Only what is proved is 0 or 1.
    """
    return value if proved else min(max(value, LEAST), 1 - LEAST)


LEAST = 0.001
"""Nobody can be surer than this without a proof."""
