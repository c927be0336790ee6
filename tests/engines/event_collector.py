"""The events of a question to an engine."""

import queue

from hextui.engines.engine import Event
from tests.processes import PATIENCE


class EventCollector:
    """Collects the events of a question."""

    def __init__(self) -> None:
        self.heard: queue.SimpleQueue[Event] = queue.SimpleQueue()

    def next(self) -> Event:
        """Return the next event."""
        return self.heard.get(timeout=PATIENCE)

    def until(self, *kinds: type[Event]) -> list[Event]:
        """Return everything up to the first event of one of these kinds."""
        events = [self.next()]
        while not isinstance(events[-1], kinds):
            events.append(self.next())
        return events
