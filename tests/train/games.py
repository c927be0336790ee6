"""Games for the tests of training, of players who put stones at random."""

import random
from functools import cache

from hextui.engine.board import Board
from hextui.engine.position import Move, Position
from hextui.records.record import Record


@cache
def weak_game(seed: int, board: Board) -> Record:
    """Return a game of two players who know only the rules, up to a chain."""
    lots, position, moves = random.Random(seed), Position.empty(board), []
    while position.winner is None:
        moves.append(Move.play(lots.choice(position.empties)))
        position = position.apply(moves[-1])
    return Record.of_moves(board, moves)


def image(record: Record, mirrored: bool, turned: bool) -> Record:
    """Return a game mirrored in the long diagonal with the colours exchanged, and turned.

    Mirrored, White moves first, so the stones are set by turns of the other colour.
    """
    board = record.board
    seen = board.transposed if mirrored else board
    made = Record(seen)
    node = made.root
    for turn in record.turns():
        cell = board.mirror(turn.move.cell) if mirrored else turn.move.cell
        cell = board.cells - 1 - cell if turned else cell
        color = turn.color.opponent if mirrored else turn.color
        node = made.append(node, type(turn)(color, Move.play(cell)))
    return made
