"""Somebody walks through a game, and an engine does not listen before it searches."""

from types import SimpleNamespace

import pytest

from hextui.engine.position import Position
from hextui.engines.attached.attached_engine import AttachedEngine
from hextui.engines.engine import Done
from hextui.engines.questions import Examine
from tests.engines.attached.trickster import PLAYED, START, Heard, is_right, sent, visits
from tests.processes import wait_for

STEP_SECONDS = 1 / 30


@pytest.fixture
def clock(monkeypatch) -> SimpleNamespace:
    """Return a clock that stands still until it is set, for what waits for somebody to rest."""
    clock = SimpleNamespace(now=0.0)
    watch = SimpleNamespace(monotonic=lambda: clock.now)
    for module in ("attached.attached_engine", "supervisor"):
        monkeypatch.setattr(f"hextui.engines.{module}.time", watch)
    return clock


@pytest.fixture
def left(monkeypatch) -> list[Position]:
    """Return what grows by the position of each question that is not asked yet."""
    found: list[Position] = []
    rest = AttachedEngine._rest

    def watched(engine: AttachedEngine) -> float | None:
        seconds = rest(engine)
        if seconds:
            found.append(next(iter(engine._open.values())).question.position)
        return seconds

    monkeypatch.setattr(AttachedEngine, "_rest", watched)
    return found


def searched_to_the_end(engine: AttachedEngine, clock: SimpleNamespace) -> None:
    """Somebody rests at a position until the engine has told everything."""
    heard = Heard(engine, Examine(PLAYED, visits(1), again=True))
    clock.now += 1.0
    assert isinstance(heard.rest()[-1], Done)


def walked(engine: AttachedEngine, clock: SimpleNamespace, left: list[Position]) -> list[str]:
    """Walk on fast and rest at last; return the commands to search that were sent meanwhile."""
    before = len(sent(engine, "reg_genmove"))
    for cell in range(5):
        position = PLAYED.play(cell)
        step = Heard(engine, Examine(position))
        wait_for(lambda: position in left or len(sent(engine, "reg_genmove")) > before)  # noqa: B023
        clock.now += STEP_SECONDS
        step.asked.stop()
    last = Heard(engine, Examine(START))
    clock.now += 1.0
    assert is_right(last.first(), START)
    last.asked.stop()
    return sent(engine, "reg_genmove")[before:]


@pytest.mark.parametrize(("deaf_seconds", "asked"), [(0.4, 1), (0.05, 2)])
def test_one_that_was_long_deaf_is_asked_only_where_somebody_rests(
    attach, clock, left, tmp_path, deaf_seconds: float, asked: int
) -> None:
    engine = attach("builds")
    heard = Heard(engine, Examine(START))
    wait_for(lambda: sent(engine, "reg_genmove"))
    heard.asked.stop()
    wait_for(lambda: "# interrupt" in [line.text for line in engine.traffic.lines()])
    clock.now += deaf_seconds
    (tmp_path / "been here").touch()
    wait_for(lambda: engine.state == "ready")
    searched_to_the_end(engine, clock)
    # a quick one is asked about the first step at once, and then where somebody rests
    assert len(walked(engine, clock, left)) == asked
