"""Cost of a whole game, 13x13 with four evaluators, and of a repaint of two boards."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import game_positions
from hextui.analysis.whole_game import analyse_game
from hextui.records.formats import read_collection
from hextui.records.record import Record
from hextui.ui.drawing.geometry import BoardGeometry, Zoom
from hextui.ui.drawing.painter import looks, paint_line, pixel_colors
from hextui.ui.drawing.palette import DARK

from .test_bench_board import busy_view

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


@pytest.mark.parametrize(("side", "zoom"), [(11, Zoom.COMPACT), (11, Zoom.LARGE), (13, Zoom.LARGE)])
def test_repaint_of_two_boards(benchmark, side, zoom):
    first = busy_view(side)
    second = replace(first, heat={cell: 1 - heat for cell, heat in first.heat.items()})
    geometry = BoardGeometry(first.position.board, zoom)
    console = Console(color_system="truecolor", force_terminal=True)
    assert geometry.lines

    def repaint():
        for view in (first, second):
            seen = looks(view, DARK, "#1a1d23", zoom is Zoom.COMPACT)
            colors = pixel_colors(seen)
            for pieces in geometry.lines:
                paint_line(pieces, seen, colors).render(console)

    benchmark(repaint)
