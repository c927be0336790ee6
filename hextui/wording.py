"""Words that numbers change."""


def counted(count: int, noun: str) -> str:
    """Return how many there are of something, whose plural ends in s.

    >>> counted(1, "move"), counted(2, "move"), counted(12345, "node")
    ('1 move', '2 moves', '12,345 nodes')
    """
    return f"{count:,} {noun}{'s' * (count != 1)}"


def clock(seconds: float) -> str:
    """Return minutes and seconds, and hours where there are some.

    >>> clock(75), clock(3675)
    ('1:15', '1:01:15')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
