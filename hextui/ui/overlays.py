"""From what is known to what the board shows: overlays, marks and the cursor."""

import enum
from dataclasses import dataclass

from hextui.ui.boardview import BoardView, Connected
from hextui.ui.session import Session


class Overlay(enum.StrEnum):
    """What colours the empty cells."""

    NONE = "none"
    HEAT = "evaluator"


@dataclass(frozen=True)
class Shown:
    """What the user chose to see on the board."""

    overlay: Overlay = Overlay.HEAT
    numbers: bool = False
    must_play: bool = False
    connected: Connected | None = None
    line: tuple[int, ...] = ()


def board_view(session: Session, shown: Shown) -> BoardView:
    """Return what the board shows of a session."""
    return BoardView(
        session.position,
        cursor=session.cursor,
        mode=session.mode,
        placing=session.placing,
        last_move=session.last_move,
        numbers=session.numbers() if shown.numbers else {},
        connected=shown.connected,
        line=shown.line,
    )


def next_of(values: type[Overlay], current: Overlay, step: int) -> Overlay:
    """Return the member ``step`` places after the current one, in a circle."""
    members = list(values)
    return members[(members.index(current) + step) % len(members)]
