"""How long an engine may be silent: by the clock, less what it has waited for a processor."""

import os
import subprocess
import sys

import pytest

from hextui.engines.attached import patience
from hextui.engines.attached.patience import AllowedSilence, processor_waits
from tests.processes import gone, on_linux, wait_for


class World:
    """A clock, and what the system tells of the threads of a process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.waits: dict[int, float] = {}
        monkeypatch.setattr("time.monotonic", lambda: self.now)
        monkeypatch.setattr(patience, "processor_waits", lambda pid: self.waits.items())

    def go(self, seconds: float, **waits: float) -> None:
        """Let time pass; ``t1``, ``t2``: what threads have waited in their lives now."""
        self.now += seconds
        self.waits = {int(name[1:]): wait for name, wait in waits.items()}


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return World(monkeypatch)


def test_without_word_of_the_system_the_clock_decides(world: World) -> None:
    left = AllowedSilence(1, 10.0)
    for _ in range(10):
        assert not left.over
        assert left.pause == patience.LOOK_SECONDS
        world.go(1.0)
        left.look()
    assert left.over
    assert left.pause == 0.0


def test_waiting_for_a_processor_does_not_count(world: World) -> None:
    left = AllowedSilence(1, 3.0)
    world.go(1.0, t1=40.0)  # what it had waited before is not known to be of this time
    left.look()
    for seconds in range(1, 100):
        world.go(1.0, t1=40.0 + 0.99 * seconds)
        left.look()
    assert not left.over
    for _ in range(2):
        world.go(1.0, t1=40.0 + 99 * 0.99)
        left.look()
    assert left.over


def test_threads_wait_side_by_side(world: World) -> None:
    left = AllowedSilence(1, 2.0)
    world.go(1.0, t1=1.0, t2=5.0)
    left.look()
    world.go(1.0, t1=2.0, t2=6.0, t3=0.5)  # one has begun
    left.look()
    assert not left.over
    world.go(1.0, t2=6.0)  # two have ended
    left.look()
    assert left.over


def test_time_in_which_we_did_not_run_ourselves_does_not_count(world: World) -> None:
    left = AllowedSilence(1, 3.0)
    for _ in range(2):
        world.go(3600.0)
        left.look()
    assert not left.over
    world.go(3600.0)
    left.look()
    assert left.over


def test_what_comes_meanwhile_gives_no_time(world: World) -> None:
    left = AllowedSilence(1, 3.0)
    for _ in range(29):
        world.go(0.1)
        left.look()
        assert not left.over
    world.go(0.2)
    left.look()
    assert left.over


@on_linux
def test_what_the_system_tells_of_threads_and_of_what_a_process_has_started() -> None:
    waits = dict(processor_waits(os.getpid()))
    assert os.getpid() in waits
    assert all(seconds >= 0 for seconds in waits.values())
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'input()'])"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as process:
        wait_for(lambda: len(dict(processor_waits(process.pid))) >= 2)
        process.communicate(b"\n")
    assert gone(process.pid)
    assert not dict(processor_waits(process.pid))
