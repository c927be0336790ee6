"""What an engine can be asked about a position, and what it answers.

All of it is frozen and needs no library of the engine, so that the screen can ask and be told.
A question is answered by a stream: each answer knows more than the one before.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from hextui.engine.board import Color
from hextui.engine.connection import Connection, ConnectionKind
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking
from hextui.engine.search.line_settings import LineSettings
from hextui.engine.solver.mustplay_steps import Step
from hextui.engines.budget import SolverBudget
from hextui.engines.snapshot import Progress, Snapshot, Verdict

A = TypeVar("A", covariant=True)


@dataclass(frozen=True)
class Question(Generic[A]):
    """A question about a position; its answers are of the type ``A``."""

    position: Position


@dataclass(frozen=True)
class Analyse(Question[Snapshot]):
    """What is known of the position, stage after stage, as the workstation shows it live.

    ``evaluators`` rank, in this order; ``lines_by`` judges lines, '' for none. Without a
    ``budget`` nothing is solved. ``again``: what was analysed to the end goes on from there.
    """

    evaluators: tuple[str, ...]
    lines_by: str = ""
    lines: LineSettings = field(default_factory=LineSettings)
    budget: SolverBudget | None = None
    again: bool = False


@dataclass(frozen=True)
class Judged:
    """Who wins as far as connections prove it, and the final rankings there are so far."""

    verdict: Verdict | None
    rankings: Mapping[str, Ranking] = field(default_factory=dict)


@dataclass(frozen=True)
class Judge(Question[Judged | Progress]):
    """What evaluators say of the position. Nobody ranks where a chain has ended the game."""

    evaluators: tuple[str, ...]


@dataclass(frozen=True)
class Proved:
    """Who wins; None if the limit was too narrow.

    ``wins``: moves of the side to move that are proved to win. ``complete``: they are all, every
    other move being proved to lose. ``seconds`` of a processor were spent.
    """

    winner: Color | None
    wins: tuple[int, ...] = ()
    complete: bool = False
    seconds: float = 0.0


@dataclass(frozen=True)
class WhoWins(Question[Proved | Progress]):
    """Who wins when nobody swaps. ``table_bytes``: the solver's memory, None for its default.

    ``all_moves``: and with which moves, all of them.
    """

    limit: Limit
    table_bytes: int | None = None
    all_moves: bool = False


@dataclass(frozen=True)
class Traced:
    """How many positions the readable solver has looked at; its ``steps`` once it is done."""

    calls: int
    steps: tuple[Step, ...] | None = None


@dataclass(frozen=True)
class Trace(Question[Traced]):
    """The run of the readable solver; ``remember``: a position is not solved twice."""

    remember: bool


@dataclass(frozen=True)
class ListConnections(Question[tuple[Connection, ...]]):
    """Connections of a colour in force, adjacencies left out, the most telling first.

    Of one ``kind`` or of both (None): ``count`` of them from the place ``first`` on.
    """

    color: Color
    kind: ConnectionKind | None
    first: int
    count: int


@dataclass(frozen=True)
class Premises(Question[tuple[Connection, ...]]):
    """What the connection ``of`` of a colour was made from; () if there is no such connection."""

    color: Color
    of: int
