"""My mistakes tried again: from the review of a game, and by kind from the library."""

from contextlib import closing

import pytest

from hextui.analysis.stored_analysis import ReviewStore
from hextui.engine.board import Board, Color
from hextui.library.library import Library
from hextui.records.codecs.sgf import write_sgf
from hextui.train.puzzle import read_puzzles
from hextui.ui.record.session import Session
from hextui.ui.screens.guess_screen import GuessScreen
from hextui.ui.screens.puzzles_screen import PuzzlesScreen
from tests.oracles.winners import Exhaustive
from tests.train.games import judged, weak_game
from tests.ui.test_guess_screen import guessed, said

from .helpers import game, press, reopened, reviewed, running, shown, told, until

FOUR = Board(4, 4)
GAME = weak_game(11, FOUR)  # with mistakes of both sides, and two of one of them


@pytest.fixture
def services(tmp_path):
    """The library with the game, of Ann and Bob, its review, and a file of results."""
    library, reviews = tmp_path / "library.sqlite", tmp_path / "reviews.sqlite"
    text = write_sgf(GAME).replace("SZ[4]", "SZ[4]PB[Ann]PW[Bob]DT[2020-01-02]")
    (tmp_path / "game.sgf").write_text(text)
    with Library(library) as opened:
        opened.import_paths([tmp_path / "game.sgf"])
    positions, estimates = judged(GAME)
    with closing(ReviewStore(reviews)) as store:
        store.keep(positions, estimates)
    return {
        "library": library,
        "reviews": reviews,
        "training": tmp_path / "training.sqlite",
        "mistakes": tmp_path / "own" / "mistakes.sgf",
    }


def winning(screen):
    """Return the name of a move that wins where a move is wanted."""
    position = screen._turn.position
    return FOUR.name(min(Exhaustive(FOUR).winning_moves(position)))


async def test_mistakes_of_a_game_are_tried_again_and_missed_ones_become_puzzles(services):
    session = Session(GAME, name="the game")
    own = {name: path for name, path in services.items() if name != "library"}
    async with running(session, (100, 30), **own) as pilot:
        await press(pilot, "D")
        ply = pilot.app.records.session.node.ply
        side = "Red" if session.position.to_move == 1 else "Blue"
        await press(pilot, "equals_sign")
        lines = [line for line in shown(pilot).splitlines() if "worst first" in line]
        assert side in lines[0], "the side of the mistake that is shown comes first"
        assert len(lines) == 2
        await press(pilot, "1")
        screen = pilot.app.screen
        assert isinstance(screen, GuessScreen)
        assert screen._turn.game_position.ply == ply
        assert len(screen.view.position.empties) == FOUR.cells - ply, "what came is hidden"
        assert said(pilot, "task") == f"{side} to move and win. What should you have played?"
        wrong = FOUR.name(screen._turn.played)
        await guessed(pilot, wrong)
        assert said(pilot).startswith(f"No: {wrong} loses (proved)")
        for _ in screen.subject[1:]:
            await press(pilot, "n")
            await guessed(pilot, winning(screen))
        await press(pilot, "n")
        assert said(pilot, "score") == f"{len(screen.subject) - 1} of {len(screen.subject)} found"
        assert "1  " in said(pilot)
        assert "It comes back among the puzzles (5 z) when due." in said(pilot, "how-to")
        missed = screen.subject[0]
        await press(pilot, "escape")
        assert session.node.ply == ply
        await until(pilot, lambda: services["mistakes"].is_file())
        (puzzle,) = read_puzzles(services["mistakes"])
        assert puzzle.position == missed.position.without_swap
        await press(pilot, "5", "z")
        await until(pilot, lambda: "own mistake" in shown(pilot))
        assert isinstance(pilot.app.screen, PuzzlesScreen)
        assert "Due today 1" in shown(pilot)


async def test_a_summary_before_the_end_praises_what_was_tried_alone(services):
    async with running(Session(GAME, name="the game"), reviews=services["reviews"]) as pilot:
        await press(pilot, "D", "equals_sign", "1")
        screen = pilot.app.screen
        assert len(screen.subject) > 1
        await guessed(pilot, winning(screen))
        await press(pilot, "e")
        assert said(pilot, "task") == "All that you tried were found."


async def test_without_mistakes_there_is_nothing_to_try():
    async with running(Session(GAME)) as pilot:
        await press(pilot, "equals_sign")
        assert "No mistake to try again is known" in told(pilot)


async def test_a_first_stone_that_was_too_strong_is_tried_again():
    session = game("b2", "swap-pieces", "c1", side=3)
    reviewed(session, winners={1: Color.BLACK})
    async with running(reopened(session), (100, 30)) as pilot:
        await press(pilot, "D", "equals_sign")
        assert "1 mistake of Red, worst first" in shown(pilot)
        await press(pilot, "1")
        screen = pilot.app.screen
        assert isinstance(screen, GuessScreen)
        asked = "Red to move, and Blue may swap. Where should the first stone have been?"
        assert said(pilot, "task") == asked
        await guessed(pilot, "a3")
        assert " than b2: " in said(pilot) or " as good as b2: " in said(pilot)
        assert said(pilot, "score").endswith(" of 1 found")


async def test_a_wrong_swap_is_not_tried_again():
    session = game("a1", "swap-pieces", side=3)
    reviewed(session, winners={1: Color.WHITE})
    async with running(reopened(session)) as pilot:
        await press(pilot, "equals_sign")
        assert "Only a swap was wrong" in told(pilot)


async def test_mistakes_of_the_library_are_tried_by_kind(services):
    async with running(size=(100, 30), **services) as pilot:
        await press(pilot, "5", "m")
        await until(pilot, lambda: "Ann" in shown(pilot))
        await press(pilot, *"bob", "enter")
        await until(pilot, lambda: "Mistakes of bob" in shown(pilot))
        everything, *kinds = [line for line in shown(pilot).splitlines() if "2020-01-02" in line]
        assert "All" in everything
        assert kinds
        await press(pilot, "down", "enter")
        screen = pilot.app.screen
        assert isinstance(screen, GuessScreen)
        await guessed(pilot, winning(screen))
        assert said(pilot, "score").startswith("1 of 1 found")
        await press(pilot, "escape", "5", "m")
        await until(pilot, lambda: "Mistakes of bob" in shown(pilot))
        line = next(line for line in shown(pilot).splitlines() if "2020-01-02" in line)
        assert line.split("All")[1].split()[1] == "1", "one was found"


async def test_a_position_is_kept_before_the_result_that_says_it_was_tried(services, monkeypatch):
    done = []
    async with running(Session(GAME, name="the game"), (100, 30), **services) as pilot:
        training = pilot.app.main.workspace.training
        for name in ("keep_mistake", "add"):
            monkeypatch.setattr(training, name, lambda *_, name=name: done.append(name))
        await press(pilot, "equals_sign", "1")
        await until(pilot, lambda: isinstance(pilot.app.screen, GuessScreen))
        screen = pilot.app.screen
        screen.point(screen._turn.played)
        await press(pilot, "enter")
        await until(pilot, lambda: screen._judged)
    assert done == ["keep_mistake", "add"]
