"""Games for the tests of training: of players who put stones at random, and judged ones."""

import random
from functools import cache

from hextui.analysis.estimates import Estimates
from hextui.analysis.game_positions import GamePosition, game_positions
from hextui.engine.board import Board
from hextui.engine.position import Move, Position
from hextui.engine.verdicts import Verdict, VerdictKind
from hextui.records.record import Record
from tests.oracles.winners import Exhaustive


@cache
def weak_game(seed: int, board: Board) -> Record:
    """Return a game of two players who know only the rules, up to a chain."""
    lots, position, moves = random.Random(seed), Position.empty(board), []
    while position.winner is None:
        moves.append(Move.play(lots.choice(position.empties)))
        position = position.apply(moves[-1])
    return Record.of_moves(board, moves)


def judged(record: Record) -> tuple[tuple[GamePosition, ...], Estimates]:
    """Return the positions of a game, and who wins each of them with which moves, all proved."""
    positions, estimates = game_positions(record, record.main_line()), Estimates()
    solver = Exhaustive(record.board)
    for here in positions:
        winner = here.position.winner or solver.winner(here.position)
        estimates.keep_verdict(here.position, Verdict(VerdictKind.SOLVER, winner))
        if winner is here.position.to_move:
            estimates.keep_wins(here.position, sorted(solver.winning_moves(here.position)), True)
    return positions, estimates


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
