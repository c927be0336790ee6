"""The positions that a game goes through, as the library keeps them.

A game takes part in the graph of positions with its main line, from behind its last setup or turn
out of the ordinary (a pass, a colour that is not to move, a swap where none is legal) up to the
first complete chain. So every move in the graph adds a stone or uses up the right to swap, and
the graph has no cycle.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import Board, Color
from hextui.engine.chains import chain_color
from hextui.engine.position import SWAPS, MoveKind, Position
from hextui.library.position_keys import Words, keys_of_words, stone_words, words_of
from hextui.records.move_line import MoveLine
from hextui.records.record import Record
from hextui.records.tree import Node, Turn


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
        """Return keys, levels and movers as the file holds those of a game without packed moves."""
        return self.keys.astype("<i8").tobytes() + self.levels.astype("<i2").tobytes() + self.movers

    @staticmethod
    def unpack(data: bytes, first_ply: int, complete: bool) -> "GamePositions":
        """Return what ``packed`` wrote. Raises ValueError for anything else."""
        plies = len(data) // 11
        if not plies or len(data) % 11:
            raise ValueError("the positions of a game are cut off")
        keys = np.frombuffer(data, "<i8", plies)
        levels = np.frombuffer(data, "<i2", plies, offset=8 * plies)
        return GamePositions(
            first_ply=first_ply,
            keys=keys,
            levels=levels,
            movers=data[10 * plies :],
            complete=complete,
        )


def positions_of(record: Record) -> GamePositions:
    """Return the positions of a main line."""
    line = record.move_line
    return _positions_of_nodes(record) if line is None else _positions_of_line(line)


def _positions_of_line(line: MoveLine) -> GamePositions:
    last = line.moves
    complete = chain_color(line.board, line.stones(last)) is not None
    while complete and last and chain_color(line.board, line.stones(last - 1)):
        last -= 1
    return positions_up_to(line, last + 1, complete)


def positions_up_to(line: MoveLine, positions: int, complete: bool) -> GamePositions:
    """Return so many positions of a line, the last of which is ``complete`` or not.

    Raises ValueError if the line has fewer.
    """
    if not 0 < positions <= line.moves + 1:
        raise ValueError(f"{line.moves} moves lead to {line.moves + 1} positions, not {positions}")
    stones, _ = words_of(line.board)
    order = _order(line.moves, line.swap)
    words = np.zeros((line.moves + 1, 4), np.uint64)
    words[order.places] = stones[order.colors, np.array(line.cells)]
    if line.swap is MoveKind.SWAP_PIECES:
        first = line.cells[0]
        image = line.board.mirror(first)
        words[2] = stones[Color.BLACK, first] ^ stones[Color.WHITE, image]
    np.bitwise_xor.accumulate(words, axis=0, out=words)
    words ^= _turn_words(line.board, line.moves, line.swap)
    return GamePositions(
        first_ply=0,
        keys=keys_of_words(words[:positions]),
        levels=order.levels[:positions],
        movers=order.movers[:positions],
        complete=complete,
    )


class _Order(NamedTuple):
    """What lines of so many moves have in common.

    The numbers of the positions that stones lead to, the colours of the stones; the sides to move
    and the levels of all positions.
    """

    places: NDArray[np.int64]
    colors: NDArray[np.int64]
    movers: bytes
    levels: NDArray[np.int16]


@cache
def _order(moves: int, swap: MoveKind | None) -> _Order:
    places = np.arange(1, moves + 1)
    movers = np.tile([Color.BLACK, Color.WHITE], moves // 2 + 1)[: moves + 1]
    levels = 2 * np.arange(moves + 1, dtype=np.int16) + 1
    levels[1] = 2  # the opponent may swap
    if swap is not None:
        places = np.delete(places, 1)
        levels[2:] -= 2
    if swap is MoveKind.SWAP_SIDES:
        movers[2:] = 3 - movers[2:]
    return _Order(places, movers[places - 1], bytes(movers.tolist()), levels)


@lru_cache(maxsize=4096)
def _turn_words(board: Board, moves: int, swap: MoveKind | None) -> Words:
    """Return the words of the sides to move, of the positions before and after each move."""
    _, turns = words_of(board)
    words: Words = turns[list(_order(moves, swap).movers), 0]
    words[1] = turns[Color.WHITE, 1]
    return words


def _is_ordinary(before: Position, node: Node) -> bool:
    turn = node.turn
    if node.setup:
        return False
    if turn is None or is_resignation(turn):
        return True
    if turn.color is not before.to_move:
        return False
    return turn.move.kind is MoveKind.PLAY or (turn.move.kind in SWAPS and before.swap_legal)


def is_resignation(turn: Turn) -> bool:
    """Return whether a turn ends the game without a move."""
    return turn.move.kind is MoveKind.RESIGN


def _positions_of_nodes(record: Record) -> GamePositions:
    line = record.main_line()
    # the same key for a position in every game, whatever swap rule its record states
    positions = [record.position_by_usual_rule(node) for node in line]
    first = _first_place(line, positions)
    last = _last_place(line, positions, first)
    _, turn_words = words_of(record.board)
    words = []
    shown = []
    for position, stones in _with_words(line[first : last + 1], positions[first : last + 1]):
        words.append(stones)
        shown.append(position)
    movers = bytes(position.to_move for position in shown)
    swaps = [int(position.swap_legal) for position in shown]
    levels = [_level(position) for position in shown]
    keys = keys_of_words(np.array(words) ^ turn_words[list(movers), swaps])
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
    if turn is not None and is_resignation(turn) and last > first:
        last -= 1
    if positions[last].winner is not None:
        while last > first and positions[last - 1].winner is not None:
            last -= 1
    return last


def _with_words(
    line: Sequence[Node], positions: Sequence[Position]
) -> Iterator[tuple[Position, Words]]:
    """Yield the first position and those after moves, each with the words of its stones."""
    placed, _ = words_of(positions[0].board)
    stones = stone_words(positions[0])
    yield positions[0], stones
    for before, node, after in zip(positions, line[1:], positions[1:], strict=False):
        if node.turn is None or is_resignation(node.turn):
            continue
        move = node.turn.move
        if move.kind is MoveKind.PLAY:
            stones = stones ^ placed[before.to_move, move.cell]
        else:
            stones = stone_words(after)
        yield after, stones


def _level(position: Position) -> int:
    """Return a number that grows with every stone and with a swap."""
    level = 2 * (position.board.cells - position.stones.count(0))
    if not position.swap_legal:
        level += 1
    return level
