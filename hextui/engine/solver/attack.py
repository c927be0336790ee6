"""A move of the loser inside what the winner needs, and the winner's answer to it.

Nothing here needs the libraries of the engine; attack_answers.py finds the answers.
"""

import enum
from dataclasses import dataclass

from hextui.engine.board import Color
from hextui.engine.connection import Connection
from hextui.engine.position import Position
from hextui.engine.solver.leaf_chain import Pair
from hextui.engine.solver.proof import Proof


class Tactic(enum.StrEnum):
    """How an answer works, by the rules of the themes of puzzles."""

    BRIDGE = "bridge"
    LADDER = "ladder"
    TEMPLATE = "edge template"
    DOUBLE = "double threat"


@dataclass(frozen=True)
class Attack:
    """A move of the loser on a cell of ``carrier``, where the winner wins if the loser moves.

    ``pairs`` and ``counted``: captured pairs and cells that count as the winner's, as in `Spot`.
    ``line``: the moves before it, from ``start``. ``proved_reply``: an answer proved to win.
    """

    position: Position
    cell: int
    carrier: frozenset[int]
    start: Position
    pairs: tuple[Pair, ...] = ()
    counted: frozenset[int] = frozenset()
    line: tuple[int, ...] = ()
    proved_reply: int | None = None

    @property
    def winner(self) -> Color:
        """The side that answers."""
        return self.position.to_move.opponent

    @property
    def narrowed(self) -> Position:
        """The position with all that counts filled in, and all else outside the carrier lost."""
        stones = bytearray(self.position.stones)
        for cell in self.position.empties:
            if cell not in self.carrier:
                stones[cell] = self.position.to_move
        for cell in self.counted:
            stones[cell] = self.winner
        return Position(self.position.board, bytes(stones), self.position.to_move)


@dataclass(frozen=True)
class TryAnswer:
    """The winner's answer to an attack.

    ``proof``: of the position after the attack, with the winner to move, to be walked only: it
    fills in the cells that counted without a reason. None where the answer is the one known before.
    ``attacked``: the link that the attack broke and the answer restores, None if the answer wins by
    other means. ``template``: the name of the edge template that was attacked or, if it has none,
    that the answer makes.
    """

    cell: int
    proof: Proof | None = None
    attacked: Connection | None = None
    tactic: Tactic | None = None
    template: str = ""
