"""The stage of the lines: after the rankings, by the chosen evaluator, stopped at once."""

import time
from collections.abc import Iterator

import pytest

from hextui.analysis import Analyst
from hextui.engine.board import Board
from hextui.engine.evaluators import Workbench, evaluator
from hextui.engine.position import Position
from hextui.engine.search.line_settings import LineSettings
from hextui.engine.search.minimax import find_lines
from hextui.engines.own.lines import LineStage
from hextui.engines.own.stages import analyse
from tests.analysis.test_analyst import Ear

SETTINGS = LineSettings((4, 3, 0), 3)


def test_lines_follow_the_rankings() -> None:
    position = Position.empty(Board(7, 7)).play(0)
    chosen = [evaluator("resistance")]
    stages = [LineStage(SETTINGS)]
    snapshots = list(
        analyse(Workbench(position.board), position, chosen, stages, lines_by="blocking")
    )
    with_lines = [s for s in snapshots if s.lines]
    assert all(s.rankings["resistance"].final for s in with_lines)
    last = snapshots[-1]
    assert last.final
    bench = Workbench(position.board)
    bench.look_at(position)
    *_, expected = find_lines(bench, evaluator("blocking"), SETTINGS)
    assert last.lines == expected


def test_without_an_evaluator_there_are_no_lines() -> None:
    position = Position.empty(Board(3, 3))
    *_, last = analyse(Workbench(position.board), position, [], [LineStage(SETTINGS)])
    assert last.final
    assert last.lines is None


def test_a_name_that_is_none_is_said_and_the_analysis_goes_on() -> None:
    position = Position.empty(Board(3, 3))
    bench, stages = Workbench(position.board), [LineStage(SETTINGS)]
    *_, told, last, final = analyse(bench, position, [], stages, lines_by="nobody")
    assert told.error is not None
    assert "nobody" in told.error
    assert last.error is None
    assert final.final
    assert final.error is None


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def analyst(ear: Ear) -> Iterator[Analyst]:
    analyst = Analyst(
        ear.heard.put, ["resistance"], later=lambda: (LineStage(SETTINGS),), lines_by="blocking"
    )
    yield analyst
    analyst.close()


def test_another_evaluator_of_lines_keeps_what_else_is_known(analyst: Analyst, ear: Ear) -> None:
    position = Position.empty(Board(6, 6)).play(0)
    first = ear.until_final(analyst.request(position))[-1]
    analyst.choose_lines_by("shortest-path")
    again = ear.until_final(analyst.request(position))
    assert all(s.rankings["resistance"] is first.rankings["resistance"] for s in again)
    assert again[0].lines is None
    assert first.lines is not None
    assert again[-1].lines is not None
    assert (first.lines.evaluator, again[-1].lines.evaluator) == ("blocking", "shortest-path")
    analyst.choose_lines_by("blocking")
    (back,) = ear.until_final(analyst.request(position))
    assert back.lines is first.lines


def test_other_evaluators_rank_anew(analyst: Analyst, ear: Ear) -> None:
    position = Position.empty(Board(5, 5)).play(0)
    ear.until_final(analyst.request(position))
    analyst.choose_evaluators(["two-distance"])
    last = ear.until_final(analyst.request(position))[-1]
    assert list(last.rankings) == ["two-distance"]
    assert last.lines is not None


def test_a_new_request_ends_a_long_search_for_lines(ear: Ear) -> None:
    stage = LineStage(LineSettings((30, 30, 30, 30, 0)))
    analyst = Analyst(ear.heard.put, ["resistance"], later=lambda: (stage,), lines_by="k-paths:1")
    try:
        first = analyst.request(Position.empty(Board(11, 11)))
        while not (snapshot := ear.heard.get(timeout=120)).lines:
            pass
        assert snapshot.generation == first
        time.sleep(0.2)
        analyst.choose_lines_by("")
        # the search would take hours; the wait would then end with queue.Empty
        last = ear.until_final(analyst.request(Position.empty(Board(5, 5))))[-1]
        assert last.final
    finally:
        analyst.close()
