"""Which of the places that equal moves share counts for a move.

Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 4.1.4, does not say how equal moves
are ranked, and most cells tie at a contribution of 0.
"""

from hextui.engine.ranking import normalised
from hextui.matches.results import Table

TIES = ("best", "middle", "worst", "order")
"""The best place, the middle, the worst, or the move's own in the listing."""
SHOWN_TIES = ("middle", "worst")
"""The fair one, and the strictest; the paper's sentences hold under both."""


def qualities(table: Table, evaluator: str, ties: str) -> list[float]:
    """Return Q (eq. 7) of the move of each row by an evaluator, 0 to 1."""
    best, worst, order = (
        map(int, table.column(f"{evaluator} {name}")) for name in ("rank", "worst rank", "place")
    )
    candidates = map(int, table.column("candidates"))
    return [
        normalised({"best": a, "middle": (a + b) / 2, "worst": b, "order": own}[ties], number)
        for a, b, own, number in zip(best, worst, order, candidates, strict=True)
    ]
