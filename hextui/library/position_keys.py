"""Keys of positions that are equal for positions that are the same game.

Those are the position itself, its turn by 180 degrees, and the mirror images of both in the long
diagonal with colours exchanged. A position's hash is one integer of four 64-bit words, the XOR of
fixed pseudo-random integers (Zobrist hashing), one word for each orientation. The key is the
smallest word without its last bit, so a move changes it by one XOR. That two of the 60 million
positions of a million games share a key of 63 bits by chance is one in 5 000.
"""

from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Board, Color
from hextui.engine.position import Position

_WORDS = 4


def keys_of(hashes: list[int]) -> NDArray[np.int64]:
    """Return the keys of positions with these hashes: 63 bits each."""
    data = b"".join([value.to_bytes(8 * _WORDS, "little") for value in hashes])
    words = np.frombuffer(data, dtype="<u8").reshape(-1, _WORDS)
    keys: NDArray[np.int64] = (words.min(axis=1) >> np.uint64(1)).astype(np.int64)
    return keys


def key_of(position: Position) -> int:
    """Return the key of a position."""
    return int(keys_of([hashing(position.board).position(position)])[0])


def keys_after_stones(position: Position) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Return the empty cells, and the keys of the positions after a stone on each of them."""
    table, mover = hashing(position.board), position.to_move
    stones = np.frombuffer(position.stones, np.uint8)
    turn = table.turn[mover.opponent][not any(position.stones)]
    base = np.frombuffer(turn.to_bytes(8 * _WORDS, "little"), dtype="<u8")
    for color, words in enumerate(table.words, start=1):
        base = base ^ np.bitwise_xor.reduce(words[stones == color])
    cells = np.flatnonzero(stones == 0)
    words = table.words[mover - 1][cells] ^ base
    return cells, (words.min(axis=1) >> np.uint64(1)).astype(np.int64)


def cells_to(position: Position, keys: Iterable[int]) -> Iterator[int]:
    """Yield the cells of the stones that lead from a position through others, by their keys.

    It ends where no stone leads to the next one: after a swap.
    """
    table, mover = hashing(position.board), position.to_move
    stones = np.frombuffer(position.stones, np.uint8)
    base = np.zeros(_WORDS, np.uint64)
    for color, words in enumerate(table.words, start=1):
        base ^= np.bitwise_xor.reduce(words[stones == color])
    swap_legal = not any(position.stones)  # after the next stone
    for key in keys:
        after = table.words[mover - 1] ^ (base ^ table.turn_words[mover.opponent, int(swap_legal)])
        found = np.flatnonzero(after.min(axis=1) >> np.uint64(1) == key)
        if not len(found):
            return
        cell = int(found[0])
        yield cell
        base = base ^ table.words[mover - 1][cell]
        mover, swap_legal = mover.opponent, False


class Hashing:
    """The random integers of one board."""

    def __init__(self, board: Board) -> None:
        self.board = board

    @cached_property
    def stone(self) -> tuple[tuple[int, ...], ...]:
        """``stone[color][cell]`` for colours 1 and 2 (``stone[0]`` is empty)."""
        cells = range(self.board.cells)
        return ((), *(tuple(self._stone(cell, color) for cell in cells) for color in Color))

    @cached_property
    def words(self) -> NDArray[np.uint64]:
        """The words of ``stone``, of shape (2, cells, 4): colours, cells, orientations."""
        data = b"".join(
            value.to_bytes(8 * _WORDS, "little") for color in Color for value in self.stone[color]
        )
        return np.frombuffer(data, dtype="<u8").reshape(2, -1, _WORDS)

    @cached_property
    def turn(self) -> tuple[tuple[int, int], ...]:
        """``turn[color][swap_legal]`` for colours 1 and 2."""
        colors = tuple((self._turn(c, False), self._turn(c, True)) for c in Color)
        return ((0, 0), *colors)

    @cached_property
    def turn_words(self) -> NDArray[np.uint64]:
        """The words of ``turn``, of shape (3, 2, 4)."""
        data = b"".join(
            value.to_bytes(8 * _WORDS, "little") for turns in self.turn for value in turns
        )
        return np.frombuffer(data, dtype="<u8").reshape(3, 2, _WORDS)

    def _stone(self, cell: int, color: Color) -> int:
        board, mirrored = self.board, self.board.transposed
        image = board.mirror(cell)
        other = color.opponent
        return _pack(
            f"{board} {color} {cell}",
            f"{board} {color} {board.rotate(cell)}",
            f"{mirrored} {other} {image}",
            f"{mirrored} {other} {mirrored.rotate(image)}",
        )

    def _turn(self, color: Color, swap_legal: bool) -> int:
        own = f"{self.board} {color} {swap_legal} to move"
        image = f"{self.board.transposed} {color.opponent} {swap_legal} to move"
        return _pack(own, own, image, image)

    def position(self, position: Position) -> int:
        """Return the hash of a position."""
        value = self.turn[position.to_move][position.swap_legal]
        for cell, stone in enumerate(position.stones):
            if stone:
                value ^= self.stone[stone][cell]
        return value


@cache
def hashing(board: Board) -> Hashing:
    """Return the random integers of a board, made once."""
    return Hashing(board)


def _pack(*texts: str) -> int:
    """Return the words of four texts as one integer."""
    words = [blake2b(text.encode(), digest_size=8).digest() for text in texts]
    return int.from_bytes(b"".join(words), "little")
