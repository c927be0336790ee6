"""Tries whether the refinements of numba work here; ends with 0 if they do. See ways.py."""

from typing import Any

import numpy as np

from hextui.engine.kernels.compiling import kernel, part
from hextui.engine.kernels.folders import compiled_folder


@part
def _add(numbers: Any, place: int, handle: tuple[int, ...]) -> int:
    numbers[place] += handle[0] + len(handle)
    return int(numbers[place])


def _sum(numbers: Any, handle: tuple[int, ...]) -> int:
    """Kernel of a part, compiled twice: the second time it must come from disk."""
    total = 0
    for i in range(len(numbers)):
        total += _add(numbers, i, handle)
    return total


def main() -> None:
    """Raise if anything is not as it should be."""
    for hits in (0, 1):
        compiled: Any = kernel(_sum)
        numbers = np.arange(5, dtype=np.int32)
        if compiled(numbers, (3, 0, 0)) != 10 + 5 * 6 or numbers.tolist() != [6, 7, 8, 9, 10]:
            raise AssertionError("a kernel gives a wrong answer")
        if sum(compiled.stats.cache_hits.values()) != hits:
            raise AssertionError("a kernel is not kept on disk, or not found there")
    if len(list(compiled_folder().glob("*.code"))) != 1:
        raise AssertionError("a kernel is not kept where it should be")


if __name__ == "__main__":
    main()
