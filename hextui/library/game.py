"""What the library keeps of each record, and the keys of positions.

A game takes part in the graph of positions with its main line, from behind its last setup or turn
out of the ordinary (a pass, a colour that is not to move, a swap where none is legal) up to the
first complete chain. So every move in the graph adds a stone or uses up the right to swap, and
the graph has no cycle.

Positions that are the same game have equal keys: the position itself, its turn by 180 degrees, and
the mirror images of both in the long diagonal with colours exchanged. A position's hash is four
words of 64 bits, one for each orientation, the XOR of fixed pseudo-random words of its stones and
turn (Zobrist hashing). The key is the smallest word without its last bit. The probability that two
of the 60 million positions of a million games share a key of 63 bits is 1 in 5,000.
"""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import EMPTY, Board, Color, LargeBoard
from hextui.engine.limit import NOT_ANALYSED
from hextui.engine.position import SWAPS, Move, MoveKind, Position
from hextui.library.answers import Broken, files_of, source_of, storable
from hextui.library.schema import LONGEST_GAME, MIB
from hextui.records.codecs.sgf import unreadable_property, write_sgf
from hextui.records.formats import read_collection
from hextui.records.record import Record
from hextui.records.record_text import NoGamesError, RecordError
from hextui.records.summary import PassedOver, ReadSummary
from hextui.records.tree import Node, Turn

_INFO = {"black": "PB", "white": "PW", "event": "EV", "title": "GN", "date": "DT"}
_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)\b")
MOST_NOTES = 1000
"""Notes on games that are kept: the summary counts all."""
Words = NDArray[np.uint64]


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
        return GamePositions(
            first_ply=first_ply,
            keys=keys,
            levels=levels,
            movers=data[10 * plies :],
            complete=complete,
        )


@dataclass(frozen=True)
class Game:
    """One game: its data, ``digest`` of board, main line and winner, text as SGF, and positions.

    ``how`` says how it ended: ``R``, ``T``, '' if unknown.
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
    """Return the game of a main line. Raises RecordError without turns, or for what is not kept."""
    line = record.main_line()
    plies = line[-1].ply
    if plies == 0:
        raise RecordError("the game has no moves")
    if isinstance(record.board, LargeBoard):
        raise RecordError(NOT_ANALYSED)
    if what := unreadable_property(record):
        raise RecordError(f"SGF cannot hold {what}")
    text = storable(write_sgf(record))
    if len(text.encode()) > LONGEST_GAME:
        raise RecordError(f"the game has more than {LONGEST_GAME // MIB} MiB as SGF")
    game_positions = _positions_of(record, line)
    winner, how = _outcome(record, line[-1], game_positions)
    year = _YEAR.search(record.info("DT"))
    return Game(
        digest=_digest(record, line) + bytes([winner or 0]),
        rows=record.board.rows,
        columns=record.board.columns,
        **{name: storable(record.info(code)) for name, code in _INFO.items()},
        year=int(year[1]) if year else None,
        winner=winner,
        how=storable(how),
        plies=plies,
        number=record.origin.number if record.origin else 1,
        text=text,
        positions=game_positions,
    )


def _outcome(record: Record, last: Node, game_positions: GamePositions) -> tuple[Color | None, str]:
    """Return who won and how: by the chain on the board, or as the record or a resignation says."""
    winner = record.result.winner
    how = record.result.how
    if game_positions.complete:
        return Color(game_positions.movers[-1]).opponent, how or "chain"
    if winner is None and last.turn and _is_resignation(last.turn):
        return last.turn.color.opponent, how or "R"
    return winner, how


def _digest(record: Record, line: list[Node]) -> bytes:
    """Return what is equal for games of the same board, setups and turns."""
    words = [str(record.board)]
    for node in line:
        if node.setup:
            setup = node.setup
            stones = tuple(setup.cells_with(stone) for stone in (*Color, EMPTY))
            words.append(f"setup {stones} {setup.to_move}")
        if node.turn:
            move = node.turn.move
            words.append(f"{int(node.turn.color)} {move.kind!s} {move.cell}")
    return blake2b("\n".join(words).encode(), digest_size=16).digest()


def _is_ordinary(before: Position, node: Node) -> bool:
    turn = node.turn
    if node.setup:
        return False
    if turn is None or _is_resignation(turn):
        return True
    if turn.color is not before.to_move:
        return False
    return turn.move.kind is MoveKind.PLAY or (turn.move.kind in SWAPS and before.swap_legal)


def _is_resignation(turn: Turn) -> bool:
    return turn.move.kind is MoveKind.RESIGN


def _positions_of(record: Record, line: list[Node]) -> GamePositions:
    # the same key for a position in every game, whatever swap rule its record states
    positions = [record.position_by_usual_rule(node) for node in line]
    first = _first_place(line, positions)
    last = _last_place(line, positions, first)
    _, turn_words = _words(record.board)
    words = []
    shown = []
    for position, stones in _with_words(line[first : last + 1], positions[first : last + 1]):
        words.append(stones)
        shown.append(position)
    movers = bytes(position.to_move for position in shown)
    swaps = [int(position.swap_legal) for position in shown]
    levels = [_level(position) for position in shown]
    keys = _keys(np.array(words) ^ turn_words[list(movers), swaps])
    return GamePositions(
        first_ply=line[first].ply,
        keys=keys,
        levels=np.array(levels, np.int16),
        movers=movers,
        complete=positions[last].winner is not None,
    )


def _first_place(line: Sequence[Node], positions: Sequence[Position]) -> int:
    """Return the place in a line behind its last setup or turn out of the ordinary."""
    first = 0
    for place, (before, node) in enumerate(zip(positions, line[1:], strict=False), start=1):
        if not _is_ordinary(before, node):
            first = place
    return first


def _last_place(line: Sequence[Node], positions: Sequence[Position], first: int) -> int:
    """Return the place in a line where a chain is complete, else where it ends or is resigned."""
    last = len(line) - 1
    turn = line[last].turn
    if turn is not None and _is_resignation(turn) and last > first:
        last -= 1
    if positions[last].winner is not None:
        while last > first and positions[last - 1].winner is not None:
            last -= 1
    return last


def _with_words(
    line: Sequence[Node], positions: Sequence[Position]
) -> Iterator[tuple[Position, Words]]:
    """Yield the first position and those after moves, each with the words of its stones."""
    stone_words, _ = _words(positions[0].board)
    stones = _stone_words(positions[0])
    yield positions[0], stones
    for before, node, after in zip(positions, line[1:], positions[1:], strict=False):
        if node.turn is None or _is_resignation(node.turn):
            continue
        move = node.turn.move
        if move.kind is MoveKind.PLAY:
            stones = stones ^ stone_words[before.to_move, move.cell]
        else:
            stones = _stone_words(after)
        yield after, stones


def _level(position: Position) -> int:
    """Return a number that every move of the graph increases, be it a stone or a swap."""
    level = 2 * (position.board.cells - position.stones.count(0))
    if not position.swap_legal:
        level += 1
    return level


def games_in(
    paths: Sequence[Path],
    board: Board | None,
    notes: dict[str, None],
    strict: bool = False,
    as_hex: bool = False,
    charset: str | None = None,
    summary: ReadSummary | None = None,
) -> Iterator[tuple[str, Game] | Broken]:
    """Yield the games of files and folders; what was guessed or left out goes into ``notes``.

    A file of a folder that is no record is passed over, one that is named is Broken.
    """
    named = {os.path.realpath(path) for path in paths}
    summary = ReadSummary() if summary is None else summary
    for path in files_of(paths, summary):
        if isinstance(path, Broken):
            yield path
            continue
        source = source_of(path)
        games = read_collection(path, board, strict, as_hex, charset, summary)
        try:
            yield from _games_of(source, games, notes)
        except NoGamesError as error:
            if str(path) in named:
                yield Broken(source, None, error.what)
            else:
                summary.passed_over.append(PassedOver(source, error.what))
        except RecordError as error:
            yield Broken(source, None, error.what)


def _games_of(
    source: str, records: Iterable[Record | RecordError], notes: dict[str, None]
) -> Iterator[tuple[str, Game] | Broken]:
    """Yield the games of a file; see `games_in`."""
    for number, record in enumerate(records, start=1):
        if isinstance(record, RecordError):
            yield Broken(source, number, record.what)
            continue
        try:
            game = game_of(record)
        except RecordError as error:
            yield Broken(source, number, error.what)
            continue
        if record.origin and len(notes) < MOST_NOTES:
            for note in record.origin.notes:
                notes[f"{source}: {note}"] = None
        yield source, game


def key_of(position: Position) -> int:
    """Return the key of a position."""
    turn_words = _words(position.board)[1]
    words = _stone_words(position) ^ turn_words[position.to_move, int(position.swap_legal)]
    return int(_keys(words))


def moves_to(position: Position, keys: Collection[int]) -> dict[int, list[Move]]:
    """Return the moves that lead to the positions with these keys: several if by symmetry."""
    stone_words, turn_words = _words(position.board)
    cells = np.flatnonzero(np.frombuffer(position.stones, np.uint8) == 0)
    first = int(not any(position.stones))  # the opponent may swap
    base = _stone_words(position) ^ turn_words[position.to_move.opponent, first]
    after = _keys(stone_words[position.to_move][cells] ^ base)
    moves = {}
    for key in keys:
        moves[key] = [Move.play(int(cell)) for cell in cells[after == key]]
    for swap in swaps_at(position):
        if (key := key_of(position.apply(swap))) in moves:
            moves[key].append(swap)
    return moves


def swaps_at(position: Position) -> list[Move]:
    """Return the swaps that are legal at a position."""
    if not position.swap_legal:
        return []
    square = position.board.rows == position.board.columns
    return [Move(kind) for kind in SWAPS if square or kind is MoveKind.SWAP_SIDES]


def _keys(words: Words) -> NDArray[np.int64]:
    """Return the keys, of 63 bits, of hashes; the last axis holds the words of each."""
    keys: NDArray[np.int64] = (words.min(axis=-1) >> np.uint64(1)).astype(np.int64)
    return keys


def _stone_words(position: Position) -> Words:
    """Return the words of the stones on the board, without those of the turn."""
    stones = np.frombuffer(position.stones, np.uint8)
    words: Words = np.bitwise_xor.reduce(
        _words(position.board)[0][stones, np.arange(len(stones))], axis=0
    )
    return words


@cache
def _words(board: Board) -> tuple[Words, Words]:
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
