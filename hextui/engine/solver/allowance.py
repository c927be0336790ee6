"""How far the search for one question may go, and when it is to tell how far it is."""

import time
from collections.abc import Callable

import numpy as np

from hextui.engine.limit import Limit
from hextui.engine.solver.search import Search, Stop

REPORT_SECONDS = 0.1


class Allowance:
    """The limit of one question, what stops it, and what it has taken since it was asked."""

    def __init__(self, search: Search, limit: Limit, stop: Stop) -> None:
        self._search = search
        self._limit = limit
        self.stopped = _asker(stop)
        self._start = self._reported = time.perf_counter()
        self._first_node, self._first_build = search.expansions, search.builds

    @property
    def seconds(self) -> float:
        """The time taken."""
        return time.perf_counter() - self._start

    @property
    def nodes(self) -> int:
        """The positions expanded."""
        return self._search.expansions - self._first_node

    @property
    def builds(self) -> int:
        """How often a colour's connections were brought to a position."""
        return self._search.builds - self._first_build

    @property
    def nodes_left(self) -> int | None:
        """The positions that may still be expanded, None without a limit."""
        return None if self._limit.nodes is None else max(self._limit.nodes - self.nodes, 0)

    def used_up(self) -> bool:
        """Tell whether the question is stopped, or at one of its limits."""
        if self.stopped():
            return True
        seconds = self._limit.seconds
        return (seconds is not None and self.seconds >= seconds) or self.nodes_left == 0

    def until(self) -> bool:
        """Tell whether to leave the kernels, to report or to stop."""
        now = time.perf_counter()
        if now - self._reported >= REPORT_SECONDS:
            self._reported = now
            return True
        return self.used_up()


def _asker(stop: Stop) -> Callable[[], bool]:
    if stop is None:
        return lambda: False
    if isinstance(stop, np.ndarray):
        array = stop
        return lambda: bool(array.flat[0])
    return stop
