"""Whole games judged by another engine, a real process, beside our own evaluators."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hextui.analysis.estimates import Estimates
from hextui.analysis.whole_game import GameAnalyst, analyse_game
from hextui.engine.ranking import Quality
from hextui.engines.attached_engine import AttachedEngine
from hextui.engines.engine import EngineError
from hextui.engines.snapshot import Progress
from hextui.records.formats import read_record
from hextui.settings.engine_config import AttachedConfig, Dialect
from tests.analysis.games import line_of

SCRIPT = Path(__file__).parent.parent / "engines" / "attached" / "scripted.py"
NAME = "engine(scripted)"
GAME = "#4,b2c3b1d4"


@pytest.fixture
def attach() -> Iterator:
    made: list[AttachedEngine] = []

    def make(trick: str, largest: int = 13) -> AttachedEngine:
        command = (sys.executable, "-I", "-S", str(SCRIPT), trick)
        config = AttachedConfig("scripted", command, Dialect.KATA, visits=1, largest=largest)
        made.append(AttachedEngine(config))
        return made[-1]

    yield make
    for engine in made:
        engine.close()


def test_it_evaluates_every_position_beside_ours(attach) -> None:
    record = read_record(GAME)
    line, found, engine = line_of(record), Estimates(), attach("plain")
    names = ("resistance", NAME)

    def others(name: str):
        return engine.lane() if name == NAME else None

    *_, last = analyse_game(line, names, found, others=others)
    assert (last.done, last.total) == (2 * len(line), 2 * len(line))
    assert all(found.complete(here, names) for here in line)
    for here in line:
        judged = found.of(here, NAME)
        assert judged.winrate == 0.75
        assert judged.best == here.position.empties[:2]
        assert found.of(here, "resistance").winrate is None
    # b2 was not looked at: it shares the places 3 to 16
    assert found.quality(line[0], NAME) == Quality(16, 3, 9.5)
    # nothing is asked again
    engine.close()
    (only,) = analyse_game(line, names, found, others=others)
    assert only.done == only.total


def test_a_failing_engine_is_reported_at_the_end_and_the_others_finish(attach) -> None:
    record = read_record(GAME)
    line, found, engine = line_of(record), Estimates(), attach("plain", 3)
    steps = analyse_game(line, ("resistance", NAME), found, others={NAME: engine.lane()}.get)
    with pytest.raises(EngineError, match="takes boards of 1 to 3 rows"):
        list(steps)
    assert all(found.complete(here, ("resistance",)) for here in line)


def test_the_screen_learns_why_an_engine_failed(attach) -> None:
    record = read_record(GAME)
    line, engine, heard = line_of(record), attach("plain", 3), []
    analyst = GameAnalyst(heard.append, others=lambda name: engine.lane())
    analyst.start(line, (NAME,), Estimates())
    analyst.join()
    *known, last = heard
    assert last == "scripted takes boards of 1 to 3 rows and columns, not 4x4"
    assert isinstance(known[-1], Progress)
    assert known[-1].done == known[-1].total
