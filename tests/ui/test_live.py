from typing import Any

from hextui.analysis import Progress, Snapshot
from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.ui.live.live_analysis import LiveAnalysis

from .helpers import ScriptedAnalyst

FIRST = Position.empty(Board(3, 3))
SECOND = FIRST.play(4)


def live():
    analyst: Any = ScriptedAnalyst(lambda snapshot: None)
    return LiveAnalysis(analyst), analyst


def test_a_position_is_asked_once():
    seen, analyst = live()
    seen.look_at(FIRST)
    seen.look_at(FIRST)
    seen.look_at(SECOND)
    assert analyst.asked == [FIRST, SECOND]


def test_what_is_chosen_before_the_first_question_asks_none():
    """The first screen shall not wait until there is an engine to ask."""
    seen, analyst = live()
    seen.choose_evaluators(["resistance"], FIRST)
    seen.choose_lines_by("resistance", FIRST)
    assert analyst.asked == []
    seen.look_at(FIRST)
    seen.choose_evaluators(["blocking"], FIRST)
    seen.choose_lines_by("blocking", FIRST)
    assert analyst.asked == [FIRST] * 3


def test_answers_to_older_questions_are_dropped():
    seen, _ = live()
    seen.look_at(FIRST)
    seen.look_at(SECOND)
    assert not seen.take(Snapshot(FIRST, generation=1))
    assert not seen.take(Snapshot(FIRST, generation=2))
    assert not seen.take(Snapshot(SECOND, generation=1))
    assert seen.snapshot is None
    assert seen.take(Snapshot(SECOND, generation=2))


def test_a_snapshot_of_another_position_is_stale_and_never_current():
    seen, _ = live()
    seen.look_at(FIRST)
    seen.take(Snapshot(FIRST, generation=1))
    assert seen.of(FIRST)
    assert not seen.stale(FIRST)
    seen.look_at(SECOND)
    assert seen.of(SECOND) is None
    assert seen.stale(SECOND)


def test_off_asks_nothing_and_drops_what_still_comes():
    seen, analyst = live()
    seen.look_at(FIRST)
    seen.toggle(FIRST)
    assert analyst.cancelled == 1
    assert not seen.take(Snapshot(FIRST, generation=1))
    seen.look_at(SECOND)
    assert analyst.asked == [FIRST]
    seen.toggle(SECOND)
    assert analyst.asked == [FIRST, SECOND]


def test_it_says_what_it_does():
    assert LiveAnalysis(None).text(FIRST) == "no analysis"
    seen, _ = live()
    seen.look_at(FIRST)
    assert seen.text(FIRST) == "starting"
    seen.take(Snapshot(FIRST, generation=1, progress=Progress(1, 4, "counting paths")))
    assert seen.text(FIRST) == "counting paths 25%"
    seen.take(Snapshot(FIRST, generation=1, error="no"))
    assert seen.text(FIRST) == "analysis failed"
    seen.take(Snapshot(FIRST, generation=1, final=True))
    assert seen.text(FIRST) == "analysed"
    seen.toggle(FIRST)
    assert seen.text(FIRST) == "analysis off"


def test_without_an_analyst_nothing_happens():
    seen = LiveAnalysis(None)
    seen.look_at(FIRST)
    seen.toggle(FIRST)
    seen.close()
    assert not seen.on
