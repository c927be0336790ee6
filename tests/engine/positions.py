"""Positions, their images, and benches at them, for the tests of the engine."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from hextui.engine.board import Board, Color
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.position import Position


def bench_at(position: Position) -> Workbench:
    bench = Workbench(position.board)
    bench.look_at(position)
    return bench


def played(board: Board, rng: random.Random, stones: int) -> Position:
    """Return a position after so many random moves."""
    position = Position.empty(board)
    for cell in rng.sample(range(board.cells), stones):
        position = position.play(cell)
    return position


def setup(board: Board, black: str = "", white: str = "") -> Position:
    stones = bytearray(board.cells)
    for name in black.split():
        stones[board.cell(name)] = Color.BLACK
    for name in white.split():
        stones[board.cell(name)] = Color.WHITE
    return Position(board, bytes(stones))


def random_position(rng: random.Random, largest: int, share: float) -> Position:
    board = Board(rng.randint(2, largest), rng.randint(2, largest))
    stones = bytes(rng.choice((1, 2)) if rng.random() < share else 0 for _ in range(board.cells))
    return Position(board, stones, rng.choice(list(Color)))


@dataclass(frozen=True)
class Image:
    """A position in another orientation: where its cells go, whether colours change."""

    position: Position
    cell_of: list[int]
    exchanged: bool
    turned: bool

    def color(self, color: Color) -> Color:
        return color.opponent if self.exchanged else color

    def node(self, node: int) -> int:
        cells = len(self.cell_of)
        if node < cells:
            return self.cell_of[node]
        return 2 * cells + 1 - node if self.turned else node


def images(position: Position) -> Iterator[Image]:
    """The other three orientations."""
    board = position.board
    mirror = [board.mirror(c) for c in range(board.cells)]
    turned = [board.transposed.rotate(c) for c in mirror]
    rotated = [board.rotate(c) for c in range(board.cells)]
    yield Image(position.rotated(), rotated, exchanged=False, turned=True)
    yield Image(position.mirrored(), mirror, exchanged=True, turned=False)
    yield Image(position.mirrored().rotated(), turned, exchanged=True, turned=True)
