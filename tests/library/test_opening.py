"""Many programs open, and so make, the library at once: each waits for the others."""

import multiprocessing
import sqlite3
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from hextui.engine.board import Board
from hextui.library import schema
from hextui.library.library import Library
from hextui.library.schema import LibraryError
from tests.library.generated import write_games

PROGRAMS = 6


def import_first(path: Path, games: Path, gate: Barrier) -> None:
    gate.wait()
    with Library(path) as library:
        library.import_paths([games])


@pytest.mark.parametrize("rounds", [10, pytest.param(500, marks=pytest.mark.slow)])
def test_first_imports_at_once(tmp_path: Path, rounds: int) -> None:
    games = tmp_path / "games.jsonl"
    write_games(games, 3, Board(3, 3), seed=8)
    context = multiprocessing.get_context("fork")
    for number in range(rounds):
        path = tmp_path / f"{number}.sqlite"
        gate = context.Barrier(PROGRAMS)
        started = [
            context.Process(target=import_first, args=(path, games, gate)) for _ in range(PROGRAMS)
        ]
        for process in started:
            process.start()
        for process in started:
            process.join()
        assert [process.exitcode for process in started] == [0] * PROGRAMS, number
        with Library(path) as library:
            assert library.stats().games == 3


def test_a_library_that_stays_locked_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "_WAIT", 0.2)
    other = sqlite3.connect(tmp_path / "library.sqlite", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(LibraryError, match="locked"):
        Library(tmp_path / "library.sqlite")
    other.close()
