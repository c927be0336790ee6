"""A share of the kills."""

import pytest

from tests.torture.kills import KINDS, attack

QUICK = ["solving", "remembering", "saving"]


@pytest.mark.parametrize("kind", QUICK)
def test_one_of_the_quick_kinds(kind: str) -> None:
    assert attack(1, kind) is None


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_some_of_each_kind(kind: str) -> None:
    assert [attack(seed, kind) for seed in range(100, 106)] == [None] * 6
