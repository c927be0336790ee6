"""Engines that play tricks, closed after each test."""

from collections.abc import Iterator

import pytest

from hextui.engines.attached_engine import AttachedEngine
from tests.engines.attached.trickster import config, homemade


@pytest.fixture
def engines() -> Iterator[list[AttachedEngine]]:
    made: list[AttachedEngine] = []
    yield made
    for engine in made:
        engine.close()


@pytest.fixture
def attach(engines, tmp_path):
    def make(trick: str, **more) -> AttachedEngine:
        engines.append(AttachedEngine(config(trick, tmp_path / "been here", **more)))
        return engines[-1]

    return make


@pytest.fixture
def attach_homemade(engines):
    def make(*habits: str, **more) -> AttachedEngine:
        engines.append(AttachedEngine(homemade(*habits, **more)))
        return engines[-1]

    return make
