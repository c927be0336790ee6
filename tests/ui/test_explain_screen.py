"""Why a move has its value, on the screen."""

import threading
from contextlib import asynccontextmanager
from textwrap import wrap

import pytest

from hextui.engine.board import Board
from hextui.engine.evaluators import evaluator, names
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.position import Position
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.snapshot import Progress
from hextui.ui.screens.analysis_dialogs import about
from hextui.ui.screens.explain_screen import WIDTH, ExplainScreen, steps_of
from hextui.ui.widgets.board_widget import BoardWidget
from hextui.words.names import Names

from .helpers import (
    ScriptedAnalyst,
    analysing,
    game,
    press,
    ranking,
    running,
    shown,
    tell,
    told,
    until,
)
from .resting import threads_go_on


async def opened(pilot):
    await press(pilot, "H")
    screen = pilot.app.screen
    assert isinstance(screen, ExplainScreen)
    await until(pilot, lambda: screen._steps)
    return screen


@asynccontextmanager
async def analysed_by(session, *evaluators):
    """Run the app with an analyst of these evaluators, who never answers; yields the pilot."""
    async with analysing(session, (80, 24)) as (pilot, analyst):
        analyst.choose_evaluators(evaluators)
        yield pilot


def at(session, name: str):
    session.last()
    session.cursor = session.board.cell(name)
    return session


async def test_stepping_through_an_explanation_touches_no_record():
    session = at(game("b2", "d4"), "c3")
    async with running(session, make_analyst=ScriptedAnalyst) as pilot:
        screen = await opened(pilot)
        assert "Why c3 by k-paths:1" in shown(pilot)
        assert "Red maximises it, Blue minimises it." in shown(pilot)
        board = screen.query_one(BoardWidget)
        assert board.view.last_move == session.board.cell("c3")
        await press(pilot, "n")
        assert "n_0" in shown(pilot)
        await press(pilot, "n")
        assert "Honjo" in shown(pilot)
        await press(pilot, "right_square_bracket")
        assert "S_0 of Red" in shown(pilot)
        assert "++ used by its links" in shown(pilot)
        assert board.view.marks
        await press(pilot, *3 * ["left_square_bracket"], "p")
        assert screen._at == 0
        await press(pilot, "end", "right_square_bracket")
        assert screen._at == len(screen._steps) - 1
        await press(pilot, "escape")
        assert pilot.app.screen is pilot.app.main
        assert len(session.record.main_line()) == 3


async def test_only_a_move_is_explained():
    async with running(at(game("b2", side=3), "b2")) as pilot:
        await press(pilot, "H")
        assert "b2 is taken" in told(pilot)
    async with running(at(game("a1", "b1", "a2", side=2), "b2")) as pilot:
        await press(pilot, "H")
        assert "over" in told(pilot)


async def test_the_evaluator_in_focus_is_asked():
    session = at(game("b2"), "c3")
    async with analysed_by(session, "resistance", "blocking", "nobody") as pilot:
        await opened(pilot)
        assert "Why c3 by resistance" in shown(pilot)
        await press(pilot, "escape")
        pilot.app.main.workspace.choose(evaluator="blocking")
        await opened(pilot)
        assert "Why c3 by blocking" in shown(pilot)
        await press(pilot, "escape")
        pilot.app.main.workspace.choose(evaluator="nobody")
        await press(pilot, "H")
        await until(pilot, lambda: "no evaluator 'nobody'" in shown(pilot))


class SlowAnswerer(OwnAnswerer):
    """Tells how far it is until it is to stop."""

    stopped = threading.Event()

    def answers(self, question, stop=lambda: False):
        yield Progress(1, 24, "moves ranked")
        while not stop():
            self.stopped.wait(0.001)
        self.stopped.set()


async def test_a_long_explanation_tells_how_far_it_is_and_is_stopped_by_closing():
    async with running(
        at(game("b2"), "c3"), make_analyst=ScriptedAnalyst, open_lane=SlowAnswerer
    ) as pilot:
        with threads_go_on():
            await press(pilot, "H")
            await until(pilot, lambda: "moves ranked: 1 of 24" in shown(pilot))
            await press(pilot, "n", "end", "right_square_bracket", "left_square_bracket", "escape")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        await pilot.app.workers.wait_for_complete()
        assert SlowAnswerer.stopped.is_set()


# a search has more to tell where nothing is proved
@pytest.mark.parametrize(("name", "side"), [*((n, 5) for n in names()), ("search:nodes=3", 8)])
def test_every_step_says_what_it_shows(name: str, side: int):
    board = Board(side, side)
    position = Position.empty(board).play(board.cell("b2")).play(board.cell("d3"))
    bench = Workbench(board)
    bench.look_at(position)
    found = evaluator(name).explained(bench, board.cell("c3"))
    assert name != "search:nodes=3" or len(found.facts.terms) > 2, "it is not proved"
    steps = steps_of(found, Names.RED_BLUE)
    assert len(steps) == len(found.facts.pictures) + 3
    assert [step.group for step in steps[:3]] == ["value", "numbers", "terms"]
    for step in steps:
        assert "{" not in step.text
        assert step.view.cursor == found.move
    # what stands in columns fits beside the board, and all texts at 80x24
    table = steps[1].text.split("\n\n")[0]
    assert all(len(line) <= WIDTH for line in table.splitlines())
    for step in steps:
        lines = [wrap(line, WIDTH) or [""] for line in step.text.splitlines()]
        assert sum(map(len, lines)) <= 22, step.text


async def test_the_links_of_a_cell_are_shown_one_by_one():
    session = at(game("b2", "d4"), "c3")
    async with running(session) as pilot:
        await press(pilot, "N")
        screen = pilot.app.screen
        await until(pilot, lambda: screen._steps)
        assert "In Red's network c3 has" in " ".join(shown(pilot).split())
        view = screen.query_one(BoardWidget).view
        assert view.marks[session.board.cell("c2")].text == "**"
        assert session.board.cell("b2") not in view.marks
        await press(pilot, "n")
        assert "Virtual link 1 of" in shown(pilot)
        assert "++ used by its links" in shown(pilot)
        await press(pilot, "right_square_bracket")
        assert "Blue's network" in shown(pilot)
        await press(pilot, "escape")
        session.cursor = session.board.cell("d4")
        await press(pilot, "N")
        assert "d4 is taken" in told(pilot)


def test_the_list_of_evaluators_tells_them_apart():
    told = [about(name) for name in names()]
    assert len(set(told)) == len(told)
    assert max(map(len, told)) <= 29


async def test_the_move_under_the_cursor_of_the_list_is_explained():
    session = at(game("b2"), "c3")
    async with analysing(session) as (pilot, analyst):
        best = ranking("k-paths:1", session.position, ["d4", "a1"])
        await tell(pilot, analyst, rankings={"k-paths:1": best}, final=True)
        await press(pilot, "tab", "down", "H")
        await until(pilot, lambda: "Why a1 by k-paths:1: 1 of" in shown(pilot))
