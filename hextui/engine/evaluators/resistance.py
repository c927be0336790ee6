"""Electrical resistance: a cell scores what flows through it in both colours' circuits."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from hextui.engine.board import Color
from hextui.engine.evaluators.base import Workbench, inverse, rank_by_value
from hextui.engine.evaluators.circuits import Circuit, circuit
from hextui.engine.ranking import Ranking


@dataclass(frozen=True)
class Resistance:
    """Ranks cells by the current through them in both colours' circuits.

    ``links``: virtual links are wires too (the default); else adjacencies alone. Inferior
    cells are not filled in.
    """

    links: bool = True

    @property
    def name(self) -> str:
        """The name in the registry."""
        return "resistance" if self.links else "resistance:plain"

    @property
    def source(self) -> str:
        """Where the method comes from."""
        return "V. Anshelevich's circuits: docs/methods.md#resistance"

    def rank(self, bench: Workbench) -> Iterator[Ranking]:
        """Yield the one, final ranking."""
        position = bench.position
        mover = position.to_move
        own, other = (self.circuit(bench, color) for color in (mover, mover.opponent))
        current = np.round(own.current + other.current, DIGITS).tolist()
        yield rank_by_value(
            self.name,
            {cell: current[cell] for cell in position.empties},
            note=f"resistance: own {own.resistance:.3g}, opponent {other.resistance:.3g}",
        )

    def worth(self, bench: Workbench, ranking: Ranking) -> float:
        """Return the opponent's resistance divided by the own one."""
        mover = bench.position.to_move
        own, other = (self.circuit(bench, color) for color in (mover, mover.opponent))
        # not both are infinite, or 0: one side always can still win, and only one can have won
        return round(other.resistance / own.resistance, DIGITS) if own.resistance else math.inf

    def circuit(self, bench: Workbench, color: Color) -> Circuit:
        """Return a colour's circuit, solved as the colour sees the board."""
        if (color, self.links) not in bench.circuits:
            outlook = bench.outlook(color)
            seen = circuit(outlook.seen, self.links)
            current, ends = outlook.values(seen.current), outlook.orientation.node_of[seen.ends]
            bench.circuits[color, self.links] = replace(seen, current=current, ends=ends)
        return bench.circuits[color, self.links]

    def turned(self, worth: float) -> float:
        """Return the worth to the other side."""
        return inverse(worth)


# solving in floating point leaves noise behind this digit, which would break exact ties
DIGITS = 9


def balance(bench: Workbench) -> float:
    """Return ln(White's resistance / Black's): above 0 if Black is ahead, whoever is to move.

    inf or -inf where a side is joined, or the other one cut off.
    """
    black, white = (Resistance().circuit(bench, color).resistance for color in Color)
    if not black or math.isinf(white):
        return math.inf
    if not white or math.isinf(black):
        return -math.inf
    return round(math.log(white / black), DIGITS)
