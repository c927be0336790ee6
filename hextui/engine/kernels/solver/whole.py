"""Numbers read from int32 memory as int64, so that every kernel is compiled once."""

from collections.abc import Callable
from typing import Any

from numpy import int64

# to numba the type itself, to mypy what it gives in a kernel
whole: Callable[[Any], int] = int64  # type: ignore[assignment]
