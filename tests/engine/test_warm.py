"""What tells that the kernels of a width lie ready."""

from pathlib import Path

import pytest

from hextui.engine.warm import CompileEstimate
from hextui.engine.widths import holds, mark


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    for name in ("one", "two words", "solver-2", "other.part"):
        (tmp_path / name).write_text(name)
    (tmp_path / "solver").mkdir()
    mark(tmp_path / "rankings-1")
    return tmp_path / "rankings-1"


def test_kernels_are_ready_if_all_that_the_marker_names_is_there(marker: Path) -> None:
    assert holds(marker)
    (marker.parent / "other.part").unlink()
    (marker.parent / "solver-2").unlink()
    (marker.parent / "three").write_text("of another width")
    assert holds(marker)


@pytest.mark.parametrize("data", [b"", b"\xff", b"x one\n", b"3\n", b"3 gone\n"])
def test_a_damaged_marker_does_not_count(marker: Path, data: bytes) -> None:
    marker.write_bytes(data)
    assert not holds(marker)


def test_what_is_cut_or_gone_is_not_ready(marker: Path) -> None:
    (marker.parent / "two words").write_text("")
    assert not holds(marker)
    mark(marker)
    (marker.parent / "two words").unlink()
    assert not holds(marker)


def test_a_folder_that_is_gone_is_no_error(tmp_path: Path) -> None:
    mark(tmp_path / "gone" / "rankings-1")
    assert not holds(tmp_path / "gone" / "rankings-1")


def test_the_estimate_follows_the_steps_and_never_says_that_nothing_is_left() -> None:
    now = 0.0
    estimate = CompileEstimate(lambda: now)
    assert estimate.now() == (0, 30)
    told = []
    for label, seconds in (("network", 8.0), ("connections", 20.0), ("k-paths:2", 13.0)):
        for _ in range(4):
            now += seconds / 4
            told.append(estimate.now()[0])
        estimate.finish(label)
        told.append(estimate.now()[0])
    assert told == sorted(told)
    percent, left = estimate.now()
    assert percent == 64
    assert left == 23  # twice as slow as when the steps were measured
    now += 10_000
    percent, left = estimate.now()
    assert percent < 100
    assert left > 100


def test_steps_that_are_on_disk_take_no_time() -> None:
    estimate = CompileEstimate(lambda: 0.0)
    estimate.finish("network")
    assert estimate.now()[1] >= 1
