"""A player's results in words: scores, moves of the openings, kinds and phases of mistakes."""

from collections.abc import Iterable

from hextui.analysis.mistakes import MistakeKind
from hextui.runs.proportions import proportion
from hextui.words.reviews import MISTAKE_KINDS

ESTIMATED = "estimated"
"""What stands in place of the kind of a mistake that is not proved."""


SCORE_HEADS = ("games", "won", "95% CI")
"""The heads of a score's columns: games, `share_text`, `interval_text`."""
TOTAL_HEADS = ("proved", "estimated", "lost")
"""The heads of the columns that total mistakes."""
YEAR_HEADS = ("games", "lowest", "highest", "last")
"""The heads of the columns of `rating_years`."""


def rating_years(ratings: Iterable[tuple[str, int]]) -> dict[str, tuple[int, int, int, int]]:
    """Return the number of ratings of each year, the lowest, the highest and the last.

    ``ratings``: each with its date, in order.

    >>> rating_years([("2019-05-01", 1500), ("2019-06", 1450)])
    {'2019': (2, 1450, 1500, 1450)}
    """
    years: dict[str, list[int]] = {}
    for date, rating in ratings:
        years.setdefault(date[:4], []).append(rating)
    return {year: (len(own), min(own), max(own), own[-1]) for year, own in years.items()}


def share_text(wins: int, losses: int) -> str:
    """Return the share of decided games that were won; '' without any.

    >>> share_text(1, 3)
    '25%'
    """
    decided = wins + losses
    return f"{100 * wins / decided:.0f}%" if decided else ""


def interval_text(wins: int, losses: int) -> str:
    """Return the 95% interval of `share_text`; '' without decided games.

    >>> interval_text(1, 3)
    '5-70%'
    """
    if not wins + losses:
        return ""
    share = proportion(wins, wins + losses)
    return f"{100 * share.low:.0f}-{100 * share.high:.0f}%"


def kind_text(kind: str | None) -> str:
    """Return the kind of a mistake for a table; None is one that is estimated."""
    return ESTIMATED if kind is None else MISTAKE_KINDS[MistakeKind(kind)]


def lost_text(lost: float) -> str:
    """Return win probability that was lost, in games.

    >>> lost_text(1.234)
    '1.23'
    """
    return f"{lost:.2f}"


def side_text(opened: bool) -> str:
    """Return which side of an opening a player has."""
    return "moves first" if opened else "moves second"
