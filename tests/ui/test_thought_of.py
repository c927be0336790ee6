"""Regions and marked moves: what they mean, on the board, in the captions, by keys and mouse."""

import pytest
from textual import events

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engine.search.move_scope import ALL_MOVES
from hextui.ui.drawing.board_view import Mode
from hextui.ui.drawing.overlays import DisplayOptions, board_view, legend
from hextui.ui.panels.verdict_card import VerdictCard
from hextui.ui.thought_of import Thought, ThoughtOf, moves_in, scope_words
from hextui.ui.widgets.frame import StatusLine

from .helpers import analysing, click_cell, game, press, ranking, settle, shown, tell, until
from .test_lines_panel import two

BOARD = Board(5, 5)
START = Position.empty(BOARD)
NEXT = START.play("c3")


def cells(names: str) -> set[int]:
    return set(map(BOARD.cell, names.split()))


def marked(brush: Thought, names: str, position: Position = START) -> ThoughtOf:
    thought = ThoughtOf()
    mark(thought, brush, names, position)
    return thought


def mark(thought: ThoughtOf, brush: Thought, names: str, position: Position = START) -> None:
    thought.brush = brush
    for cell in cells(names):
        thought.turn(position, cell)


def test_without_marks_all_moves_are_thought_of():
    thought = ThoughtOf()
    assert thought.scope(START) == ALL_MOVES
    assert scope_words(ALL_MOVES, START) == ""
    assert not thought.clear()


def test_a_region_is_kept_at_every_position():
    thought = marked(Thought.REGION, "c3 d4")
    assert thought.scope(START).region == thought.scope(NEXT).region == cells("c3 d4")
    assert moves_in(thought.scope(START), START) == 2
    assert scope_words(thought.scope(NEXT), NEXT) == "only 1 cell: region"
    mark(thought, Thought.REGION, "c3")  # taken out again
    assert thought.region == cells("d4")


def test_marked_moves_are_of_their_position_and_there_again_when_one_comes_back():
    thought = marked(Thought.ALLOW, "a1 b2")
    mark(thought, Thought.AVOID, "a5", NEXT)
    assert thought.scope(START).first == cells("a1 b2")
    assert moves_in(thought.scope(NEXT), NEXT) == 23
    assert scope_words(thought.scope(NEXT), NEXT) == "only 23 cells: marks"
    mark(thought, Thought.AVOID, "b2")  # it was allowed
    assert thought.scope(START).first == cells("a1")
    assert thought.clear()
    assert thought.scope(START) == thought.scope(NEXT) == ALL_MOVES


def test_region_and_marked_moves_together():
    thought = marked(Thought.REGION, "a1 b2 c3")
    mark(thought, Thought.AVOID, "b2")
    scope = thought.scope(START)
    assert {c for c in START.empties if scope.allows(c, first=True)} == cells("a1 c3")
    assert scope_words(scope, START) == "only 2 cells: region, marks"


@pytest.mark.parametrize("brush", Thought)
def test_a_box_does_what_was_done_with_its_first_corner(brush: Thought):
    thought = ThoughtOf()
    thought.brush = brush
    assert not thought.box(START, 0)
    thought.turn(START, BOARD.cell("d4"))
    assert thought.box(START, BOARD.cell("b3"))
    found = thought.region or set(thought.first(START))
    assert found == cells("b3 c3 d3 b4 c4 d4")
    thought.turn(START, BOARD.cell("b3"))
    thought.box(START, BOARD.cell("d3"))
    assert (thought.region or set(thought.first(START))) == cells("b4 c4 d4")


def test_where_no_move_would_be_left_all_are_thought_of_and_the_legend_says_so():
    session = game("c3")
    session.forward()
    mark(session.thought_of, Thought.REGION, "c3", NEXT)
    assert session.thought_of.scope(session.position) == ALL_MOVES
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
        await tell(pilot, analyst, lines=two(session), **both)
        assert main.workspace.snapshot is not None
        assert "Moves  only 4 cells: region" in shown(pilot)
        main.workspace.bring("lines")
        await until(pilot, lambda: "Lines  only 4 cells: region" in shown(pilot))
        main.workspace.bring("solver")
        await until(pilot, lambda: "Solver  proofs are of all moves" in shown(pilot))
        await press(pilot, "n")
        assert analyst.scope.region == cells("a1 b1 a2 b2")
        await press(pilot, "asterisk")
        assert analyst.scope == ALL_MOVES
        await press(pilot, "J")
        assert session.mode is Mode.PLAY


async def test_both_boards_and_the_card_say_which_moves_were_thought_of():
    session = game()
    async with analysing(session, (140, 45)) as (pilot, analyst):
        main = pilot.app.main
        session.thought_of.region = frozenset(cells("a1 b2"))
        await press(pilot, "3")
        main.workspace.show()
        found = ranking("resistance", session.position, ["b2"]).among(
            analyst.scope.region.__contains__
        )
        await tell(pilot, analyst, rankings={"resistance": found})
        assert main.board.caption == "resistance, only 2 cells: region"
        assert main.second_board.caption.endswith("only 2 cells: region")
        assert main.query_one(VerdictCard).situation.among == 2
        await press(pilot, "asterisk")
        await tell(pilot, analyst, rankings={"resistance": found})
        assert main.board.caption == "resistance"


async def test_an_answer_of_another_scope_is_never_shown():
    session = game()
    async with analysing(session) as (pilot, analyst):
        desk = pilot.app.main.workspace
        await press(pilot, "J", "t")
        late = analyst.answer(lines=two(session), scope=ALL_MOVES)
        await settle(pilot)
        assert desk.live.take(late)  # it answers the newest question, of other moves
        assert desk.snapshot is None


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
        assert session.thought_of.region == cells("b2 d4 e4 d5 e5")


async def drag(pilot, board, start: str, end: str):
    """Press the mouse on a cell and let it go on another."""
    left, top = board._origin
    for name, kind in ((start, events.MouseDown), (end, events.MouseUp)):
        x, y = board.geometry.centre(BOARD.cell(name))
        await pilot._post_mouse_events([kind], board, offset=(left + x, top + y), button=1)
    await settle(pilot)
