"""The coach in a game: it speaks before the answer, shows why, and keeps what it said."""

import threading
from dataclasses import replace
from types import SimpleNamespace

from hextui.engine.board import Color
from hextui.engines.questions import Judge
from hextui.train.play_settings import TimeControl
from hextui.ui.screens.play_screen import PlayScreen
from hextui.ui.screens.refutation_screen import RefutationScreen
from tests.ui.test_play_screen import (
    SMALL,
    Opponent,
    ScriptedLane,
    against,
    click_cell,
    moves,
    play,
    playing,
    said,
    turn,
)

from .helpers import press, running, shown, told, until
from .settling import threads_go_on

COACHED = replace(SMALL, coach=True)
SAID = "Coach: 1. a1 gives the win away (proved)."


async def blundered(pilot):
    """Give the win away by the first move, which the coach has judged the position of."""
    await until(pilot, lambda: pilot.app.screen._users_turn)
    await play(pilot, "a1")
    await until(pilot, lambda: SAID in said(pilot))


async def test_a_blunder_is_said_before_it_is_answered_and_can_be_taken_back():
    async with against("c2", "a2", settings=COACHED) as (pilot, _):
        await blundered(pilot)
        assert moves(pilot) == ["a1"]
        assert turn(pilot) == "Blue to move: Level 2 waits"
        assert "u takes the move back, w shows why, Enter goes on." in said(pilot)
        record = pilot.app.records.session.record
        node = record.node_at(1)
        assert node.comment == SAID
        assert pilot.app.screen.game.helped
        await press(pilot, "u")
        assert turn(pilot) == "Red to move: you"
        await play(pilot, "b2")
        await until(pilot, lambda: moves(pilot) == ["b2", "c2"])
        assert "Coach" not in said(pilot)
        assert record.root.children[1] is node


async def test_enter_goes_on_and_the_remark_is_not_repeated():
    async with against("b2", settings=COACHED) as (pilot, _):
        await blundered(pilot)
        await press(pilot, "s", "i", "P", "R")
        await click_cell(pilot, "c3")
        assert moves(pilot) == ["a1"], "only the remark can be answered"
        assert turn(pilot) == "Blue to move: Level 2 waits"
        await press(pilot, "enter")
        await until(pilot, lambda: moves(pilot) == ["a1", "b2"])
        assert "Coach" not in said(pilot)
        await press(pilot, "w")
        assert told(pilot) == "The coach has said nothing to explain"


async def test_why_shows_the_refutation_which_answers_tries():
    async with against("b2", settings=COACHED) as (pilot, _):
        game = pilot.app.screen
        await blundered(pilot)
        await press(pilot, "w")
        why = pilot.app.screen
        assert isinstance(why, RefutationScreen)
        await until(pilot, lambda: "The refutation (proved)" in shown(pilot))
        assert said(pilot).startswith("Blue plays b2")
        assert why.view.position["b2"] is Color.WHITE
        carrier = why.view.connected.carrier
        why.click(min(carrier), 1)
        await until(pilot, lambda: why.view.position.stones[min(carrier)] == Color.BLACK)
        await press(pilot, "u")
        assert why.view.connected.carrier == carrier
        await press(pilot, "u")
        assert told(pilot) == "There is no try to take back"
        await press(pilot, "escape")
        assert pilot.app.screen is game
        assert SAID in said(pilot)
        await press(pilot, "enter")
        await until(pilot, lambda: moves(pilot) == ["a1", "b2"])


async def test_the_clock_stops_while_the_coach_judges_and_speaks(monkeypatch):
    now = 0.0
    clock = SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr("hextui.ui.screens.play_screen.time", clock)
    settings = replace(COACHED, clock=TimeControl(1, 5))
    async with against("b2", settings=settings) as (pilot, _):
        now = 20.0
        await blundered(pilot)
        now = 300.0
        pilot.app.screen._tick()
        assert "Red 0:45   Blue 1:00" in shown(pilot)
        await press(pilot, "enter")
        await until(pilot, lambda: moves(pilot) == ["a1", "b2"])
        assert "Red 0:45   Blue 1:05" in shown(pilot)


class SlowLane(ScriptedLane):
    """Judges no position with a stone before it may."""

    may_judge = threading.Event()

    def answers(self, question, stop=lambda: False):
        has_stones = len(question.position.empties) < question.position.board.cells
        if isinstance(question, Judge) and has_stones:
            while not stop() and not self.may_judge.wait(0.005):
                pass
        yield from super().answers(question, stop)


async def test_a_slow_coach_speaks_at_the_next_turn(monkeypatch):
    monkeypatch.setattr("hextui.ui.screens.play_screen.COACH_SECONDS", 0.01)
    monkeypatch.setattr(SlowLane, "may_judge", threading.Event())
    other = Opponent(("b2",), SMALL.size)
    other.go.set()
    with threads_go_on():
        async with playing(COACHED, open_lane=lambda: SlowLane(other)) as pilot:
            await play(pilot, "a1")
            await until(pilot, lambda: moves(pilot) == ["a1", "b2"])
            assert "Coach" not in said(pilot)
            SlowLane.may_judge.set()
            await until(pilot, lambda: SAID in said(pilot))
            assert said(pilot).startswith("Level 2 plays b2.")
            assert "Enter goes on" not in said(pilot)
            await press(pilot, "u")
            assert pilot.app.records.session.node.ply == 0


async def test_the_choice_is_in_the_dialog_and_kept():
    async with running() as pilot:
        await press(pilot, "5", "p")
        coach = pilot.app.screen.query_one("#coach")
        assert coach.value == "no"
        coach.value = "y"
        await press(pilot, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        assert pilot.app.main.chosen.play["coach"] == "yes"
