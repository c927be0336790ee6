"""Those who ask an engine and hear what comes of it."""

import queue

from hextui.engines.engine import Event
from tests.processes import PATIENCE


class Ear:
    """Collects what comes of a question."""

    def __init__(self) -> None:
        self.heard: queue.SimpleQueue[Event] = queue.SimpleQueue()

    def next(self) -> Event:
        """Return what comes next."""
        return self.heard.get(timeout=PATIENCE)

    def until(self, *kinds: type[Event]) -> list[Event]:
        """Return everything up to the first event of one of these kinds."""
        events = [self.next()]
        while not isinstance(events[-1], kinds):
            events.append(self.next())
        return events
