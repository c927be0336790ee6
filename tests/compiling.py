"""Compiles the kernels for the tests."""

import subprocess
import sys


def compile_kernels() -> None:
    """Compile for boards of up to 64 and 128 cells, of which nearly all tests are."""
    for cells in (64, 128):
        warm = [sys.executable, "-m", "hextui", "warm", "--cells", str(cells)]
        subprocess.run(warm, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
