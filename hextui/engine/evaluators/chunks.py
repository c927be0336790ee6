"""Work on many moves in pieces, so that nobody waits long for a chance to stop."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Result = TypeVar("Result")

# how long a caller may have to wait before it can stop
CHUNK_SECONDS = 0.03


def in_chunks(
    cells: Sequence[int], work: Callable[[Sequence[int]], Result]
) -> Iterator[tuple[Sequence[int], Result]]:
    """Yield pieces of the cells with what the work on each gave; their size follows its time."""
    size = 4
    while cells:
        chunk, cells = cells[:size], cells[size:]
        start = time.perf_counter()
        result = work(chunk)
        seconds = time.perf_counter() - start
        size = max(1, int(size * min(8, CHUNK_SECONDS / max(seconds, 1e-6))))
        yield chunk, result
