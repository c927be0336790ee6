"""Kernels for all tests: those of the analysis come first, and need nearly all of them."""

import subprocess
import sys

import pytest

from hextui.engine.warm import is_solver_warm, is_warm


@pytest.fixture(scope="session", autouse=True)
def kernels() -> None:
    """Compile for boards of up to 64 and 128 cells: side by side, which a test would not do."""
    for width in (1, 2):
        if not (is_warm(width) and is_solver_warm(width)):
            warm = [sys.executable, "-m", "hextui", "warm", "--cells", str(64 * width)]
            subprocess.run(warm, check=True, stderr=subprocess.DEVNULL)
