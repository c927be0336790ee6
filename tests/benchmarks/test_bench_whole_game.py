"""Cost of a whole game, 13x13 with four evaluators."""

import os
from pathlib import Path

import pytest

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import game_positions
from hextui.analysis.whole_game import analyse_game
from hextui.records.formats import read_collection
from hextui.records.record import Record

NAMES = ("k-paths:1", "contribution-both:1", "resistance", "shortest-path")
DATA = Path(os.environ.get("HEXTUI_TEST_DATA", "")) / "human_13x13.jsonl"


@pytest.mark.skipif(not DATA.is_file(), reason="no games")
def test_a_whole_game(benchmark):
    """A game of 36 plies, kernels warm, one thread."""
    games = (game for game in read_collection(DATA) if isinstance(game, Record))
    record = next(game for game in games if game.plies == 36)
    line = game_positions(record, record.main_line())

    def analyse():
        *_, last = analyse_game(line, NAMES, Estimates())
        assert last.done == last.total

    analyse()
    benchmark.pedantic(analyse, rounds=3)
