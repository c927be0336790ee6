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

    ``below_first``: the panel below the board has its place before the board grows, and in a roomy
    terminal the whole width; ``columns`` are those that the panels beside the board need at least,
    where the terminal has them, 0 as many as anywhere. ``least``: the lines of the first panel
    that is not the only one in its column, and of each other one.
    """

    beside: tuple[str, ...]
    below: str
    below_first: bool = False
    columns: int = 0
    least: tuple[int, int] = (11, 11)


PLACES = {
    Activity.REVIEW: Places(("moves", "mistakes", "record"), "graph", below_first=True),
    Activity.EXPLAIN: Places(("explain", "connections"), "solver", columns=34, least=(20, 11)),
    Activity.COMPARE: Places(("agree",), "moves"),
    Activity.EXPLORE: Places(("explorer",), "record", columns=48),
}
