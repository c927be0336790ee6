"""The keys of positions.

Positions that are the same game have equal keys: the position itself, its turn by 180 degrees, and
the mirror images of both in the long diagonal with colours exchanged. A position's hash is four
words of 64 bits, one for each orientation, the XOR of fixed pseudo-random words of its stones and
turn (Zobrist hashing). The key is the smallest word without its last bit. The probability that two
of the 60 million positions of a million games share a key of 63 bits is 1 in 5,000.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Board, Color
from hextui.engine.position import SWAPS, Move, MoveKind, Position

Words = NDArray[np.uint64]


def key_of(position: Position) -> int:
    """Return the key of a position."""
    turn_words = words_of(position.board)[1]
    words = stone_words(position) ^ turn_words[position.to_move, int(position.swap_legal)]
    return int(keys_of_words(words))


def moves_to(position: Position, keys: Collection[int]) -> dict[int, list[Move]]:
    """Return the moves that lead to the positions with these keys: several if by symmetry."""
    stones, turns = words_of(position.board)
    cells = np.flatnonzero(np.frombuffer(position.stones, np.uint8) == 0)
    first = int(not any(position.stones))  # the opponent may swap
    base = stone_words(position) ^ turns[position.to_move.opponent, first]
    after = keys_of_words(stones[position.to_move][cells] ^ base)
    moves = {}
    for key in keys:
        moves[key] = [Move.play(int(cell)) for cell in cells[after == key]]
    for swap in swaps_at(position):
        if (key := key_of(position.apply(swap))) in moves:
            moves[key].append(swap)
    return moves


def moves_along(position: Position, keys: Sequence[int]) -> Iterator[Move]:
    """Yield the first move that leads to each of the positions with these keys, one after another.

    Raises LookupError if no move leads there.
    """
    keys = list(keys)
    while keys and (position.swap_legal or not any(position.stones)):  # a swap may lead there
        move = moves_to(position, keys[:1])[keys.pop(0)][0]
        yield move
        position = position.apply(move)
    stones, turns = words_of(position.board)
    words = stone_words(position)
    mover = position.to_move
    for key in keys:
        after = keys_of_words(stones[mover] ^ (words ^ turns[mover.opponent, 0]))
        cell = int(np.flatnonzero(after == key)[0])
        yield Move.play(cell)
        words = words ^ stones[mover, cell]
        mover = mover.opponent


def swaps_at(position: Position) -> list[Move]:
    """Return the swaps that are legal at a position."""
    if not position.swap_legal:
        return []
    square = position.board.rows == position.board.columns
    return [Move(kind) for kind in SWAPS if square or kind is MoveKind.SWAP_SIDES]


def keys_of_words(words: Words) -> NDArray[np.int64]:
    """Return the keys, of 63 bits, of hashes; the last axis holds the words of each."""
    keys: NDArray[np.int64] = (words.min(axis=-1) >> np.uint64(1)).astype(np.int64)
    return keys


def stone_words(position: Position) -> Words:
    """Return the words of the stones on the board, without those of the turn."""
    stones = np.frombuffer(position.stones, np.uint8)
    words: Words = np.bitwise_xor.reduce(
        words_of(position.board)[0][stones, np.arange(len(stones))], axis=0
    )
    return words


@cache
def words_of(board: Board) -> tuple[Words, Words]:
    """Return the random words of a board's stones and turns.

    Of shapes (3, cells, 4), by colour (0: empty, all zero) and cell, and (3, 2, 4), by the side to
    move and whether it may swap. The last axis is the orientation.
    """
    other = board.transposed
    stones = np.zeros((3, board.cells, 4), np.uint64)
    turns = np.zeros((3, 2, 4), np.uint64)
    for color in Color:
        for cell in range(board.cells):
            image = board.mirror(cell)
            stones[color, cell] = [
                _random(f"{board} {color} {cell}"),
                _random(f"{board} {color} {board.rotate(cell)}"),
                _random(f"{other} {color.opponent} {image}"),
                _random(f"{other} {color.opponent} {other.rotate(image)}"),
            ]
        for swap in (False, True):
            own = _random(f"{board} {color} {swap} to move")
            image = _random(f"{other} {color.opponent} {swap} to move")
            turns[color, int(swap)] = [own, own, image, image]
    return stones, turns


def _random(text: str) -> int:
    """Return 64 bits that depend on a text only."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")
