"""Games against the program on disk, and the ladder made of them."""

import csv
import random
import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from hextui.engine.board import Board, Color
from hextui.engines.levels import LEVELS
from hextui.train.kept_games import GameStore, KeptGame, unfinished
from hextui.train.ladder import (
    FIRST_LEVEL,
    SHARES_WON,
    STRENGTHS,
    Ladder,
    LadderRow,
    ladder_csv,
    level_of,
    nearest_level,
)
from hextui.train.play_settings import PlaySettings, TimeControl
from hextui.ui.screens.ladder_screen import curve

METHODS = Path(__file__).parents[2] / "docs" / "methods.md"


def game(number: int, level: int, won: bool | None, **changes: object) -> KeptGame:
    settings = PlaySettings(f"level:{level}", Board(11, 11))
    begun = f"2026-01-{1 + number // 24:02}T{number % 24:02}:00:00+00:00"
    kept = KeptGame(begun=begun, settings=settings, color=Color.BLACK, won=won, ply=30)
    return replace(kept, **changes)  # type: ignore[arg-type]


def test_games_are_read_as_they_were_kept(tmp_path: Path) -> None:
    settings = PlaySettings("level:4", Board(5, 5), None, False, TimeControl(10, 5), hints=False)
    first = replace(game(0, 4, None), settings=settings, sgf="(;GM[11]SZ[5])", helped=True)
    second = game(1, 3, True)
    with closing(GameStore(tmp_path / "games.sqlite")) as store:
        assert store.keep(second)
        assert store.keep(first)
        assert store.keep(replace(first, ply=31))
    with closing(GameStore(tmp_path / "games.sqlite")) as store:
        assert store.games() == [replace(first, ply=31), second]
        assert unfinished(store.games()) == [replace(first, ply=31)]


def test_a_damaged_game_does_not_hide_the_others(tmp_path: Path) -> None:
    with closing(GameStore(tmp_path / "games.sqlite")) as store:
        store.keep(game(1, 3, True))
        store.put_entry(b"x", {"begun": 1})
        assert store.games() == [game(1, 3, True)]
        assert "not of our kind" in store.problem


def test_the_strengths_are_those_of_the_docs() -> None:
    table = METHODS.read_text().split("## Players of graded strength")[1].split("##")[0]
    shares = [float(share) for share in re.findall(r"\b0\.\d\d\b", table)]
    assert tuple(shares) == SHARES_WON
    assert len(STRENGTHS) == len(LEVELS)


@pytest.mark.parametrize("level", range(1, 10))
def test_who_wins_half_the_games_has_the_rating_of_the_level(level: int) -> None:
    games = [game(number, level, number % 2 == 0) for number in range(30)]
    ladder = Ladder.of(games)
    assert ladder.ratings[-1].value == pytest.approx(level, abs=0.2)
    assert ladder.ratings[-1].low < level < ladder.ratings[-1].high
    assert ladder.next_level == level
    assert nearest_level(STRENGTHS[level - 1]) == level


def test_the_interval_holds_the_true_strength_about_as_often_as_it_says() -> None:
    lots = random.Random(1)
    held = 0
    for _ in range(200):
        strength = lots.uniform(STRENGTHS[0], STRENGTHS[-1])
        games: list[KeptGame] = []
        for number in range(20):
            level = Ladder.of(games).next_level
            share = 1 / (1 + 10 ** ((STRENGTHS[level - 1] - strength) / 400))
            games.append(game(number, level, lots.random() < share))
        rating = Ladder.of(games).ratings[-1]
        held += rating.low <= level_of(strength) <= rating.high
    assert held >= 180


def test_who_has_not_played_has_no_rating_and_begins_in_the_middle() -> None:
    assert Ladder.of([]) == Ladder((), (), (), FIRST_LEVEL)
    winner = Ladder.of([game(number, 9, True) for number in range(30)])
    assert winner.ratings[-1].value <= 10
    assert winner.next_level == 9
    loser = Ladder.of([game(number, 1, False) for number in range(30)])
    assert loser.next_level == 1
    assert loser.ratings[-1].low == 0


def test_only_whole_games_against_levels_without_help_count() -> None:
    engine = replace(game(3, 3, True).settings, opponent="resistance")
    left_out = [
        game(0, 3, True, helped=True),
        game(1, 3, None),
        game(2, 3, True, start=4),
        game(3, 3, True, settings=engine),
    ]
    counted = game(4, 3, True)
    ladder = Ladder.of([*left_out, counted])
    assert ladder.games == (counted,)
    assert ladder.rows == (LadderRow(3, "11x11", Color.BLACK, won=1, games=1),)


def test_results_are_summed_up_by_level_size_and_colour() -> None:
    games = [game(0, 3, True), game(1, 3, False), game(2, 2, True, color=Color.WHITE)]
    assert [(row.level, row.color, row.won, row.games) for row in Ladder.of(games).rows] == [
        (2, Color.WHITE, 1, 1),
        (3, Color.BLACK, 1, 2),
    ]


def test_the_ladder_as_csv_has_a_line_for_each_game_that_is_over() -> None:
    games = [game(0, 3, True), game(1, 3, None), game(2, 3, False, helped=True)]
    first, second = csv.DictReader(ladder_csv(games).splitlines())
    assert first["opponent"] == "level:3"
    assert (first["won"], first["rated"]) == ("yes", "yes")
    assert float(first["low"]) < float(first["rating"]) < float(first["high"])
    assert (second["won"], second["helped"], second["rated"], second["rating"]) == (
        *("no", "yes", "no"),
        "",
    )


def test_the_curve_shows_each_rating_on_the_scale_of_the_levels() -> None:
    ratings = Ladder.of([game(number, 3, True) for number in range(5)]).ratings
    lines = curve(ratings)
    assert len(lines) == 11
    columns = zip(*(line.ljust(9)[4:9] for line in lines[:10]), strict=True)
    heights = [10 - column.index("o") for column in columns]
    assert heights == [round(rating.value) for rating in ratings]
    assert curve(()) == []
