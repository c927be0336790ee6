"""What waits to be sent to the workstation: of each question the newest answer only."""

import threading
import time
from collections.abc import Callable
from typing import IO, Any

from hextui.engines.messages import Answered, Finished, Message, Ready, write

PAUSE_SECONDS = 0.05
"""So much time lies between two frames whose answers only improve, and between two frames with
first answers: twenty a second."""


class Outbox:
    """Sends on a thread of its own; ``lost`` is called there when nobody reads any more.

    The end of a question goes out at once, and so does its first answer unless another one went
    just before. Of other answers only the newest is kept, and those that tell an error.
    """

    def __init__(self, file: IO[bytes], lost: Callable[[], Any]) -> None:
        self._file = file
        self._lost = lost
        self._changed = threading.Condition()
        self._waiting: list[Message] = [Ready()]
        self._begun: set[int] = set()
        self._due = self._first_due = 0.0
        self._first_waits = False
        threading.Thread(target=self._run, name="outbox", daemon=True).start()

    def answer(self, number: int, value: Any) -> None:
        """Send an answer soon; it takes the place of one that still waits."""
        with self._changed:
            self._drop(number, and_errors=False)
            self._waiting.append(Answered(number, value))
            if number not in self._begun:
                self._begun.add(number)
                self._first_waits = True
                self._due = min(self._due, self._first_due)
            self._changed.notify()

    def finish(self, number: int, problem: str, *, stopped: bool) -> None:
        """Send the end of a question at once; of a stopped one nothing else."""
        with self._changed:
            if stopped:
                self._drop(number, and_errors=True)
            self._begun.discard(number)
            self._waiting.append(Finished(number, problem))
            self._due = 0.0
            self._changed.notify()

    def _drop(self, number: int, *, and_errors: bool) -> None:
        """Drop the answers to a question that wait."""
        self._waiting = [
            message
            for message in self._waiting
            if not (isinstance(message, Answered) and message.number == number)
            or (_tells_error(message) and not and_errors)
        ]

    def _run(self) -> None:
        while messages := self._next():
            try:
                write(self._file, messages)
            except OSError:
                self._lost()
                return

    def _next(self) -> list[Message]:
        """Wait until a frame is due; return its messages."""
        with self._changed:
            while not self._waiting or (rest := self._due - time.monotonic()) > 0:
                self._changed.wait(rest if self._waiting else None)
            messages, self._waiting = self._waiting, []
            self._due = time.monotonic() + PAUSE_SECONDS
            if self._first_waits:
                self._first_waits, self._first_due = False, self._due
            return messages


def _tells_error(message: Answered) -> bool:
    return bool(getattr(message.value, "error", None))
