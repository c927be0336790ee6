"""The must-play panel: it follows the position, against the exhaustive solver and plain search."""

import time

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.solver.mustplay import solve
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.questions import Tries
from hextui.ui.panels.must_play_panel import MustPlayPanel
from hextui.ui.screens.trace_screen import TraceScreen

from .helpers import game, press, row_text, running, shown, until


def wins(position: Position, color: Color) -> bool:
    """Return whether a colour wins, by trying all moves."""
    if position.winner is not None:
        return position.winner is color
    outcomes = (wins(position.play(cell), color) for cell in position.empties)
    return any(outcomes) if position.to_move is color else all(outcomes)


def test_the_tries_of_a_solved_position_are_true() -> None:
    position = Position.empty(Board(3, 3)).play(0).without_swap
    *_, last = OwnAnswerer().answers(Tries(position, "rows", 20.0))
    assert last.ended
    assert last.winner is Color.WHITE
    assert wins(position, Color.WHITE)
    own = [result for result in last.tries if result.depth == 0]
    answers = [result for result in last.tries if result.depth == 1]
    assert own[0].move == 1  # the first empty cell in rows
    assert {result.depth for result in last.tries} == {0, 1}
    assert all(result.ended for result in last.tries)
    for result in own:
        after = position.play(result.move)
        assert wins(after, Color.WHITE) is (result.reply is None)
        if result.reply is not None:
            assert wins(after.play(result.reply), Color.BLACK)
    assert answers
    # nothing outside the winset matters: the loser may have all other cells
    others = [cell for cell in position.empties if cell not in last.winset]
    filled = bytearray(position.stones)
    for cell in others:
        filled[cell] = Color.BLACK
    assert wins(Position(position.board, bytes(filled), Color.WHITE), Color.WHITE)
    assert last.winset == frozenset(map(position.board.cell, solve(position, order="rows").carrier))


def test_the_tries_grow_and_end_in_time() -> None:
    begun = time.monotonic()
    answers = list(OwnAnswerer().answers(Tries(Position.empty(Board(6, 6)), "centre", 0.5)))
    assert time.monotonic() - begun < 30
    assert answers[-1].ended
    assert answers[-1].winner is None
    assert answers[-1].calls > answers[0].calls
    open_tries = [result for result in answers[-1].tries if not result.ended]
    assert [result.depth for result in open_tries] == [0, 1]


async def test_the_panel_follows_the_position_and_its_order() -> None:
    session = game("b2", side=3)
    async with running(session, (140, 45)) as pilot:
        await press(pilot, "W")
        panel = pilot.app.main.query_one(MustPlayPanel)
        assert pilot.app.main.panels.focused == panel.id
        await until(pilot, lambda: "Red wins; " in shown(pilot))
        assert "order: centre" in shown(pilot)
        assert "Red b2 wins: needs" in shown(pilot)
        await press(pilot, "end")
        assert "Red's winset" in row_text(panel.list.line)
        assert pilot.app.main.board.view.connected.color is Color.BLACK
        await press(pilot, "escape", "n", "W")
        await until(pilot, lambda: "Blue a" in shown(pilot) or "Blue b" in shown(pilot))
        await until(pilot, lambda: "Red wins; " in shown(pilot))
        await press(pilot, "enter")
        screen = pilot.app.screen
        assert isinstance(screen, TraceScreen)
        await press(pilot, "o", "ctrl+u", *"rows", "enter", "escape")
        assert pilot.app.screen is pilot.app.main
        await until(pilot, lambda: "order: rows" in shown(pilot))
        await until(pilot, lambda: "Blue a1 loses" in shown(pilot))
        assert session.node.ply == 1


async def test_on_a_large_board_it_says_where_moves_are_tried() -> None:
    async with running(game("b2", side=8), (100, 30)) as pilot:
        await press(pilot, "W")
        panel = pilot.app.main.query_one(MustPlayPanel)
        await until(pilot, lambda: "tried on boards of up to 49 cells" in str(panel.note.content))
