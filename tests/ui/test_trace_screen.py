"""The readable solver's trace on the screen."""

import re

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.solver.mustplay import StepKind, solve, steps
from hextui.ui.screens.trace_screen import TraceScreen
from hextui.ui.widgets.board_widget import BoardWidget

from .helpers import game, press, running, shown, told, until
from .resting import threads_go_on


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


async def test_stepping_over_and_the_sets_of_a_refuted_move_and_of_a_lost_position():
    async with running(game(side=3)) as pilot:
        screen = await opened(pilot)

        async def step_to(at):
            screen.action_to(at)
            await pilot.pause()
            return screen._steps[at], shown(pilot)

        await press(pilot, "enter")
        assert screen._steps[screen._at].depth == 0
        assert screen._at > 1
        await press(pilot, "left_square_bracket")
        assert screen._at == 0
        kinds = [step.kind for step in screen._steps]
        step, text = await step_to(kinds.index(StepKind.REFUTED))
        for label, cells in (("region", step.region), ("winset", step.winset), ("both", step.left)):
            names = " ".join(step.position.board.name(cell) for cell in sorted(cells))
            assert f"{label:<8}{names or 'none'}" in text
        lost = next(at for at, step in enumerate(screen._steps) if len(step.threats) > 1)
        step, text = await step_to(lost)
        assert step.winset == frozenset().union(*(winset for _, winset in step.threats))
        assert len(re.findall(r"beat [abc][123] ", text)) == len(step.threats)
        await press(pilot, "o", "ctrl+u", *"d9", "enter")
        assert "no cell 'd9'" in shown(pilot)
        await press(pilot, "ctrl+u", *"c3 a1", "enter")
        await until(pilot, lambda: "order: c3 a1" in shown(pilot))
        assert "Red tries c3" in shown(pilot)
        assert screen._steps[0].move == 8


async def test_what_is_connected_is_shown_for_both_colours():
    async with running(game("b2", side=3)) as pilot:
        await press(pilot, "n")
        await opened(pilot)
        await press(pilot, "c")
        assert "Connected for Red" in shown(pilot)
        assert "b1      a1 c1 a2 b2 c2 a3 b3" in shown(pilot)
        await press(pilot, "c")
        assert "Connected for Blue" in shown(pilot)
        assert "b1      a1 c1 a2 " in shown(pilot)
        await press(pilot, "c")
        assert "Connected for" not in shown(pilot)


async def test_large_boards_and_finished_games_are_refused():
    async with running(game(side=5)) as pilot:
        await press(pilot, "W")
        assert pilot.app.screen is pilot.app.main
        assert "16 empty cells at most, here are 25" in told(pilot)
        pilot.app.records.open(game("a1", "b1", "a2", side=2))
        await press(pilot, "end", "W")
        assert "over" in told(pilot)


async def test_a_long_run_tells_how_far_it_is_and_is_stopped_by_closing():
    async with running(game(side=4)) as pilot:
        with threads_go_on():
            await press(pilot, "W")
            assert isinstance(pilot.app.screen, TraceScreen)
            await until(pilot, lambda: "positions visited so far" in shown(pilot))
            await press(pilot, "escape")
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
