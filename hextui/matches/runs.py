"""Runs: tasks go to workers, finished ones into the journal, until all are done.

The rows of a task depend on the task alone and are written in the order of tasks, so the rows do
not depend on the number of workers, on who does what, or on interruptions. Workers are processes
of this machine or a Dask cluster; both are ``concurrent.futures.Executor``.
"""

import importlib.metadata
import logging
import multiprocessing
import os
import platform
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Set
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
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from hextui.children import safe_path_for_workers, take_environment, user_environment
from hextui.matches.reports import RunReport
from hextui.matches.results import Document, FinishedTask, Row, RunError, RunFolder, Table
from hextui.text import Names
from hextui.version import __version__

WINDOW = 64  # tasks handed out ahead of the workers
CONNECT_SECONDS = 15
_LOGS = ("distributed", "distributed.client", "tornado.application")
"""Loggers that would print tracebacks of errors that `cluster` reports."""
_KEPT = "finished work is kept: repeat the command to continue"


Work = Callable[[Any], list[Row]]


@dataclass(frozen=True)
class Experiment:
    """A run to be done and reported; ``cells``: the numbers of cells of its boards.

    ``tasks``: what a worker needs for each, by its number, which is its place in the order of rows.
    ``work`` returns the rows of a task; workers get both pickled. ``report`` takes all rows, the
    settings, and the names of a game's players. ``about``: what else it needs.
    """

    study: str
    settings: Document
    columns: tuple[str, ...]
    tasks: Mapping[int, Any]
    work: Work
    report: Callable[[Table, Document, Names], RunReport]
    cells: Set[int]
    about: Document = field(default_factory=dict)

    def document(self) -> Document:
        """Return as JSON what determines the rows, with the versions of the software."""
        return {
            "study": self.study,
            "settings": self.settings,
            "versions": {
                "hextui": __version__,
                "python": platform.python_version(),
                **{name: importlib.metadata.version(name) for name in ("numpy", "numba")},
            },
            "columns": list(self.columns),
            "tasks": len(self.tasks),
        }


@dataclass(frozen=True)
class RunProgress:
    """How far a run is. ``left`` in seconds is None until a task has been done."""

    done: int
    total: int
    left: float | None


def run(
    experiment: Experiment,
    executor: Executor,
    folder: RunFolder,
    tell: Callable[[RunProgress], None],
) -> None:
    """Do the tasks that are not done yet, and write the rows into the folder, which has begun.

    Raises what ``work`` or the executor raises; the journal then holds what was done.
    """
    finished_tasks = {finished.task for finished in folder.journal()}
    waiting = {
        number: task for number, task in experiment.tasks.items() if number not in finished_tasks
    }
    total = len(experiment.tasks)
    start = time.perf_counter()
    done = before = total - len(waiting)
    tell(RunProgress(done, total, None))
    with folder.appending() as append:
        for finished in _completed(executor, experiment.work, waiting):
            append(finished)
            done += 1
            seconds = time.perf_counter() - start
            tell(RunProgress(done, total, seconds / (done - before) * (total - done)))
    folder.finish(experiment.about)


def _completed(executor: Executor, work: Work, tasks: Mapping[int, Any]) -> Iterator[FinishedTask]:
    waiting = iter(tasks.items())
    running: set[Future[FinishedTask]] = set()
    try:
        while True:
            for number, task in islice(waiting, WINDOW - len(running)):
                running.add(executor.submit(do, work, number, task))
            if not running:
                return
            ready, running = wait(running, return_when=FIRST_COMPLETED)
            # keep what was done beside a failure
            for future in sorted(ready, key=lambda f: f.cancelled() or f.exception() is not None):
                yield future.result()
    finally:
        for future in running:
            future.cancel()


def do(work: Work, number: int, task: Any) -> FinishedTask:
    """Do a task, in a worker."""
    start = time.thread_time()
    rows = work(task)
    return FinishedTask(number, rows, time.thread_time() - start)


@contextmanager
def processes(workers: int) -> Iterator[Executor]:
    """Open worker processes; raises RunError if one of them dies."""
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
            raise RunError(f"a worker process died; {_KEPT}") from None
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

    Another worker repeats what a lost one had not returned. Raises RunError if there is no
    scheduler, the library is missing, one task loses too many workers, or the scheduler ends.
    """
    try:
        from distributed import Client, KilledWorker
        from distributed.comm.core import CommClosedError
    except ImportError:
        raise RunError("--cluster needs Dask: pip install distributed") from None
    for name in _LOGS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise RunError(f"no cluster at {address}: {reason}") from None
    with client:
        executor = client.get_executor(pure=False)
        try:
            yield executor
        except KilledWorker:
            raise RunError(f"too many workers of the cluster died; {_KEPT}") from None
        except (CancelledError, CommClosedError):
            raise RunError(f"the cluster at {address} has ended; {_KEPT}") from None
        finally:
            executor.shutdown(wait=False)
