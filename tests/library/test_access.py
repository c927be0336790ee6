"""Libraries that several programs open at once, or that may only be read."""

import multiprocessing
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import NamedTuple

import pytest

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.library import schema
from hextui.library.library import Library
from hextui.library.schema import LibraryError
from tests.library.generated import write_games

PROGRAMS = 6


def import_first(path: Path, games: Path, gate: Barrier) -> None:
    gate.wait()
    with Library(path) as library:
        library.import_paths([games])


@pytest.mark.parametrize("rounds", [2, pytest.param(500, marks=pytest.mark.slow)])
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


class Closed(NamedTuple):
    """A library's file, and what was answered while it could be written."""

    path: Path
    answers: tuple[object, ...]


@contextmanager
def as_nobody() -> Iterator[None]:
    """Let root, whom no rights bind, be somebody else for a while."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.fixture
def closed() -> Iterator[Closed]:
    """Twenty games in a folder that anybody can enter and nobody write to."""
    if not hasattr(os, "geteuid"):
        pytest.skip("no users here")
    folder = Path(tempfile.mkdtemp())  # tmp_path is for its owner alone
    try:
        write_games(folder / "games.jsonl", 20, Board(5, 5), seed=1)
        path = folder / "library.sqlite"
        with Library(path) as library:
            library.import_paths([folder / "games.jsonl"])
        answers = asked(path)
        path.chmod(0o444)
        folder.chmod(0o555)
        try:
            with as_nobody():
                path.read_bytes()
        except OSError as error:
            pytest.skip(f"nobody else can come here: {error}")
        yield Closed(path, answers)
    finally:
        folder.chmod(0o700)
        shutil.rmtree(folder)


def asked(path: Path) -> tuple[object, ...]:
    with Library(path) as library:
        empty = Position.empty(Board(5, 5))
        return library.stats(), library.games(), library.explore(empty), library.text(1)


def test_what_may_not_be_written_is_read(closed: Closed) -> None:
    with as_nobody():
        assert asked(closed.path) == closed.answers


def test_it_is_not_written(closed: Closed) -> None:
    with as_nobody(), Library(closed.path) as library:
        with pytest.raises(LibraryError, match=r"cannot be written: .*readonly"):
            library.remove([1])
        assert library.text(1) is not None


def test_what_stands_in_the_log_alone_is_not_left_out(closed: Closed) -> None:
    closed.path.parent.chmod(0o700)
    closed.path.chmod(0o600)
    with Library(closed.path) as other:  # another program that is at work
        other.remove([1])
        for file in closed.path.parent.iterdir():
            file.chmod(0o444)
        closed.path.parent.chmod(0o555)
        with as_nobody():
            found = asked(closed.path)
    assert found[-1] is None
    assert found != closed.answers
