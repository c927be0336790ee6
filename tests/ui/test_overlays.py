"""What colours the board, the marks on its cells, and the legend."""

import threading
from math import inf

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.inferior import inferior_cells
from hextui.engine.position import Move, Position, SwapRule
from hextui.engine.ranking import RankedMove, Ranking, rank_by_value
from hextui.engine.retrograde import Value
from hextui.engine.search.judged_openings import JudgedOpening
from hextui.engines.questions import JudgeOpenings, OpeningsJudged
from hextui.engines.snapshot import Progress, Snapshot
from hextui.library.answers import Explored, ExploredMove, GameCounts
from hextui.records.board_view import Connected, Mark
from hextui.text import Names
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
    swap_marks,
    swap_verdicts,
    swap_words,
    value_shares,
)
from hextui.ui.live.background import SwapMap
from tests.oracles.play import winning_moves

from .helpers import (
    analysing,
    become,
    game,
    press,
    ranking,
    running,
    settle,
    shown,
    tell,
    told,
    until,
)
from .settling import threads_go_on


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


def in_library(cell, games, black_wins, white_wins, *same):
    """Return a move of so many games on 7x7."""
    value = Value(True, False, 3)
    move = Move.play(cell)
    wins = (black_wins, white_wins)
    return ExploredMove(Board(7, 7), move, same, games, *wins, value, None, GameCounts(), None)


def test_only_the_best_few_cells_are_heated():
    everywhere = [1 / (cell + 1) for cell in range(49)]
    heat = contribution_heat(everywhere)
    assert list(heat.values) == list(range(MOST_COLORED))
    assert list(heat.labels.values())[:3] == ["99", "50", "33"]
    moves = [in_library(cell, 1, 1, 0) for cell in range(49)]
    assert len(library_marks(Explored(49, tuple(moves), GameCounts(), ()))) == MOST_COLORED


def test_moves_on_file_tell_their_share_of_the_games_and_who_won_more_of_them():
    moves = [
        in_library(0, 600, 450, 150, Move.play(1)),
        in_library(2, 390, 0, 390),
        in_library(3, 8, 4, 4),
        in_library(4, 2, 0, 0),
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
        assert {"✓ wins", "· loses"} <= set(legend(view, shown).split("  "))
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
    assert set(view.marks) == set(cells.rules.numbers)
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
        assert set(view.marks) == set(cells.rules.numbers)
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
    assert {marks[cell].text for cell in cells.dominated.numbers} == {"dm"}
    assert {marks[cell].text for cell in cells.vulnerable.numbers} == {"vu"}
    for color, owned in cells.captured.items():
        assert all(
            marks[cell].tint is color for cell in owned.numbers if cell not in cells.dead.numbers
        )
    assert marks.keys() == cells.rules.numbers.keys()


# The swap map: what each first move is worth


SMALL_BOARD = Board(3, 3)
EMPTY_BOARD = Position.empty(SMALL_BOARD)
A1, B1, C1, A2, B2 = range(5)
JUDGED = (
    JudgedOpening(B2, 1.0, True),
    JudgedOpening(A1, 0.0, True),
    JudgedOpening(B1, 0.623, False),
    JudgedOpening(C1, 0.497, False),
    JudgedOpening(A2, 0.999, False),
)
WHOLE = SwapMap(SMALL_BOARD, JUDGED, 5)


def test_a_chance_stands_on_a_cell_and_on_the_turned_one_in_the_colour_that_leads() -> None:
    marks = swap_marks(EMPTY_BOARD, WHOLE)
    assert {cell: (mark.text, mark.tint) for cell, mark in marks.items()} == {
        B1: ("62", Color.BLACK),
        SMALL_BOARD.rotate(B1): ("62", Color.BLACK),
        C1: ("50", Color.WHITE),
        SMALL_BOARD.rotate(C1): ("50", Color.WHITE),
        A2: ("99", Color.BLACK),
        SMALL_BOARD.rotate(A2): ("99", Color.BLACK),
    }
    assert marks[A2].strength > marks[B1].strength > marks[C1].strength > 0


def test_a_move_to_be_swapped_never_says_50() -> None:
    known = SwapMap(SMALL_BOARD, (JudgedOpening(B1, 0.501, False),), 5)
    assert swap_marks(EMPTY_BOARD, known)[B1].text == "51"


def test_what_is_proved_is_a_verdict_and_no_chance() -> None:
    assert swap_verdicts(EMPTY_BOARD, WHOLE) == {B2: True, A1: False, SMALL_BOARD.rotate(A1): False}


@pytest.mark.parametrize(
    ("first", "words"),
    [
        (B1, "b1 wins 62%: swap"),
        (SMALL_BOARD.rotate(C1), "a3 wins 50%: play on"),
        (B2, "b2 wins, proved: swap"),
        (A1, "a1 loses, proved: play on"),
    ],
)
def test_of_the_first_move_on_the_board_it_says_whether_to_swap(first: int, words: str) -> None:
    after = Position(SMALL_BOARD, EMPTY_BOARD.play(first).stones, Color.WHITE, SwapRule.PIECES)
    assert swap_words(after, WHOLE, "+", Names.RED_BLUE).split("  ") == [
        words,
        "Red wins, %",
        "over 50: swap",
        "+: proved",
    ]


def test_as_long_as_some_are_not_judged_it_says_how_many_are() -> None:
    begun = SwapMap(SMALL_BOARD, JUDGED[2:3], 5)
    assert "  1 of 5 judged  " in swap_words(EMPTY_BOARD, begun, "+", Names.RED_BLUE)
    after = Position(SMALL_BOARD, EMPTY_BOARD.play(B2).stones, Color.WHITE, SwapRule.PIECES)
    assert swap_words(after, begun, "+", Names.RED_BLUE).startswith(
        "b2: not judged yet  1 of 5 judged  "
    )
    assert swap_words(EMPTY_BOARD, None, "+", Names.RED_BLUE) == "swap map: searching"
    failed = SwapMap(SMALL_BOARD, note="the engine was killed")
    assert swap_words(EMPTY_BOARD, failed, "+", Names.RED_BLUE) == "swap map: the engine was killed"


def test_the_board_shows_it_at_the_first_move_and_the_swap_alone() -> None:
    session, choice = game("b1", "c3", side=3), DisplayOptions(overlay=Overlay.SWAP, swap_map=WHOLE)
    of_blue = {B2: False}  # a proved move of Blue says nothing of Red's first moves
    view = board_view(session, choice, None, of_blue)
    assert view.marks[B1].text == "62"
    assert view.verdicts[B2] is True
    session.forward()
    view = board_view(session, choice, None, of_blue)
    assert B1 not in view.marks
    assert view.verdicts[B2] is True
    assert legend(view, choice).startswith("b1 wins 62%: swap")
    session.forward()
    view = board_view(session, choice, None, {})
    assert not view.marks
    assert not view.verdicts
    assert legend(view, choice) == "swap map: first moves only"
    other = board_view(game(side=4), choice)
    assert not other.marks, "it is a map of another board"
    joined = board_view(
        game(side=3), DisplayOptions(overlay=Overlay.SWAP, connected=Connected(Color.BLACK))
    )
    assert not joined.marks


async def test_the_engine_judges_first_moves_and_the_board_shows_them() -> None:
    async with running(game("b2", side=3)) as pilot:
        main = pilot.app.main
        await press(pilot, "o", "8")
        await until(pilot, lambda: len(main.board.view.verdicts) == SMALL_BOARD.cells)
        wins = {cell for cell, wins in main.board.view.verdicts.items() if wins}
        assert wins == set(winning_moves(EMPTY_BOARD))
        await press(pilot, "n")
        await until(pilot, lambda: "b2 wins, proved: swap" in shown(pilot))


class Lane:
    """A lane that judges one first move and then another, when the test lets it."""

    def __init__(self) -> None:
        self.asked: list[JudgeOpenings] = []
        self.go_on = threading.Semaphore(0)
        self.ended = 0

    def __call__(self) -> "Lane":
        return self

    def answers(self, question, stop):
        self.asked.append(question)
        openings = question.judged
        yield Progress(1, 4, "compiling")
        for one in JUDGED[len(openings) :]:
            while not self.go_on.acquire(timeout=0.01):
                if stop():
                    self.ended += 1
                    return
            openings = (*openings, one)
            yield OpeningsJudged(openings, len(JUDGED))
        self.ended += 1

    def close(self) -> None:
        pass


async def test_it_ends_where_it_is_not_looked_at_and_goes_on_where_it_is() -> None:
    lane = Lane()
    with threads_go_on():
        async with running(game("b1", "c3", side=3), open_lane=lane) as pilot:
            main = pilot.app.main
            main.analysis_actions.take_overlay(Overlay.SWAP)
            await become(pilot, lambda: "swap map: 1 of 4 compiling" in shown(pilot))
            lane.go_on.release(3)
            await become(pilot, lambda: "3 of 5 judged" in shown(pilot))
            await press(pilot, "n", "n")
            await become(pilot, lambda: lane.ended == 1)
            await press(pilot, "p")
            await become(pilot, lambda: len(lane.asked) == 2)
            assert lane.asked[1].judged == JUDGED[:3]
            lane.go_on.release(2)
            await become(pilot, lambda: lane.ended == 2)
            await become(pilot, lambda: "b1 wins 62%: swap" in shown(pilot))
            await press(pilot, "p")
            await settle(pilot)
            assert len(lane.asked) == 2, "all are judged, so nobody is asked"
            assert "50" in {mark.text for mark in main.board.view.marks.values()}
