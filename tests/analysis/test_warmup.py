"""The first run's compilation: a real child on an empty cache, its progress, its end."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import hextui
from hextui.analysis.warmup import NICENESS, Warmup
from hextui.engine.board import Board
from hextui.engine.warm import _SOLVER_CHILD, WIDTHS, is_solver_warm, is_warm, width_of


def test_every_board_has_a_width() -> None:
    assert WIDTHS == (1, 2, 3, 4, 5, 6)
    assert [width_of(side * side) for side in (1, 8, 9, 11, 13, 19)] == [1, 1, 2, 2, 3, 6]


MARKERS = """
from hextui.engine.warm import _marker, _solver_marker
print(_marker(1), _solver_marker(1), sep="\\n")
"""


def test_code_compiled_for_an_installation_elsewhere_does_not_count(tmp_path: Path) -> None:
    # numba keeps compiled code by the path of its source
    shutil.copytree(Path(hextui.__file__).parent, tmp_path / "hextui")

    def markers(place: Path) -> list[Path]:
        run = [sys.executable, "-c", MARKERS]
        env = {**os.environ, "PYTHONPATH": str(place)}
        out = subprocess.run(
            run, cwd=place, env=env, check=True, capture_output=True, text=True
        ).stdout
        return [Path(line) for line in out.splitlines()]

    here, there = markers(Path(hextui.__file__).parents[1]), markers(tmp_path)
    assert [marker.parent for marker in here] == [marker.parent for marker in there]
    assert not set(here) & set(there)
    os.utime(tmp_path / "hextui/engine/kernels/paths/masks.py", (1, 1))
    assert not set(there) & set(markers(tmp_path))


@pytest.fixture
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEXTUI_HOME", str(tmp_path))
    return tmp_path


def test_closing_ends_the_child_at_once(empty_home: Path) -> None:
    warmup = Warmup()
    steps = warmup.wait(Board(3, 3))
    assert next(steps) == (0, 1)
    child = warmup._child
    assert child is not None
    assert os.getpriority(os.PRIO_PROCESS, child._process.pid) >= NICENESS
    start = time.monotonic()
    warmup.close()
    for _ in steps:
        pass
    assert child.ended.is_set()
    assert time.monotonic() - start < 30
    assert list(warmup.wait(Board(3, 3))) == []


def test_the_process_that_compiles_the_solver_ends_with_its_parent(empty_home: Path) -> None:
    command = [sys.executable, "-c", _SOLVER_CHILD, "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as child:
        assert child.stdin is not None
        child.stdin.close()  # as when the parent dies
        assert child.wait(30) == 1


def test_coming_back_finds_the_same_child_and_another_board_starts_another(
    empty_home: Path,
) -> None:
    warmup = Warmup()
    next(warmup.wait(Board(3, 3)))
    first = warmup._child
    next(warmup.wait(Board(4, 4)))
    assert warmup._child is first
    next(warmup.wait(Board(9, 9)))
    assert warmup._child is not first
    warmup.close()


def test_a_child_that_is_waited_for_is_not_ended_for_another_board(empty_home: Path) -> None:
    warmup = Warmup()
    first, second = warmup.wait(Board(3, 3)), warmup.wait_for_solver(Board(9, 9))
    next(first)
    child = warmup._child
    next(second)
    assert warmup._child is child
    first.close()
    next(second)
    assert warmup._child is not child
    second.close()
    warmup.close()


@pytest.mark.slow
def test_a_first_run_compiles_and_says_how_far_it_is(empty_home: Path) -> None:
    warmup = Warmup()
    seen = set(warmup.wait(Board(4, 4)))
    assert len(seen) > 2
    assert is_warm(1)
    list(warmup.wait_for_solver(Board(4, 4)))
    assert is_solver_warm(1)
    assert list(warmup.wait(Board(5, 5))) == []
    again = [sys.executable, "-m", "hextui", "warm", "--cells", "16"]
    out = subprocess.run(again, capture_output=True, text=True, check=True)
    assert "nothing to do" in out.stdout
