"""Time limits and budgets of engines: every timeout and rate of this package, in seconds.

Wolve, MoHex 2.0 and KataHex 1.10 first answer within 1.6 s, and answer a stop within 120 ms. The
timeouts leave room for a machine with a hundred times more work than processors.
"""

import os
import time
from dataclasses import dataclass

# A process counts as hung when it is silent for longer.

START = 600.0  # until the first answer: tuning for a graphics card takes minutes
LOAD = 60.0  # of silence at the start, and for a new board size: either may load a network
TEST = 10.0  # of silence at any time, where an engine is only tested
FLOOD_LINES = 20_000
"""Of standard error without a reply: an engine that writes more counts as silent."""
ANSWER = 20.0  # for a command that starts no search, the next report, and the end of a search
END = 2.0  # from the request to quit until SIGTERM, and from there until SIGKILL

WRITE = 0.7  # for writing out a proof; what is left is written when somebody asks for it

# How often something is repeated.

POLL = 0.02  # between two checks of whether the caller has stopped waiting
FRAME = 0.05  # between two frames from our engine: 20 a second, as many as a screen shows
UPDATE = 0.1  # between two updates of a long computation
REPORT = 0.2  # between two reports of KataHex, which sends none without an interval
INTERRUPT = 0.1  # between two interrupts: Benzene loses one before its search has begun
REST = 0.15
"""The age of a question before it is sent, where the one before was given up: somebody who steps
through a game passes most positions."""
SLOW_STOP = 0.1  # an engine that once took longer to stop gets every question `REST` late

TABLE_MB = 64  # of the solver's table, which all questions about a board share
GAME_SECONDS = 60.0  # the solver's budget for a whole game: seconds of one thread
GAME_VISITS = 100  # of ``search`` in each position of a whole game: about 0.2 s on 11x11


@dataclass(frozen=True)
class SolverBudget:
    """Seconds a position, and bytes of solved positions on disk."""

    seconds: float = 10.0
    disk_bytes: int = 64 << 20


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def cores_beside_screen() -> int:
    """Return the number of cores for work beside the screen, which keeps one: at least 1."""
    return max(1, cores() - 1)


LONGEST_WAIT = 1.0  # between two updates of a timeout: more means that the process was suspended


class Timeout:
    """Counts down seconds, but not while this process is suspended.

    Wait at most what ``next_wait`` returns between two updates.
    """

    def __init__(self, seconds: float) -> None:
        self._left = seconds
        self._since = time.monotonic()

    def update(self) -> float:
        """Count the time since the last update, at most LONGEST_WAIT; return the seconds left."""
        now = time.monotonic()
        self._left = max(self._left - min(now - self._since, LONGEST_WAIT), 0.0)
        self._since = now
        return self._left

    def next_wait(self) -> float:
        """Return how long to wait now: LONGEST_WAIT, or less at the end."""
        return min(self.update(), LONGEST_WAIT)
