"""Regions and marked moves: what they mean, on the board, in the captions, by keys and mouse."""

import pytest

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engine.search.move_scope import ALL_MOVES
from hextui.records.board_view import Mode
from hextui.ui.drawing.overlays import DisplayOptions, board_view, legend
from hextui.ui.panels.panel import Change
from hextui.ui.record.session import SearchMark, SearchMarks, moves_in, scope_words
from hextui.ui.widgets.frame import StatusLine, VerdictLines

from .helpers import analysing, click_cell, game, press, ranking, settle, shown, tell, until
from .test_proof_panels import two

BOARD = Board(5, 5)
START = Position.empty(BOARD)
NEXT = START.play("c3")


def cells(names: str) -> set[int]:
    return set(map(BOARD.cell, names.split()))


def marked(brush: SearchMark, names: str, position: Position = START) -> SearchMarks:
    marks = SearchMarks()
    mark(marks, brush, names, position)
    return marks


def mark(marks: SearchMarks, brush: SearchMark, names: str, position: Position = START) -> None:
    marks.brush = brush
    for cell in cells(names):
        marks.turn(position, cell)


def test_without_marks_all_moves_are_considered():
    marks = SearchMarks()
    assert marks.scope(START) == ALL_MOVES
    assert scope_words(ALL_MOVES, START) == ""
    assert not marks.clear()


def test_a_region_is_kept_at_every_position():
    marks = marked(SearchMark.REGION, "c3 d4")
    assert marks.scope(START).region == marks.scope(NEXT).region == cells("c3 d4")
    assert moves_in(marks.scope(START), START) == 2
    assert scope_words(marks.scope(NEXT), NEXT) == "only 1 cell: region"
    mark(marks, SearchMark.REGION, "c3")  # taken out again
    assert marks.region == cells("d4")


def test_marked_moves_are_of_their_position_and_there_again_when_one_comes_back():
    marks = marked(SearchMark.ALLOW, "a1 b2")
    mark(marks, SearchMark.AVOID, "a5", NEXT)
    assert marks.scope(START).first == cells("a1 b2")
    assert moves_in(marks.scope(NEXT), NEXT) == 23
    assert scope_words(marks.scope(NEXT), NEXT) == "only 23 cells: marks"
    mark(marks, SearchMark.AVOID, "b2")  # it was allowed
    assert marks.scope(START).first == cells("a1")
    assert marks.clear()
    assert marks.scope(START) == marks.scope(NEXT) == ALL_MOVES


def test_region_and_marked_moves_together():
    marks = marked(SearchMark.REGION, "a1 b2 c3")
    mark(marks, SearchMark.AVOID, "b2")
    scope = marks.scope(START)
    assert {c for c in START.empties if scope.allows(c, first=True)} == cells("a1 c3")
    assert scope_words(scope, START) == "only 2 cells: region, marks"


@pytest.mark.parametrize("brush", SearchMark)
def test_a_box_does_what_was_done_with_its_first_corner(brush: SearchMark):
    marks = SearchMarks()
    marks.brush = brush
    assert not marks.box(START, 0)
    marks.turn(START, BOARD.cell("d4"))
    assert marks.box(START, BOARD.cell("b3"))
    found = marks.region or set(marks.first(START))
    assert found == cells("b3 c3 d3 b4 c4 d4")
    marks.turn(START, BOARD.cell("b3"))
    marks.box(START, BOARD.cell("d3"))
    assert (marks.region or set(marks.first(START))) == cells("b4 c4 d4")


def test_where_no_move_would_be_left_all_are_considered_and_the_legend_says_so():
    session = game("c3")
    session.forward()
    mark(session.search_marks, SearchMark.REGION, "c3", NEXT)
    assert session.search_marks.scope(session.position) == ALL_MOVES
    view = board_view(session, DisplayOptions())
    assert "no marked cell is empty: all moves" in legend(view, DisplayOptions())
    assert not view.outside
    session.back()
    view = board_view(session, DisplayOptions())
    assert len(view.outside) == 24
    assert "// outside region" in legend(view, DisplayOptions())


async def test_a_region_marked_by_keys_is_what_is_asked_and_what_captions_say():
    session = game("c3", "d2")
    async with analysing(session) as (pilot, analyst):
        main = pilot.app.main
        both = {"rankings": {"resistance": ranking("resistance", session.position, ["b2"])}}
        await tell(pilot, analyst, lines=two(session), **both)
        asked = len(analyst.asked)
        session.cursor = BOARD.cell("a1")
        await press(pilot, "J", "enter", "down", "right", "b")
        assert session.mode is Mode.REGION
        assert " REGION  marks the region" in main.query_one(StatusLine).render().plain
        assert analyst.scope.region == cells("a1 b1 a2 b2")
        assert len(analyst.asked) == asked + 2  # once for each change
        assert main.workspace.snapshot is None  # what was known is of all moves
        assert main.workspace.live.stale(session.position)
        late = analyst.answer(lines=two(session), scope=ALL_MOVES)
        await settle(pilot)
        assert main.workspace.live.take(late)  # it answers the newest question, of other moves
        assert main.workspace.snapshot is None
        await tell(pilot, analyst, lines=two(session), **both)
        assert main.workspace.snapshot is not None
        assert "Moves  only 4 cells: region" in shown(pilot)
        main.workspace.bring("lines")
        await until(pilot, lambda: "Lines  only 4 cells: region" in shown(pilot))
        main.workspace.bring("solver")
        await until(pilot, lambda: "Solver  proofs cover all moves" in shown(pilot))
        await press(pilot, "n")
        assert analyst.scope.region == cells("a1 b1 a2 b2")
        await press(pilot, "asterisk")
        assert analyst.scope == ALL_MOVES
        await press(pilot, "J")
        assert session.mode is Mode.PLAY


async def test_both_boards_and_the_lines_say_which_moves_are_considered():
    session = game()
    async with analysing(session, (140, 45)) as (pilot, analyst):
        main = pilot.app.main
        session.search_marks.region = frozenset(cells("a1 b2"))
        await press(pilot, "3")
        main.workspace.changed(Change.SESSION)
        found = ranking("resistance", session.position, ["b2"]).among(
            analyst.scope.region.__contains__
        )
        await tell(pilot, analyst, rankings={"resistance": found})
        assert main.board.captions[0] == "resistance, only 2 cells: region"
        assert main.board.captions[1].endswith("only 2 cells: region")
        assert main.query_one(VerdictLines).situation.among == 2
        await press(pilot, "asterisk")
        await tell(pilot, analyst, rankings={"resistance": found})
        assert main.board.captions[0] == "resistance"


async def test_moves_are_marked_and_rectangles_drawn_with_the_mouse():
    session = game()
    async with analysing(session) as (pilot, analyst):
        await press(pilot, "J")
        await click_cell(pilot, "b2")
        assert analyst.scope.region == cells("b2")
        assert session.node.ply == 0
        board = pilot.app.main.board
        await click_cell(pilot, "c3", button=3)  # only points
        assert analyst.scope.region == cells("b2")
        await drag(pilot, board, "d4", "e5")
        assert analyst.scope.region == cells("b2 d4 e4 d5 e5")
        await press(pilot, "J")
        await drag(pilot, board, "a1", "a2")
        assert session.node.turn.move.cell == BOARD.cell("a1")  # the click, and nothing else
        assert session.search_marks.region == cells("b2 d4 e4 d5 e5")


async def drag(pilot, board, start: str, end: str):
    """Press the mouse on a cell and let it go on another."""
    left, top = board._origin
    for name, act in ((start, pilot.mouse_down), (end, pilot.mouse_up)):
        x, y = board.geometry.centre(BOARD.cell(name))
        await act(board, offset=(left + x, top + y))
    await settle(pilot)
