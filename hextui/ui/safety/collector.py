"""The collector of garbage, which stops every thread while it looks through all objects."""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_resting = 0
_threshold = gc.get_threshold()


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Let no garbage be looked for; may be used by several threads at once.

    A large record is a million objects: making another one in a thread would have the collector
    hold the screen for half a second, again and again. What is made meanwhile and refers to itself
    in circles, as trees do, is to be taken apart by who made it.
    """
    global _resting, _threshold
    with _lock:
        if not _resting:
            _threshold = gc.get_threshold()
            gc.set_threshold(0)
        _resting += 1
    try:
        yield
    finally:
        with _lock:
            _resting -= 1
            if not _resting:
                gc.set_threshold(*_threshold)
