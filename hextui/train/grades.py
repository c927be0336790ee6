"""How hard a puzzle is: a level from 1 to 9, from figures that anybody can repeat.

What people find hard is a move that they do not think of, among others that look as good, whose
reason takes long to see. The figures stand for that; docs/methods.md#difficulty-of-puzzles has the
weights and how well they tell which wins people miss.
"""

import math
from collections.abc import Container, Mapping
from contextlib import closing
from dataclasses import dataclass

from hextui.engine.limit import Limit
from hextui.engine.orientation import canonical
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.train.puzzle import MOST_LEVEL

PLAUSIBLE = 0.03  # of the network's probability of a losing move
LEAST_PROBABILITY = 1e-4  # of the winning moves, so that the logarithm stays finite
PROOF = Limit(nodes=10_000)
FRESH = SolverSettings(threads=1, table_bytes=1 << 20)
"""Of the solver that proves one puzzle: what another knows already would shorten the proof."""
BOUNDS = tuple(0.05 * 2.0**doubled for doubled in range(MOST_LEVEL - 1))
"""Difficulties at which the levels 2 to 9 begin, each twice the one before."""


@dataclass(frozen=True)
class Difficulty:
    """What makes a puzzle hard.

    ``probability``: the network's, 0 to 1, of all moves that win. ``plausible``: losing moves with
    a probability of PLAUSIBLE or more. ``nodes``: of the proof that the side to move wins.
    """

    probability: float
    plausible: int
    nodes: int

    @property
    def terms(self) -> tuple[float, float, float]:
        """What each figure stands for, before it is weighted."""
        surprise = -math.log(self.probability + LEAST_PROBABILITY)
        return surprise, float(self.plausible), math.log2(1 + self.nodes / 100)

    @property
    def amount(self) -> float:
        """The difficulty as one number, larger is harder."""
        surprise, plausible, depth = self.terms
        return surprise + 1.5 * plausible + 0.33 * depth

    @property
    def level(self) -> int:
        """The level from 1 to 9."""
        level = 1 + sum(self.amount >= bound for bound in BOUNDS)
        return min(level, MOST_LEVEL)


def difficulty_of(
    position: Position, wins: Container[int], likely: Mapping[int, float]
) -> Difficulty:
    """Return the figures of a puzzle: its winning moves, and the network's probability of each."""
    upright = canonical(position).position  # so that the nodes are those of every orientation
    with closing(Solver(upright.board, FRESH)) as solver:
        *_, solution = solver.solve(upright, PROOF)
    losing = [share for cell, share in likely.items() if cell not in wins]
    return Difficulty(
        probability=round(sum(share for cell, share in likely.items() if cell in wins), 4),
        plausible=sum(share >= PLAUSIBLE for share in losing),
        nodes=solution.nodes,
    )
