"""How good the moves of a ranking are beside each other, by their values."""

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING

from hextui.engine.evaluators import scale_of
from hextui.engines.attached.engine_config import engine_in

if TYPE_CHECKING:
    from hextui.engine.ranking import RankedMove


def value_shares(evaluator: str, moves: "Sequence[RankedMove]") -> dict[int, float]:
    """Return how good each move is, from 0 (the worst of these) to 1, by cell.

    Infinite values, which are proved wins and losses, are at the ends. A search ranks by visits, so
    that what comes first need not have the best value.
    """
    finite = [move.value for move in moves if isfinite(move.value)]
    low, high = (min(finite), max(finite)) if finite else (0.0, 0.0)
    tells_chances = scale_of(evaluator) is not None or engine_in(evaluator) is not None
    rising = tells_chances or not moves or moves[0].value >= moves[-1].value

    def share(move: "RankedMove") -> float:
        if not isfinite(move.value):
            return float((move.value > 0) == rising)
        from_low = (move.value - low) / (high - low) if high != low else 1.0
        return from_low if rising or high == low else 1 - from_low

    return {move.cell: share(move) for move in moves}
