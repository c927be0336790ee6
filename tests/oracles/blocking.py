"""A slow plain-Python twin of Ev, straight from docs/methods.md#blocking."""

import heapq
from collections.abc import Callable

from hextui.engine.board import EMPTY, Color
from hextui.engine.position import Position

WORD = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15


def mixed(word: int) -> int:
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & WORD
    return word ^ (word >> 31)


class Lot:
    """The random numbers of a position: they depend on the rows as the colour sees them."""

    def __init__(self, seed: int, position: Position) -> None:
        self.state = seed
        columns = position.board.columns
        for start in range(0, position.board.cells, columns):
            row = position.stones[start : start + columns]
            own = sum(1 << c for c, stone in enumerate(row) if stone == Color.BLACK)
            free = sum(1 << c for c, stone in enumerate(row) if stone == EMPTY)
            self.state = mixed(((self.state ^ (own | free << 32)) + STEP) & WORD)

    def draw(self, count: int) -> int:
        if count == 1:
            return 0
        self.state = (self.state + STEP) & WORD
        return (mixed(self.state) >> 32) * count >> 32


def costs(position: Position, blocked: frozenset[int]) -> dict[int, int]:
    """How many empty cells a way from the first row to each cell needs, itself included."""
    found: dict[int, int] = {}
    heap = [(int(position.stones[c] == EMPTY), c) for c in range(position.board.columns)]
    while heap:
        cost, cell = heapq.heappop(heap)
        if cell in found or cell in blocked or position.stones[cell] == Color.WHITE:
            continue
        found[cell] = cost
        for near in position.board.neighbours[cell]:
            heapq.heappush(heap, (cost + (position.stones[near] == EMPTY), near))
    return found


def shortest_path(
    position: Position, blocked: frozenset[int], pick: Callable[[list[int]], int], last: int
) -> list[int]:
    """The cells of a path from its end down to number ``last``, as step 1 of that section."""
    board = position.board
    cost = costs(position, blocked)
    length = length_of(position, blocked)
    assert length is not None
    path: list[int] = []
    touched = set(range(board.cells - board.columns, board.cells))
    for number in range(length, last, -1):
        # go on through own stones
        stones = [c for c in touched if position.stones[c] == Color.BLACK]
        for stone in stones:
            new = set(board.neighbours[stone]) - touched
            stones += [c for c in new if position.stones[c] == Color.BLACK]
            touched |= new
        fit = [c for c in sorted(touched) if position.stones[c] == EMPTY and cost.get(c) == number]
        path.append(pick(fit))
        touched = set(board.neighbours[path[-1]])
    return path


def length_of(position: Position, blocked: frozenset[int]) -> int | None:
    board = position.board
    cost = costs(position, blocked)
    ends = range(board.cells - board.columns, board.cells)
    return min((cost[c] for c in ends if c in cost), default=None)


def black_view(position: Position, color: Color) -> Position:
    """The position as the colour sees it, the way up with the smaller rows of own, free cells."""
    seen = position if color is Color.BLACK else position.mirrored()
    return min(seen, seen.rotated(), key=lambda p: (rows(p, Color.BLACK), rows(p, EMPTY)))


def rows(position: Position, stone: int) -> list[int]:
    """A number for each row: bit c is set where column c has the stone."""
    columns = position.board.columns
    return [
        sum(1 << c for c in range(columns) if position.stones[start + c] == stone)
        for start in range(0, position.board.cells, columns)
    ]


def ev(position: Position, color: Color, seed: int = 0) -> float:
    """P[0], cells and paths by lot."""
    position = black_view(position, color)
    return one_run(position, Lot(seed, position), lambda fit, lot: fit[lot.draw(len(fit))])


def one_run(position: Position, lot: Lot, pick: Callable[[list[int], Lot], int]) -> float:
    total, blocked = position.board.cells, frozenset[int]()
    lengths: list[int] = []
    while len(lengths) < 4:
        length = length_of(position, blocked)
        if length is None:
            break
        lengths.append(length)
        if length == 0 or len(lengths) == 4:
            break
        place = lot.draw(length)
        path = shortest_path(position, blocked, lambda fit: pick(fit, lot), place)
        blocked |= {path[-1]}
    value = 0.0
    for length in reversed(lengths):
        value = (total - length) / total + length / total * value
    return value


def ev_sampled(position: Position, color: Color, seed: int, samples: int) -> float:
    position = black_view(position, color)
    lot = Lot(seed, position)
    return sum(one_run(position, lot, lambda fit, lot: fit[0]) for _ in range(samples)) / samples


def ev_average(position: Position, color: Color) -> float:
    """The mean of P[0] over every choice of the blocked cells."""
    position = black_view(position, color)
    total = position.board.cells

    def p(depth: int, blocked: frozenset[int]) -> float:
        length = length_of(position, blocked)
        if length is None or depth == 4:
            return 0.0
        if length == 0:
            return 1.0
        path = shortest_path(position, blocked, lambda fit: fit[0], 0)
        assert len(path) == length
        mean = sum(p(depth + 1, blocked | {cell}) for cell in path) / length
        return (total - length) / total + length / total * mean

    return p(0, frozenset())
