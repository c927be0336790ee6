"""The stage of the lines: after the rankings, by the chosen evaluator, stopped at once."""

import threading
from collections.abc import Iterator

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.position import Position
from hextui.engine.search.lines import LineSettings
from hextui.engine.search.minimax import find_lines
from hextui.engines.limits import SolverBudget
from hextui.engines.position_analysis import PositionAnalysis, TableCache, analyse
from hextui.engines.questions import Analyse
from hextui.engines.search_stages import EngineWorkspace, SearchStages
from hextui.engines.snapshot import Snapshot

SETTINGS = LineSettings((4, 3, 0), 3)


def with_lines(position: Position, by: str, evaluators: tuple[str, ...] = ()) -> list[Snapshot]:
    """Return the snapshots of an analysis without the solver that finds lines."""
    stages = SearchStages(EngineWorkspace(), Analyse(position, evaluators, by, SETTINGS))
    chosen, bench = list(map(evaluator, evaluators)), Workbench(position.board)
    return list(analyse(bench, position, chosen, [stages.find_lines], lines_by=by))


def test_lines_follow_the_rankings() -> None:
    position = Position.empty(Board(7, 7)).play(0)
    snapshots = with_lines(position, "blocking", ("resistance",))
    ranked = [s.rankings["resistance"].final for s in snapshots if s.lines]
    assert ranked
    assert all(ranked)
    last = snapshots[-1]
    assert last.final
    bench = Workbench(position.board)
    bench.look_at(position)
    *_, expected = find_lines(bench, evaluator("blocking"), SETTINGS)
    assert last.lines == expected


def test_a_name_can_ask_for_the_literal_search() -> None:
    position = Position.empty(Board(3, 3))
    for by, winner in (("blocking", Color.BLACK), ("blocking/literal", None)):
        *_, last = with_lines(position, by)
        assert last.lines is not None
        assert last.lines.evaluator == "blocking"
        assert last.lines.winner is winner
        assert last.lines.settings.literal is (winner is None)


def test_the_solver_in_front_shows_a_win(live: PositionAnalysis) -> None:
    board = Board(7, 7)
    position = Position.empty(board).play(board.cell("d4")).play(board.cell("c5"))
    for budget, winner in ((None, None), (SolverBudget(0.01), Color.BLACK)):
        question = Analyse(position, ("resistance",), "resistance", SETTINGS, budget)
        *_, last = live.answers(question)
        assert last.lines is not None
        assert last.lines.winner is winner
        assert last.lines.lines[0].winner is winner


def test_without_an_evaluator_there_are_no_lines() -> None:
    position = Position.empty(Board(3, 3))
    *_, last = with_lines(position, "")
    assert last.final
    assert last.lines is None


def test_a_name_that_is_none_is_said_and_the_analysis_goes_on() -> None:
    position = Position.empty(Board(3, 3))
    *_, told, last, final = with_lines(position, "nobody")
    assert told.error is not None
    assert "nobody" in told.error
    assert last.error is None
    assert final.final
    assert final.error is None


def asked(position: Position, evaluators: tuple[str, ...] = ("resistance",), by: str = "blocking"):
    return Analyse(position, evaluators, by, SETTINGS)


@pytest.fixture
def live() -> Iterator[PositionAnalysis]:
    workspace = EngineWorkspace()
    yield PositionAnalysis(TableCache(), workspace)
    workspace.close()


def test_another_evaluator_of_lines_keeps_what_else_is_known(live: PositionAnalysis) -> None:
    position = Position.empty(Board(6, 6)).play(0)
    *_, first = live.answers(asked(position))
    again = list(live.answers(asked(position, by="shortest-path")))
    assert all(s.rankings["resistance"] is first.rankings["resistance"] for s in again)
    assert again[0].lines is None
    assert first.lines is not None
    assert again[-1].lines is not None
    assert (first.lines.evaluator, again[-1].lines.evaluator) == ("blocking", "shortest-path")
    (back,) = live.answers(asked(position))
    assert back.lines == first.lines


def test_other_evaluators_rank_anew(live: PositionAnalysis) -> None:
    position = Position.empty(Board(5, 5)).play(0)
    list(live.answers(asked(position)))
    *_, last = live.answers(asked(position, ("two-distance",)))
    assert list(last.rankings) == ["two-distance"]
    assert last.lines is not None


def test_a_stop_ends_a_long_search_for_lines(live: PositionAnalysis) -> None:
    position, lines = Position.empty(Board(11, 11)), LineSettings((30, 30, 30, 30, 0))
    question = Analyse(position, ("resistance",), "k-paths:1", lines)
    stop = threading.Event()
    for snapshot in live.answers(question, stop.is_set):
        if snapshot.lines:
            threading.Timer(0.2, stop.set).start()
            break
    # the search would take hours
    assert not any(snapshot.final for snapshot in live.answers(question, stop.is_set))


def test_what_is_kept_is_bounded(live: PositionAnalysis, monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board(4, 4)
    questions = [asked(Position.empty(board).play(cell)) for cell in range(6)]
    list(live.answers(questions[0]))
    (size,) = map(len, live._cache._data.values())
    monkeypatch.setattr("hextui.engines.position_analysis.CACHED_BYTES", 3 * size)
    for question in questions:
        list(live.answers(question))
    assert len(live._cache._data) < len(questions)
    assert len(list(live.answers(questions[-1]))) == 1
    assert len(list(live.answers(questions[0]))) > 1
