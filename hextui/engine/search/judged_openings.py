"""The win probability of each first move under the swap rule: 1 if proved, else by tree search."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hextui.engine.board import Color
from hextui.engine.limit import Limit

if TYPE_CHECKING:
    from hextui.engine.solver.opening_map import OpeningMap


@dataclass(frozen=True)
class JudgedOpening:
    """A first move and its win probability without a swap, 0 to 1; proved or not."""

    cell: int
    chance: float
    proved: bool

    @property
    def swap(self) -> bool:
        """Whether the other side is to take the move over."""
        return self.chance > 0.5


def judged_openings(
    found: "OpeningMap",
    limit: Limit,
    stop: Callable[[], bool] = lambda: False,
    judged: Collection[int] = (),
) -> Iterator[JudgedOpening]:
    """Yield the openings of a map, known ones first, except those ``judged``, until ``stop()``."""
    left = [opening for opening in found.openings if opening.cell not in judged]
    undecided = [opening for opening in left if opening.winner is None]
    for opening in left:
        if opening.winner is not None:
            yield JudgedOpening(opening.cell, float(opening.winner is Color.BLACK), True)
    if not undecided:
        return
    from hextui.engine.search.front import searched_moves
    from hextui.engine.search.tree_search import TreeSearch

    search = TreeSearch(found.board)
    for opening in undecided:
        moves = searched_moves(search, found.position(opening.cell), limit, stop)
        if stop():
            return
        if moves:
            yield JudgedOpening(opening.cell, 1 - moves[0].value, moves[0].proved)
        else:  # the side to move has lost already: there is no move to search
            yield JudgedOpening(opening.cell, 1.0, True)
