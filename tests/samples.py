"""How much of a large sample the default run tries."""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest


def seeds(few: int, many: int) -> list[Any]:
    """Return the seeds 0 to ``many`` - 1 as parameters: all but the first ``few`` are slow."""
    return some(range(many), few)


def some(values: Iterable[Any], few: int) -> list[Any]:
    """Return values of one parameter: all but the first ``few`` are slow."""
    return some_rows(((value,) for value in values), few)


def some_rows(rows: Iterable[Sequence[Any]], few: int) -> list[Any]:
    """Return rows of values of several parameters: all but the first ``few`` are slow."""
    marks: tuple[pytest.MarkDecorator, ...] = ()
    found = []
    for number, row in enumerate(rows):
        if number == few:
            marks = (pytest.mark.slow,)
        found.append(pytest.param(*row, marks=marks))
    return found
