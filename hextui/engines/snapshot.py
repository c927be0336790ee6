"""What the analysis knows of one position at one moment, frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope
from hextui.engine.verdicts import Verdict, VerdictKind

if TYPE_CHECKING:
    from hextui.engine.connection import Connection
    from hextui.engine.inferior_cells import InferiorCells
    from hextui.engine.ranking import Ranking
    from hextui.engine.search.lines import Lines
    from hextui.engine.solver.solution import Solution
    from hextui.engines.attached.examined import Examined

__all__ = ["ConnectionCounts", "Progress", "Snapshot", "Verdict", "VerdictKind"]

_NOTHING: Mapping[Any, Any] = MappingProxyType({})


COMPILING = "compiling (first run)"
"""The label of progress while there is no engine yet for boards of this size."""


@dataclass(frozen=True)
class Progress:
    """How far the analysis is: ``done`` of ``total`` steps, and what it does now.

    ``seconds_left`` is an estimate, None if there is none.
    """

    done: int
    total: int
    label: str
    seconds_left: int | None = None

    @property
    def amount(self) -> str:
        """How much is done, for people.

        >>> Progress(3, 12, "").amount, Progress(35, 100, "", seconds_left=20).amount
        ('3 of 12', '35%, about 20 s left')
        """
        if self.seconds_left is None:
            return f"{self.done} of {self.total}"
        return f"{100 * self.done // self.total}%, about {self.seconds_left} s left"


@dataclass(frozen=True)
class ConnectionCounts:
    """How many connections of a colour are in force; ``complete``: their search met no limit."""

    fulls: int
    semis: int
    complete: bool


@dataclass(frozen=True)
class Snapshot:
    """What is known of ``position``; a field is None or empty as long as it is not known.

    ``generation`` is the number of the request it answers. ``scope``: which moves searches think
    of; what is proved is of all moves. ``evaluators`` rank here: those that
    were asked for and that there are. ``contribution``: the k-contribution of each cell in
    a colour's network, 0 to 1, for k = 0, 1, 2. ``must_play``: the cells where the
    side to move must play, or it loses: common to all semi connections of the opponent's
    edges, its ``threats``, which are none where they are joined already. ``lines_by`` is the
    evaluator that the lines are searched with, '' for none. ``examined``: what attached engines
    say, by their names as evaluators, and ``problems``: a line for each that says why it does not.
    ``error`` is a line that says what went wrong.
    """

    position: Position
    generation: int = 0
    final: bool = False
    verdict: Verdict | None = None
    must_play: frozenset[int] | None = None
    threats: "tuple[Connection, ...]" = ()
    connections: Mapping[Color, ConnectionCounts] = field(default_factory=lambda: _NOTHING)
    contribution: Mapping[Color, tuple[tuple[float, ...], ...]] = field(
        default_factory=lambda: _NOTHING
    )
    evaluators: tuple[str, ...] = ()
    rankings: "Mapping[str, Ranking]" = field(default_factory=lambda: _NOTHING)
    inferior: "InferiorCells | None" = None
    lines_by: str = ""
    lines: "Lines | None" = None
    solution: "Solution | None" = None
    examined: "Mapping[str, Examined]" = field(default_factory=lambda: _NOTHING)
    problems: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    progress: Progress = Progress(0, 0, "")
    error: str | None = None
    scope: MoveScope = ALL_MOVES

    @property
    def winner(self) -> Color | None:
        """The colour that has won, by a chain or by a connection."""
        return self.verdict.winner if self.verdict else None

    def ranking_for(self, focus: str) -> str:
        """Return an evaluator, or while it is late the first that has ranked; '' if none has."""
        return focus if focus in self.rankings else next(iter(self.rankings), "")
