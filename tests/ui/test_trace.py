"""The readable solver's trace on the screen."""

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.solver.mustplay import solve
from hextui.engine.solver.mustplay_steps import StepKind, steps
from hextui.ui.screens.trace import TraceScreen
from hextui.ui.widgets.board import BoardWidget

from .helpers import game, press, running, shown, told, until


async def opened(pilot):
    await press(pilot, "W")
    screen = pilot.app.screen
    assert isinstance(screen, TraceScreen)
    await until(pilot, lambda: screen._steps)
    return screen


async def test_stepping_through_a_trace_touches_no_record():
    session = game(side=3)
    async with running(session) as pilot:
        screen = await opened(pilot)
        assert "Red tries b2" in shown(pilot)
        board = screen.query_one(BoardWidget)
        assert len(board.view.must_play) == 9
        await press(pilot, "n")
        assert board.view.position.to_move is Color.WHITE
        await press(pilot, "right_square_bracket")
        await press(pilot, "p", "home")
        assert board.view.cursor == 4
        await press(pilot, "end")
        assert "b2 wins for Red" in shown(pilot)
        assert board.view.connected.color is Color.BLACK
        await press(pilot, "escape")
        assert pilot.app.screen is pilot.app.main
        assert session.node is session.record.root


async def test_stepping_over_skips_what_is_deeper():
    session = game(side=3)
    async with running(session) as pilot:
        screen = await opened(pilot)
        await press(pilot, "enter")
        assert screen._steps[screen._at].depth == 0
        assert screen._at > 1
        await press(pilot, "left_square_bracket")
        assert screen._at == 0


async def test_large_boards_and_finished_games_are_refused():
    async with running(game(side=5)) as pilot:
        await press(pilot, "W")
        assert pilot.app.screen is pilot.app.main
        assert "16 empty cells at most, here are 25" in told(pilot)
    session = game("a1", "b1", "a2", side=2)
    session.last()
    async with running(session) as pilot:
        await press(pilot, "W")
        assert "over" in told(pilot)


async def test_a_long_run_tells_how_far_it_is_and_is_stopped_by_closing():
    async with running(game(side=4)) as pilot:
        await press(pilot, "W")
        assert isinstance(pilot.app.screen, TraceScreen)
        await until(pilot, lambda: "positions looked at so far" in shown(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        await pilot.app.workers.wait_for_complete()


def test_the_steps_tell_the_run():
    for remember in (False, True):
        start = Position.empty(Board(3, 3))
        run = solve(start, remember=remember).run
        assert run is not None
        story = list(steps(run, start))
        tries = [step for step in story if step.kind is StepKind.TRY]
        results = [step for step in story if step.kind in (StepKind.WIN, StepKind.REFUTED)]
        assert len(tries) == len(results)
        assert any(step.kind is StepKind.KNOWN for step in story) == remember
        assert (story[0].kind, story[-1].kind) == (StepKind.TRY, StepKind.WIN)
        for step in story:
            empties = set(step.position.empties)
            assert step.region <= empties
            assert step.winset <= empties
            assert step.kind is StepKind.JOIN or step.depth == 9 - len(empties)
            if step.kind is StepKind.JOIN:
                assert step.position.winner is step.owner
