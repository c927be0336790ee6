"""Kernels for all tests: those of the analysis come first, and need nearly all of them."""

import subprocess
import sys

import pytest


@pytest.fixture(scope="session", autouse=True)
def kernels() -> None:
    """Compile for boards of up to 64 and 128 cells: side by side, which a test would not do."""
    for cells in (64, 128):
        warm = [sys.executable, "-m", "hextui", "warm", "--cells", str(cells)]
        subprocess.run(warm, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
