"""A share of the attack on the screen."""

import pytest

from tests.torture.screen import attack
from tests.torture.screen_actions import actions


def test_a_short_session() -> None:
    problem = attack(list(actions(1, 60)))[0]
    assert problem is None, problem


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_long_sessions(seed: int) -> None:
    problem = attack(list(actions(seed, 2000)))[0]
    assert problem is None, problem
