"""How long an engine may say nothing: on a busy machine it may be alive and not get to run.

Seconds in which it waits for a processor do not count. Linux tells them of each thread; elsewhere
the clock alone decides.
"""

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

LOOK_SECONDS = 1.0
"""So often it is looked at what a silent process does."""

_PROC = Path("/proc")


class AllowedSilence:
    """So many seconds for a process to say something, as long as it can run.

    Whoever waits calls `look` after each `pause`, and whenever anything else comes. From one look
    to the next no more than LOOK_SECONDS count: then we have waited ourselves, or all has slept.
    """

    def __init__(self, pid: int, seconds: float) -> None:
        self._pid = pid
        self._left = seconds
        self._since = time.monotonic()
        self._waits: dict[int, float] | None = None  # known from the first look on

    @property
    def over(self) -> bool:
        """Whether its time has run out."""
        return self._left <= 0

    @property
    def pause(self) -> float:
        """The seconds until the next look."""
        return max(self._step - (time.monotonic() - self._since), 0.0)

    @property
    def _step(self) -> float:
        return min(self._left, LOOK_SECONDS)

    def look(self) -> None:
        """Count the time since the last look, less what the process has waited for a processor."""
        now = time.monotonic()
        if now - self._since < self._step:
            return
        waits, before = dict(processor_waits(self._pid)), self._waits
        waited = 0.0
        if before is not None:
            # threads wait side by side, and any of them may be the one that is to answer
            more = (seconds - before.get(thread, 0.0) for thread, seconds in waits.items())
            waited = max(more, default=0.0)
        self._left -= max(min(now - self._since, LOOK_SECONDS) - waited, 0.0)
        self._since, self._waits = now, waits


def processor_waits(pid: int) -> Iterator[tuple[int, float]]:
    """Yield the threads of a process and of those that it has started, each with how many seconds
    it has waited for a processor in its life; none where the system does not tell.

    Source: https://docs.kernel.org/scheduler/sched-stats.html
    """
    threads: list[Path] = []
    with suppress(OSError):
        threads = list((_PROC / str(pid) / "task").iterdir())
    for thread in threads:
        with suppress(OSError):  # it may have ended by now, or the kernel does not tell
            yield int(thread.name), int((thread / "schedstat").read_text().split()[1]) / 1e9
        with suppress(OSError):
            for child in (thread / "children").read_text().split():
                yield from processor_waits(int(child))
