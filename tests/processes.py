"""What tests ask the system about processes; Linux tells it in /proc."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

PROC = Path("/proc")
PATIENCE = 120.0

on_linux = pytest.mark.skipif(not (PROC / "self").exists(), reason="asks Linux")


def wait_for(true: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until something is true."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def _living() -> Iterator[tuple[int, int, int, int]]:
    """Yield each process that has not ended, its parent, its group and its session."""
    for entry in PROC.iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if words[0] != "Z":  # else nobody has waited for it yet
            parent, group, session = map(int, words[1:4])
            yield int(entry.name), parent, group, session


def gone(pid: int) -> bool:
    """Return whether a process has ended."""
    return pid not in {process for process, *_ in _living()}


def state_of(pid: int) -> str:
    """Return the letter of a process's state: T where it is stopped."""
    return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[0]


def group_of(leader: int) -> list[int]:
    """Return the processes of a group."""
    return [process for process, _, group, _ in _living() if group == leader]


def session_of(leader: int) -> list[int]:
    """Return the processes of a session: the leader and all that it and others have started."""
    return [process for process, _, _, session in _living() if session == leader]


def children_of(parent: int) -> list[int]:
    """Return the processes that a process has started."""
    return [process for process, its, _, _ in _living() if its == parent]


def libraries_of(pid: int) -> str:
    """Return the files of code and data that a process has in its memory."""
    return (PROC / str(pid) / "maps").read_text()


def memory_of(process: int | str = "self") -> float:
    """Return the MiB of memory that a process holds, 0 where the system does not say."""
    try:
        status = (PROC / str(process) / "status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found[1]) / 1024 if found else 0
