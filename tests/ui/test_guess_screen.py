"""Guess the move, and my mistakes: reached by keys and words, judged, summed up, reviewed."""

import time
from contextlib import asynccontextmanager, closing

import pytest
from textual.widgets import Input

from hextui.analysis.stored_analysis import ReviewStore
from hextui.engine.board import Color
from hextui.engines.engine import EngineError
from hextui.engines.questions import Proved
from hextui.library.library import Library
from hextui.records.formats import read_record
from hextui.train.kept_games import GameStore, KeptGame
from hextui.train.play_settings import PlaySettings
from hextui.ui.record.session import Session
from hextui.ui.screens.guess_screen import GuessScreen
from hextui.ui.widgets.board_widget import BoardWidget
from tests.oracles.winners import Exhaustive
from tests.samples import some
from tests.train.games import judged

from .helpers import SIZES, ScriptedAnalyst, ScriptedGameAnalyst, press, running, shown, told, until
from .settling import threads_go_on

LOST = "(;GM[11]SZ[3]PB[Ann]PW[Bob]RE[W+];B[a1];W[b1];B[c1];W[b2];B[c2];W[b3])"
WON = "(;GM[11]SZ[4]PB[Ann]PW[Cy]RE[B+];B[a3];W[b2];B[b3];W[c2];B[c3];W[d2];B[d3];W[a4];B[d1])"


def said(pilot, name="verdict"):
    return str(pilot.app.screen.query_one(f"#{name}").content)


def point(pilot, name):
    screen = pilot.app.screen
    screen.point(screen._turn.position.board.cell(name))


async def guessed(pilot, name):
    """Guess a move, and wait until it is judged."""
    point(pilot, name)
    await press(pilot, "enter")
    await until(pilot, lambda: pilot.app.screen._judged)


@asynccontextmanager
async def guessing(*keys, text=WON, size=(80, 24), **arguments):
    """Run the app on a game and press keys that lead to guessing; yields the pilot."""
    async with running(Session(read_record(text), name="one"), size, **arguments) as pilot:
        await press(pilot, "5", *keys)
        await until(pilot, lambda: isinstance(pilot.app.screen, GuessScreen))
        yield pilot


async def named(pilot, name):
    """Type a player's name once it is asked for."""
    await until(pilot, lambda: isinstance(pilot.app.focused, Input))
    await press(pilot, *name, "enter")


@pytest.fixture
def files(tmp_path):
    """The library with both games, and a review of the lost one; the services that have them."""
    library, reviews = tmp_path / "library.sqlite", tmp_path / "reviews.sqlite"
    for number, text in enumerate((LOST, WON)):
        (tmp_path / f"{number}.sgf").write_text(text)
    with Library(library) as opened:
        opened.import_paths([tmp_path / "0.sgf", tmp_path / "1.sgf"])
    record = read_record(LOST)
    positions, estimates = judged(record)
    with closing(ReviewStore(reviews)) as store:
        store.keep(positions, estimates)
    return {"library": library, "reviews": reviews}


@pytest.mark.parametrize("size", some(SIZES, 1))
async def test_guesses_are_answered_until_the_summary(size):
    async with guessing("g", "r", size=size) as pilot:
        assert "Guess the move  one  1 of 4" in shown(pilot)
        assert said(pilot, "task") == "Red to move. What did Ann play?"
        assert "e Summary" not in shown(pilot)
        point(pilot, "a3")
        await press(pilot, "enter")
        assert told(pilot) == "a3 is taken"
        await guessed(pilot, "b3")
        assert said(pilot) == "b3 is the game's move."
        view = pilot.app.screen.query_one(BoardWidget).view
        assert view.last_move == view.position.board.cell("b3")
        assert "enter Next" in shown(pilot)
        assert "enter Guess" not in shown(pilot)
        await press(pilot, "enter", "enter")  # the second one guesses nothing
        assert "2 of 4" in shown(pilot)
        assert told(pilot) == "c2 is taken"
        solver = Exhaustive(view.position.board)
        for _ in range(3):
            turn = pilot.app.screen._turn
            wins = solver.winning_moves(turn.position)
            cell = next(cell for cell in turn.position.empties if cell != turn.played)
            await guessed(pilot, turn.position.board.name(cell))
            mine, game = cell in wins, turn.played in wins
            kind = ["is worse than", "is as good as", "is better than"][1 + mine - game]
            assert kind in said(pilot)
            assert "(proved)" in said(pilot)
            await press(pilot, "enter")
        assert " of 8 points: 1 same" in said(pilot, "score")
        assert said(pilot, "task") in ("Most instructive", "No guess lost much.")
        assert not pilot.app.records.session.record.modified
        await press(pilot, "escape")
        assert pilot.app.screen is pilot.app.main


class ScriptedLane:
    """Answers that the game's move, asked about first, wins, and that the guess loses."""

    def __init__(self):
        self.asked = 0

    def answers(self, question, stop):
        self.asked += 1
        mover = question.position.to_move
        yield Proved(mover.opponent if self.asked % 2 else mover)

    def close(self):
        pass


async def test_a_moment_of_the_summary_is_one_key_from_its_review():
    lane = ScriptedLane()
    async with guessing("g", "r", open_lane=lambda: lane) as pilot:
        await guessed(pilot, "a1")
        assert said(pilot) == "a1 is worse than b3: a1 loses (proved), b3 wins (proved)."
        assert pilot.app.screen.query_one("#verdict").has_class("-wrong")
        await press(pilot, "n")
        await guessed(pilot, "c3")
        assert said(pilot, "score") == "2 of 4 points: 1 same, 1 worse"
        await press(pilot, "n", "e")
        assert said(pilot) == "1  3. a1 gives the win away (proved)"
        assert "1 Review" in shown(pilot)
        assert "2 Review" not in shown(pilot)
        assert "enter Guess" not in shown(pilot)
        await press(pilot, "2", "enter", "1")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        session = pilot.app.records.session
        assert (session.node.ply, session.cursor) == (2, session.board.cell("b3"))
        assert pilot.app.main.activity_bar.chosen == "review"
        assert len(pilot.app.records.sessions) == 1


class FailingLane:
    """Cannot answer."""

    def answers(self, question, stop):
        raise EngineError("the engine is gone")
        yield

    def close(self):
        pass


async def test_without_an_answer_the_guess_is_not_judged_and_the_game_goes_on():
    async with guessing("g", "r", open_lane=FailingLane) as pilot:
        await guessed(pilot, "a1")
        assert said(pilot) == "a1 is not judged; b3 was played. the engine is gone"
        assert said(pilot, "score") == "0 of 2 points: 1 not judged"
        await press(pilot, "n")
        assert "2 of 4" in shown(pilot)


async def test_leaving_while_a_guess_is_judged_stops_the_question():
    stopped = []

    class Waiting(FailingLane):
        def answers(self, question, stop):
            while not stop():
                time.sleep(0.001)
            stopped.append(True)
            yield from ()

    with threads_go_on():
        async with guessing("g", "r", open_lane=Waiting) as pilot:
            point(pilot, "a1")
            await press(pilot, "enter")
            assert said(pilot) == "b3 was played. Comparing ..."
            view = pilot.app.screen.view
            assert (view.last_move, view.verdicts) == (view.position.board.cell("b3"), {})
            await until(pilot, lambda: len(stopped) == 1)  # the game's move is judged later
            await press(pilot, "escape")
            await until(pilot, lambda: len(stopped) == 2)
            assert pilot.app.screen is pilot.app.main


async def test_the_games_move_is_judged_while_the_user_thinks():
    lane = ScriptedLane()
    async with guessing("g", "r", open_lane=lambda: lane) as pilot:
        assert lane.asked == 1
        assert said(pilot) == ""
        await guessed(pilot, "a1")
        assert lane.asked == 2
        assert "b3 wins (proved)" in said(pilot)


async def test_the_analysis_rests_while_moves_are_guessed():
    surveys = []

    def make_game_analyst(emit):
        surveys.append(ScriptedGameAnalyst(emit))
        return surveys[0]

    analysts = {"make_analyst": ScriptedAnalyst, "make_game_analyst": make_game_analyst}
    async with running(Session(read_record(WON)), **analysts) as pilot:
        workspace = pilot.app.main.workspace
        await press(pilot, "a", "5", "g", "r")
        assert not workspace.live.on
        assert workspace.surveys.progress is None
        await press(pilot, "escape")
        assert workspace.live.on
        assert workspace.surveys.progress is not None
        assert len(surveys[0].started) == 2


async def test_a_click_guesses_and_a_side_can_have_nothing_to_guess():
    async with guessing("g", "b") as pilot:
        assert said(pilot, "task") == "Blue to move. What did Cy play?"
        screen = pilot.app.screen
        screen.click(screen._turn.played, 3)
        assert screen._guess is None
        screen.click(screen._turn.played, 1)
        await until(pilot, lambda: "is the game's move" in said(pilot))
    async with running(Session(read_record("#5,a1"))) as pilot:
        await press(pilot, "5", "g", "b")
        assert "no move to guess" in told(pilot)


async def test_a_random_game_is_the_winners_or_a_players(files):
    async with guessing("g", "g", text="#3,b2", **files) as pilot:
        turn = pilot.app.screen._turn
        assert turn.game_position.player is turn.record.result.winner
        assert "What did" in said(pilot, "task")
        await press(pilot, "escape", "5", "g", "p", *"cy", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, GuessScreen))
        assert said(pilot, "task") == "Blue to move. What did Cy play?"
        await guessed(pilot, "a1")
        await press(pilot, "e")
        if "1  " in said(pilot):
            await press(pilot, "1")
            assert pilot.app.records.session.name == "Ann - Cy"
        else:
            await press(pilot, "escape")
        await press(pilot, "5", "g", "p", *"nobody", "enter")
        await until(pilot, lambda: "No game of the library has a player 'nobody'" in shown(pilot))


async def test_my_mistakes_ask_for_a_move_that_wins_and_remember_the_player(files, tmp_path):
    async with running(Session(read_record(WON)), state=tmp_path / "state", **files) as pilot:
        await press(pilot, "5", "m")
        await named(pilot, "bob")
        await until(pilot, lambda: "Mistakes of bob" in shown(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, GuessScreen))
        screen = pilot.app.screen
        assert "My mistakes  Ann - Bob  1 of" in shown(pilot)
        assert said(pilot, "task") == "Blue to move and win. What should you have played?"
        solver, turn = Exhaustive(screen._turn.position.board), screen._turn
        name, wins = turn.position.board.name, solver.winning_moves(turn.position)
        await guessed(pilot, name(turn.played))
        assert said(pilot).startswith(f"No: {name(turn.played)} loses (proved)")
        assert screen.query_one("#verdict").has_class("-wrong")
        assert set(screen.view.verdicts) == wins
        assert said(pilot, "score") == "0 of 1 found"
        await press(pilot, "n" if len(screen.subject) > 1 else "e")
        if not screen._ended:
            await guessed(pilot, name(min(solver.winning_moves(screen._turn.position))))
            assert said(pilot).startswith("Right: ")
            assert said(pilot, "score") == "1 of 2 found"
            await press(pilot, "e")
        assert said(pilot).startswith("1  ")
        await press(pilot, "1")
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        session = pilot.app.records.session
        assert (session.name, session.node.ply) == ("Ann - Bob", turn.game_position.ply)
        assert pilot.app.main.chosen.player == "bob"
        await press(pilot, "5", "m", "enter")  # it does not ask again
        await until(pilot, lambda: isinstance(pilot.app.screen, GuessScreen))


@pytest.fixture
def lost_game(tmp_path):
    """Keep a lost game against the program; return the file."""
    settings = PlaySettings("level:3", read_record(LOST).board)
    game = KeptGame("2026-03-04T00:00:00+00:00", settings, Color.WHITE, LOST, won=False)
    with closing(GameStore(tmp_path / "games.sqlite")) as store:
        store.keep(game)
    return tmp_path / "games.sqlite"


async def test_mistakes_against_the_program_are_shown_before_a_name_is_asked(files, lost_game):
    async with running(Session(read_record(WON)), games=lost_game, **files) as pilot:
        await press(pilot, "5", "m")
        await until(pilot, lambda: "Your mistakes" in shown(pilot))
        await press(pilot, "p")
        await named(pilot, "bob")
        await until(pilot, lambda: "Mistakes of bob" in shown(pilot))
        assert pilot.app.main.workspace.player == "bob"
        await press(pilot, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, GuessScreen))


async def test_mistakes_against_the_program_need_no_library_and_no_name(files, lost_game):
    services = {"reviews": files["reviews"], "games": lost_game}
    async with running(Session(read_record(WON)), **services) as pilot:
        await press(pilot, "5", "m")
        await until(pilot, lambda: "Your mistakes" in shown(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, GuessScreen))
        assert "vs level 3" in shown(pilot)


async def test_a_player_without_mistakes_and_a_missing_library_are_told(files):
    async with running(Session(read_record(WON)), **files) as pilot:
        await press(pilot, "5", "m")
        await named(pilot, "cy")
        await until(pilot, lambda: "No proved mistake of cy yet" in told(pilot))
        await press(pilot, "5", "m")  # there may be some under another name
        await until(pilot, lambda: "A name in the games of the library" in shown(pilot))
    async with running(Session(read_record(WON))) as pilot:
        await press(pilot, "5", "g", "g")
        await until(pilot, lambda: "library is empty" in told(pilot))
