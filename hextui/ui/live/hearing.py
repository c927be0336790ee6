"""Hears what an engine answers to one question, in a thread that waits for it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from hextui.engines.engine import OpenLane, Stop
    from hextui.engines.questions import Question

T = TypeVar("T")


def hear(
    open_lane: "OpenLane",
    question: "Question[T]",
    stop: "Stop",
    tell: Callable[[T | None, str], object],
) -> None:
    """Ask on a lane of the question's own; ``tell`` gets each answer, or None and the problem."""
    lane = open_lane()
    try:
        for found in lane.answers(question, stop):
            tell(found, "")
    except ValueError as error:
        tell(None, str(error))
    finally:
        lane.close()
