"""Games: which files an import reads, and what the library keeps of each record.

A game takes part in the graph of positions with its main line, from behind its last setup or turn
out of the ordinary (a pass, a colour that is not to move, a swap where none is legal) up to the
first complete chain. So every move in the graph adds a stone or uses up the right to swap, and
the graph has no cycle.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Board, Color
from hextui.engine.position import MoveKind, Position
from hextui.library.answers import Broken
from hextui.library.position_keys import hashing, keys_of
from hextui.library.sources import files_of, source_of, storable
from hextui.records.codecs.sgf import unreadable_property, write_sgf
from hextui.records.errors import RecordError
from hextui.records.formats import BrokenGame, read_collection
from hextui.records.record import Record
from hextui.records.tree import Node

_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)\b")
_DIGITS = {c: bytes(48 + (stone == c) for stone in range(256)) for c in Color}
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
        text=storable(write_sgf(record)),
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
