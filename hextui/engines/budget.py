"""What the solver may take while the user edits."""

from dataclasses import dataclass

PLY_SECONDS = 0.5
"""What a ply gets when the solver goes through a whole game."""


@dataclass(frozen=True)
class SolverBudget:
    """Seconds a position, bytes of the solver's table, bytes of solved positions on disk."""

    seconds: float = 10.0
    table_bytes: int = 64 << 20
    disk_bytes: int = 64 << 20
