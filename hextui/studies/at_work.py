"""Who is at work in a folder of results: a lock that ends with its process, and how to stop it."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from hextui.studies.results import StudyError

try:
    import fcntl
except ImportError:  # where there is none, runs are not kept apart
    fcntl = None  # type: ignore[assignment]

LOCK = "run.lock"


@contextmanager
def at_work(folder: Path) -> Iterator[None]:
    """Be the only one at work in a folder, which exists, and hear who asks to `stop`.

    Raises StudyError if somebody else is at work.
    """
    try:
        file = open(folder / LOCK, "a+", encoding="ascii")  # noqa: SIM115
    except OSError as error:
        raise StudyError(f"{folder / LOCK}: {error.strerror or error}") from None
    with file:
        if not _taken(file):
            raise StudyError(f"{folder}: another program is at work on this run")
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        with _hearing():
            yield


@contextmanager
def _hearing() -> Iterator[None]:
    """Hear SIGINT, by which `stop` asks: what a script begins in the background ignores it."""
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if not ignored or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def worker_of(folder: Path) -> int | None:
    """Return the process that is at work in a folder, None if nobody is."""
    with suppress(OSError, ValueError), open(folder / LOCK, "r+", encoding="ascii") as file:
        if not _taken(file):
            file.seek(0)
            return int(file.read(20))
    return None


def stop(folder: Path, at_once: bool = False) -> bool:
    """Ask who is at work in a folder to stop, as Ctrl-C does; tell whether there was anybody.

    What is done is kept. The games begun are played to their end, unless it is to be ``at_once``.
    """
    process = worker_of(folder)
    if process is None:
        return False
    with suppress(ProcessLookupError, PermissionError):
        os.kill(process, signal.SIGTERM if at_once else signal.SIGINT)
    return True


def _taken(file: IO[str]) -> bool:
    """Take the lock of a file until it is closed; False if somebody else has it."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
