"""Workers: processes of this machine, or a Dask cluster; both are ``Executor``.

Tasks and results are pickled. The program that sends the tasks stores their results, so that
workers write no files.
"""

import importlib.metadata
import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
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
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from hextui.children import safe_path_for_workers, take_environment, user_environment
from hextui.runs.results import RunError
from hextui.version import __version__

if TYPE_CHECKING:
    from distributed import Client

Key = TypeVar("Key")
Task = TypeVar("Task")
Value = TypeVar("Value")

WINDOW = 64  # tasks handed out ahead of the workers
CONNECT_SECONDS = 15
_REPEATS = 20
"""How many tasks of a run are handed out again after Dask has given them up."""
_LOGS = ("distributed", "distributed.client", "tornado.application")
"""Loggers that would print tracebacks of errors that `cluster` reports."""
_REPEAT = "repeat the command: what it keeps is not done again"


@dataclass(frozen=True)
class Finished(Generic[Value]):
    """What a worker returns for a task, and the CPU seconds of its thread."""

    value: Value
    seconds: float


def completed(
    executor: Executor,
    work: Callable[[Task], Value],
    tasks: Iterable[tuple[Key, Task]],
    window: int = WINDOW,
) -> Iterator[tuple[Key, Finished[Value]]]:
    """Do tasks, at most ``window`` at once; yield the key and the result of each as it is done.

    Raises what ``work`` or the executor raises, after the results that were done beside it.
    """
    waiting = iter(tasks)
    running: dict[Future[Finished[Value]], tuple[Key, Task]] = {}
    repeats = _REPEATS
    try:
        while True:
            for key, task in islice(waiting, window - len(running)):
                running[executor.submit(do, work, task, __version__)] = key, task
            if not running:
                return
            ready, _ = wait(running, return_when=FIRST_COMPLETED)
            # keep what was done beside a failure
            for future in sorted(ready, key=lambda f: f.cancelled() or f.exception() is not None):
                key, task = running.pop(future)
                if repeats and _is_given_up(future):
                    repeats -= 1
                    running[executor.submit(do, work, task, __version__)] = key, task
                else:
                    yield key, future.result()
    finally:
        for future in running:
            future.cancel()


def _is_given_up(future: Future[Any]) -> bool:
    """Return whether Dask has given up a task because several workers died while they had it."""
    distributed = sys.modules.get("distributed")  # loaded with a cluster
    if distributed is None or future.cancelled():
        return False
    return isinstance(future.exception(), distributed.KilledWorker)


def do(work: Callable[[Task], Value], task: Task, version: str) -> Finished[Value]:
    """Do a task, in a worker; raises RunError if the program that sent it has another version."""
    if version != __version__:
        raise RunError(_versions_differ("a worker", "hextui", __version__, version))
    start = time.thread_time()
    value = work(task)
    return Finished(value, time.thread_time() - start)


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
            raise RunError(f"a worker process died: {_REPEAT}") from None
        except KeyboardInterrupt:
            for child in multiprocessing.active_children():  # a task may take minutes
                child.terminate()
            raise
        finally:
            executor.shutdown(wait=True, cancel_futures=True)


def _begin_worker(environment: Mapping[str, str]) -> None:
    """Leave Ctrl-C to the parent, which ends the task; end when the parent has died."""
    take_environment(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
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
    scheduler, the library is missing, a worker has other versions, one task loses too many workers,
    or the scheduler ends.
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
        _check_versions(client)
        executor = client.get_executor(pure=False)
        try:
            yield executor
        except KilledWorker:
            raise RunError(f"too many workers of the cluster died: {_REPEAT}") from None
        except (CancelledError, CommClosedError):
            raise RunError(f"the cluster at {address} has ended: {_REPEAT}") from None
        finally:
            executor.shutdown(wait=False)


def _check_versions(client: "Client") -> None:
    """Raise RunError if the rows of a worker could differ; `do` checks those that come later."""
    own = {"hextui": __version__}
    for package in ("numpy", "numba"):
        own[package] = importlib.metadata.version(package)
    for package, version in own.items():
        versions = client.run(importlib.metadata.version, package, on_error="return")
        for address, other in versions.items():
            if other != version:
                worker = f"the worker {address}"
                raise RunError(_versions_differ(worker, package, other, version))


def _versions_differ(worker: str, package: str, other: str | Exception, own: str) -> str:
    """Return the line about a worker's version, which is an exception where there is none."""
    version = other if isinstance(other, str) else "(none)"
    what = f"{worker} has {package} {version}, this program has {own}"
    return f"{what}: install the same versions on all machines"
