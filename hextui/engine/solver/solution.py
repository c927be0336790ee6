"""What the strong solver (dfpn.py) has found out about a position."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from hextui.engine.board import Color
from hextui.engine.cells import Cells
from hextui.engine.orientation import Orientation
from hextui.engine.position import Position


class Reason(StrEnum):
    """What proved a move's verdict."""

    SEARCH = "search"  # the position after the move was solved
    MUST_PLAY = "must-play"  # it does not meet the threat, a win that needs only the carrier
    CONNECTED = "connected"  # the mover's edges are connected already, so any move wins


@dataclass(frozen=True)
class MoveVerdict:
    """What proved a move winning or losing, and the winner's carrier after the move."""

    reason: Reason
    carrier: frozenset[int]


@dataclass(frozen=True)
class Solution:
    """What is known of a position, when nobody swaps.

    ``winner`` is None while unknown. ``wins`` and ``losses``: the moves that are proved, by cell.
    ``carrier``: the empty cells that the winner needs. ``line``: the principal variation, in which
    the loser's moves are those that resist longest. ``proof_number`` and ``disproof_number`` are
    the side to move's. ``nodes`` (positions expanded) and ``seconds`` are this question's.
    ``table_used`` is a share. ``must_play``: the cells that meet all threats. ``source``:
    ``search`` or ``disk``. ``complete``: all that was asked is known. ``final``: the last one of
    its question.

    >>> import hextui
    >>> solution = hextui.solve(hextui.position("3x3", "a1"))
    >>> solution.winner, list(solution.winning_moves), solution.complete
    (<Color.WHITE: 2>, ['b2'], True)
    """

    position: Position
    winner: Color | None
    wins: Mapping[int, MoveVerdict]
    losses: Mapping[int, MoveVerdict]
    carrier: Cells
    line: Cells
    proof_number: int
    disproof_number: int
    nodes: int
    seconds: float
    table_used: float
    must_play: Cells
    source: str = "search"
    complete: bool = False
    final: bool = False

    @property
    def winning_moves(self) -> Cells:
        """The moves that are proved to win."""
        return Cells(self.position.board, tuple(self.wins))

    @property
    def losing_moves(self) -> Cells:
        """The moves that are proved to lose."""
        return Cells(self.position.board, tuple(self.losses))

    @property
    def unknown_moves(self) -> Cells:
        """The moves that are not decided; none once the game is over."""
        if self.position.winner is not None:
            return Cells(self.position.board)
        decided = self.wins.keys() | self.losses.keys()
        unknown = tuple(cell for cell in self.position.empties if cell not in decided)
        return Cells(self.position.board, unknown)

    def back(self, orientation: Orientation) -> "Solution":
        """Return the solution for a position in another orientation for the position itself."""
        if orientation.plain:
            return self
        cell_of = orientation.cell_of.__getitem__
        return replace(
            self,
            position=orientation.back(self.position),
            winner=self.winner and orientation.color_back(self.winner),
            wins=_verdicts_back(self.wins, orientation),
            losses=_verdicts_back(self.losses, orientation),
            carrier=_set_back(self.carrier, orientation),
            line=Cells(orientation.board, tuple(map(cell_of, self.line.numbers))),
            must_play=_set_back(self.must_play, orientation),
        )


def _set_back(cells: Cells, orientation: Orientation) -> Cells:
    return Cells.of(orientation.board, orientation.cells_back(cells.numbers))


def _verdicts_back(
    verdicts: Mapping[int, MoveVerdict], orientation: Orientation
) -> dict[int, MoveVerdict]:
    back = {
        orientation.cell_of[cell]: replace(verdict, carrier=orientation.cells_back(verdict.carrier))
        for cell, verdict in verdicts.items()
    }
    return dict(sorted(back.items()))
