"""Levels 1 to 9: players of graded strength, ``level:1`` to ``level:9``.

All choose among the moves that the network (docs/network.md) finds plausible for people. The weak
levels look no further: they take a plausible move by lot, so they overlook what only reading
ahead shows, as people do. The middle levels search most moves and play the others at first sight.
The strong levels are tree searches. docs/methods.md#players-of-graded-strength describes them.
"""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass

from hextui.engine.position import Position

SOLVER_PLAYER = "solver"
"""The player that proves its moves, and resists longest where all of them lose."""
_NAME = re.compile(r"level:([1-9])")
FIRST_STONES = 4  # on the board, up to which all levels play at first sight
OPENINGS = 5  # under the swap rule a first move is drawn among so many of the most balanced


@dataclass(frozen=True)
class Level:
    """How a level chooses its moves.

    ``temperature`` of the lot among plausible moves: 1 draws them by the network's probabilities,
    more makes them more alike, less prefers the likelier. ``careless``: the share of moves that are
    played at first sight. ``visits`` of the search for the others, 0 if there are none. A move is
    plausible whose probability is ``plausible`` times the likeliest move's or more.
    """

    temperature: float
    careless: float
    visits: int = 0
    plausible: float = 0.02

    def plays_at_first_sight(self, position: Position, lots: random.Random) -> bool:
        """Return whether the next move is one, by lot; the first are, so that games differ."""
        stones = len(position.stones) - len(position.empties)
        return stones < FIRST_STONES or lots.random() < self.careless


LEVELS = (
    Level(5.0, 1.0, plausible=0.01),
    Level(2.5, 1.0),
    Level(1.0, 1.0),
    Level(0.2, 1.0),
    Level(0.5, 0.5, 100),
    Level(0.5, 0.2, 100),
    Level(0.5, 0.0, 150),
    Level(0.5, 0.0, 400),
    Level(0.5, 0.0, 1800),
)


def level_named(name: str) -> int | None:
    """Return the number of the level with a name such as ``level:3``, None for another name."""
    match = _NAME.fullmatch(name.strip())
    return int(match[1]) if match else None


def balanced_openings(wins: Mapping[int, float]) -> list[int]:
    """Return the first moves whose win probability is nearest to one half, in row order.

    ``wins``: the win probability after each first move, by cell.
    """
    nearest = sorted(sorted(wins), key=lambda cell: abs(wins[cell] - 0.5))
    return sorted(nearest[:OPENINGS])


def plausible_move(policy: Mapping[int, float], level: Level, lots: random.Random) -> int:
    """Return a plausible move, drawn by lot; ``policy``: how likely each move is, by cell."""
    least = level.plausible * max(policy.values())
    cells = [cell for cell in sorted(policy) if policy[cell] >= least]
    weights = [policy[cell] ** (1 / level.temperature) for cell in cells]
    return lots.choices(cells, weights)[0]
