"""Kernels for all tests: those of the analysis come first, and need nearly all of them."""

import pytest

from tests.compiling import compile_kernels


@pytest.fixture(scope="session", autouse=True)
def kernels() -> None:
    """Compile side by side, which a test would not do."""
    compile_kernels()
