"""Visits, each of a position's key, a game and a ply, and how a row of the library packs them.

A row begins with the number of its visits and the bits that each difference of keys, each game and
each ply takes; then come all differences, all games and all plies, each column from a whole byte
on. Anybody may have written a row, so it is checked when it is read.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MOST_VISITS = 1 << 13  # of a row
VISITS_OF_JSON = """
    (SELECT value / 65536 AS game, value % 65536 AS ply FROM json_each(?)) visit
"""
"""A table ``visit`` of game and ply, of the visits in a value; see ``Visits.json``."""
_HEAD = 7  # bytes: the number of visits, three widths
_FEWER = 8  # times as many games make the sorted ones worth a search for each visit
_WORD = 64  # bits that are read for a number, from the byte on where it begins
_WIDEST = 57  # bits that a word has wherever the number begins; wider ones take whole words

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Visits:
    """Visits, by key: arrays of one length."""

    keys: Numbers
    games: Numbers
    plies: Numbers

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, chosen: "slice | NDArray[np.bool_] | Numbers") -> "Visits":
        return Visits(self.keys[chosen], self.games[chosen], self.plies[chosen])

    def sorted(self) -> "Visits":
        """Return the visits by key and game."""
        return self[np.lexsort((self.games, self.keys))]

    def of_games(self, games: Numbers) -> "Visits":
        """Return the visits of some games, which are sorted."""
        if len(self) < len(games) // _FEWER:
            places = np.minimum(np.searchsorted(games, self.games), len(games) - 1)
            return self[games[places] == self.games]
        return self[np.isin(self.games, games)]

    def page(self, limit: int, offset: int, descending: bool) -> "Visits":
        """Return so many visits behind the first ones, from either end; ``limit`` -1: all."""
        places = np.arange(len(self))
        if descending:
            places = places[::-1]
        end = None if limit < 0 else offset + limit
        return self[places[offset:end]]

    def places_before(self, later: "Visits") -> Numbers:
        """Return the places of visits, which are by game, that others follow a ply later.

        Each game has one visit in both.
        """
        places = np.searchsorted(self.games, later.games)
        inside = places < len(self)
        places = places[inside]
        later = later[inside]
        follows = (self.games[places] == later.games) & (self.plies[places] + 1 == later.plies)
        before: Numbers = places[follows]
        return before

    def json(self) -> str:
        """Return games and plies for a query that joins `VISITS_OF_JSON`."""
        return json.dumps((self.games * 65536 + self.plies).tolist())

    def packed(self) -> bytes:
        """Return the visits as a row holds them, but for the first key."""
        columns = self._columns()
        widths = [_bits(column) for column in columns]
        head = len(self).to_bytes(4, "little") + bytes(widths)
        return head + b"".join(map(_packed, columns, widths))

    def _columns(self) -> tuple[Numbers, Numbers, Numbers]:
        return np.diff(self.keys, prepend=self.keys[:1]), self.games, self.plies

    def fitting(self, room: int) -> int:
        """Return how many of the visits fit in so many bytes of a row."""
        candidates = self[:MOST_VISITS]
        bits = sum(map(_bits, candidates._columns()))
        return min(len(candidates), (room - _HEAD - 3) * 8 // bits)


class VisitRow:
    """The visits of a row; games and plies are unpacked for those that are asked for.

    Raises ValueError for anything but what ``Visits.packed`` wrote.
    """

    def __init__(self, first: int, data: bytes) -> None:
        if not isinstance(first, int) or not isinstance(data, bytes):
            raise ValueError("visits are no bytes")
        count = int.from_bytes(data[:4], "little")
        self._widths = data[4:_HEAD]
        self._columns = _columns_of(data, count, self._widths)
        differences = self._numbers(0, np.arange(count))
        differences[0] = first
        self.keys: Numbers = np.cumsum(differences)
        if min(differences.min(), self.keys.min()) < 0:
            raise ValueError("visits are not in order")

    def __getitem__(self, places: Numbers) -> Visits:
        games = self._numbers(1, places)
        plies = self._numbers(2, places)
        if len(places) and min(games.min(), plies.min()) < 0:
            raise ValueError("visits are damaged")
        return Visits(self.keys[places], games, plies)

    def through(self, key: int) -> Visits:
        """Return the visits of a key."""
        begin = int(np.searchsorted(self.keys, key))
        end = int(np.searchsorted(self.keys, key, "right"))
        return self[np.arange(begin, end)] if begin < end else NO_VISITS

    def all(self) -> Visits:
        """Return all visits."""
        return self[np.arange(len(self.keys))]

    def of(self, keys: Numbers) -> Visits:
        """Return the visits of sorted keys, each once."""
        first = int(np.searchsorted(keys, self.keys[0]))
        last = int(np.searchsorted(keys, self.keys[-1], "right"))
        keys = keys[first:last]
        begins = np.searchsorted(self.keys, keys)
        ends = np.searchsorted(self.keys, keys, "right")
        lengths = ends - begins
        behind = np.cumsum(lengths)
        return self[np.repeat(ends - behind, lengths) + np.arange(lengths.sum())]

    def last_of(self, keys: Numbers) -> Visits:
        """Return one visit of each of sorted keys that has any."""
        places = np.searchsorted(self.keys, keys, "right") - 1
        return self[places[self.keys[places] == keys]]

    def _numbers(self, column: int, places: Numbers) -> Numbers:
        """Return the numbers at places of a column."""
        width = self._widths[column]
        data = self._columns[column]
        begins = places * width
        words = np.ndarray((len(data) - _WORD // 8 + 1,), "<i8", data, strides=(1,))
        numbers = words.take(begins >> 3).astype(np.int64, copy=False)
        numbers >>= begins & 7
        if width < _WORD:
            numbers &= (1 << width) - 1
        return numbers


def _columns_of(data: bytes, count: int, widths: bytes) -> list[memoryview]:
    """Return where the columns of a row begin. Raises ValueError if that cannot be."""
    sizes = [_bytes_of(count, width) for width in widths]
    if len(sizes) < 3 or not 0 < count <= MOST_VISITS or len(data) != _HEAD + sum(sizes):
        raise ValueError("visits are cut off")
    if not all(0 < width <= _WIDEST or width == _WORD for width in widths):
        raise ValueError("visits are of no width")
    begins = _HEAD, _HEAD + sizes[0], _HEAD + sizes[0] + sizes[1]
    longer = memoryview(data + bytes(_WORD // 8))  # a word is read for the last number too
    return [longer[begin:] for begin in begins]


def _bits(column: Numbers) -> int:
    """Return the bits that each number of a column takes."""
    bits = max(1, int(column.max()).bit_length())
    return bits if bits <= _WIDEST else _WORD


def _bytes_of(count: int, width: int) -> int:
    """Return the bytes of a column."""
    return (count * width + 7) // 8


def _packed(column: Numbers, width: int) -> bytes:
    """Return a column in so many bits for each number, the lowest first."""
    wide = np.ascontiguousarray(column, "<i8").view(np.uint8).reshape(-1, _WORD // 8)
    bits = np.unpackbits(wide, axis=1, count=width, bitorder="little")
    return np.packbits(bits, bitorder="little").tobytes()


def distinct(numbers: Numbers) -> Numbers:
    """Return numbers from 0 on in order, each once; ``np.unique`` hashes them, which is slower."""
    ordered = np.sort(numbers)
    return ordered[np.diff(ordered, prepend=-1) > 0]


def in_both(numbers: Numbers, others: Numbers) -> Numbers:
    """Return the numbers that are in both of two arrays, which are in order and have each once."""
    both: Numbers = np.intersect1d(numbers, others, assume_unique=True)
    return both


def joined(parts: Sequence[Visits]) -> Visits:
    """Return visits one after the other."""
    parts = [NO_VISITS, *parts]
    return Visits(
        np.concatenate([part.keys for part in parts]),
        np.concatenate([part.games for part in parts]),
        np.concatenate([part.plies for part in parts]),
    )


_NONE = np.zeros(0, np.int64)
NO_VISITS = Visits(_NONE, _NONE, _NONE)


def merged(streams: Iterable[Iterator[Visits]]) -> Iterator[Visits]:
    """Yield the visits of streams, each of which is in order, in one order by key."""
    waiting = []
    for stream in streams:
        part = next(stream, NO_VISITS)
        if len(part):
            waiting.append((part, stream))
    while waiting:
        bound = min(part.keys[-1] for part, _ in waiting)  # what a stream has next is not before
        taken = []
        left = []
        for part, stream in waiting:
            end = int(np.searchsorted(part.keys, bound, "right"))
            taken.append(part[:end])
            rest = part[end:] if end < len(part) else next(stream, NO_VISITS)
            if len(rest):
                left.append((rest, stream))
        both = joined(taken)
        yield both[np.argsort(both.keys, kind="stable")]
        waiting = left


def rows_of(parts: Iterable[Visits], room: int) -> Iterator[Visits]:
    """Yield visits that are in order cut into rows of so many bytes, the last one shorter."""
    waiting: list[Visits] = []
    for part in parts:
        waiting.append(part)
        if sum(map(len, waiting)) >= 2 * MOST_VISITS:
            whole = joined(waiting)
            while len(whole) >= MOST_VISITS:
                count = whole.fitting(room)
                yield whole[:count]
                whole = whole[count:]
            waiting = [whole]
    whole = joined(waiting)
    while len(whole):
        count = whole.fitting(room)
        yield whole[:count]
        whole = whole[count:]
