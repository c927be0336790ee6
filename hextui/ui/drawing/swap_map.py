"""The swap map: what each first move is worth under the swap rule, as a board shows it."""

from dataclasses import dataclass
from functools import cached_property

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.search.judged_openings import JudgedOpening
from hextui.ui.drawing.board_view import Mark
from hextui.words.names import Names

_LEAST_TINT, _MOST_TINT = 0.15, 0.8


@dataclass(frozen=True)
class SwapMap:
    """The first moves judged so far, one of each two that a half turn exchanges.

    ``total``: how many there are, 0 while unknown. ``note``: why there are no more yet, or none.
    """

    board: Board
    openings: tuple[JudgedOpening, ...] = ()
    total: int = 0
    note: str = ""

    @property
    def complete(self) -> bool:
        """Whether every first move is judged."""
        return 0 < self.total == len(self.openings)

    @cached_property
    def by_cell(self) -> dict[int, JudgedOpening]:
        """What is known of each cell, turned ones too."""
        rotate = self.board.rotate
        return {cell: one for one in self.openings for cell in (one.cell, rotate(one.cell))}


def is_about_swap(position: Position) -> bool:
    """Return whether the next turn is the first move, or may swap it."""
    return position.swap_legal if any(position.stones) else position.to_move is Color.BLACK


def swap_marks(position: Position, known: SwapMap) -> dict[int, Mark]:
    """Return the win rates of first moves without a proof, in per cent, tinted by the favourite."""
    marks: dict[int, Mark] = {}
    for cell in position.empties:
        one = known.by_cell.get(cell)
        if one is not None and not one.proved:
            lead = 2 * one.chance - 1
            tint = _LEAST_TINT + (_MOST_TINT - _LEAST_TINT) * abs(lead)
            leader = Color.BLACK if one.swap else Color.WHITE
            marks[cell] = Mark(f"{_per_cent(one):2}", leader, tint)
    return marks


def swap_verdicts(position: Position, known: SwapMap) -> dict[int, bool]:
    """Return whether first moves with a proof win if nobody swaps."""
    found = ((cell, known.by_cell.get(cell)) for cell in position.empties)
    return {cell: one.swap for cell, one in found if one is not None and one.proved}


def swap_words(position: Position, known: SwapMap | None, check: str, names: Names) -> str:
    """Return the legend of the map, and whether to swap; ``check`` marks a proved win."""
    if not is_about_swap(position):
        return "swap map: of the first move alone"
    if known is None or not known.openings:
        return f"swap map: {known.note if known and known.note else 'asking'}"
    first = next((cell for cell, stone in enumerate(position.stones) if stone), None)
    parts = [] if first is None else [_advice(position.board.name(first), known.by_cell.get(first))]
    parts += [f"{names.player(Color.BLACK)} wins, %", "over 50: swap", f"{check} dim: proved"]
    if not known.complete:
        parts.insert(1, f"{len(known.openings)} of {known.total} judged")
    return "  ".join([*parts, known.note] if known.note else parts)


def _advice(name: str, one: JudgedOpening | None) -> str:
    if one is None:
        return f"{name}: not judged yet"
    then = "swap" if one.swap else "play on"
    if one.proved:
        return f"{name} {'wins' if one.swap else 'loses'}, proved: {then}"
    return f"{name} wins {_per_cent(one)} %: {then}"


def _per_cent(one: JudgedOpening) -> int:
    """Return a win rate without a proof: never 0 or 100, and 50 only where swapping is no gain."""
    rounded = min(max(round(100 * one.chance), 1), 99)
    return 51 if rounded == 50 and one.swap else rounded
