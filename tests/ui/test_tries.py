"""Tries against a proof on the main screen: taking back, returning, and games to hold the win."""

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.position import Move
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.ui.app.layout import Activity
from hextui.ui.panels.explain_panel import ExplainPanel
from hextui.ui.screens.defend_screen import DefendScreen

from .helpers import analysing, click_cell, game, press, shown, told, until

SIZES = [(80, 24), (100, 30), (140, 45)]


def panel_of(pilot):
    return pilot.app.main.query_one(ExplainPanel)


def keys_line(pilot):
    return shown(pilot).splitlines()[-1]


async def explain(pilot, *before):
    """Have the win explained after some keys, with the focus on the board."""
    await press(pilot, "end", *before, "w")
    await until(pilot, lambda: panel_of(pilot)._tried is not None)
    await press(pilot, "escape")
    assert " TRY " in shown(pilot)


async def try_move(pilot, session, cell=None):
    """Try a cell of the carrier, by default the first, and wait for the answer."""
    tried = panel_of(pilot)._tried
    count = tried.count
    session.cursor = min(tried.lines[-1].carrier) if cell is None else cell
    await press(pilot, "enter")
    await until(pilot, lambda: panel_of(pilot)._tried.count == count + 1)


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_tries_are_listed_and_taken_back_with_u(size):
    session = game("a1", "b5", side=6)
    async with analysing(session, size) as (pilot, _):
        await explain(pilot)
        tried, board = panel_of(pilot)._tried, pilot.app.main.board
        assert "Take back" not in keys_line(pilot)
        await press(pilot, "u")
        assert "No try to take back" in told(pilot)
        seen = [(tried.lines, board.view.line)]
        for _ in range(2):
            await try_move(pilot, session)
            await until(pilot, lambda: board.view.line == tried.lines[-1].moves)
            assert "Take back" in keys_line(pilot)
            assert f"Tried: {tried.moves}" in shown(pilot)
            assert tried.prompt in shown(pilot)
            seen.append((tried.lines, board.view.line))
        while len(seen) > 1:
            assert (tried.lines, board.view.line) == seen.pop()
            await press(pilot, "u")
            await until(pilot, lambda: board.view.line == seen[-1][1])
        assert "Tried:" not in shown(pilot)
        assert session.node.ply == 2
        assert not session.record.modified


async def test_a_click_tries_a_move():
    session = game("a1", "b5", side=6)
    async with analysing(session, (100, 30)) as (pilot, _):
        await explain(pilot)
        cell = min(panel_of(pilot)._tried.lines[-1].carrier)
        await click_cell(pilot, session.board.name(cell))
        await until(pilot, lambda: panel_of(pilot)._tried.count == 1)
        assert panel_of(pilot)._tried.lines[-1].cells == (cell,)


@pytest.mark.parametrize("activity", ["1", "3", "4"])
async def test_escape_returns_to_where_the_explanation_was_asked_for(activity):
    session = game("a1", "b5", "c3", "d4", side=6)
    async with analysing(session, (140, 45)) as (pilot, _):
        main = pilot.app.main
        await explain(pilot, activity, "p")
        asked = session.node
        assert main.panel_actions.wish.activity is Activity.EXPLAIN
        await try_move(pilot, session)
        await press(pilot, "escape")
        assert main.panel_actions.wish.activity is list(Activity)[int(activity) - 1]
        assert session.node is asked
        assert main.board.view.line == ()
        assert main.board.has_focus
        assert " TRY " not in shown(pilot)


async def test_escape_returns_to_the_panel_and_the_ply_after_a_walk():
    session = game("a1", "b5", "c3", "d4", side=6)
    async with analysing(session, (140, 45)) as (pilot, _):
        main = pilot.app.main
        await press(pilot, "1", "end")
        main.panel_actions.go_to("record")
        asked = session.node
        await press(pilot, "w")
        await until(pilot, lambda: panel_of(pilot)._tried is not None)
        await press(pilot, "shift+tab", "p", "w")
        await until(pilot, lambda: panel_of(pilot)._tried is not None)
        assert session.node is not asked
        await press(pilot, "escape", "escape")
        assert session.node is asked
        assert main.panels.focused == "record"


async def test_another_activity_forgets_where_the_explanation_was_asked_for():
    session = game("a1", "b5", side=6)
    async with analysing(session, (140, 45)) as (pilot, _):
        await explain(pilot, "1")
        await press(pilot, "4", "2")
        await until(pilot, lambda: " TRY " in shown(pilot))
        await press(pilot, "escape", "escape")
        assert pilot.app.main.panel_actions.wish.activity is Activity.EXPLAIN


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_a_win_is_held_in_a_game_from_the_last_try(size):
    session = game("a1", "b5")
    board = Board(5, 5)
    async with analysing(session, size) as (pilot, _):
        await explain(pilot)
        await try_move(pilot, session)
        tried = panel_of(pilot)._tried
        assert "Defend this" in keys_line(pilot)
        await press(pilot, "9")
        await until(pilot, lambda: isinstance(pilot.app.screen, DefendScreen))
        screen = pilot.app.screen
        assert "Hold the win of Red" in shown(pilot)
        assert screen.subject.record is not session.record
        await until(pilot, lambda: screen._users_turn)
        played = [node.turn.move.cell for node in screen.subject.node.line() if node.turn]
        assert tuple(played[2:-1]) == tried.lines[-1].moves
        solver = Solver(board, SolverSettings(table_bytes=1 << 22))
        while not screen._over:
            *_, found = solver.solve(screen._position)
            assert found.winner is Color.BLACK
            cell = next(iter(found.wins))
            screen._make(Move.play(cell))
            await until(pilot, lambda: screen._over or screen._users_turn)
        assert "You held the win" in shown(pilot)
        await press(pilot, "escape")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        assert pilot.app.records.sessions == [session]
        assert panel_of(pilot)._tried is tried
        await until(pilot, lambda: pilot.app.main.board.view.line == tried.lines[-1].moves)
        assert " TRY " in shown(pilot)


async def test_a_game_to_hold_the_win_can_be_kept_and_left():
    session = game("a1", "b5")
    async with analysing(session, (100, 30)) as (pilot, _):
        await explain(pilot)
        await press(pilot, "9")
        await until(pilot, lambda: isinstance(pilot.app.screen, DefendScreen))
        assert pilot.app.screen.subject.node.ply == 2, "the winning move is the user's to find"
        await press(pilot, "escape")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        await press(pilot, "9")
        await until(pilot, lambda: isinstance(pilot.app.screen, DefendScreen))
        await press(pilot, "v")
        await until(pilot, lambda: len(pilot.app.records.sessions) == 2)
        assert pilot.app.main.panel_actions.wish.activity is Activity.REVIEW
        assert pilot.app.records.session.name == f"defending {session.name}"


async def test_without_a_proof_there_is_nothing_to_defend():
    session = game("a1", "b5")
    async with analysing(session, (100, 30)) as (pilot, _):
        await press(pilot, "9")
        assert "No win is explained here to defend: w searches for a proof" in told(pilot)
