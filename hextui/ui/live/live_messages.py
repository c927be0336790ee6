"""Messages that bring results of engines to the screen, and a helper that asks one question."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from textual.message import Message

from hextui.analysis import Snapshot
from hextui.engine.board import Board
from hextui.ui.drawing.swap_map import SwapMap

if TYPE_CHECKING:
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


def hear(
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
