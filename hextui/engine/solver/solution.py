"""What the strong solver (dfpn.py) has found out about a position."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from hextui.engine.board import Color
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

    ``winner`` is None while unknown. ``carrier``: the empty cells that the winner needs. ``line``:
    the principal variation. ``proof_number`` and ``disproof_number`` are the side to move's.
    ``nodes`` (positions expanded) and ``seconds`` are this question's. ``table_used`` is a share.
    ``must_play``: the cells that meet all threats. ``source``: ``search`` or ``disk``.
    ``complete``: all that was asked is known. ``final``: the last one of its question.
    """

    position: Position
    winner: Color | None
    winning_moves: Mapping[int, MoveVerdict]
    losing_moves: Mapping[int, MoveVerdict]
    unknown_moves: tuple[int, ...]
    carrier: frozenset[int]
    line: tuple[int, ...]
    proof_number: int
    disproof_number: int
    nodes: int
    seconds: float
    table_used: float
    must_play: frozenset[int]
    source: str = "search"
    complete: bool = False
    final: bool = False

    def back(self, orientation: Orientation, position: Position) -> "Solution":
        """Return the solution for a position in another orientation for the position itself."""
        if orientation.plain:
            return replace(self, position=position)
        return replace(
            self,
            position=position,
            winner=self.winner and orientation.color_back(self.winner),
            winning_moves=_verdicts_back(self.winning_moves, orientation),
            losing_moves=_verdicts_back(self.losing_moves, orientation),
            unknown_moves=tuple(sorted(orientation.cells_back(self.unknown_moves))),
            carrier=orientation.cells_back(self.carrier),
            line=tuple(orientation.cell_of[cell] for cell in self.line),
            must_play=orientation.cells_back(self.must_play),
        )


def _verdicts_back(
    verdicts: Mapping[int, MoveVerdict], orientation: Orientation
) -> dict[int, MoveVerdict]:
    back = {
        orientation.cell_of[cell]: replace(verdict, carrier=orientation.cells_back(verdict.carrier))
        for cell, verdict in verdicts.items()
    }
    return dict(sorted(back.items()))
