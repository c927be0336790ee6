"""A player's results in words: scores, moves of the openings, kinds and phases of mistakes."""

from hextui.analysis.mistakes import MistakeKind
from hextui.runs.proportions import proportion
from hextui.words.reviews import MISTAKE_KINDS

ESTIMATED = "estimated"
"""What stands in place of the kind of a mistake that is not proved."""


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


def numbered_move(ply: int, name: str) -> str:
    """Return a move with the number of its ply, both ways to swap by one word.

    >>> numbered_move(2, "swap-pieces")
    '2. swap'
    """
    return f"{ply}. {'swap' if name.startswith('swap') else name}"


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
