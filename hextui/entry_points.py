"""What other installed packages offer by entry points: evaluators, record formats, games.

A package is loaded when the name of its entry point is used, never before.
"""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any


@cache
def entries_of(group: str) -> Mapping[str, EntryPoint]:
    """Return the entry points of a group by their names; loads no package."""
    return {entry.name: entry for entry in entry_points(group=group)}


def load(entry: EntryPoint) -> Any:
    """Return what an entry point names; raises ValueError, in one line, if that fails."""
    try:
        return entry.load()
    except (Exception, SystemExit) as error:
        raise ValueError(f"cannot be loaded: {one_line(error)}") from None


def one_line(error: BaseException) -> str:
    """Return the kind of an error and the first line of its message."""
    return f"{type(error).__name__}: {error}".splitlines()[0]
