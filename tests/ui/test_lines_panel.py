"""The lines panel: values, stepping on the board, into the record, another evaluator."""

import math

from hextui.engine.board import Color
from hextui.engine.search.lines import Line, Lines, LineSettings
from hextui.ui.panels.lines_panel import LinesPanel

from .helpers import ScriptedAnalyst, analysing, game, press, running, shown, tell

SIZE = (100, 40)


def lines_of(session, *lines, **more):
    """Lines of named moves: (value, moves, winner)."""
    position = session.position
    found = tuple(
        Line(tuple(position.board.cell(m) for m in moves.split()), value, 5, winner)
        for value, moves, winner in lines
    )
    known = {"depth": 5, "searched": 8, "moves": 8, "nodes": 207, "full_nodes": 633, **more}
    return Lines(position, "blocking", known.pop("settings", LineSettings()), found, **known)


def two(session, **more):
    return lines_of(session, (0.75, "c3 b2 d4", None), (-math.inf, "a1 e5", Color.WHITE), **more)


def on_board(pilot):
    board = pilot.app.main.board.view
    return [board.position.board.name(cell) for cell in board.line]


async def open_panel(pilot):
    main = pilot.app.main
    main.workspace.bring("lines")
    await pilot.pause()
    main.panels.focus_on("lines")
    await pilot.pause()
    return main.query_one(LinesPanel)


async def test_lines_are_listed_with_their_values():
    session = game()
    async with analysing(session, SIZE) as (pilot, analyst):
        await open_panel(pilot)
        await tell(pilot, analyst, final=False, lines=two(session, searched=3))
        text = shown(pilot)
        assert "blocking, depth 5 (3 of 8)" in text
        assert "207 of 633 positions" in text
        assert "log10 odds  line" in text
        assert "0.477  c3  b2  d4" in text
        assert "Blue wins  a1  e5" in text
        await tell(pilot, analyst, lines=two(session, final=True))
        assert "depth 5 (" not in shown(pilot)


async def test_stepping_paints_the_board_and_leaves_the_record_alone():
    session = game()
    async with analysing(session, SIZE) as (pilot, analyst):
        await tell(pilot, analyst, lines=two(session, final=True))
        await open_panel(pilot)
        assert on_board(pilot) == []
        await press(pilot, "down")
        assert on_board(pilot) == ["a1", "e5"]
        await press(pilot, "up")
        assert on_board(pilot) == ["c3", "b2", "d4"]
        await press(pilot, "left")
        assert on_board(pilot) == ["c3", "b2"]
        await press(pilot, "left", "left", "left")
        assert on_board(pilot) == []
        await press(pilot, "right")
        assert on_board(pilot) == ["c3"]
        await press(pilot, "right", "right", "right")
        assert on_board(pilot) == ["c3"]  # on from the whole line it begins anew
        assert not session.record.root.children
        assert not session.record.modified
        await press(pilot, "escape")
        assert on_board(pilot) == []


async def test_enter_adds_the_line_as_a_variation_and_one_undo_takes_it_back():
    session = game("e5")
    async with analysing(session, SIZE) as (pilot, analyst):
        await tell(pilot, analyst, lines=two(session, final=True))
        await open_panel(pilot)
        await press(pilot, "enter")
        names = [node.turn.name(session.board) for node in session.node.line() if node.turn]
        assert names == ["c3", "b2", "d4"]
        assert len(session.record.root.children) == 2
        assert session.node.line()[1].index == 1
        await press(pilot, "u")
        assert len(session.record.root.children) == 1
        assert session.node is session.record.root
        assert not session.record.modified


async def test_enter_adds_what_was_stepped_to():
    session = game()
    async with analysing(session, SIZE) as (pilot, analyst):
        await tell(pilot, analyst, lines=two(session, final=True))
        await open_panel(pilot)
        await press(pilot, "left", "enter")
        assert session.node.ply == 2


async def test_better_lines_replace_what_is_looked_at():
    session = game()
    async with analysing(session, SIZE) as (pilot, analyst):
        await tell(pilot, analyst, final=False, lines=two(session))
        await open_panel(pilot)
        await press(pilot, "down", "up", "left")
        assert on_board(pilot) == ["c3", "b2"]
        other = lines_of(session, (0.9, "d4 a1", None), (0.8, "c3 d2 b1", None))
        await tell(pilot, analyst, lines=other)
        assert pilot.app.main.query_one(LinesPanel).list.pointed == session.board.cell("c3")
        assert on_board(pilot) == ["c3", "d2"]


async def test_another_position_begins_anew():
    session = game("c3", "d2")
    async with analysing(session, SIZE) as (pilot, analyst):
        await tell(pilot, analyst, lines=two(session, final=True))
        await open_panel(pilot)
        await press(pilot, "down")
        assert on_board(pilot)
        await press(pilot, "n")
        assert on_board(pilot) == []
        await tell(pilot, analyst, final=False, lines_by="resistance")
        assert "resistance: no lines yet" in shown(pilot)


async def test_a_finished_game_has_no_lines():
    session = game()
    async with analysing(session, SIZE) as (pilot, analyst):
        await open_panel(pilot)
        await tell(pilot, analyst, lines=lines_of(session, final=True))
        assert "The game is over" in shown(pilot)
        await press(pilot, "down", "left", "enter")
        assert session.node is session.record.root


async def test_the_evaluator_is_chosen_and_kept(tmp_path):
    made = []

    def make(emit):
        made.append(ScriptedAnalyst(emit))
        return made[-1]

    async with running(game(), SIZE, state=tmp_path, make_analyst=make) as pilot:
        await press(pilot, "V")
        assert "Evaluator of lines" in shown(pilot)
        await press(pilot, "home", "enter")
        assert made[0].lines_by == "k-paths:2"
        assert len(made[0].asked) == 2
        await press(pilot, "q")
    async with running(game(), SIZE, state=tmp_path, make_analyst=make) as pilot:
        assert made[1].lines_by == "k-paths:2"


async def test_the_search_of_the_source_is_a_choice():
    session = game()
    async with analysing(session, SIZE) as (pilot, analyst):
        await press(pilot, "V", "end")
        assert "nothing proved" in shown(pilot)
        await press(pilot, "enter")
        assert analyst.lines_by == "blocking/literal"
        lines = lines_of(session, (0.75, "c3", None), settings=LineSettings(literal=True))
        await tell(pilot, analyst, lines=lines)
        await open_panel(pilot)
        assert "blocking, literal, depth 5" in shown(pilot)
