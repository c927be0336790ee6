"""Experiments: tasks go to workers, finished ones into the journal, until all are done.

Several programs on this machine may work on one run; each claims the tasks that it does. The rows
of a task depend on the task alone and are written in the order of tasks, so the rows do not depend
on the number of workers, on who does what, or on interruptions.
"""

import importlib.metadata
import platform
import time
from collections.abc import Callable, Mapping, Set
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

from hextui.runs.claims import Claims
from hextui.runs.reports import RunReport
from hextui.runs.results import Document, FinishedTask, Row, RunFolder, Table
from hextui.runs.shared_work import completed_once
from hextui.text import Names
from hextui.version import __version__

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
    claims: Claims,
    window: int,
    tell: Callable[[RunProgress], None],
) -> None:
    """Do the tasks that are not done yet, at most ``window`` at once, and write the rows.

    The folder has begun; other programs with ``claims`` on it do other tasks. Raises what ``work``
    or the executor raises; the journal then holds what was done.
    """
    journal = folder.journal()
    finished = {task.task for task in journal.new_tasks()}
    total = len(experiment.tasks)
    start = time.perf_counter()
    before = len(finished)
    tell(RunProgress(before, total, None))

    def task_of(number: int) -> Any | None:
        """Return a task, None if another program has done it."""
        finished.update(task.task for task in journal.new_tasks())
        return None if number in finished or folder.done else experiment.tasks[number]

    names = {number: str(number).encode() for number in experiment.tasks if number not in finished}
    made = completed_once(executor, experiment.work, names, task_of, claims, window)
    for number, result in made:
        journal.append(FinishedTask(number, result.value, result.seconds), claims)
        finished.update(task.task for task in journal.new_tasks())
        done = len(finished)
        seconds = time.perf_counter() - start
        tell(RunProgress(done, total, seconds / (done - before) * (total - done)))
    with claims.alone(b"rows"):
        if not folder.done:
            folder.finish(experiment.about)
