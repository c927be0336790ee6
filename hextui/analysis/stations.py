"""The stations of a game: the positions of a line of play, and the move made at each."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hextui.engine.board import Color
from hextui.engine.position import MoveKind, Position
from hextui.records.record import Record
from hextui.records.tree import Node


@dataclass(frozen=True)
class Station:
    """A position of a line, with the side to move that moved there.

    ``node`` is where it is looked at. ``next_node`` holds the turn made there (None at the end
    of the line) and ``cell`` its stone, None if it put none. ``player`` is the colour under
    which the game ended for whoever is to move: another than the side to move before an odd
    number of turns swap-sides.
    """

    node: Node
    position: Position
    player: Color
    next_node: Node | None = None
    cell: int | None = None

    @property
    def ply(self) -> int:
        """How many turns were made before."""
        return self.node.ply


def stations(record: Record, line: Sequence[Node]) -> tuple[Station, ...]:
    """Return the stations of a line from the root on, up to a finished chain, that included.

    A node that only sets stones up is a station if it is the last before a turn.
    """
    swaps = sum(_kind(node) is MoveKind.SWAP_SIDES for node in line)
    found = []
    for node, following in pairwise([*line, None]):
        assert node is not None
        if _kind(node) is MoveKind.SWAP_SIDES:
            swaps -= 1
        position, cell = record.position(node), None
        if following is not None:
            if following.turn is None:
                continue
            position = position.with_to_move(following.turn.color)
            if following.turn.move.kind is MoveKind.PLAY:
                cell = following.turn.move.cell
        over = position.winner is not None
        player = position.to_move if swaps % 2 == 0 else position.to_move.opponent
        found.append(Station(node, position, player, following, None if over else cell))
        if over:
            break
    return tuple(found)


def leads_to(station: Station, following: Station) -> bool:
    """Whether the stone put at a station, and nothing else, made the following one's position."""
    if station.cell is None:
        return False
    return station.position.play(station.cell).key == following.position.key


def _kind(node: Node) -> MoveKind | None:
    return node.turn.move.kind if node.turn else None
