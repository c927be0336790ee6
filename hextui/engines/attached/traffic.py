"""What went between us and an engine: the last lines, to be shown and to be kept in a report."""

import threading
import time
from collections import deque
from dataclasses import dataclass
from enum import StrEnum

MOST_LINES = 2000
MOST_CHARACTERS = 400
"""Of a longer line the beginning is kept."""


class Direction(StrEnum):
    """Which way a line went: to the engine, from it, to its standard error; or a note of ours."""

    SENT = ">"
    SAID = "<"
    COMPLAINED = "!"
    NOTED = "*"


@dataclass(frozen=True)
class TrafficLine:
    """A line, ``seconds`` after the log was begun."""

    seconds: float
    direction: Direction
    text: str

    def __str__(self) -> str:
        return f"{self.seconds:9.3f} {self.direction} {self.text}"


class Traffic:
    """The last lines; any thread may use it."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._lock = threading.Lock()
        self._lines: deque[TrafficLine] = deque(maxlen=MOST_LINES)
        self._count = 0

    @property
    def count(self) -> int:
        """How many lines there were in all."""
        return self._count

    def add(self, direction: Direction, text: str) -> None:
        """Keep a line."""
        kept = text[:MOST_CHARACTERS] + (" ..." if len(text) > MOST_CHARACTERS else "")
        with self._lock:
            self._count += 1
            self._lines.append(TrafficLine(time.monotonic() - self._begun, direction, kept))

    def lines(self, direction: Direction | None = None) -> tuple[TrafficLine, ...]:
        """Return what is kept, of one direction or of both."""
        with self._lock:
            return tuple(line for line in self._lines if direction in (None, line.direction))
