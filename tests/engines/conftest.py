"""Kernels for all tests: those of the analysis come first, and need nearly all of them."""

from collections.abc import Iterator

import pytest

from hextui.engines.answerer import OwnAnswerer
from tests.compiling import compile_kernels


@pytest.fixture(scope="session", autouse=True)
def kernels() -> None:
    """Compile side by side, which a test would not do."""
    compile_kernels()


@pytest.fixture
def answerer() -> Iterator[OwnAnswerer]:
    made = OwnAnswerer()
    yield made
    made.close()
