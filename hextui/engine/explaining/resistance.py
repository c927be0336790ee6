"""The current through a cell in both circuits, and the resistance of each."""

from hextui.engine.board import Color
from hextui.engine.connection import node_name
from hextui.engine.evaluators.base import Workbench
from hextui.engine.evaluators.circuits import Circuit
from hextui.engine.evaluators.resistance import DIGITS, Resistance
from hextui.engine.explaining.shared import color_order, explanation
from hextui.engine.explanation import Explanation, Painting, Source, Term, Wire
from hextui.engine.player_texts import player
from hextui.engine.ranking import Ranking
from hextui.words.names import counted

ANSHELEVICH = Source(
    "V. V. Anshelevich",
    2002,
    "A hierarchical approach to computer Hex. Artificial Intelligence 134, 101-120",
    "the electric circuits of both players",
    "https://doi.org/10.1016/S0004-3702(01)00154-0",
)
SENTENCE = (
    "The current through the cell, when a current of 1 flows from side to side through each "
    "player's connections."
)
SHOWN = 0.001
"""Wires that carry less are not told one by one."""
LEAST = 1e-9
"""What flows less is not shown: solving leaves such noise behind."""


def explain(evaluator: Resistance, bench: Workbench, move: int, ranking: Ranking) -> Explanation:
    """Return why a cell has its current."""
    position = bench.position
    terms: list[Term] = []
    paintings: list[Painting] = []
    for color in color_order(position.to_move):
        found = evaluator.circuit(bench, color)
        owner = player(color)
        terms.append(
            Term("I", float(found.current[move]), f"current through it, circuit of {owner}", color)
        )
        terms.append(Term("R", found.resistance, f"resistance between {owner}'s sides", color))
        paintings += _paintings(bench, found, color, move)
    return explanation(
        position,
        position,
        move,
        ranking,
        sentence=SENTENCE,
        formula=f"I({player(Color.BLACK)}) + I({player(Color.WHITE)}), "
        f"rounded to {DIGITS} decimal places",
        direction="The largest current is the best for the side to move.",
        source=ANSHELEVICH,
        terms=tuple(terms),
        paintings=tuple(paintings),
    )


def _paintings(bench: Workbench, found: Circuit, color: Color, move: int) -> list[Painting]:
    """Return the currents of a circuit, and the wires at the cell."""
    owner, board = player(color), bench.board
    flowing = [(cell, float(i)) for cell, i in enumerate(found.current) if i > LEAST]
    if not flowing:
        why = "are joined" if found.resistance == 0 else "are cut off"
        return [Painting(f"circuit of {owner}", f"The sides of {owner} {why}: no current.", color)]
    whole = Painting(
        f"circuit of {owner}",
        f"Currents in the circuit of {owner}, per cent of what flows from side to side.",
        color,
        amounts=tuple(flowing),
    )
    wires = [
        Wire((a, b) if a == move else (b, a), frozenset(), float(flow))
        for (a, b), flow in zip(found.ends.tolist(), found.flow, strict=True)
        if move in (a, b) and flow > LEAST
    ]
    wires.sort(key=lambda wire: -wire.amount)
    large = [wire for wire in wires if wire.amount >= SHOWN]
    told = ", ".join(f"{node_name(w.ends[1], board, color)} {w.amount:.3f}" for w in large)
    if len(large) < len(wires):
        told += f" and {counted(len(wires) - len(large), 'smaller one')}"
    at_the_cell = Painting(
        f"wires of {owner}",
        f"Through {board.name(move)} flows half of what its wires carry: {told or 'no current'}.",
        color,
        wires=tuple(wires),
        amounts=tuple((w.ends[1], w.amount) for w in wires if w.ends[1] < board.cells),
    )
    return [whole, at_the_cell]
