"""How far evaluators agree on a position: rank correlation, and how many best moves they share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING

from hextui.analysis.judgements import BEST
from hextui.engine.quality import qualities

if TYPE_CHECKING:
    from hextui.engine.ranking import Ranking


@dataclass(frozen=True)
class Agreement:
    """How far two evaluators agree.

    ``correlation``: Spearman's, of mid ranks, -1 to 1; None if one of them ranks all moves
    equally. ``shared`` of the ``best`` moves (five, or fewer if there are fewer) are among the
    best of both.
    """

    first: str
    second: str
    correlation: float | None
    shared: int
    best: int


def agreements(rankings: Mapping[str, "Ranking"]) -> tuple[Agreement, ...]:
    """Return the agreement of every pair, the lowest correlation first.

    Moves that one of a pair has not ranked yet do not count.
    """
    places = {
        name: {cell: found.mid_rank for cell, found in qualities(ranking).items()}
        for name, ranking in rankings.items()
    }
    found = []
    for first, second in combinations(rankings, 2):
        cells = [cell for cell in places[first] if cell in places[second]]
        best = [{m.cell for m in rankings[name].moves[:BEST]} for name in (first, second)]
        found.append(
            Agreement(
                first,
                second,
                correlation([places[first][c] for c in cells], [places[second][c] for c in cells]),
                len(best[0] & best[1]),
                max(map(len, best)),
            )
        )
    return tuple(sorted(found, key=lambda a: 1.0 if a.correlation is None else a.correlation))


def correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Pearson's correlation; None where one of the sequences does not vary.

    >>> correlation([1, 2, 3], [3, 2, 1])
    -1.0
    """
    if not first:
        return None
    means = sum(first) / len(first), sum(second) / len(second)
    a, b = [x - means[0] for x in first], [y - means[1] for y in second]
    squares = sum(x * x for x in a) * sum(y * y for y in b)
    return sum(x * y for x, y in zip(a, b, strict=True)) / sqrt(squares) if squares else None
