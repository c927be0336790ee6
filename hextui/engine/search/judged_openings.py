"""What the first moves of a board are worth under the swap rule: the chance that they win.

Where it is known who wins after a move that is told; else a tree search looks at what follows.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from hextui.engine.board import Color
from hextui.engine.limit import Limit
from hextui.engine.search.front import searched_moves
from hextui.engine.search.tree_search import TreeSearch
from hextui.engine.solver.opening_map import OpeningMap


@dataclass(frozen=True)
class JudgedOpening:
    """A first move: the chance that who makes it wins if nobody swaps, 0 to 1; proved or not."""

    cell: int
    chance: float
    proved: bool

    @property
    def swap(self) -> bool:
        """Whether the other side is to take the move over."""
        return self.chance > 0.5


def judged_openings(found: OpeningMap, limit: Limit) -> Iterator[JudgedOpening]:
    """Yield the openings of a map, each judged: by what is known of it, or by a search.

    ``limit`` is on the search of each opening, in positions looked at or in seconds.
    """
    search = TreeSearch(found.board)
    for opening in found.openings:
        if opening.winner is not None:
            yield JudgedOpening(opening.cell, float(opening.winner is Color.BLACK), True)
            continue
        moves = searched_moves(search, found.position(opening.cell), limit)
        best = moves[0] if moves else None
        if best is None or (best.proved and not best.value):
            yield JudgedOpening(opening.cell, 1.0, True)
        else:
            yield JudgedOpening(opening.cell, 1 - best.value, best.proved)
