"""A share of the attacks on files that the program keeps."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.torture.damaged_files import KINDS, attack, homes

QUICK = ["config", "memory", "recovery", "kept", "library", "study"]


@pytest.fixture(scope="module")
def again() -> Iterator[Callable[[], Path]]:
    with homes() as make:
        yield make


@pytest.mark.parametrize("kind", QUICK)
def test_a_few_of_each_kind(kind: str, again: Callable[[], Path]) -> None:
    seeds = range(1 if kind == "library" else 4)
    assert [attack(seed, again, kind) for seed in seeds] == [None] * len(seeds)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_many_of_each_kind(kind: str, again: Callable[[], Path]) -> None:
    seeds = range(100, 110 if kind == "compiled" else 150)
    assert [attack(seed, again, kind) for seed in seeds] == [None] * len(seeds)
