"""Experiments: tasks go to workers, finished ones into the journal, until all are done.

The rows of a task depend on the task alone and are written in the order of tasks, so the rows do
not depend on the number of workers, on who does what, or on interruptions.
"""

import importlib.metadata
import platform
import time
from collections.abc import Callable, Mapping, Set
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

from hextui.runs.reports import RunReport
from hextui.runs.results import Document, FinishedTask, Row, RunFolder, Table
from hextui.runs.workers import completed
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
        for number, finished in completed(executor, experiment.work, waiting.items()):
            append(FinishedTask(number, finished.value, finished.seconds))
            done += 1
            seconds = time.perf_counter() - start
            tell(RunProgress(done, total, seconds / (done - before) * (total - done)))
    folder.finish(experiment.about)
