"""Work that several programs on this machine share: each task is done by the one that claims it."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from typing import TypeVar

from hextui.runs.claims import Claims
from hextui.runs.workers import Finished, completed

Key = TypeVar("Key")
Task = TypeVar("Task")
Value = TypeVar("Value")


def completed_once(
    executor: Executor,
    work: Callable[[Task], Value],
    names: Mapping[Key, bytes],
    task_of: Callable[[Key], Task | None],
    claims: Claims | None,
    window: int,
) -> Iterator[tuple[Key, Finished[Value]]]:
    """Do tasks, at most ``window`` at once; yield the key and the result of each as it is done.

    ``names``: by which programs claim the tasks. ``task_of`` is called once a task is claimed, and
    returns None if it has been done by then. Its claim is released when the next result is asked
    for: store it before. What other programs do comes last. ``claims``: None shares no work.

    Raises what ``work`` or the executor raises.
    """
    claimed: set[Key] = set()
    left = list(names)

    def release(key: Key) -> None:
        claimed.discard(key)
        if claims is not None:
            claims.release(names[key])

    def tasks(keys: list[Key]) -> Iterator[tuple[Key, Task]]:
        """Yield the tasks that can be claimed and are to be done; the others stay ``left``."""
        for key in keys:
            if claims is not None and not claims.claim(names[key]):
                left.append(key)
                continue
            claimed.add(key)
            task = task_of(key)
            if task is None:
                release(key)
            else:
                yield key, task

    try:
        while left:
            keys = left.copy()
            left.clear()
            for key, finished in completed(executor, work, tasks(keys), window):
                yield key, finished
                release(key)
            if left and claims is not None:
                claims.wait(names[left[0]])
    finally:
        for key in tuple(claimed):
            release(key)
