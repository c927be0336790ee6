"""How versions 6 to 8 of the library packed visits, which are converted.

A row began with the number of its visits and the bytes that each difference of keys, each game and
each ply took; then came all differences, all games and all plies.
"""

import numpy as np

from hextui.library.visits import Numbers, Visits

_HEAD = 7  # bytes: the number of visits, three widths
_WIDEST = 8  # bytes of a number


def visits_of_bytes(first: int, data: bytes) -> Visits:
    """Return the visits of a row. Raises ValueError for anything else."""
    if not isinstance(first, int) or not isinstance(data, bytes):
        raise ValueError("visits are no bytes")
    count = int.from_bytes(data[:4], "little")
    widths = data[4:_HEAD]
    if not count or len(data) != _HEAD + count * sum(widths) or max(widths) > _WIDEST:
        raise ValueError("visits are cut off")
    columns = []
    begin = _HEAD
    for width in widths:
        columns.append(_column(data, begin, count, width))
        begin += count * width
    differences, games, plies = columns
    differences[0] = first
    return Visits(np.cumsum(differences), games, plies)


def _column(data: bytes, begin: int, count: int, width: int) -> Numbers:
    """Return a column of so many numbers, each of so many bytes."""
    wide = np.zeros((count, _WIDEST), np.uint8)
    wide[:, :width] = np.frombuffer(data, np.uint8, count * width, begin).reshape(count, width)
    return wide.view("<i8").ravel().astype(np.int64, copy=False)


def bytes_of_visits(visits: Visits) -> bytes:
    """Return visits as a row held them, in the widest way."""
    differences = np.diff(visits.keys, prepend=visits.keys[:1])
    head = len(visits).to_bytes(4, "little") + bytes([_WIDEST] * 3)
    columns = (differences, visits.games, visits.plies)
    return head + b"".join(column.astype("<i8").tobytes() for column in columns)


class VisitPacker:
    """An aggregate function of SQLite that packs rows of position, game and ply."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, ...]] = []

    def step(self, *row: int) -> None:
        """Take one visit."""
        self._rows.append(row)

    def finalize(self) -> bytes:
        """Return the visits as a row held them."""
        return bytes_of_visits(Visits(*np.array(self._rows, np.int64).T).sorted())
