"""Which of the places that equal moves share counts for a move.

Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 4.1.4, ranks moves without a word
about equal ones, and most cells tie at a contribution of 0.
"""

from collections.abc import Sequence

from hextui.engine.quality import normalised
from hextui.matches.results import Table

TIES = ("best", "middle", "worst", "order")
"""The best place, the middle, the worst, or the move's own in the listing."""
SHOWN_TIES = ("middle", "worst")
"""The fair one, and the strictest; the paper's sentences come out under both."""


def qualities(table: Table, evaluator: str, ties: str) -> list[float]:
    """Return Q (eq. 7) of the move of each row by an evaluator, 0 to 1."""
    places = _places(table, evaluator, ties)
    candidates = map(int, table.column("candidates"))
    return [normalised(place, number) for place, number in zip(places, candidates, strict=True)]


def _places(table: Table, evaluator: str, ties: str) -> Sequence[float]:
    best = list(map(int, table.column(f"{evaluator} rank")))
    worst = list(map(int, table.column(f"{evaluator} worst rank")))
    if ties == "middle":
        return [(a + b) / 2 for a, b in zip(best, worst, strict=True)]
    if ties == "order":
        return list(map(int, table.column(f"{evaluator} place")))
    return {"best": best, "worst": worst}[ties]
