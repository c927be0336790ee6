"""What is asked of engines about positions and games, and what is made of their answers."""

from hextui.engines.snapshot import Progress, Snapshot, Verdict, VerdictKind

__all__ = ["Progress", "Snapshot", "Verdict", "VerdictKind"]
