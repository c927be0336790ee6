"""Puzzles are made from the library's games by a process of its own."""

import os

import pytest

from hextui.engine.board import Board
from hextui.library.library import Library
from hextui.locations import data_folder, library_file
from hextui.records.codecs.sgf import write_sgf
from hextui.train.puzzle import read_puzzles
from hextui.ui.screens.puzzles_screen import MakePuzzlesDialog
from tests.train.games import weak_game

from .helpers import become, running, shown


@pytest.mark.slow
async def test_puzzles_are_made_of_a_players_games(tmp_path, monkeypatch):
    home = os.environ["HEXTUI_HOME"]
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path))
    data_folder().mkdir(parents=True)
    (tmp_path / "cache").symlink_to(os.path.join(home, "cache"))
    games = tmp_path / "games.sgf"
    texts = (write_sgf(weak_game(seed, Board(6, 6))) for seed in (4, 6, 11))
    games.write_text("".join(text.replace("SZ[6]", "SZ[6]PB[Ann]PW[Bob]") for text in texts))
    with Library(library_file()) as library:
        assert library.import_paths([games]).added == 3
    target, answers = tmp_path / "ann.sgf", []
    async with running(size=(80, 24)) as pilot:
        dialog = MakePuzzlesDialog("the games of ann", ["--player=ann"], target, 1)
        pilot.app.push_screen(dialog, answers.append)
        await become(pilot, lambda: bool(answers), seconds=120)
    assert answers == [True]
    assert target.exists()
    assert all(one.position.to_move.name == "BLACK" for one in read_puzzles(target))


async def test_what_stops_the_making_is_told(tmp_path):
    target = tmp_path / "none.sgf"
    async with running(size=(80, 24)) as pilot:
        dialog = MakePuzzlesDialog("nobody's games", ["--player=nobody"], target, 1)
        pilot.app.push_screen(dialog)
        told = "there is no game by nobody"
        await become(pilot, lambda: dialog.is_mounted and told in shown(pilot), seconds=60)
