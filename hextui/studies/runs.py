"""Running a study: tasks go to workers, finished ones into the journal, until all are done.

A task's rows depend on the task alone, and are written in the order of tasks: so the rows do not
depend on how many workers there are, who does what, or how often the run was interrupted.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from itertools import islice
from typing import Any

from hextui.studies.results import Description, FinishedRun, Folder, Row

# tasks handed out ahead of the workers
WINDOW = 64


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
