"""Cost of importing games, and of an answer at a position of a large library.

``HEXTUI_BENCH_GAMES`` sets how many games are generated (default 5 000; 1 000 000 is the scale the
library is made for).
"""

import os
from pathlib import Path

import pytest

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.library.library import Library
from tests.library.generated import write_games

GAMES = int(os.environ.get("HEXTUI_BENCH_GAMES", "5000"))
BOARD = Board(13, 13)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library") / "games.jsonl"
    write_games(path, GAMES, BOARD, seed=1)
    return path


@pytest.fixture(scope="module")
def library(games: Path) -> Library:
    opened = Library(games.with_name("explored.sqlite"))
    opened.import_paths([games])
    return opened


def test_import(benchmark, games):
    def run():
        with Library(games.with_name("imported.sqlite")) as library:
            return library.import_paths([games])

    done = benchmark.pedantic(run, rounds=1)
    benchmark.extra_info["games"] = done.added
    size = games.with_name("imported.sqlite").stat().st_size
    benchmark.extra_info["bytes"] = size


@pytest.mark.parametrize("plies", [0, 1, 4, 20])
def test_explore(benchmark, library, plies):
    text = library.text(1)
    from hextui.records.formats import read_record

    record = read_record(text)
    position = record.position(record.node_at(plies)) if plies else Position.empty(BOARD)
    assert benchmark(library.explore, position).games
