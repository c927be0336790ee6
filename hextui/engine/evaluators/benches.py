"""Workbenches that a thread keeps from one task to the next."""

import threading

from hextui.engine.board import Board
from hextui.engine.connections import ConnectionSettings
from hextui.engine.evaluators import Workbench

DEFAULT = ConnectionSettings()
MOST_BENCHES = 4
_kept = threading.local()
_Key = tuple[Board, ConnectionSettings]


def bench_of(board: Board, connections: ConnectionSettings = DEFAULT) -> Workbench:
    """Return this thread's workbench for a board and settings; a few are kept."""
    if not hasattr(_kept, "benches"):
        _kept.benches = {}
    benches: dict[_Key, Workbench] = _kept.benches
    found = benches.get((board, connections))
    if found is None:
        if len(benches) >= MOST_BENCHES:
            benches.clear()
        found = benches[board, connections] = Workbench(board, connections)
    return found
