"""What runs while the user edits: scheduling, cancelling, caching, snapshots."""

from hextui.analysis.analyst import Analyst
from hextui.engines.snapshot import Progress, Snapshot, Verdict, VerdictKind

__all__ = ["Analyst", "Progress", "Snapshot", "Verdict", "VerdictKind"]
