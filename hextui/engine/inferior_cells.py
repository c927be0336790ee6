"""The cells that need not be looked at in a position, and why; inferior.py finds them."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from hextui.engine.board import Color
from hextui.engine.position import Position


class InferiorRule(enum.StrEnum):
    """Which rule made a cell inferior."""

    CLIQUE = "clique"
    """Dead: its neighbours in one colour's network are all linked to each other."""
    REGION = "region"
    """Dead: one group's empty neighbours cut it off from both edges of that colour."""
    PAIR = "pair"
    """Captured: a stone on either cell of the pair makes the other one dead."""
    DEAD_AFTER_REPLY = "dead after the reply"
    """Vulnerable: the opponent has a reply, the killer, that makes the stone dead."""
    DEAD_AFTER = "dead after the better move"
    """Dominated: an own stone on the dominator makes the cell dead."""
    CAPTURED_AFTER = "captured after the better move"
    """Dominated: an own stone on the dominator captures the cell."""


@dataclass(frozen=True)
class InferiorCells:
    """What need not be looked at in a position.

    ``dead`` cells matter to nobody. ``captured[color][cell]`` is the cell's partner: whichever of
    the two the opponent takes, ``color`` answers on the other. ``filled`` is the position with all
    of these filled in, to a fixpoint; captured pairs and dead cells include those found on the
    way. Dead cells get stones of the side to move. The other two hold in ``filled``, for its
    side to move: ``vulnerable[cell]`` is the opponent's killing reply, ``dominated[cell]`` a move
    that is at least as good and neither vulnerable nor dominated. If the side to move can win,
    one of the cells in ``remaining`` wins. ``rules`` names the rule behind each cell.
    """

    position: Position
    filled: Position
    dead: frozenset[int]
    captured: Mapping[Color, Mapping[int, int]]
    vulnerable: Mapping[int, int]
    dominated: Mapping[int, int]
    rules: Mapping[int, InferiorRule]

    @property
    def remaining(self) -> tuple[int, ...]:
        """The empty cells that are not inferior, in row order."""
        return tuple(cell for cell in self.position.empties if cell not in self.rules)
