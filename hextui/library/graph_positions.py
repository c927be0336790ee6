"""The positions that a game goes through, as the library keeps them.

A game takes part in the graph of positions with its main line, from behind its last setup or turn
out of the ordinary (a pass, a colour that is not to move, a swap where none is legal) up to the
first complete chain. So every move in the graph adds a stone or uses up the right to swap, and
the graph has no cycle.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
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


def positions_of(records: Sequence[Record]) -> list[GamePositions]:
    """Return the positions of main lines."""
    by_place: dict[int, GamePositions] = {}
    lines: dict[Board, dict[int, MoveLine]] = {}
    for place, record in enumerate(records):
        if record.move_line is None:
            by_place[place] = _positions_of_nodes(record)
        else:
            lines.setdefault(record.board, {})[place] = record.move_line
    for board, places in lines.items():
        by_place.update(zip(places, _positions_of_lines(board, [*places.values()]), strict=True))
    return [by_place[place] for place in range(len(records))]


def _positions_of_lines(board: Board, lines: Sequence[MoveLine]) -> list[GamePositions]:
    stones = _StoneArrays.of(board, lines)
    complete: list[bool] = _have_chains(board, stones.at_the_end()).tolist()
    numbers = []
    for line, has_chain in zip(lines, complete, strict=True):
        last = line.moves
        while has_chain and last and chain_color(board, line.stones(last - 1)):
            last -= 1
        numbers.append(last + 1)
    return _cut(lines, stones.keys(), numbers, complete)


def positions_up_to(
    board: Board, lines: Sequence[MoveLine], numbers: Sequence[int], complete: Sequence[bool]
) -> list[GamePositions]:
    """Return so many positions of each line, the last of which is ``complete`` or not.

    Raises ValueError if a line has fewer.
    """
    return _cut(lines, _StoneArrays.of(board, lines).keys(), numbers, complete)


def _cut(
    lines: Sequence[MoveLine],
    keys: NDArray[np.int64],
    numbers: Sequence[int],
    complete: Sequence[bool],
) -> list[GamePositions]:
    """Return so many positions of each line, of those with these keys. Raises ValueError."""
    positions = []
    for line, line_keys, number, has_chain in zip(lines, keys, numbers, complete, strict=True):
        if not 0 < number <= line.moves + 1:
            raise ValueError(f"{line.moves} moves do not lead to {number} positions")
        order = _order(line.moves, line.swap)
        positions.append(
            GamePositions(
                first_ply=0,
                keys=line_keys[:number],
                levels=order.levels[:number],
                movers=order.movers[:number],
                complete=has_chain,
            )
        )
    return positions


@dataclass(frozen=True)
class _StoneArrays:
    """The stones of lines on one board, one after the other: line, place in it, colour and cell.

    ``reflected`` and ``sides`` are the lines in which the first stone, or the sides, were swapped;
    ``moves`` are the moves of each line.
    """

    board: Board
    moves: NDArray[np.int64]
    reflected: NDArray[np.bool_]
    sides: NDArray[np.bool_]
    lines: NDArray[np.int64]
    places: NDArray[np.int64]
    colors: NDArray[np.int64]
    cells: NDArray[np.int64]

    @staticmethod
    def of(board: Board, lines: Sequence[MoveLine]) -> "_StoneArrays":
        """Return the stones of lines."""
        reflected = np.array([line.swap is MoveKind.SWAP_PIECES for line in lines], np.bool_)
        sides = np.array([line.swap is MoveKind.SWAP_SIDES for line in lines], np.bool_)
        counts = np.array([len(line.cells) for line in lines], np.int64)
        numbers = np.repeat(np.arange(len(lines)), counts)
        places = np.arange(len(numbers)) - np.repeat(np.cumsum(counts) - counts, counts)
        by_white = (places % 2 == 1) ^ (reflected[numbers] & (places > 0))
        return _StoneArrays(
            board=board,
            moves=counts + (reflected | sides),
            reflected=reflected,
            sides=sides,
            lines=numbers,
            places=places,
            colors=np.where(by_white, Color.WHITE, Color.BLACK),
            cells=np.fromiter(chain.from_iterable(line.cells for line in lines), np.int64),
        )

    def at_the_end(self) -> NDArray[np.uint8]:
        """Return the stones behind the last moves of the lines, of shape (lines, cells)."""
        swapped = self.reflected[self.lines] & (self.places == 0)
        colors = np.where(swapped, Color.WHITE, self.colors)
        cells = np.where(swapped, _mirrored(self.board)[self.cells], self.cells)
        stones = np.zeros((len(self.moves), self.board.cells), np.uint8)
        stones[self.lines, cells] = colors
        return stones

    def keys(self) -> NDArray[np.int64]:
        """Return the keys of the positions before and after all moves, in a row for each line.

        What follows in a row is of no meaning.
        """
        stones, turns = words_of(self.board)
        words = np.zeros((len(self.moves), int(self.moves.max()) + 1, 4), np.uint64)
        swapped = self.reflected | self.sides
        later = swapped[self.lines] & (self.places > 0)
        words[self.lines, self.places + 1 + later] = stones[self.colors, self.cells]
        firsts = self.cells[self.places == 0][self.reflected]
        reflections = stones[Color.WHITE, _mirrored(self.board)[firsts]]
        words[self.reflected, 2:3] = (stones[Color.BLACK, firsts] ^ reflections)[:, None]
        np.bitwise_xor.accumulate(words, axis=1, out=words)
        movers = np.tile([Color.BLACK, Color.WHITE], words.shape[1])[: words.shape[1]]
        words ^= turns[movers, 0]
        words[self.sides, 2:] ^= turns[Color.BLACK, 0] ^ turns[Color.WHITE, 0]
        words[:, 1] ^= turns[Color.WHITE, 0] ^ turns[Color.WHITE, 1]  # the opponent may swap
        return keys_of_words(words)


@cache
def _mirrored(board: Board) -> NDArray[np.int64]:
    """Return the mirror images of all cells in the long diagonal."""
    return np.array([board.mirror(cell) for cell in range(board.cells)])


class _Order(NamedTuple):
    """What lines of so many moves have in common: sides to move and levels of all positions."""

    movers: bytes
    levels: NDArray[np.int16]


@cache
def _order(moves: int, swap: MoveKind | None) -> _Order:
    movers = np.tile(np.array([*Color], np.uint8), moves // 2 + 1)[: moves + 1]
    levels = 2 * np.arange(moves + 1, dtype=np.int16) + 1
    levels[1] = 2  # the opponent may swap
    if swap is not None:
        levels[2:] -= 2
    if swap is MoveKind.SWAP_SIDES:
        movers[2:] = 3 - movers[2:]
    return _Order(movers.tobytes(), levels)


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


def _have_chains(board: Board, stones: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which of many positions have a chain; ``stones`` has a row of cells for each.

    The stones of a row of the board are the bits of a number, which shifts join to the next ones.
    """
    grids = stones.reshape(-1, board.rows, board.columns)
    black = _reach_last_row(grids == Color.BLACK)
    white = _reach_last_row((grids == Color.WHITE).transpose(0, 2, 1))
    return black | white


def _reach_last_row(stones: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return in which of many grids stones lead from the first row to the last one."""
    rows = stones @ (1 << np.arange(stones.shape[2], dtype=np.int64))
    reach = np.zeros(len(rows), np.bool_)
    waiting = np.flatnonzero(rows.all(axis=1))  # there is a stone in each row
    rows = rows[waiting]
    reached = np.zeros_like(rows)
    reached[:, 0] = rows[:, 0]
    before = np.zeros_like(rows)
    while not np.array_equal(reached, before):
        before = reached
        reached = before | (before << 1) | (before >> 1)
        reached[:, 1:] |= before[:, :-1] | (before[:, :-1] >> 1)
        reached[:, :-1] |= before[:, 1:] | (before[:, 1:] << 1)
        reached &= rows
    reach[waiting] = reached[:, -1] > 0
    return reach
