"""Intervals: published examples, and how often they hold the truth."""

import random
from itertools import product
from statistics import fmean

import pytest

from hextui.runs.intervals import difference, mean_over_games, share_of_pairs
from hextui.runs.proportions import proportion


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    # R. G. Newcombe, Statistics in Medicine 17 (1998), 857-872, table I, method 3
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_published_intervals_of_shares(successes, trials, low, high):
    found = proportion(successes, trials)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)
    assert found.value == successes / trials


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    # the same, 873-890, table II, method 10
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((10, 10), (0, 20), 0.6791, 1.0),
    ],
)
def test_published_intervals_of_differences(first, second, low, high):
    found = difference(proportion(*first), proportion(*second))
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_no_trials():
    found = proportion(0, 0)
    assert (found.low, found.high) == (0.0, 1.0)


def test_bootstrap_by_games_holds_the_truth():
    """Moves of a game are alike: about 95 of 100 intervals hold the mean; seldom fewer than 85."""
    rng = random.Random(5)
    held = 0
    for seed in range(100):
        values, games = [], []
        for game in range(40):
            level = rng.gauss(0.5, 0.2)
            for _ in range(10):
                values.append(level + rng.gauss(0, 0.05))
                games.append(str(game))
        found = mean_over_games(values, games, seed, samples=300)
        assert found.value == pytest.approx(fmean(values))
        held += found.low <= 0.5 <= found.high
    assert held >= 85


def test_the_same_seed_gives_the_same_interval():
    values, games = [0.1, 0.5, 0.9, 0.3], ["a", "a", "b", "c"]
    assert mean_over_games(values, games, 3) == mean_over_games(values, games, 3)
    assert mean_over_games(values, games, 3).low < mean_over_games(values, games, 3).value


def test_one_game_has_no_spread():
    found = mean_over_games([0.2, 0.4], ["a", "a"])
    assert found.low == found.high == pytest.approx(0.3)


def test_pairs_that_share_games_against_all_draws():
    """Four games give 256 draws, each as likely; a pair counts as often as both games are drawn."""
    pairs = [("a", "b"), ("a", "c"), ("b", "c"), ("c", "d")]
    outcomes = [True, False, False, True]
    drawn = []
    for games in product("abcd", repeat=4):
        weights = [games.count(first) * games.count(second) for first, second in pairs]
        if any(weights):
            hits = sum(weight for weight, out in zip(weights, outcomes, strict=True) if out)
            drawn.append(hits / sum(weights))
    drawn.sort()
    found = share_of_pairs(outcomes, pairs, 3, samples=20_000)
    assert found.value == 0.5
    ends = drawn[round(0.025 * len(drawn))], drawn[round(0.975 * len(drawn)) - 1]
    assert (found.low, found.high) == pytest.approx(ends, abs=0.02)


def test_pairs_that_all_agree_count_as_so_many_games():
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    assert share_of_pairs([False] * 3, pairs) == proportion(0, 3)
    assert share_of_pairs([True] * 3, pairs) == proportion(3, 3)
