"""Screens that go step by step: why a move has its value, the trace of a solver, `best_move`."""

import re
import threading
from contextlib import asynccontextmanager
from textwrap import wrap

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from hextui.engine.board import Board, Color
from hextui.engine.evaluators import evaluator, names
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.position import Position
from hextui.engine.solver.mustplay import StepKind, solve, steps
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.snapshot import Progress
from hextui.text import Names
from hextui.ui.screens.dialogs import about
from hextui.ui.screens.explain_screen import ExplainScreen, steps_of
from hextui.ui.screens.minimax_screen import MinimaxScreen
from hextui.ui.screens.step_screen import WIDTH
from hextui.ui.screens.trace_screen import TraceScreen
from hextui.ui.widgets.board_widget import BoardWidget

from .helpers import (
    SIZES,
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
from .settling import threads_go_on


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
        yield Progress(1, 24, "ranking moves")
        while not stop():
            self.stopped.wait(0.001)
        self.stopped.set()


@pytest.mark.parametrize(
    ("session", "lane", "key", "words"),
    [
        (at(game("b2"), "c3"), SlowAnswerer, "H", "ranking moves: 1 of 24"),
        (game(side=4), OwnAnswerer, "ampersand", "positions visited so far"),
    ],
)
async def test_a_long_run_tells_how_far_it_is_and_is_stopped_by_closing(session, lane, key, words):
    SlowAnswerer.stopped.clear()
    async with analysing(session, open_lane=lane) as (pilot, _):
        with threads_go_on():
            await press(pilot, key)
            await until(pilot, lambda: words in shown(pilot))
            await press(pilot, "n", "end", "right_square_bracket", "left_square_bracket", "escape")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        await pilot.app.workers.wait_for_complete()
    assert SlowAnswerer.stopped.is_set() or lane is OwnAnswerer


# a search has more to tell where nothing is proved
@pytest.mark.parametrize(("name", "side"), [*((n, 5) for n in names()), ("search:visits=3", 8)])
def test_every_step_says_what_it_shows(name: str, side: int):
    board = Board(side, side)
    position = Position.empty(board).play(board.cell("b2")).play(board.cell("d3"))
    bench = Workbench(board)
    bench.look_at(position)
    found = evaluator(name).explained(bench, board.cell("c3"))
    assert name != "search:visits=3" or len(found.facts.terms) > 2, "it is not proved"
    steps = steps_of(found, Names.RED_BLUE)
    assert len(steps) == len(found.facts.pictures) + 3
    assert [step.about for step in steps[:3]] == ["value", "numbers", "terms"]
    for step in steps:
        assert "{" not in step.text
        assert step.view.cursor == found.move
    # what stands in columns fits beside the board, and all texts at 80x24
    table = steps[1].text.split("\n\n")[0]
    assert all(len(line) <= WIDTH for line in table.splitlines())
    for step in steps:
        lines = [wrap(line, 38) or [""] for line in step.text.splitlines()]
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
        assert "all of Red's network" in shown(pilot)
        await press(pilot, "right_square_bracket")
        assert "links in Blue's network" in shown(pilot)


@pytest.mark.parametrize("cell", ["c3", "d4"])
async def test_a_whole_network_is_drawn_over_the_board(cell: str):
    session = at(game("b2", "d4"), cell)
    async with running(session) as pilot:
        await press(pilot, "N")
        screen = pilot.app.screen
        await until(pilot, lambda: screen._steps)
        for owner in ("Red", "Blue"):
            if cell == "c3":
                assert f"Links of c3 (N: all): {screen._at + 1} of" in shown(pilot)
                assert not any("⠀" < sign <= "⣿" for sign in shown(pilot))
                await press(pilot, "N")
            assert f"all of {owner}'s network" in shown(pilot)
            assert f"links of {owner}'s network, as lines. Its" in " ".join(shown(pilot).split())
            assert any("⠀" < sign <= "⣿" for sign in shown(pilot))
            await press(pilot, "N")


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


# The readable solver's trace


async def opened_trace(pilot):
    await press(pilot, "ampersand")
    screen = pilot.app.screen
    assert isinstance(screen, TraceScreen)
    await until(pilot, lambda: screen._steps)
    return screen


async def test_stepping_through_a_trace_touches_no_record():
    session = game(side=3)
    async with running(session) as pilot:
        screen = await opened_trace(pilot)
        assert "Red tries b2" in shown(pilot)
        assert f"Must-play trace: 1 of {len(screen._steps):,}, order: centre; " in shown(pilot)
        board = screen.query_one(BoardWidget)
        assert len(board.view.must_play) == 9
        await press(pilot, "n")
        assert board.view.position.to_move is Color.WHITE
        await press(pilot, "right_square_bracket")
        await press(pilot, "p", "home")
        assert board.view.cursor == 4
        await press(pilot, "end")
        assert "b2 wins for Red" in shown(pilot)
        assert f": {len(screen._steps):,} of {len(screen._steps):,}, " in shown(pilot)
        assert board.view.connected.color is Color.BLACK
        await press(pilot, "escape")
        assert pilot.app.screen is pilot.app.main
        assert session.node is session.record.root


async def test_stepping_over_and_the_sets_of_a_refuted_move_and_of_a_lost_position():
    async with running(game(side=3)) as pilot:
        screen = await opened_trace(pilot)

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
        for label, cells in (
            ("region", step.region),
            ("winset", step.winset),
            ("both", step.region & step.winset),
        ):
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
        await opened_trace(pilot)
        await press(pilot, "c")
        assert "Connected for Red" in shown(pilot)
        assert "b1      a1 c1 a2 b2 c2 a3" in shown(pilot)
        await press(pilot, "c")
        assert "Connected for Blue" in shown(pilot)
        assert "b1      a1 c1 a2 " in shown(pilot)
        await press(pilot, "c")
        assert "Connected for" not in shown(pilot)


async def test_large_boards_and_finished_games_are_refused():
    async with running(game(side=5)) as pilot:
        await press(pilot, "ampersand")
        assert pilot.app.screen is pilot.app.main
        assert "supports up to 16 empty cells; this position has 25" in told(pilot)
        pilot.app.records.open(game("a1", "b1", "a2", side=2))
        await press(pilot, "end", "ampersand")
        assert "over" in told(pilot)


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


# `best_move` on the screen, step by step


async def opened_minimax(pilot: Pilot[None]) -> MinimaxScreen:
    await press(pilot, "Y")
    screen = pilot.app.screen
    assert isinstance(screen, MinimaxScreen)
    return screen


async def choose(pilot: Pilot[None], text: str) -> None:
    """Choose a game and its state."""
    await press(pilot, "o")
    pilot.app.screen.query_one(Input).value = text
    await press(pilot, "enter")


@pytest.mark.parametrize("size", [SIZES[0], SIZES[-1]])
async def test_stepping_through_hex_touches_no_record(size: tuple[int, int]) -> None:
    session = game("a1", side=2)
    async with running(session, size) as pilot:
        await press(pilot, "n")
        await opened_minimax(pilot)
        await until(pilot, lambda: "All moves" in shown(pilot))
        assert "hex: 5 positions visited" in shown(pilot)
        assert "Depth 0, Blue to move" in shown(pilot)
        assert "wins   a2" in shown(pilot)
        assert "loses  b1 b2 swap-pieces" in shown(pilot)
        await press(pilot, "n")
        assert "b1          searching" in shown(pilot)
        await press(pilot, "n")
        await until(pilot, lambda: "Depth 1, Red to move" in shown(pilot))
        await until(pilot, lambda: "a2 does." in shown(pilot))
        await press(pilot, "n", "n")
        assert "b1          a2          loses     1" in shown(pilot)
        await press(pilot, "end")
        await until(pilot, lambda: "Returns a2: wins" in shown(pilot))
        await press(pilot, "escape")
        assert pilot.app.screen is pilot.app.main
        assert session.node.ply == 1


async def test_other_games() -> None:
    async with running(game(side=5)) as pilot:
        await opened_minimax(pilot)
        assert "9 empty cells at most, not 25" in shown(pilot)
        await press(pilot, "n", "end")
        await choose(pilot, "chess")
        assert "no game 'chess'" in shown(pilot)
        await press(pilot, "escape")
        await choose(pilot, "nim 1,2,2")
        await until(pilot, lambda: "wins   a-1" in shown(pilot))
        assert "b  o o" in shown(pilot)
        await choose(pilot, "tic-tac-toe X.O/.X./..O")
        await until(pilot, lambda: "draws  c2" in shown(pilot))
        assert "2 . X ." in shown(pilot)
        assert "23 positions visited" in shown(pilot)


async def test_a_long_search_is_stopped_by_closing() -> None:
    async with running(game(side=5)) as pilot:
        await opened_minimax(pilot)
        with threads_go_on():
            await choose(pilot, "tic-tac-toe .../.../...")
            await press(pilot, "escape")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        await pilot.app.workers.wait_for_complete()
