"""A share of the long walk with other engines: the scripted one, twice at once."""

import random
from dataclasses import replace
from itertools import islice

import pytest

from hextui.engines.engine_config import AttachedConfig
from tests.engines.attached.trickster import PLAYED, START, config
from tests.processes import wait_for
from tests.torture.attached import Walk, Walker, walks

GAME = [START, START.play("c3"), START.play("c3").play("b2"), PLAYED]
ENGINES = [config("plain"), replace(config("htp"), name="benzene")]


def walked(engines: list[AttachedConfig], steps: int, seed: int) -> Walk:
    """Walk so many steps, and rest at the last one until every engine has answered."""
    walker = Walker(engines)
    try:
        for position in islice(walks([GAME], random.Random(seed)), steps):
            walker.rest_at(position, 1 / 30)
        last = PLAYED.play("a5")

        def answered() -> bool:
            walker.rest_at(last, 1 / 30)
            return walker.walk.answered == {engine.name for engine in engines}

        wait_for(answered)
    finally:
        walker.close()
    return walker.walk


def test_a_short_walk_with_two_at_once() -> None:
    walk = walked(ENGINES, 20, 1)
    assert walk.answers >= 2
    assert not walk.wrong
    assert not walk.problems


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_long_walks_with_two_at_once_and_one_that_crashes(seed: int, tmp_path) -> None:
    crashes = replace(config("crash once", tmp_path / "been here"), name="crashing")
    walk = walked([*ENGINES, crashes], 600, seed)
    assert not walk.wrong
