"""What colours the board, the marks on its cells, and the legend."""

from math import inf

import pytest

from hextui.analysis import Snapshot
from hextui.engine.board import Board, Color
from hextui.engine.inferior import inferior_cells
from hextui.engine.position import Move, Position
from hextui.engine.ranking import RankedMove, Ranking, rank_by_value
from hextui.engine.retrograde import Value
from hextui.library.answers import EndedGames, Explored, ExploredMove
from hextui.ui.drawing.board_view import Connected, Mark
from hextui.ui.drawing.overlays import (
    MOST_COLORED,
    DisplayOptions,
    Overlay,
    board_view,
    contribution_heat,
    heat_source,
    inferior_marks,
    legend,
    library_marks,
    ranking_heat,
    value_shares,
)

from .helpers import analysing, game, press, ranking, running, shown, tell, told


def test_heat_falls_from_the_best_to_the_last_move_shown():
    position = Position.empty(Board(7, 7))
    heat = ranking_heat(ranking("one", position, ["d4"]))
    assert len(heat.values) == MOST_COLORED
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


def test_only_the_best_few_cells_are_heated():
    everywhere = [1 / (cell + 1) for cell in range(49)]
    heat = contribution_heat(everywhere)
    assert list(heat.values) == list(range(MOST_COLORED))
    assert list(heat.labels.values())[:3] == ["99", "50", "33"]
    moves = [
        ExploredMove(Move.play(cell), (), 1, 1, 0, Value(True, False, 3), 2000, EndedGames(), None)
        for cell in range(49)
    ]
    assert len(library_marks(Explored(49, tuple(moves), EndedGames(), ()))) == MOST_COLORED


def test_moves_on_file_tell_their_share_of_the_games_and_who_won_more_of_them():
    value = Value(True, False, 3)
    moves = [
        ExploredMove(Move.play(0), (Move.play(1),), 600, 450, 150, value, None, EndedGames(), None),
        ExploredMove(Move.play(2), (), 390, 0, 390, value, None, EndedGames(), None),
        ExploredMove(Move.play(3), (), 8, 4, 4, value, None, EndedGames(), None),
        ExploredMove(Move.play(4), (), 2, 0, 0, value, None, EndedGames(), None),
    ]
    marks = library_marks(Explored(1000, tuple(moves)))
    assert marks[0] == marks[1] == Mark("60", Color.BLACK, 0.25)
    assert marks[2] == Mark("39", Color.WHITE, 0.5)
    assert marks[3] == Mark(" 1", None, 0.0)
    assert marks[4] == Mark("<1", None, 0.0)
    assert library_marks(Explored()) == {}


def test_what_is_proved_to_lose_is_not_among_the_best():
    position = Position.empty(Board(7, 7))
    judged = ranking("one", position, ["d4", "c4"])
    d4, c4 = map(position.board.cell, ("d4", "c4"))
    heat = ranking_heat(judged, {d4: False})
    assert d4 not in heat.values
    assert (heat.values[c4], heat.labels[c4]) == (1.0, "2")
    assert len(heat.values) == MOST_COLORED


@pytest.fixture
def session():
    return game("c3")


def test_the_evaluator_in_focus_colours_the_board(session):
    rankings = {"one": ranking("one", session.position, ["a1"])}
    snapshot = Snapshot(session.position, rankings=rankings)
    view = board_view(session, DisplayOptions(evaluator="one"), snapshot)
    assert view.labels[0] == "1"
    late = board_view(session, DisplayOptions(evaluator="two"), snapshot)
    assert late.heat == view.heat, "as long as it is late the first one ranks"
    assert heat_source(late, DisplayOptions(evaluator="two")) == "rank by one", "and is named"
    assert (
        board_view(session, DisplayOptions(evaluator="two"), Snapshot(session.position)).heat == {}
    )
    assert (
        board_view(session, DisplayOptions(overlay=Overlay.NONE, evaluator="one"), snapshot).heat
        == {}
    )
    connected = DisplayOptions(evaluator="one", connected=Connected(Color.BLACK))
    assert board_view(session, connected, snapshot).heat == {}


def test_proved_wins_are_shown_with_every_judgement_and_go_before_it(session):
    a1, b1 = map(session.board.cell, ("a1", "b1"))
    rankings = {"one": ranking("one", session.position, ["a1", "b1"])}
    snapshot = Snapshot(session.position, rankings=rankings)
    proved = {a1: False, b1: True}
    for overlay in (Overlay.EVALUATOR, Overlay.SOLVER, Overlay.LETTERS, Overlay.LIBRARY):
        shown = DisplayOptions(overlay=overlay, evaluator="one")
        view = board_view(session, shown, snapshot, proved)
        assert view.verdicts == proved
        assert {"✓ wins", "dim: loses"} <= set(legend(view, shown).split("  "))
        assert "+ wins" in legend(view, shown, spelt=True)
    assert a1 not in board_view(session, DisplayOptions(evaluator="one"), snapshot, proved).heat
    for overlay in (Overlay.NONE, Overlay.OWN):
        assert board_view(session, DisplayOptions(overlay=overlay), snapshot, proved).verdicts == {}


def test_stones_only_hides_the_move_of_the_record(session):
    session.first()
    view = board_view(session, DisplayOptions())
    assert view.played == session.board.cell("c3")
    assert "ring: played" in legend(view, DisplayOptions())
    hidden = DisplayOptions(overlay=Overlay.NONE)
    assert board_view(session, hidden).played is None
    assert legend(board_view(session, hidden), hidden) == ""


def test_inferior_cells_and_the_region_are_seen_through_a_connection(session):
    cells = inferior_cells(session.position)
    region = frozenset(list(session.position.empties)[:3])
    snapshot = Snapshot(session.position, inferior=cells, must_play=region)
    joined = Connected(Color.BLACK, region)
    shown = DisplayOptions(connected=joined, inferior=True, must_play=True)
    view = board_view(session, shown, snapshot)
    assert set(view.marks) == set(cells.rules)
    assert view.must_play == region
    assert legend(view, shown).startswith("tinted: carrier")


@pytest.mark.parametrize("values", [(0.5, 0.9, 0.1, 0.7), (0.4, 0.4, 0.6), (0.2, 0.8, inf, 0.5)])
def test_heat_and_bars_keep_within_bounds_where_the_order_is_not_that_of_values(values):
    """A search ranks by visits: what it looked at most need not have the highest value."""
    moves = tuple(RankedMove(cell, value, cell + 1) for cell, value in enumerate(values))
    found = Ranking("search", moves)
    assert all(0 <= value <= 1 for value in ranking_heat(found).values.values())
    shares = value_shares("search", moves)
    assert all(0 <= share <= 1 for share in shares.values())
    best = max((move for move in moves if move.value < inf), key=lambda move: move.value)
    assert shares[best.cell] == 1


def test_the_legend_of_a_connection_names_only_what_is_drawn(session):
    free, held = session.position.empties[0], session.board.cell("c3")

    def told(joined, spelt=False, line=()):
        shown = DisplayOptions(connected=joined, line=line)
        return legend(board_view(session, shown), shown, spelt)

    assert "carrier" not in told(Connected(Color.BLACK))
    assert "carrier" not in told(Connected(Color.BLACK), spelt=True)
    assert "end" not in told(Connected(Color.BLACK, frozenset({free})))
    assert told(Connected(Color.BLACK, frozenset({free}))).startswith("tinted: carrier")
    ends = Connected(Color.BLACK, frozenset({free}), frozenset({held}))
    assert told(ends).startswith("tinted: carrier  outlined: ends")
    assert told(ends, spelt=True).startswith("++ carrier  ** end")
    assert "#1 #2 moves of the line" in told(Connected(Color.BLACK), line=(free,))


def test_a_must_play_region_of_all_cells_is_none(session):
    threat = Snapshot(session.position, must_play=frozenset({1, 2}))
    assert board_view(session, DisplayOptions(must_play=True), threat).must_play == {1, 2}
    assert board_view(session, DisplayOptions(must_play=False), threat).must_play == frozenset()
    free = Snapshot(session.position, must_play=frozenset(session.position.empties))
    assert board_view(session, DisplayOptions(must_play=True), free).must_play == frozenset()


async def test_each_overlay_has_its_key_in_the_dialog():
    async with running(game(side=3)) as pilot:
        for key, overlay in enumerate(Overlay, start=1):
            await press(pilot, "o", str(key))
            assert pilot.app.main.workspace.shown.overlay is overlay


# Inferior cells


async def test_inferior_cells_are_shown_and_hidden():
    session = game("c3", "d2")
    session.last()
    cells = inferior_cells(session.position)
    assert cells.rules
    async with analysing(session) as (pilot, analyst):
        await tell(pilot, analyst, inferior=cells)
        view = pilot.app.main.board.view
        assert not view.marks
        await press(pilot, "I")
        view = pilot.app.main.board.view
        assert set(view.marks) == set(cells.rules)
        assert "Inferior cells" in told(pilot)
        assert {mark.text for mark in view.marks.values()} == {"cB", "vu", "dm"}
        assert "cB captured  vu vulnerable  dm dominated" in shown(pilot)
        assert "dead" not in shown(pilot), "there is none"
        assert pilot.app.main.chosen.inferior is True
        await press(pilot, "I")
        assert not pilot.app.main.board.view.marks


def test_every_kind_has_a_mark_of_its_own():
    position = game("c3", "d2", side=7).position
    cells = inferior_cells(position)
    marks = inferior_marks(cells)
    assert {marks[cell].text for cell in cells.dominated} == {"dm"}
    assert {marks[cell].text for cell in cells.vulnerable} == {"vu"}
    for color, owned in cells.captured.items():
        assert all(marks[cell].tint is color for cell in owned if cell not in cells.dead)
    assert marks.keys() == cells.rules.keys()
