"""What the engine may take: cores, and what the solver gets while the user edits."""

import os
from dataclasses import dataclass

PLY_SECONDS = 0.5
"""What a ply gets when the solver goes through a whole game."""


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class SolverBudget:
    """Seconds a position, bytes of the solver's table, bytes of solved positions on disk."""

    seconds: float = 10.0
    table_bytes: int = 64 << 20
    disk_bytes: int = 64 << 20
