"""What the engine may take: cores, and what the solver gets while the user edits."""

import os
from dataclasses import dataclass

GAME_SECONDS = 60.0
"""What the solver gets for a whole game: seconds of one thread."""
GAME_LOOKS = 100
"""What ``search`` looks at in each position of a whole game: some 0.2 s on 11x11."""


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class SolverBudget:
    """Seconds a position, bytes of the solver's table, bytes of solved positions on disk."""

    seconds: float = 10.0
    table_bytes: int = 64 << 20
    disk_bytes: int = 64 << 20
