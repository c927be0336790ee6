"""What the workstation asks for outside its own room."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hextui.ui.live.analyst_messages import MakeAnalyst
from hextui.ui.live.survey import MakeGameAnalyst

if TYPE_CHECKING:
    from hextui.engines.attached.attached_engines import AttachedEngines
    from hextui.engines.engine import OpenLane


@dataclass(frozen=True)
class Services:
    """Who analyses positions and whole games, who answers other questions, the library's file, and
    the attached engines.

    Where one is missing, the screen says so and does without.
    """

    make_analyst: MakeAnalyst | None = None
    make_game_analyst: MakeGameAnalyst | None = None
    open_lane: "OpenLane | None" = None
    library: Path | None = None
    attached: "AttachedEngines | None" = None
