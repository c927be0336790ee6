"""Compile the kernels for the tests."""

import subprocess
import sys
from pathlib import Path

import pytest

from hextui.engine.kernels import folders
from hextui.locations import cache_folder

CELLS = (64,) if folders.CHECKED else (64, 128)
"""Nearly all tests are of boards of up to so many cells; checked ones of small boards alone."""


def use_home(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """Use another home, with its own folder of compiled kernels."""
    monkeypatch.setenv("HEXTUI_HOME", str(home))
    monkeypatch.setattr(folders, "kernels_folder", lambda: home / "cache" / "kernels")


def compile_kernels() -> None:
    """Compile for the boards of the tests, side by side: no core waits for one that has more."""
    warm = [sys.executable, "-m", "hextui", "warm", "--cells"]
    nowhere = subprocess.DEVNULL
    children = [
        subprocess.Popen([*warm, str(cells)], stdout=nowhere, stderr=nowhere) for cells in CELLS
    ]
    codes = [child.wait() for child in children]
    if any(codes):
        raise RuntimeError(f"the kernels cannot be compiled: {' '.join(warm)} ...")


def share_kernels(home: Path) -> None:
    """Let another home use the code that is compiled already."""
    kernels = cache_folder() / "kernels"
    kernels.mkdir(parents=True, exist_ok=True)
    (home / "cache").mkdir(parents=True)
    (home / "cache" / "kernels").symlink_to(kernels)
