"""What an attached engine is asked about a position."""

from dataclasses import dataclass, field

from hextui.engine.limit import Limit
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope
from hextui.engines.attached.examined import Examined, ExaminedMove
from hextui.engines.questions import Question

__all__ = ["Examine", "Examined", "ExaminedMove", "Greet"]


@dataclass(frozen=True)
class Examine(Question[Examined]):
    """What an engine thinks of the position: better and better until the limit.

    Nodes are visits. ``scope``: which moves it is to think of; only KataHex can be told.
    ``choose``: it is to play, so that an engine which would rather show an analysis of its own
    chooses a move. ``again``: what was answered before does not do.
    """

    limit: Limit = field(default_factory=Limit)
    scope: MoveScope = ALL_MOVES
    choose: bool = False
    again: bool = False


@dataclass(frozen=True)
class Greet(Question[None]):
    """Nothing but to be there: the program is started if it does not run. There is no answer."""
