"""Where a study's work is done: processes of this machine, or a Dask cluster.

Both are ``concurrent.futures.Executor``, so the rest of a study does not know the difference.
"""

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor, ProcessPoolExecutor
from contextlib import contextmanager

from hextui.children import safe_path_for_workers, take_environment, user_environment
from hextui.studies.results import StudyError

CONNECT_SECONDS = 15
_LOGS = ("distributed", "distributed.client", "tornado.application")
"""The loggers that print tracebacks of what `cluster` reports."""
_KEPT = "finished work is kept: repeat the command to continue"


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
