"""Where the fields and arrays of a memory begin: assigned here, not numbered by hand.

Fields that all have length 1 take their places from ``range``.
"""

from collections.abc import Iterable
from itertools import accumulate
from typing import Any

from numpy.typing import NDArray


def places(*lengths: int) -> list[int]:
    """Return where fields of these lengths begin, one behind the other, and where the last ends.

    >>> places(1, 3, 1)
    [0, 1, 4, 5]
    """
    return list(accumulate(lengths, initial=0))


def lay_out(header: NDArray[Any], arrays: Iterable[tuple[int, int]], start: int = 0) -> int:
    """Write into a header where arrays begin, one behind the other; return where the last ends.

    ``arrays``: the place in the header, and the length. ``start``: where the first array begins.
    """
    for place, length in arrays:
        header[place] = start
        start += int(length)
    return start
