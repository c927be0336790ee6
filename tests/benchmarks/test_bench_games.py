"""Speed of what takes whole games: ranks of their moves, games between evaluators, an analysis."""

import os
import time
from pathlib import Path

import pytest

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import game_positions
from hextui.analysis.whole_game import analyse_game
from hextui.engine.board import Board
from hextui.records.formats import read_collection, read_record
from hextui.records.record import Record
from hextui.studies.games import Filters, GameTask, choices, collect
from hextui.studies.rank_quality import RankQuality
from tests.matches.games import play_game

DATA = os.environ.get("HEXTUI_TEST_DATA")
PLIES = 40
K_1 = RankQuality(("contribution-own:1", "contribution-opponent:1"), losers=True)


def long_game(name: str) -> GameTask:
    """Return the first game of a file with so many plies."""
    assert DATA is not None
    games = collect([Path(DATA) / name], Filters()).games
    return next(game for game in games if len(list(choices(read_record(game.text)))) >= PLIES)


@pytest.mark.skipif(DATA is None, reason="HEXTUI_TEST_DATA is not set")
@pytest.mark.parametrize("side", [11, 13])
def test_ranks_of_a_game(benchmark, side: int) -> None:
    """Both players' moves, k = 1, both networks; CPU time, because other work may run beside."""
    game = long_game(f"human_{side}x{side}.jsonl")
    K_1(game)
    start, runs = time.thread_time(), 5
    rows = benchmark.pedantic(K_1, (game,), rounds=runs)
    benchmark.extra_info["cpu_seconds"] = (time.thread_time() - start) / runs
    assert len(rows) >= PLIES


def test_a_game_of_table_1(benchmark) -> None:
    """E_1 against E on 7x7, one ply deep."""
    play_game("k-paths:1", "shortest-path", Board(7, 7))
    start, runs = time.thread_time(), 5
    benchmark.pedantic(play_game, ("k-paths:1", "shortest-path", Board(7, 7)), rounds=runs)
    benchmark.extra_info["cpu_seconds"] = (time.thread_time() - start) / runs


# A whole game, 13x13 with four evaluators


NAMES = ("k-paths:1", "contribution-both:1", "resistance", "shortest-path")
GAMES = Path(os.environ.get("HEXTUI_TEST_DATA", "")) / "human_13x13.jsonl"


@pytest.mark.skipif(not GAMES.is_file(), reason="no games")
def test_a_whole_game(benchmark):
    """A game of 36 plies, kernels warm, one thread."""
    games = (game for game in read_collection(GAMES) if isinstance(game, Record))
    record = next(game for game in games if game.plies == 36)
    line = game_positions(record, record.main_line())

    def analyse():
        *_, last = analyse_game(line, NAMES, Estimates())
        assert last.done == last.total

    analyse()
    benchmark.pedantic(analyse, rounds=3)
