"""Electrical resistance: a cell scores what flows through it in both colours' circuits."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from hextui.engine.board import Color
from hextui.engine.evaluators.base import PLAIN, Evaluator, Scale, Source, inverse
from hextui.engine.explanation import Facts, Illustration, Shows, Term, Wire
from hextui.engine.ranking import Ranking, rank_by_value

if TYPE_CHECKING:
    from hextui.engine.evaluators.workbench import Workbench

DIGITS = 9  # floating point leaves noise behind this decimal place, which would break exact ties
LEAST = 1e-9  # smaller currents are not shown: they are such noise


@dataclass(frozen=True)
class Resistance(Evaluator):
    """Ranks cells by the current through them in both circuits."""

    method = "resistance"
    short = "resist"
    about = "current in both circuits"
    scale = Scale("current, of 1 from side to side", high=2.0)
    source = Source(
        authors="V. V. Anshelevich",
        year=2002,
        title="A hierarchical approach to computer Hex. Artificial Intelligence 134, 101-120",
        where="the electric circuits of both players",
        link="https://doi.org/10.1016/S0004-3702(01)00154-0",
    )

    plain: Annotated[bool, PLAIN] = False

    def rank(self, bench: "Workbench") -> Iterator[Ranking]:
        position = bench.position
        mover = position.to_move
        own, other = (bench.circuit(color, not self.plain) for color in (mover, mover.opponent))
        current = (own.current + other.current).round(DIGITS).tolist()
        yield rank_by_value(
            self.name,
            {cell: current[cell] for cell in position.empties},
            note=f"resistance: own {own.resistance:.3g}, opponent {other.resistance:.3g}",
        )

    def worth(self, bench: "Workbench", ranking: Ranking) -> float:
        """Return the opponent's resistance divided by the own one."""
        mover = bench.position.to_move
        own, other = (
            bench.circuit(color, not self.plain).resistance for color in (mover, mover.opponent)
        )
        # not both are infinite, or 0: one side always can still win, and only one can have won
        return round(other / own, DIGITS) if own else math.inf

    def turned(self, worth: float) -> float:
        return inverse(worth)

    def facts(self, bench: "Workbench", move: int, ranking: Ranking) -> Facts:
        mover = bench.position.to_move
        terms = []
        pictures = []
        for color in (mover, mover.opponent):
            circuit = bench.circuit(color, not self.plain)
            terms.append(Term("I", float(circuit.current[move]), color))
            terms.append(Term("R", circuit.resistance, color))
            pictures += self._pictures(bench, color, move)
        return Facts(tuple(terms), tuple(pictures))

    def _pictures(self, bench: "Workbench", color: Color, move: int) -> list[Illustration]:
        circuit = bench.circuit(color, not self.plain)
        flowing = [(cell, float(i)) for cell, i in enumerate(circuit.current) if i > LEAST]
        if not flowing:
            return [Illustration(Shows.NO_CURRENT, color, amount=circuit.resistance)]
        wires = []
        for (a, b), flow in zip(circuit.ends.tolist(), circuit.flow, strict=True):
            if move in (a, b) and flow > LEAST:
                ends = (a, b) if a == move else (b, a)
                wires.append(Wire(ends, float(flow)))
        wires.sort(key=lambda wire: -wire.amount)
        cells = [(w.ends[1], w.amount) for w in wires if w.ends[1] < bench.board.cells]
        return [
            Illustration(Shows.CIRCUIT, color, amounts=tuple(flowing)),
            Illustration(Shows.WIRES, color, wires=tuple(wires), amounts=tuple(cells)),
        ]


def balance(bench: "Workbench") -> float:
    """Return ln(White's resistance / Black's), inf or -inf where a side is joined or cut off."""
    black, white = (bench.circuit(color).resistance for color in Color)
    if not black or math.isinf(white):
        return math.inf
    if not white or math.isinf(black):
        return -math.inf
    return round(math.log(white / black), DIGITS)
