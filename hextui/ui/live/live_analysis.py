"""Live analysis for the screen: the newest snapshot of the current position, and its messages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from textual.message import Message

from hextui.analysis import Snapshot
from hextui.analysis.analyst import keep_proofs
from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engine.search.move_scope import ALL_MOVES, MoveScope
from hextui.engine.verdicts import Verdicts
from hextui.ui.drawing.swap_map import SwapMap

if TYPE_CHECKING:
    from hextui.analysis.analyst import Analyst
    from hextui.engine.connection import Connection
    from hextui.engines.engine import OpenLane, Stop
    from hextui.engines.questions import ListConnections, Premises, Question

T = TypeVar("T")


@dataclass
class SnapshotReady(Message):
    """There is a snapshot; a newer one replaces it while it waits."""

    snapshot: Snapshot

    def can_replace(self, message: Message) -> bool:
        """Only the newest snapshot is of interest, but every error is shown."""
        return isinstance(message, SnapshotReady) and not self.snapshot.error


@dataclass
class LookedUp(Message):
    """The answer to a question about connections."""

    question: "ListConnections | Premises"
    connections: "tuple[Connection, ...]"


@dataclass
class SwapMapWanted(Message):
    """The board whose swap map is shown from now on, None for none."""

    board: Board | None


@dataclass
class SwapMapCame(Message):
    """A better swap map; the newest message replaces older ones of the same board."""

    known: SwapMap

    def can_replace(self, message: Message) -> bool:
        """Only the newest map of a board is of interest."""
        return isinstance(message, SwapMapCame) and message.known.board == self.known.board


class LiveAnalysis:
    """Asks the analyst about the position on the board and keeps the newest snapshot.

    Proofs go into ``verdicts``. Without an analyst nothing is analysed.
    """

    def __init__(self, analyst: "Analyst | None", verdicts: Verdicts | None = None) -> None:
        self._analyst = analyst
        self.verdicts = verdicts or Verdicts()
        self._asked: Position | None = None
        self._generation = -1
        self.on = analyst is not None
        self.snapshot: Snapshot | None = None

    @property
    def possible(self) -> bool:
        """Whether there is an analyst."""
        return self._analyst is not None

    def look_at(self, position: Position, played: int | None = None) -> None:
        """Analyse this position, unless the analysis is off or analyses it already.

        ``played``: the move played in the game, whose verdict is searched early.
        """
        if self.on and self._analyst and position != self._asked:
            self._asked = position
            self._generation = self._analyst.request(position, played=played)

    def solve_on(self, position: Position) -> bool:
        """Continue to solve this position; return False if the analysis is off."""
        if not (self.on and self._analyst):
            return False
        self._asked = position
        self._generation = self._analyst.request(position, again=True)
        return True

    def look_again(self, position: Position) -> None:
        """Analyse this position again, because evaluators or scope have changed.

        Does nothing before the first question: settings are read before there is a screen.
        """
        if self._asked is not None:
            self._asked = None
            self.look_at(position)

    @property
    def evaluators(self) -> tuple[str, ...]:
        """The names of the evaluators that rank."""
        return self._analyst.evaluators if self._analyst else ()

    def choose_evaluators(self, names: Sequence[str], position: Position) -> None:
        """Rank by these evaluators, from this position on."""
        if self._analyst and tuple(names) != self.evaluators:
            self._analyst.choose_evaluators(names)
            self.look_again(position)

    @property
    def lines_by(self) -> str:
        """The name of the evaluator of lines."""
        return self._analyst.lines_by if self._analyst else ""

    def choose_lines_by(self, name: str, position: Position) -> None:
        """Search lines with this evaluator, from this position on."""
        if self._analyst and name != self.lines_by:
            self._analyst.choose_lines_by(name)
            self.look_again(position)

    @property
    def scope(self) -> MoveScope:
        """The moves that searches consider."""
        return self._analyst.scope if self._analyst else ALL_MOVES

    def choose_scope(self, scope: MoveScope) -> bool:
        """Let searches consider these moves, from the next position on; return whether that is new.

        Snapshots of another scope are stale.
        """
        if self._analyst is None or scope == self._analyst.scope:
            return False
        self._analyst.choose_scope(scope)
        self._asked = None
        return True

    def toggle(self, position: Position) -> None:
        """Switch the analysis on, of this position, or off."""
        if self._analyst is None:
            return
        self.on = not self.on
        if not self.on:
            self._analyst.cancel()
            self._asked = None
        self.look_at(position)

    def look_up(
        self,
        question: "ListConnections | Premises",
        hear: "Callable[[tuple[Connection, ...]], object]",
    ) -> None:
        """List connections; ``hear`` gets them, from any thread."""
        if self._analyst:
            self._analyst.look_up(question, hear)

    def close(self) -> None:
        """End the analysis for good."""
        if self._analyst:
            self._analyst.close()

    def take(self, snapshot: Snapshot) -> bool:
        """Keep a snapshot; return False if it is outdated: then only its proofs are kept."""
        keep_proofs(snapshot, self.verdicts)
        if snapshot.generation != self._generation or snapshot.position != self._asked:
            return False
        self.snapshot = snapshot
        return True

    def of(self, position: Position) -> Snapshot | None:
        """Return the snapshot if it is of this position and scope."""
        known = self.snapshot
        if known is None or (known.position, known.scope) != (position, self.scope):
            return None
        return known

    def stale(self, position: Position) -> bool:
        """Return whether there is a snapshot, but of another position or scope."""
        return self.snapshot is not None and self.of(position) is None

    def text(self, position: Position) -> str:
        """Return the state of the analysis for the status line."""
        if self._analyst is None:
            return "no analysis"
        if not self.on:
            return "analysis off"
        snapshot = self.of(position)
        if snapshot is None:
            return "starting"
        if snapshot.error:
            return "analysis failed"
        if snapshot.final:
            return "analysed"
        progress = snapshot.progress
        share = f" {100 * progress.done // progress.total}%" if progress.total else ""
        left = "" if progress.seconds_left is None else f", about {progress.seconds_left} s left"
        return f"{progress.label}{share}{left}"


def ask_engine(
    open_lane: "OpenLane",
    question: "Question[T]",
    stop: "Stop",
    tell: Callable[[T | None, str], object],
) -> None:
    """Ask on a new lane and wait; ``tell`` gets each answer, or None and the problem."""
    lane = open_lane()
    try:
        for found in lane.answers(question, stop):
            tell(found, "")
    except ValueError as error:
        tell(None, str(error))
    finally:
        lane.close()
