"""What an evaluator says of a position: every legal move with its value and its rank."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple


class RankedMove(NamedTuple):
    """A legal move with the evaluator's own number and its rank.

    The best move has rank 1; moves with equal rank are exact ties (competition ranks: after
    two moves of rank 1 comes rank 3).
    """

    cell: int
    value: float
    rank: int


@dataclass(frozen=True)
class Ranking:
    """Every legal move by one evaluator, best first for the side to move.

    ``exact`` is False where a cap stopped a count; ``final`` is False while moves are still
    missing; ``note`` says in words what the reader must know.
    """

    evaluator: str
    moves: tuple[RankedMove, ...]
    exact: bool = True
    final: bool = True
    note: str = ""

    @cached_property
    def by_cell(self) -> dict[int, RankedMove]:
        """The moves by their cell."""
        return {move.cell: move for move in self.moves}
