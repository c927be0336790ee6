"""Games against the program that are left and continued, and what follows when they are over."""

import threading
from contextlib import asynccontextmanager, closing
from dataclasses import replace

from textual.widgets import Input

from hextui.engine.board import Color
from hextui.train.kept_games import GameStore
from hextui.ui.screens.ladder_screen import LadderScreen
from hextui.ui.screens.play_screen import PlayScreen
from tests.ui.test_play_screen import SMALL, Opponent, ScriptedLane, moves, play, said, turn, win

from .helpers import ScriptedGameAnalyst, press, running, shown, told, until
from .settling import threads_go_on

SIZE = (100, 30)


@asynccontextmanager
async def program(tmp_path, *names, **arguments):
    """Run the app with the games in a folder, against an opponent who plays these moves.

    Without moves it thinks until it is stopped.
    """
    other = Opponent(names, SMALL.size)
    if names:
        other.go.set()
    given = {"open_lane": lambda: ScriptedLane(other), "games": tmp_path / "games.sqlite"}
    with threads_go_on():
        async with running(None, SIZE, **{**given, **arguments}) as pilot:
            yield pilot


async def begin(pilot, settings=SMALL):
    games = pilot.app.main.game_actions
    pilot.app.main.work_on("train", lambda: games.begin(settings))
    await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))


def kept(tmp_path):
    with closing(GameStore(tmp_path / "games.sqlite")) as store:
        return store.games()


async def test_a_game_that_was_left_is_continued_at_its_ply(tmp_path):
    async with program(tmp_path, "a1") as pilot:
        await begin(pilot)
        await play(pilot, "b2")
        await until(pilot, lambda: len(moves(pilot)) == 2)
        await press(pilot, "escape", "l")
        assert pilot.app.screen is pilot.app.main
        await press(pilot, "5")
        await until(pilot, lambda: "Train" in shown(pilot))
        assert "c  Continue: level 2, 3x3, ply 2" in shown(pilot)
        await press(pilot, "enter")
        assert moves(pilot) == ["b2", "a1"]
        assert turn(pilot) == "Red to move: you"


async def test_a_game_goes_on_after_a_restart_and_the_level_thinks_at_once(tmp_path):
    async with program(tmp_path) as pilot:  # this opponent never answers
        await begin(pilot)
        await play(pilot, "b2")
        await until(pilot, lambda: [game.ply for game in kept(tmp_path)] == [1])
        await press(pilot, "q")
        assert not pilot.app.is_running, "nothing is asked: the game is kept"
    async with program(tmp_path, "a1") as pilot:
        assert "5, Enter continues your game: level 2, 3x3, ply 1" in shown(pilot)
        await press(pilot, "5")
        await until(pilot, lambda: "c  Continue" in shown(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: moves(pilot) == ["b2", "a1"])
        assert turn(pilot) == "Red to move: you"


async def test_what_was_taken_back_is_gone_after_a_restart_too(tmp_path):
    async with program(tmp_path, "a1", "c3") as pilot:
        await begin(pilot)
        await play(pilot, "b2")
        await until(pilot, lambda: len(moves(pilot)) == 2)
        await play(pilot, "b3")
        await until(pilot, lambda: len(moves(pilot)) == 4)
        await press(pilot, "u")
        await until(pilot, lambda: [game.ply for game in kept(tmp_path)] == [2])
        await press(pilot, "q")
    async with program(tmp_path) as pilot:
        await press(pilot, "5")
        await until(pilot, lambda: "c  Continue" in shown(pilot))
        await press(pilot, "enter")
        assert turn(pilot) == "Red to move: you"
        assert pilot.app.records.session.node.ply == 2
        assert pilot.app.screen.game.helped


async def test_a_game_that_is_kept_is_not_offered_as_an_edit_too(tmp_path):
    recovery, waits = tmp_path / "state" / "recovery", threading.Event()
    async with program(tmp_path, state=tmp_path / "state") as pilot:
        await begin(pilot)
        training = pilot.app.main.workspace.training
        training._thread.submit(waits.wait, 5)  # the disk is slow
        await play(pilot, "b2")
        app = pilot.app
        app.guard.keep_last(app.records.sessions)
        assert not recovery.exists()
        waits.set()
        await until(pilot, lambda: [game.ply for game in kept(tmp_path)] == [1])
        await press(pilot, "v")
        app.records.session.record.set_comment(app.records.session.node, "an edit in Review")
        app.guard.keep_last(app.records.sessions)
        assert len(list(recovery.iterdir())) == 1


async def test_a_game_that_cannot_be_kept_is_offered_as_an_edit(tmp_path):
    games, recovery = tmp_path / "games.sqlite", tmp_path / "state" / "recovery"
    games.mkdir()  # no file can be there
    async with program(tmp_path, state=tmp_path / "state") as pilot:
        await begin(pilot)
        await play(pilot, "b2")
        await until(pilot, lambda: "are not kept" in told(pilot))
        pilot.app.guard.keep_last(pilot.app.records.sessions)
        assert len(list(recovery.iterdir())) == 1


async def test_a_rematch_exchanges_colours_and_the_result_counts(tmp_path):
    async with program(tmp_path, "a1", "c3", "c1", "a3", "b2") as pilot:
        await begin(pilot)
        await win(pilot)
        await until(pilot, lambda: "Your rating: level" in said(pilot))
        screen = pilot.app.screen
        assert screen.view.connected is not None
        assert screen.view.connected.ends == {*screen.view.position.winning_chain}
        await press(pilot, "r")
        assert isinstance(pilot.app.screen, PlayScreen)
        await until(pilot, lambda: turn(pilot) == "Blue to move: you")
        first, second = kept(tmp_path)
        assert first.won
        assert second.won is None
        assert (first.color, second.color) == (Color.BLACK, Color.WHITE)
        await press(pilot, "R", "r", "l")
        assert isinstance(pilot.app.screen, PlayScreen)
        assert pilot.app.screen.game.settings.opponent.startswith("level:")
        assert pilot.app.screen is not screen


async def test_resigning_while_the_level_thinks_loses_the_game(tmp_path):
    async with program(tmp_path) as pilot:
        await begin(pilot, replace(SMALL, opponent="level:1"))
        await play(pilot, "b2")
        await press(pilot, "escape", "r")
        assert turn(pilot) == "Blue won, Red resigned. Level 1 wins."
        await until(pilot, lambda: [game.won for game in kept(tmp_path)] == [False])
        await press(pilot, "escape", "5")
        assert "Continue" not in shown(pilot)


async def test_the_first_mistake_is_named_at_the_end_and_shown_by_one_key(tmp_path):
    async with program(tmp_path, "b2", make_game_analyst=ScriptedGameAnalyst) as pilot:
        await begin(pilot, SMALL)
        await play(pilot, "a1")
        await until(pilot, lambda: moves(pilot) == ["a1", "b2"])
        await press(pilot, "R", "r")
        assert "Looking for your first mistake" in said(pilot)
        analyst = pilot.app.main.workspace.surveys.analyst
        analyst.work()
        await until(pilot, lambda: "Your first mistake: 1. a1" in said(pilot))
        screen, looks = pilot.app.screen, said(pilot)
        await press(pilot, "m")
        assert pilot.app.screen is pilot.app.main
        assert pilot.app.records.session.node.ply == 0
        await press(pilot, "escape")
        assert pilot.app.screen is screen
        assert said(pilot) == looks


async def open_ladder(pilot):
    await press(pilot, "5")
    await until(pilot, lambda: "Ladder" in shown(pilot))
    await press(pilot, "l")
    await until(pilot, lambda: isinstance(pilot.app.screen, LadderScreen))


async def test_the_ladder_lists_games_and_exports_them(tmp_path):
    async with program(tmp_path, "a1") as pilot:
        await open_ladder(pilot)
        assert "No game counts yet" in shown(pilot)
        await press(pilot, "x")
        assert "Play games against a level first" in told(pilot)
        await press(pilot, "escape")
        await begin(pilot)
        await play(pilot, "b2")
        await until(pilot, lambda: len(moves(pilot)) == 2)
        await press(pilot, "R", "r", "escape")
        await until(pilot, lambda: [game.won for game in kept(tmp_path)] == [False])
        await open_ladder(pilot)
        assert "Your rating: level 1." in shown(pilot)
        screen = pilot.app.screen
        await press(pilot, "x")
        pilot.app.screen.query_one(Input).value = str(tmp_path / "ladder.csv")
        await press(pilot, "enter")
        written = (tmp_path / "ladder.csv").read_text()
        assert "level:2,3x3,black,no,none,3,no,no,yes" in written
        await press(pilot, "g", "enter")
        assert pilot.app.screen is pilot.app.main
        assert moves(pilot) == ["b2", "a1", "resign"]
        await press(pilot, "escape")
        assert pilot.app.screen is screen
        await press(pilot, "l")
        assert isinstance(pilot.app.screen, PlayScreen)
        assert pilot.app.screen.game.settings.opponent == "level:1"
