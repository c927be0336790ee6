"""The ladder on the command line: as text, as JSON and as CSV."""

import csv
import json
from contextlib import closing
from dataclasses import replace

import pytest

from hextui.commands import main
from hextui.engine.board import Board, Color
from hextui.train.kept_games import GameStore, KeptGame
from hextui.train.play_settings import PlaySettings


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path))


@pytest.fixture
def games():
    """Keep a game won, one lost with help, and one that goes on."""
    settings = PlaySettings("level:4", Board(5, 5))
    begun = KeptGame(begun="2026-01-01T00:00:00+00:00", settings=settings, color=Color.WHITE)
    kept = (
        replace(begun, won=True, ply=9),
        replace(begun, begun="2026-01-02T00:00:00+00:00", won=False, helped=True),
        replace(begun, begun="2026-01-03T00:00:00+00:00"),
    )
    with closing(GameStore()) as store:
        for game in kept:
            assert store.keep(game)


def test_results_and_rating_as_json(games, capsys):
    assert main(["ladder", "--json"]) == 0
    ladder = json.loads(capsys.readouterr().out)
    row = {"level": 4, "size": "5x5", "color": "white", "won": 1, "games": 1}
    assert ladder["results"] == [row]
    first, second = ladder["games"]
    assert (first["opponent"], first["won"], first["plies"]) == ("level:4", True, 9)
    assert first["rating"] == ladder["rating"]
    assert ladder["rating"]["low"] < ladder["rating"]["value"] < ladder["rating"]["high"]
    assert (second["helped"], second["rating"]) == (True, None)
    assert 1 <= ladder["next_level"] <= 9


def test_as_text_and_csv(games, capsys):
    assert main(["ladder"]) == 0
    rating, row, following = capsys.readouterr().out.splitlines()
    assert rating.startswith("Your rating: level ")
    assert row == "level 4  5x5    Blue  1 of 1 won"
    assert following.startswith("Next: level ")
    assert main(["ladder", "--csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [row["won"] for row in rows] == ["yes", "no"]


def test_without_games_there_is_no_rating_and_no_file(tmp_path, capsys):
    assert main(["ladder"]) == 0
    assert capsys.readouterr().out.startswith("No game counts yet")
    assert main(["ladder", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rating"] is None
    assert not list(tmp_path.rglob("games.sqlite"))
