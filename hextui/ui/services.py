"""What the workstation asks for outside its own room."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hextui.engines.snapshot import Progress, Snapshot

if TYPE_CHECKING:
    from hextui.analysis.analyst import Analyst
    from hextui.analysis.whole_game import GameAnalyst
    from hextui.engines.attached.attached_engines import AttachedEngines
    from hextui.engines.engine import OpenLane


@dataclass(frozen=True)
class Services:
    """Who analyses positions and whole games, who answers other questions, the library's file, and
    the attached engines.

    Where one is missing, the screen says so and does without.
    """

    make_analyst: "Callable[[Callable[[Snapshot], None]], Analyst] | None" = None
    make_game_analyst: "Callable[[Callable[[Progress | str], None]], GameAnalyst] | None" = None
    open_lane: "OpenLane | None" = None
    library: Path | None = None
    attached: "AttachedEngines | None" = None
