"""What the solver fills in: by the six cells around a cell, and by bays, against plain play."""

import random
from collections.abc import Iterator
from itertools import product

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.solver.search import Search, SolverSettings
from tests.oracles.local_games import BLACK, WHITE, LocalGame, around
from tests.oracles.winners import Exhaustive

CELL = (0, 0)
ENDS = (0, 2)  # the bay of CELL: three empty cells in these directions and the one between
BAY = (CELL, *tuple(around(CELL))[:3])
STONES = dict.fromkeys(tuple(around(CELL))[3:], WHITE)


def beyond(end: int) -> tuple[tuple[int, int], ...]:
    """Return the cells around an end of the bay: beside the stones, between, beside the middle."""
    turn = 5 if end == 0 else 1
    near = tuple(around(tuple(around(CELL))[end]))
    return near[(end + turn) % 6], near[end], near[(end - turn) % 6]


def worth_nothing(outside: dict[tuple[int, int], int]) -> bool:
    """Return whether Black gains nothing by having CELL empty rather than white."""
    return LocalGame(BAY, STONES | outside).at_most((0, 0, 0, 0), (WHITE, 0, 0, 0))


@pytest.mark.parametrize("first", range(3))
@pytest.mark.parametrize("second", range(3))
def test_a_cell_in_a_shut_bay_is_worth_nothing(first: int, second: int) -> None:
    # what is known of other cells can be anything, so these nine stand for all
    shut = (WHITE, BLACK, WHITE)
    outside = {beyond(end)[k]: shut[k] for end, k in zip(ENDS, (first, second), strict=True)}
    assert worth_nothing(outside)
    for cell in outside:
        assert not worth_nothing({other: outside[other] for other in outside if other != cell})
        assert not worth_nothing(outside | {cell: 3 - outside[cell]})


def filled(search: Search, position: Position) -> Position:
    """Return a position filled in, dead cells with stones of the side to move."""
    worker = search.workers[0]
    worker.set_root(position)
    stones = worker.ints[worker.header["stones"] :][: position.board.cells]
    kinds = bytes(position.to_move if stone == 3 else stone for stone in stones.tolist())
    return Position(position.board, kinds, position.to_move)


def sample(board: Board, count: int, empties: range, seed: int) -> Iterator[Position]:
    rng = random.Random(seed)
    while count:
        stones = [0] * rng.choice(empties)
        stones += rng.choices((BLACK, WHITE), k=board.cells - len(stones))
        rng.shuffle(stones)
        position = Position(board, bytes(stones), rng.choice(list(Color)))
        if position.winner is None:
            yield position
            count -= 1


def check_winners(board: Board, positions: Iterator[Position]) -> None:
    search, oracle = Search(board, SolverSettings(table_bytes=1 << 20)), Exhaustive(board)
    for position in positions:
        after = filled(search, position)
        for color in Color:
            expected = oracle.winner(position.with_to_move(color))
            assert oracle.winner(after.with_to_move(color)) is expected, str(position)


def test_winners_stay_on_4x4() -> None:
    check_winners(Board(4, 4), sample(Board(4, 4), 100, range(5, 12), 1))


@pytest.mark.slow
@pytest.mark.parametrize("to_move", list(Color), ids=str)
def test_winners_stay_in_every_3x3_position(to_move: Color) -> None:
    boards = (bytes(stones) for stones in product(range(3), repeat=9))
    check_winners(Board(3, 3), (Position(Board(3, 3), stones, to_move) for stones in boards))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
@pytest.mark.parametrize("size", [(4, 4), (5, 5), (4, 6), (6, 6)], ids=str)
def test_winners_stay_in_many_positions(size: tuple[int, int], part: int) -> None:
    check_winners(Board(*size), sample(Board(*size), 2500, range(6, 14), part))


def shut_bays(position: Position) -> Iterator[int]:
    """Yield the cells in bays that are shut, in plain Python; edges count as stones."""
    board, stones = position.board, position.stones

    def kind(cell: tuple[int, int]) -> int:
        row, column = cell
        beside, above = not 0 <= column < board.columns, not 0 <= row < board.rows
        if beside or above:
            return BLACK * above | WHITE * beside
        return stones[row * board.columns + column]

    def is_shut(end: tuple[int, int], away: int, turn: int, color: int) -> bool:
        near = [kind(cell) for cell in around(end)]
        return bool(
            near[(away + turn) % 6] & color
            or near[away] & 3 - color
            or near[(away - turn) % 6] & color
        )

    for cell, color, i in product(position.empties, (BLACK, WHITE), range(6)):
        near = list(around(divmod(cell, board.columns)))
        near = near[i:] + near[:i]
        kinds = list(map(kind, near))
        if any(kinds[:3]) or not all(kind & color for kind in kinds[3:]):
            continue
        if is_shut(near[0], i, 5, color) and is_shut(near[2], (i + 2) % 6, 1, color):
            yield cell


@pytest.mark.parametrize("size", [(4, 4), (7, 7), (5, 9)], ids=str)
def test_no_cell_in_a_shut_bay_is_left(size: tuple[int, int]) -> None:
    board = Board(*size)
    search = Search(board, SolverSettings(table_bytes=1 << 20))
    seen = 0
    for position in sample(board, 100, range(board.cells // 3, board.cells), 3):
        seen += any(shut_bays(position))
        assert not list(shut_bays(filled(search, position))), str(position)
    assert seen > 10
