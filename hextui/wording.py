"""Words that numbers change."""


def counted(count: int, noun: str) -> str:
    """Return how many there are of something, whose plural ends in s.

    >>> counted(1, "move"), counted(2, "move"), counted(12345, "node")
    ('1 move', '2 moves', '12,345 nodes')
    """
    return f"{count:,} {noun}{'s' * (count != 1)}"
