"""What a search asks a solver. Nothing heavy is imported."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from hextui.engine.position import Position

if TYPE_CHECKING:
    from hextui.engine.solver.search import SearchAnswer

Proved = Callable[[Position], "SearchAnswer | None"]
"""Says what a solver knows of a position."""
