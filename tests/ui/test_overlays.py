from math import inf

import pytest

from hextui.analysis import Snapshot
from hextui.engine.board import Board, Color
from hextui.engine.evaluators.base import rank_by_value
from hextui.engine.position import Position
from hextui.ui.drawing.board_view import Connected
from hextui.ui.drawing.overlays import HEATED, Overlay, Shown, board_view, ranking_heat, step

from .helpers import game, ranking


def test_heat_falls_from_the_best_to_the_last_move_shown():
    position = Position.empty(Board(7, 7))
    heat = ranking_heat(ranking("one", position, ["d4"]))
    assert len(heat.values) == HEATED
    values = list(heat.values.values())
    assert values == sorted(values, reverse=True)
    assert (values[0], values[-1]) == (1.0, 0.0)
    assert list(heat.labels.values())[:3] == ["1", "2", "3"]


def test_where_low_values_are_good_the_best_is_hottest():
    heat = ranking_heat(rank_by_value("low", {0: 3.0, 1: 1.0}, lowest_first=True))
    assert heat.values == {1: 1.0, 0: 0.0}


def test_infinite_values_are_at_the_ends():
    heat = ranking_heat(rank_by_value("inf", {0: inf, 1: 2.0, 2: 1.0, 3: -inf}))
    assert heat.values == {0: 1.0, 1: pytest.approx(5 / 6), 2: pytest.approx(1 / 6), 3: 0.0}


def test_all_equal_is_all_hot():
    heat = ranking_heat(rank_by_value("tie", {0: 1.0, 1: 1.0}))
    assert heat.values == {0: 1.0, 1: 1.0}
    assert heat.labels == {0: "1", 1: "1"}


def test_overlays_go_round():
    seen = [Overlay.NONE]
    for _ in Overlay:
        seen.append(step(seen[-1], 1))
    assert seen == [*Overlay, Overlay.NONE]
    assert step(Overlay.NONE, -1) is list(Overlay)[-1]


@pytest.fixture
def session():
    return game("c3")


def test_the_evaluator_in_focus_colours_the_board(session):
    rankings = {"one": ranking("one", session.position, ["a1"])}
    snapshot = Snapshot(session.position, rankings=rankings)
    view = board_view(session, Shown(evaluator="one"), snapshot)
    assert view.labels[0] == "1"
    assert board_view(session, Shown(evaluator="two"), snapshot).heat == {}
    assert board_view(session, Shown(overlay=Overlay.NONE, evaluator="one"), snapshot).heat == {}
    connected = Shown(evaluator="one", connected=Connected(Color.BLACK))
    assert board_view(session, connected, snapshot).heat == {}


def test_a_must_play_region_of_all_cells_is_none(session):
    threat = Snapshot(session.position, must_play=frozenset({1, 2}))
    assert board_view(session, Shown(must_play=True), threat).must_play == {1, 2}
    assert board_view(session, Shown(must_play=False), threat).must_play == frozenset()
    free = Snapshot(session.position, must_play=frozenset(session.position.empties))
    assert board_view(session, Shown(must_play=True), free).must_play == frozenset()
