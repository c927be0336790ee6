"""The stage that finds the inferior cells of the side to move."""

from collections.abc import Iterator
from dataclasses import replace

from hextui.engine.inferior import inferior_cells
from hextui.engines.engine import Stop
from hextui.engines.snapshot import Progress, Snapshot


def find_inferior(snapshot: Snapshot, _stop: Stop) -> Iterator[Snapshot]:
    """Add the inferior cells; it takes too little time to be stopped."""
    progress = Progress(0, 0, "inferior cells")
    yield replace(snapshot, inferior=inferior_cells(snapshot.position), progress=progress)
