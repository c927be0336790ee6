"""How high an evaluator ranks a move: the quality Q.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), section 4.1.4, eq. 7.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hextui.engine.ranking import Ranking


@dataclass(frozen=True)
class Quality:
    """Where a move stands among ``candidates`` legal moves.

    ``rank``: the competition rank, one more than the number of better moves, as
    docs/methods.md#readings-of-the-2010-paper has it; it flatters where many moves tie.
    ``mid_rank``: the mean of the places that the moves tied with it take together, from ``rank``
    to ``worst_rank``.
    """

    candidates: int
    rank: int
    mid_rank: float

    @property
    def worst_rank(self) -> int:
        """The last of the places that the moves tied with it take together."""
        return round(2 * self.mid_rank) - self.rank

    @property
    def q(self) -> float:
        """Q by the competition rank: 1 for the first of all moves, 0 for the last."""
        return normalised(self.rank, self.candidates)

    @property
    def mid_q(self) -> float:
        """Q by the mid rank: 0.5 where all moves tie."""
        return normalised(self.mid_rank, self.candidates)


def quality(ranking: "Ranking", cell: int) -> Quality:
    """Return where the move on ``cell`` stands; raises KeyError if it is not ranked.

    >>> from hextui.engine.evaluators.base import rank_by_value
    >>> ranking = rank_by_value("demo", {0: 5.0, 1: 3.0, 2: 3.0, 3: 0.0, 4: 0.0})
    >>> found = quality(ranking, 2)
    >>> found.rank, found.mid_rank, found.q, found.mid_q
    (2, 2.5, 0.75, 0.625)
    """
    rank = ranking.by_cell[cell].rank
    tied = sum(move.rank == rank for move in ranking.moves)
    return Quality(len(ranking.moves), rank, rank + (tied - 1) / 2)


def qualities(ranking: "Ranking", legal: Iterable[int] = ()) -> dict[int, Quality]:
    """Return where each move stands, by cell.

    Moves of ``legal`` that it does not rank share the last places: another engine looks at some
    moves only.
    """
    ranks = {move.cell: move.rank for move in ranking.moves}
    ranks |= dict.fromkeys(set(legal) - ranks.keys(), len(ranks) + 1)
    tied = Counter(ranks.values())
    places = {
        rank: Quality(len(ranks), rank, rank + (count - 1) / 2) for rank, count in tied.items()
    }
    return {cell: places[rank] for cell, rank in ranks.items()}


def normalised(rank: float, candidates: int) -> float:
    """Return Q of a place among so many (eq. 7); the only legal move has Q 1."""
    return 1 - (rank - 1) / (candidates - 1) if candidates > 1 else 1.0
