"""A share of the attack on connections and verdicts."""

import pytest

from tests.torture.engine import KINDS, attack


@pytest.mark.parametrize("kind", KINDS)
def test_a_few_of_each_kind(kind: str) -> None:
    assert [attack(seed, kind) for seed in range(5)] == [None] * 5


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_many_of_each_kind(kind: str) -> None:
    assert [attack(seed, kind) for seed in range(1000, 1200)] == [None] * 200
