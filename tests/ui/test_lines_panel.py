"""The lines panel: values, stepping on the board, into the record, another evaluator."""

import math
from contextlib import asynccontextmanager

from hextui.engine.board import Color
from hextui.engine.search.lines import Line, Lines, LineSettings
from hextui.ui.panels.lines_panel import LinesPanel

from .helpers import analysing, game, press, shown, tell

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


@asynccontextmanager
async def listing(session, **known):
    """Run the app with the panel in focus and something known; yields pilot and analyst."""
    async with analysing(session, SIZE) as (pilot, analyst):
        await tell(pilot, analyst, **known)
        await press(pilot, "f8")
        yield pilot, analyst


async def test_lines_are_listed_with_their_values():
    session = game()
    async with listing(session, final=False, lines=two(session, searched=3)) as (pilot, analyst):
        for words in (
            "blocking, depth 5 (3 of 8)",
            "207 of 633 positions",
            "log10 odds  line",
            "0.477  c3  b2  d4",
            "Blue wins  a1  e5",
        ):
            assert words in shown(pilot)
        await tell(pilot, analyst, lines=two(session, final=True))
        assert "depth 5 (" not in shown(pilot)
        await tell(pilot, analyst, lines=lines_of(session, final=True))
        assert "The game is over" in shown(pilot)
        await press(pilot, "down", "left", "enter")
        assert session.node is session.record.root


async def test_stepping_paints_the_board_and_leaves_the_record_alone():
    session = game()
    async with listing(session, lines=two(session, final=True)) as (pilot, _):
        assert on_board(pilot) == []
        for keys, painted in (
            ("down", ["a1", "e5"]),
            ("up", ["c3", "b2", "d4"]),
            ("left", ["c3", "b2"]),
            ("left left left", []),
            ("right", ["c3"]),
            ("right right right", ["c3"]),  # on from the whole line it begins anew
            ("escape", []),
        ):
            await press(pilot, *keys.split())
            assert on_board(pilot) == painted
        assert not session.record.root.children
        assert not session.record.modified


async def test_enter_adds_what_was_stepped_to_as_a_variation_and_one_undo_takes_it_back():
    session = game("e5")
    async with listing(session, lines=two(session, final=True)) as (pilot, _):
        await press(pilot, "enter")
        names = [node.turn.name(session.board) for node in session.node.line() if node.turn]
        assert names == ["c3", "b2", "d4"]
        assert session.node.line()[1].index == 1
        await press(pilot, "u")
        assert len(session.record.root.children) == 1
        assert session.node is session.record.root
        assert not session.record.modified
        await press(pilot, "f8", "left", "enter")
        assert session.node.ply == 2


async def test_better_lines_replace_what_is_looked_at_and_another_position_begins_anew():
    session = game("e5", "d2")
    async with listing(session, final=False, lines=two(session)) as (pilot, analyst):
        await press(pilot, "down", "up", "left")
        assert on_board(pilot) == ["c3", "b2"]
        other = lines_of(session, (0.9, "d4 a1", None), (0.8, "c3 d2 b1", None))
        await tell(pilot, analyst, lines=other)
        assert pilot.app.main.query_one(LinesPanel).list.pointed == session.board.cell("c3")
        assert on_board(pilot) == ["c3", "d2"]
        await press(pilot, "n")
        assert on_board(pilot) == []
        await tell(pilot, analyst, final=False, lines_by="resistance")
        assert "resistance: no lines yet" in shown(pilot)


async def test_the_evaluator_is_chosen_and_kept(tmp_path):
    async with analysing(game(), SIZE, state=tmp_path) as (pilot, analyst):
        await press(pilot, "V")
        assert "Evaluator of lines" in shown(pilot)
        await press(pilot, "end")
        assert "nothing proved" in shown(pilot)
        await press(pilot, "enter")
        assert analyst.lines_by == "blocking/literal"
        assert len(analyst.asked) == 2
        session = pilot.app.records.session
        lines = lines_of(session, (0.75, "c3", None), settings=LineSettings(literal=True))
        await tell(pilot, analyst, lines=lines)
        await press(pilot, "f8")
        assert "blocking, literal, depth 5" in shown(pilot)
        await press(pilot, "q")
    async with analysing(game(), SIZE, state=tmp_path) as (pilot, analyst):
        assert analyst.lines_by == "blocking/literal"
