"""The user's results with puzzles, and when puzzles come back."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.train.progress import PuzzleProgress, Success, TrainingStore, success_by, training_order
from hextui.train.puzzle import Puzzle, Theme

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
PUZZLES = [
    Puzzle(Position.empty(Board(4, 4)).play(cell), level=level, theme=theme)
    for cell, level, theme in ((1, 5, Theme.QUIET), (2, 2, Theme.QUIET), (6, 1, Theme.BRIDGE))
]


@pytest.fixture
def progress(tmp_path: Path) -> Iterator[TrainingStore]:
    opened = TrainingStore(tmp_path / "training.sqlite")
    yield opened
    opened.close()


def known(progress: TrainingStore) -> list[PuzzleProgress | None]:
    return [progress.of(puzzle) for puzzle in PUZZLES]


def test_a_solved_puzzle_comes_back_later_each_time(progress: TrainingStore) -> None:
    now, waits = NOW, []
    for _ in range(4):
        due = progress.add(PUZZLES[0], True, now).due
        waits.append(due - now)
        now = due
    assert waits == sorted(set(waits))
    assert waits[0] >= DAY
    assert waits[-1] > 7 * DAY
    failed = progress.add(PUZZLES[0], False, now)
    assert failed.due - now < DAY
    assert failed.attempts == (True,) * 4 + (False,)
    assert not failed.solved


def test_puzzles_due_come_first_then_new_ones_by_level(progress: TrainingStore) -> None:
    assert training_order(PUZZLES, known(progress), NOW) == [2, 1, 0]
    progress.add(PUZZLES[0], False, NOW)
    assert training_order(PUZZLES, known(progress), NOW) == [2, 1]
    assert training_order(PUZZLES, known(progress), NOW + DAY) == [0, 2, 1]


def test_images_of_a_puzzle_share_their_progress(progress: TrainingStore) -> None:
    position = PUZZLES[0].position
    progress.add(PUZZLES[0], True, NOW)
    for image in (position.rotated(), position.mirrored(), position.mirrored().rotated()):
        assert progress.of(replace(PUZZLES[0], position=image)) == progress.of(PUZZLES[0])
    assert progress.of(replace(PUZZLES[0], position=position.play(9))) is None


def test_success_is_counted_by_the_last_attempt(progress: TrainingStore) -> None:
    progress.add(PUZZLES[0], True, NOW)
    progress.add(PUZZLES[1], True, NOW)
    progress.add(PUZZLES[1], False, NOW)
    assert success_by(PUZZLES, known(progress), lambda one: one.theme) == {
        "bridge intrusion": Success(1, 0, 0),
        "quiet move": Success(2, 2, 1),
    }


def test_a_killed_program_loses_no_result(tmp_path: Path) -> None:
    file = tmp_path / "training.sqlite"
    code = (
        "import os, signal\n"
        "from pathlib import Path\n"
        "from tests.train.test_progress import NOW, PUZZLES, TrainingStore\n"
        f"TrainingStore(Path({str(file)!r})).add(PUZZLES[0], True, NOW)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=False, cwd=Path(__file__).parents[2])
    opened = TrainingStore(file)
    found = opened.of(PUZZLES[0])
    opened.close()
    assert found is not None
    assert found.attempts == (True,)


def test_a_damaged_file_is_set_aside(tmp_path: Path) -> None:
    file = tmp_path / "training.sqlite"
    file.write_bytes(b"no database, but what the user had" * 99)
    file.chmod(0o600)
    opened = TrainingStore(file)
    assert opened.add(PUZZLES[0], True, NOW).solved
    assert "renamed to training.sqlite.damaged" in opened.problem
    opened.close()
