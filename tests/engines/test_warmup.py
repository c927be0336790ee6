"""The first run's compilation: a real child on an empty cache, its progress, its end."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hextui.children import python_command
from hextui.engine.board import Board
from hextui.engine.widths import (
    WIDTHS,
    Kernels,
    holds,
    is_warm,
    mark,
    marker_of,
    serving_width,
    width_of,
)
from hextui.engines.snapshot import COMPILING
from hextui.engines.warmup import NICENESS, Warmup
from tests.compiling import use_home
from tests.processes import PATIENCE


def test_every_board_has_a_width() -> None:
    assert WIDTHS == (1, 2, 3, 4, 5, 6)
    assert [width_of(side * side) for side in (1, 8, 9, 11, 13, 19)] == [1, 1, 2, 2, 3, 6]


@pytest.fixture
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    use_home(monkeypatch, tmp_path)
    return tmp_path


@pytest.fixture
def warmup(empty_home: Path) -> Iterator[Warmup]:
    made = Warmup()
    yield made
    made.close()


def test_closing_ends_the_child_at_once(warmup: Warmup) -> None:
    steps = warmup.wait(Board(3, 3))
    assert next(steps).label == COMPILING
    child = warmup._child
    assert child is not None
    assert os.getpriority(os.PRIO_PROCESS, child.process.pid) >= NICENESS
    warmup.close()
    for _ in steps:
        pass
    assert child.ended.is_set()
    assert list(warmup.wait(Board(3, 3))) == []


def test_the_process_that_compiles_the_solver_ends_with_its_parent(empty_home: Path) -> None:
    command = python_command("hextui.engine.warm", "1")
    with subprocess.Popen(command, stdin=subprocess.PIPE) as child:
        assert child.stdin is not None
        child.stdin.close()  # as when the parent dies
        assert child.wait(PATIENCE) == 1


def test_coming_back_finds_the_same_child_and_another_board_starts_another(warmup: Warmup) -> None:
    next(warmup.wait(Board(3, 3)))
    first = warmup._child
    next(warmup.wait(Board(4, 4)))
    assert warmup._child is first
    next(warmup.wait(Board(9, 9)))
    assert warmup._child is not first


def test_a_child_that_is_waited_for_is_not_ended_for_another_board(warmup: Warmup) -> None:
    first, second = warmup.wait(Board(3, 3)), warmup.wait(Board(9, 9), Kernels.SOLVER)
    next(first)
    child = warmup._child
    next(second)
    assert warmup._child is child
    first.close()  # type: ignore[attr-defined]
    next(second)
    assert warmup._child is not child
    second.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("kernels", Kernels)
def test_a_wider_class_serves_a_board_until_its_own_is_compiled(
    warmup: Warmup, monkeypatch: pytest.MonkeyPatch, kernels: Kernels
) -> None:
    monkeypatch.setenv("HEXTUI_COMPILER", "refined")

    def serving(board: Board) -> int:
        return serving_width(board, kernels)

    def marker(width: int) -> Path:
        return marker_of(kernels, width)

    assert serving(Board(3, 3)) == 1
    code = marker(4).with_name("kernel.code")
    code.parent.mkdir(parents=True, exist_ok=True)
    code.write_bytes(b"code")
    mark(marker(4))
    mark(marker(3))
    sizes = [Board(*size) for size in ((3, 3), (8, 8), (5, 13), (10, 13), (14, 15), (14, 19))]
    assert [serving(board) for board in sizes] == [3, 3, 3, 3, 4, 5]
    assert list(warmup.wait(Board(3, 3), kernels)) == []
    child = warmup._child
    assert child is not None
    assert child.width == 1
    assert list(warmup.wait(Board(4, 4), kernels)) == []
    assert warmup._child is child
    warmup.close()
    assert child.ended.wait(PATIENCE)
    mark(marker(1))
    assert serving(Board(3, 3)) == 1


def test_a_marker_tells_of_code_in_folders_too(tmp_path: Path) -> None:
    # in the public way numba keeps it there
    marker = tmp_path / "rankings-1"
    code = tmp_path / "connections_0123" / "update.1.nbc"
    code.parent.mkdir()
    code.write_bytes(b"code")
    mark(marker)
    assert holds(marker)
    code.write_bytes(b"")
    assert not holds(marker)


@pytest.mark.slow
def test_a_first_run_compiles_and_says_how_far_it_is(warmup: Warmup) -> None:
    seen = set(warmup.wait(Board(4, 4)))
    assert len(seen) > 2
    assert is_warm(Kernels.RANKINGS, 1)
    for kernels in Kernels:
        list(warmup.wait(Board(4, 4), kernels))
        assert is_warm(kernels, 1)
    assert list(warmup.wait(Board(5, 5))) == []
    again = [sys.executable, "-m", "hextui", "warm", "--cells", "16"]
    out = subprocess.run(again, capture_output=True, text=True, check=True)
    assert "nothing to do" in out.stdout
