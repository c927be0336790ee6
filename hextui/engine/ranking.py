"""What an evaluator says of a position: every legal move with its value and its rank."""

from collections.abc import Callable
from dataclasses import dataclass, replace
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

    def among(self, wanted: Callable[[int], bool]) -> "Ranking":
        """Return the ranking of some of the moves alone, ranked among themselves."""
        moves: list[RankedMove] = []
        rank = before = 0
        for move in self.moves:
            if wanted(move.cell):
                if move.rank != before:
                    rank, before = len(moves) + 1, move.rank
                moves.append(move._replace(rank=rank))
        return replace(self, moves=tuple(moves))
