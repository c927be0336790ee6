"""What an attached engine is asked about a position."""

from dataclasses import dataclass, field

from hextui.engine.limit import Limit
from hextui.engines.attached.examined import Examined, ExaminedMove
from hextui.engines.questions import Question

__all__ = ["Examine", "Examined", "ExaminedMove", "Greet"]


@dataclass(frozen=True)
class Examine(Question[Examined]):
    """What an engine thinks of the position: better and better until the limit.

    Nodes are visits. ``avoid``: moves that it must not think of; ``allow``: none but these, () for
    all. Only engines that say how can do so. ``choose``: it is to play, so that an engine which
    would rather show an analysis of its own chooses a move. ``again``: what was answered before
    does not do.
    """

    limit: Limit = field(default_factory=Limit)
    avoid: tuple[int, ...] = ()
    allow: tuple[int, ...] = ()
    choose: bool = False
    again: bool = False


@dataclass(frozen=True)
class Greet(Question[None]):
    """Nothing but to be there: the program is started if it does not run. There is no answer."""
