"""What the first moves of a board are worth under the swap rule: the chance that they win.

Where it is known who wins after a move that is told; else a tree search looks at what follows.
"""

from collections.abc import Callable, Collection, Iterator

from hextui.engine.board import Color
from hextui.engine.limit import Limit
from hextui.engine.search.front import searched_moves
from hextui.engine.search.judged_opening import JudgedOpening
from hextui.engine.search.tree_search import TreeSearch
from hextui.engine.solver.opening_map import OpeningMap


def judged_openings(
    found: OpeningMap,
    limit: Limit,
    stop: Callable[[], bool] = lambda: False,
    judged: Collection[int] = (),
) -> Iterator[JudgedOpening]:
    """Yield the openings of a map, each judged: by what is known of it, or by a search.

    Those that are known come first. ``limit`` is on the search of each opening, in positions looked
    at or in seconds. Those ``judged`` before are left out. Ends soon after ``stop()`` is true.
    """
    left = [opening for opening in found.openings if opening.cell not in judged]
    undecided = [opening for opening in left if opening.winner is None]
    for opening in left:
        if opening.winner is not None:
            yield JudgedOpening(opening.cell, float(opening.winner is Color.BLACK), True)
    if not undecided:
        return
    search = TreeSearch(found.board)
    for opening in undecided:
        moves = searched_moves(search, found.position(opening.cell), limit, stop)
        if stop():
            return
        if moves:
            yield JudgedOpening(opening.cell, 1 - moves[0].value, moves[0].proved)
        else:  # whoever is to move has lost at sight: there is no move to think of
            yield JudgedOpening(opening.cell, 1.0, True)
