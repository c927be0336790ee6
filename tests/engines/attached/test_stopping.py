"""Engines that are stopped and started by hand, and what they say they do."""

import threading

import pytest

from hextui.engines.engine import Answer, Failed
from hextui.engines.questions import Examine
from tests.engines.attached.trickster import PLAYED, START, Heard, is_right, sent, visits
from tests.processes import gone, on_linux, wait_for

STOPPED = Failed("scripted is stopped")


@on_linux
@pytest.mark.parametrize("trick", ["plain", "htp"])
def test_one_that_is_stopped_ends_and_is_asked_nothing_until_it_is_started(attach, trick) -> None:
    engine = attach(trick)
    heard = Heard(engine, Examine(PLAYED))
    heard.first()
    pid = engine.pid
    engine.halt()
    assert heard.rest()[-1] == STOPPED
    wait_for(lambda: gone(pid))
    assert Heard(engine, Examine(START)).rest() == [STOPPED]
    assert engine.state == "stopped"
    assert not sent(engine, "kata-analyze")[1:]
    engine.start()
    assert is_right(Heard(engine, Examine(PLAYED)).first(), PLAYED)  # the stones were played again


def test_starting_one_that_runs_has_it_asked_again_by_a_new_process(attach) -> None:
    engine = attach("plain")
    heard = Heard(engine, Examine(PLAYED))
    heard.first()
    pid = engine.pid
    engine.start()
    wait_for(lambda: len(sent(engine, "name")) == 2 and len(sent(engine, "kata-analyze")) == 2)
    assert engine.pid != pid
    assert is_right(heard.first(), PLAYED)
    assert not heard.asked.stopped


def test_what_waits_is_told_that_the_engine_was_stopped(attach) -> None:
    engine = attach("plain")
    first, second = Heard(engine, Examine(PLAYED)), Heard(engine, Examine(START))
    first.first()
    engine.halt()
    assert first.rest()[-1] == second.rest()[-1] == STOPPED


@on_linux
@pytest.mark.parametrize("ending", ["halt", "close"])
def test_one_that_says_nothing_yet_is_ended_at_once(attach, ending: str) -> None:
    engine = attach("silent")
    died: list[str] = []
    engine.on_death = died.append
    heard = Heard(engine, Examine(START))
    wait_for(lambda: bool(sent(engine, "name")))
    assert engine.state == "starting"
    pid = engine.pid
    getattr(engine, ending)()
    wait_for(lambda: gone(pid))
    assert isinstance(heard.rest()[-1], Failed)
    assert not died


@on_linux
def test_closing_one_that_hangs_does_not_wait_for_it(attach, monkeypatch) -> None:
    monkeypatch.setattr("hextui.engines.limits.END", 0.05)
    engine = attach("hang")
    Heard(engine, Examine(START))
    wait_for(lambda: bool(sent(engine, "kata-analyze")))
    engine.close()
    assert not [t for t in threading.enumerate() if t is engine._thread]


def test_its_state_in_words(attach) -> None:
    engine = attach("plain")
    assert engine.state == "not started"
    heard = Heard(engine, Examine(PLAYED))
    heard.first()
    assert engine.state == "searching 5x5"
    heard.asked.stop()
    wait_for(lambda: engine.state == "ready")
    engine = attach("no start")
    Heard(engine, Examine(START)).rest()
    wait_for(lambda: "it was tried 3 times" in engine.state)
    assert engine.state.startswith("ended (exit code 1)")


def test_one_that_was_never_asked_starts_by_hand(attach) -> None:
    engine = attach("plain")
    engine.start()
    wait_for(lambda: engine.state == "ready")
    assert isinstance(Heard(engine, Examine(START, visits(1))).next(), Answer)
    assert len(sent(engine, "name")) == 1
