"""Compiles the kernels for the tests."""

import subprocess
import sys

from hextui.engine.kernels.ways import CHECKED

CELLS = (64,) if CHECKED else (64, 128)
"""Nearly all tests are of boards of up to so many cells; checked ones of small boards alone."""


def compile_kernels() -> None:
    """Compile for the boards of the tests."""
    for cells in CELLS:
        warm = [sys.executable, "-m", "hextui", "warm", "--cells", str(cells)]
        subprocess.run(warm, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
