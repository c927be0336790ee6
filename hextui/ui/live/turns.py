"""Whose turn it is in the interpreter: the screen's while it has something to do.

Python lets a thread that waits for the interpreter have it after a switch interval, whichever
thread that is. With a short one the analysis would halve the pace of every repaint; with a long one
every key would wait that long for the analysis. So it is long while the screen works, and short
while it waits.
"""

import asyncio
import selectors
import sys

WORKING = 0.005
"""For so many seconds the analysis lets the screen work undisturbed."""
WAITING = 0.0001
"""After so many seconds the analysis leaves the interpreter to the screen."""


class _Selector(selectors.DefaultSelector):
    """Waits for what the event loop is to do next."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        sys.setswitchinterval(WAITING)
        try:
            return super().select(timeout)
        finally:
            sys.setswitchinterval(WORKING)


def event_loop() -> asyncio.AbstractEventLoop:
    """Return a new event loop that has the interpreter to itself while it works."""
    return asyncio.SelectorEventLoop(_Selector())
