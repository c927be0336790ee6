"""How hard a puzzle is: a level from 1 to 9, from figures that anybody can repeat.

What people find hard is a move that they do not think of, among others that look as good, whose
reason lies many moves ahead. The figures stand for that; docs/methods.md#difficulty-of-puzzles has
the weights and how the levels were checked.
"""

import math
from dataclasses import dataclass

from hextui.engine.limit import Limit
from hextui.engine.search.tree_search import TreeSearch
from hextui.train.finder import FoundPuzzle
from hextui.train.puzzle import MOST_LEVEL

PLAUSIBLE = 0.03  # of the network's probability of a losing move
VISITS = (150, 300, 600)
"""Visits after which the search is asked for its move; a search that fails at all counts double."""
BOUNDS = (0.312, 0.48, 0.61, 0.81, 1.03, 1.42, 2.0, 3.05)
"""Difficulties at which the levels 2 to 9 begin."""


@dataclass(frozen=True)
class Difficulty:
    """What makes a puzzle hard.

    ``rank``: of the best winning move by the network's probability, from 1. ``plausible``: losing
    moves with a probability of PLAUSIBLE or more. ``visits`` that the search needs to prefer a
    winning move. ``length``: moves of the solution. ``nodes`` that its proof took.
    """

    rank: int
    plausible: int
    visits: int
    length: int
    nodes: int

    @property
    def amount(self) -> float:
        """The difficulty as one number, larger is harder."""
        return (
            1.2 * math.log2(self.rank)
            + 0.4 * self.plausible
            + 1.0 * math.log2(self.visits / VISITS[0])
            + 0.1 * self.length
            + 0.25 * math.log2(1 + self.nodes / 100)
        )

    @property
    def level(self) -> int:
        """The level from 1 to 9."""
        level = 1 + sum(self.amount >= bound for bound in BOUNDS)
        return min(level, MOST_LEVEL)


def difficulty_of(puzzle: FoundPuzzle, search: TreeSearch) -> Difficulty:
    """Return the figures of a puzzle; ``search`` is one of its board."""
    solution, likely = puzzle.solution, puzzle.likely
    wins = solution.wins
    best = max(likely[cell] for cell in wins)
    return Difficulty(
        rank=1 + sum(p > best for cell, p in likely.items() if cell not in wins),
        plausible=sum(p >= PLAUSIBLE for cell, p in likely.items() if cell not in wins),
        visits=_visits(puzzle, search),
        length=len(solution.line),
        nodes=solution.nodes,
    )


def _visits(puzzle: FoundPuzzle, search: TreeSearch) -> int:
    """Return the visits after which the search prefers a winning move."""
    search.look_at(puzzle.solution.position)
    for visits in VISITS:
        for _ in search.grow(Limit(visits=visits)):
            pass
        if search.moves()[0].cell in puzzle.solution.wins:
            return visits
    return 2 * VISITS[-1]
