"""What the screen says on a first run, while the engine is being compiled."""

from hextui.analysis import Snapshot
from hextui.engine.board import Board
from hextui.engines.snapshot import COMPILING


def first_run(snapshot: Snapshot | None, board: Board) -> str:
    """Return what is compiled, and how far that is; '' if nothing is."""
    progress = snapshot.progress if snapshot and not snapshot.final else None
    if progress is None or progress.label != COMPILING:
        return ""
    return f"First run: compiling for {board}, {progress.amount}. You can play."
