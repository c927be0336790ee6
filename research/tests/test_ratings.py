"""Ratings: known strengths come back, all games are played, the report is what the rows say."""

import csv
import math
import random
from pathlib import Path

import numpy as np
import pytest

from hextui.engine.board import Board
from research.studies.ratings import experiment, main, ratings, strengths


def expected_share(a: float, b: float) -> float:
    return 1 / (1 + 10 ** ((b - a) / 400))


def test_two_players_by_hand() -> None:
    """30 wins to 9, and half a win each more: odds 30.5 to 9.5."""
    found = strengths(np.array([[0.0, 30.0], [9.0, 0.0]]))
    assert found[0] - found[1] == pytest.approx(400 * math.log10(30.5 / 9.5))
    assert found.sum() == pytest.approx(0)


def test_the_likelihood_is_greatest_there() -> None:
    """At the maximum, every player's expected wins are its wins (prior games included)."""
    rng = np.random.default_rng(3)
    wins = rng.integers(0, 30, (5, 5)).astype(float)
    np.fill_diagonal(wins, 0)
    found = strengths(wins)
    games = wins + wins.T
    for i in range(5):
        expected = sum(
            (games[i, j] + 1) * expected_share(found[i], found[j]) for j in range(5) if j != i
        )
        assert expected == pytest.approx(sum(wins[i]) + 4 / 2, abs=1e-4)


def test_known_strengths_come_back() -> None:
    truth = [150.0, 20.0, -30.0, -140.0]
    rng = random.Random(1)
    wins = np.zeros((120, 4, 4))
    for block in range(120):
        for i in range(4):
            for j in range(4):
                if i != j:
                    won = rng.random() < expected_share(truth[i], truth[j])
                    wins[block, *((i, j) if won else (j, i))] += 1
    found = ratings(wins, 0)
    for interval, true in zip(found, truth, strict=True):
        assert interval.low - 20 < true < interval.high + 20
        assert interval.low < interval.value < interval.high
        assert interval.high - interval.low < 120


def test_who_never_lost_has_a_rating() -> None:
    wins = np.zeros((10, 2, 2))
    wins[:, 0, 1] = 1
    found = ratings(wins, 0)
    assert math.isfinite(found[0].value)
    assert found[0].value > 200


def test_every_pair_plays_every_opening_with_both_colours() -> None:
    for limit, openings in ((None, 9), (4, 4)):
        games = experiment(["a", "b", "c"], Board(3, 3), limit, 0).tasks.values()
        found = {(game.black, game.white, game.opening) for game in games}
        assert len(found) == len(games) == 6 * openings


def test_bad_usage_is_one_line(capsys) -> None:
    for words, says in (("resistance", "two evaluators"), ("a b", "no evaluator 'a'")):
        assert main([*words.split(), "--size", "3"]) == 2
        assert says in capsys.readouterr().err


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    players = ["resistance", "shortest-path", "two-distance"]
    words = [*players, "--size", "3", "--out", str(tmp_path)]
    assert main([*words, "--workers", "1"]) == 0
    printed = capsys.readouterr().out
    with open(tmp_path / "rows.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6 * 9
    for name in players:
        wins = sum(row[row["winner"]] == name for row in rows)
        line = next(line for line in printed.splitlines() if name in line)
        assert f"{wins} of 36" in line
    listed = [
        float(line.split("|")[3].split()[0]) for line in printed.splitlines() if " of 36" in line
    ]
    assert listed == sorted(listed, reverse=True)
    assert sum(listed) == pytest.approx(0, abs=2)
    assert (tmp_path / "ratings.svg").exists()
