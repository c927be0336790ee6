"""What the screen knows of the analysis: whom to ask, and the messages that bring answers.

The start-up code makes the analyst and hands it over, so that this room needs no engine to be
there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from textual.message import Message

from hextui.analysis import Snapshot
from hextui.engine.position import Position
from hextui.engine.search.move_scope import MoveScope

if TYPE_CHECKING:
    from hextui.engine.connection import Connection
    from hextui.engines.questions import ListConnections, Premises


class Analyst(Protocol):
    """Analyses one position at a time; nothing here waits for it."""

    def request(self, position: Position, again: bool = False, played: int | None = None) -> int:
        """Analyse a position instead of the last one; returns the generation of its snapshots.

        ``again``: if it was analysed to the end, the solver goes on from there. ``played``: the
        move made there in the game.
        """
        ...

    @property
    def evaluators(self) -> tuple[str, ...]:
        """The names of the evaluators that rank, in the order in which they do."""
        ...

    def choose_evaluators(self, names: Sequence[str]) -> None:
        """Rank by these evaluators from the next request on."""
        ...

    @property
    def lines_by(self) -> str:
        """The name of the evaluator that lines are searched with."""
        ...

    def choose_lines_by(self, name: str) -> None:
        """Search lines with this evaluator from the next request on."""
        ...

    @property
    def scope(self) -> MoveScope:
        """Which moves searches think of."""
        ...

    def choose_scope(self, scope: MoveScope) -> None:
        """Have searches think of these moves from the next request on."""
        ...

    def look_up(
        self,
        question: "ListConnections | Premises",
        hear: "Callable[[tuple[Connection, ...]], object]",
    ) -> None:
        """Have connections listed; ``hear`` gets them from any thread, () if they are gone."""
        ...

    def cancel(self) -> None:
        """Stop analysing."""
        ...

    def close(self) -> None:
        """Stop for good."""
        ...


MakeAnalyst = Callable[[Callable[[Snapshot], None]], Analyst]
"""Makes an analyst that hands its snapshots, from any thread, to the callable it is given."""


@dataclass
class SnapshotReady(Message):
    """A snapshot has come; a newer one that waits behind it takes its place."""

    snapshot: Snapshot

    def can_replace(self, message: Message) -> bool:
        """Only the newest snapshot is of interest, but every error is told."""
        return isinstance(message, SnapshotReady) and not self.snapshot.error


@dataclass
class LookedUp(Message):
    """Connections that were asked for have come."""

    question: "ListConnections | Premises"
    connections: "tuple[Connection, ...]"
