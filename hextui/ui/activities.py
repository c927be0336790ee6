"""The activities: what a user can be at, and which panels stand where meanwhile."""

import enum
from dataclasses import dataclass


class Activity(enum.StrEnum):
    """What the main screen is arranged for; the value is its name in settings."""

    REVIEW = "review"
    EXPLAIN = "explain"
    COMPARE = "compare"
    EXPLORE = "explore"


@dataclass(frozen=True)
class Places:
    """The ids of the panels of an activity: beside the board, the first one first, and below it.

    ``below_first``: the panel below the board has its place before the board grows; ``columns``
    are those that the panels beside the board need at least, where the terminal has them.
    """

    beside: tuple[str, ...]
    below: str
    below_first: bool = False
    columns: int = 0


PLACES = {
    Activity.REVIEW: Places(("moves", "mistakes", "record"), "graph", below_first=True),
    Activity.EXPLAIN: Places(("explain", "connections"), "solver"),
    Activity.COMPARE: Places(("agree",), "moves"),
    Activity.EXPLORE: Places(("explorer",), "record", columns=48),
}
