"""What the library keeps of each record, and the keys of positions.

A game takes part in the graph of positions with its main line, from behind its last setup or turn
out of the ordinary (a pass, a colour that is not to move, a swap where none is legal) up to the
first complete chain. So every move in the graph adds a stone or uses up the right to swap, and
the graph has no cycle.

Positions that are the same game have equal keys: the position itself, its turn by 180 degrees, and
the mirror images of both in the long diagonal with colours exchanged. A position's hash is one
integer of four 64-bit words, the XOR of fixed pseudo-random integers (Zobrist hashing), one word
for each orientation. The key is the smallest word without its last bit, so a move changes it by one
XOR. The probability that two of the 60 million positions of a million games share a key of 63 bits
is 1 in 5,000.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Board, Color
from hextui.engine.position import MoveKind, Position
from hextui.library.answers import Broken, files_of, source_of, storable
from hextui.library.schema import LONGEST_GAME, MIB
from hextui.records.codecs.sgf import unreadable_property, write_sgf
from hextui.records.errors import RecordError
from hextui.records.formats import BrokenGame, read_collection
from hextui.records.record import Record
from hextui.records.tree import Node

_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)\b")
_DIGITS = {c: bytes(48 + (stone == c) for stone in range(256)) for c in Color}
_WORDS = 4  # of a hash, one for each orientation
_SWAPS = (MoveKind.SWAP_PIECES, MoveKind.SWAP_SIDES)


@dataclass(frozen=True)
class GamePositions:
    """The positions a game goes through: ply of the first, keys, levels, sides to move.

    The level grows with every move. ``complete`` says that the last position holds a chain.
    """

    first_ply: int
    keys: NDArray[np.int64]
    levels: NDArray[np.int16]
    movers: bytes
    complete: bool

    def packed(self) -> bytes:
        """Return keys, levels and movers as the library's file holds them."""
        return self.keys.astype("<i8").tobytes() + self.levels.astype("<i2").tobytes() + self.movers

    @staticmethod
    def unpack(data: bytes, first_ply: int, complete: bool) -> "GamePositions":
        """Return what ``packed`` wrote."""
        plies = len(data) // 11
        keys = np.frombuffer(data, "<i8", plies)
        levels = np.frombuffer(data, "<i2", plies, offset=8 * plies)
        return GamePositions(first_ply, keys, levels, data[10 * plies :], complete)


@dataclass(frozen=True)
class Game:
    """One game: its data, ``digest`` of board, main line and winner, text as SGF, and positions.

    ``winner`` is None if unknown, ``how`` says how it ended (``R``, ``T``, '' if unknown), ``year``
    is None without a date.
    """

    digest: bytes
    rows: int
    columns: int
    black: str
    white: str
    event: str
    title: str
    date: str
    year: int | None
    winner: Color | None
    how: str
    plies: int
    number: int
    text: str
    positions: GamePositions


def game_of(record: Record) -> Game:
    """Return the game of a record, by its main line.

    Raises RecordError if it has no turns, or if it could not be read from the library again.
    """
    line = record.main_line()
    plies = line[-1].ply
    if plies == 0:
        raise RecordError("the game has no moves")
    if what := unreadable_property(record):
        raise RecordError(f"SGF cannot hold {what}")
    text = storable(write_sgf(record))
    if len(text.encode()) > LONGEST_GAME:
        raise RecordError(f"the game has more than {LONGEST_GAME // MIB} MiB as SGF")
    found = _positions_of(record, line)
    result = record.result
    winner, how = result.winner, result.how
    last = record.position(line[-1])
    if found.complete:
        winner = Color(found.movers[-1]).opponent
        how = how or "chain"
    elif winner is None and (turn := line[-1].turn) and turn.move.kind is MoveKind.RESIGN:
        winner, how = turn.color.opponent, how or "R"
    year = _YEAR.search(record.date)
    return Game(
        digest=_digest(record, line) + bytes([winner or 0]),
        rows=last.board.rows,
        columns=last.board.columns,
        black=storable(record.player(Color.BLACK)),
        white=storable(record.player(Color.WHITE)),
        event=storable(record.event),
        title=storable(record.title),
        date=storable(record.date),
        year=int(year[1]) if year else None,
        winner=winner,
        how=storable(how),
        plies=plies,
        number=record.origin.number if record.origin else 1,
        text=text,
        positions=found,
    )


def _digest(record: Record, line: list[Node]) -> bytes:
    """Return what is equal for games of the same board, setups and turns."""
    words = [str(record.board)]
    for node in line:
        if node.setup:
            setup = node.setup
            stones = (sorted(setup.black), sorted(setup.white), sorted(setup.empty))
            words.append(f"setup {stones} {setup.to_move}")
        if node.turn:
            move = node.turn.move
            words.append(f"{int(node.turn.color)} {move.kind!s} {move.cell}")
    return blake2b("\n".join(words).encode(), digest_size=16).digest()


def _is_ordinary(before: Position, node: Node) -> bool:
    turn = node.turn
    if node.setup:
        return False
    if turn is None or turn.move.kind is MoveKind.RESIGN:
        return True
    if turn.color is not before.to_move:
        return False
    return turn.move.kind is MoveKind.PLAY or (turn.move.kind in _SWAPS and before.swap_legal)


def _positions_of(record: Record, line: list[Node]) -> GamePositions:
    positions = [record.position(node) for node in line]
    start = 0
    for at, (before, node) in enumerate(zip(positions, line[1:], strict=False), start=1):
        if not _is_ordinary(before, node):
            start = at
    last = positions[-1]
    if line[-1].turn and line[-1].turn.move.kind is MoveKind.RESIGN and len(line) - 1 > start:
        last = positions[-2]
    end, complete = len(line), _has_chain(last)
    while complete and end - 1 > start and _has_chain(positions[end - 2]):
        end -= 1
    table = hashing(record.board)
    first = positions[start]
    value = table.position(first)
    hashes, movers, levels = [value], [int(first.to_move)], [_level(first)]
    stones = 2 * (record.board.cells - first.stones.count(0))
    stone_of, turn_of = table.stone, table.turn
    before = first
    for node, after in zip(line[start + 1 : end], positions[start + 1 : end], strict=True):
        turn = node.turn
        if turn is None or turn.move.kind is MoveKind.RESIGN:
            continue
        if turn.move.kind is MoveKind.PLAY:
            value ^= stone_of[before.to_move][turn.move.cell]
            value ^= turn_of[before.to_move][before.swap_legal]
            value ^= turn_of[after.to_move][after.swap_legal]
            stones += 2
        else:
            value = table.position(after)
        hashes.append(value)
        movers.append(int(after.to_move))
        levels.append(stones + (not after.swap_legal))
        before = after
    return GamePositions(
        line[start].ply, keys_of(hashes), np.array(levels, np.int16), bytes(movers), complete
    )


def _level(position: Position) -> int:
    """Return a number that every move of the graph increases."""
    stones = position.board.cells - position.stones.count(0)
    return 2 * stones + (not position.swap_legal)


def _has_chain(position: Position) -> bool:
    """Whether a player has joined both sides: a flood over bits, faster than finding all groups."""
    rows, columns, stones = position.board.rows, position.board.columns, position.stones
    if stones.count(Color.BLACK) >= rows and _joins(stones, Color.BLACK, rows, columns):
        return True
    if stones.count(Color.WHITE) < columns:
        return False
    return _joins(position.mirrored().stones, Color.BLACK, columns, rows)


def _joins(stones: bytes, color: Color, rows: int, columns: int) -> bool:
    """Whether a colour joins top and bottom; a column of zeros keeps the rows apart."""
    digits = stones.translate(_DIGITS[color])
    lines = [digits[r : r + columns] for r in range(0, rows * columns, columns)]
    own = int(b"0".join(lines), 2)
    width = columns + 1
    row = (1 << columns) - 1
    reached = own & row << (width * (rows - 1))
    while True:
        near = reached | reached << 1 | reached >> 1 | reached << width | reached >> width
        near = (near | reached << width - 1 | reached >> width - 1) & own
        if near == reached:
            return bool(reached & row)
        reached = near


def games_in(
    paths: Sequence[Path], board: Board | None, notes: dict[str, None]
) -> Iterator[tuple[str, Game] | Broken]:
    """Yield the games of files and folders; what was guessed goes into ``notes``."""
    for path in files_of(paths):
        if isinstance(path, Broken):
            yield path
            continue
        source = source_of(path)
        try:
            for number, record in enumerate(read_collection(path, board), start=1):
                if isinstance(record, BrokenGame):
                    yield Broken(source, record.number, record.error.what)
                    continue
                if record.origin:
                    notes.update(dict.fromkeys(f"{source}: {x}" for x in record.origin.notes))
                try:
                    yield source, game_of(record)
                except RecordError as error:
                    yield Broken(source, number, error.what)
        except RecordError as error:
            yield Broken(source, None, error.what)


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
