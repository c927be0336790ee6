"""What a user is told on a first run, while the engine is being compiled."""

from hextui.analysis import Snapshot
from hextui.engine.board import Board
from hextui.engines.snapshot import COMPILING


def first_run(snapshot: Snapshot | None, board: Board) -> str:
    """Return what is compiled, how far it is and what can be done meanwhile; '' if nothing is."""
    progress = snapshot.progress if snapshot and not snapshot.final else None
    if progress is None or progress.label != COMPILING:
        return ""
    share = f"{100 * progress.done // progress.total} %" if progress.total else "begun"
    return f"First run, {share}: compiling for {board} and alike; you can play meanwhile."
