"""Running a study: tasks go to workers, finished ones into the journal, until all are done.

A task's rows depend on the task alone, and are written in the order of tasks: so the rows do not
depend on how many workers there are, who does what, or how often the run was interrupted.
"""

import logging
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from hextui.children import safe_path_for_workers, take_environment, user_environment
from hextui.matches.results import Description, FinishedRun, Folder, Row, StudyError

# tasks handed out ahead of the workers
WINDOW = 64
CONNECT_SECONDS = 15
_LOGS = ("distributed", "distributed.client", "tornado.application")
"""The loggers that print tracebacks of what `cluster` reports."""
_KEPT = "finished work is kept: repeat the command to continue"


@dataclass(frozen=True)
class Task:
    """A piece of work: its place in the order of rows, and what a worker needs for it."""

    number: int
    payload: Any


Work = Callable[[Any], list[Row]]


@dataclass(frozen=True)
class RunProgress:
    """How far a run is. ``left`` in seconds is None until something has been done."""

    done: int
    total: int
    seconds: float
    left: float | None


def run(
    description: Description,
    tasks: Sequence[Task],
    work: Work,
    executor: Executor,
    folder: Folder,
    tell: Callable[[RunProgress], None],
) -> None:
    """Do what is not done yet, and write the rows.

    ``work`` takes a task's payload; both can be pickled. ``folder`` has begun with the
    description. Raises what ``work`` or the executor raises; the journal then holds what was done.
    """
    known = {finished.task for finished in folder.journal()}
    waiting = [task for task in tasks if task.number not in known]
    start = time.perf_counter()
    done = before = len(tasks) - len(waiting)
    tell(RunProgress(done, len(tasks), 0.0, None))
    with folder.appending() as journal:
        for finished in _completed(executor, work, waiting):
            journal.add(finished)
            done += 1
            seconds = time.perf_counter() - start
            left = seconds / (done - before) * (len(tasks) - done)
            tell(RunProgress(done, len(tasks), seconds, left))
    folder.finish(description.about)


def _completed(executor: Executor, work: Work, tasks: Sequence[Task]) -> Iterator[FinishedRun]:
    """Yield finished tasks as they come."""
    waiting = iter(tasks)
    running: set[Future[FinishedRun]] = set()
    try:
        while True:
            for task in islice(waiting, WINDOW - len(running)):
                running.add(executor.submit(do, work, task))
            if not running:
                return
            ready, running = wait(running, return_when=FIRST_COMPLETED)
            # what is done beside a failure is kept
            for future in sorted(ready, key=lambda f: f.cancelled() or f.exception() is not None):
                yield future.result()
    finally:
        for future in running:
            future.cancel()


def do(work: Work, task: Task) -> FinishedRun:
    """Do a task, in a worker."""
    start = time.thread_time()
    rows = work(task.payload)
    return FinishedRun(task.number, rows, time.thread_time() - start)


@contextmanager
def processes(workers: int) -> Iterator[Executor]:
    """Open so many worker processes; whatever they have not begun is dropped at the end.

    Raises StudyError if one of them dies.
    """
    with safe_path_for_workers():
        executor = ProcessPoolExecutor(
            workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin_worker,
            initargs=(user_environment(),),
        )
        try:
            yield executor
        except BrokenExecutor:
            raise StudyError(f"a worker process died; {_KEPT}") from None
        finally:
            executor.shutdown(wait=True, cancel_futures=True)


def _begin_worker(environment: Mapping[str, str]) -> None:
    """Leave Ctrl-C to the parent, and end when the parent has died."""
    take_environment(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Connect to the scheduler of a Dask cluster, such as ``tcp://127.0.0.1:8786``.

    What a lost worker had not returned is done again by another. Raises StudyError if nobody
    answers, the library is missing, one task loses too many workers, or the scheduler ends.
    """
    try:
        from distributed import Client, KilledWorker
        from distributed.comm.core import CommClosedError
    except ImportError:
        raise StudyError("--cluster needs Dask: pip install distributed") from None
    for name in _LOGS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise StudyError(f"no cluster at {address}: {reason}") from None
    with client:
        executor = client.get_executor(pure=False)
        try:
            yield executor
        except KilledWorker:
            raise StudyError(f"too many workers of the cluster died; {_KEPT}") from None
        except (CancelledError, CommClosedError):
            raise StudyError(f"the cluster at {address} has ended; {_KEPT}") from None
        finally:
            executor.shutdown(wait=False)
