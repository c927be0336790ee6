"""Selective minimax in plain Python, from the words of its source; nothing is ever proved.

See docs/methods.md#selective-minimax and #blocking. Of equal moves
the first cell comes first, in the canonical orientation.
"""

import math

from hextui.engine.orientation import canonical
from hextui.engine.position import Position
from tests.oracles.blocking import ev

Outcome = tuple[float, tuple[int, ...]]


def score(position: Position, move: int) -> float:
    """How good a move is for who makes it: max(Ev(B, X), 1 - Ev(B, Y)) on the board after it."""
    after = position.play(move)
    mover = position.to_move
    return max(ev(after, mover), 1 - ev(after, mover.opponent))


def literal_lines(root: Position, widths: tuple[int, ...]) -> list[Outcome]:
    """The lines of the root's moves with the scores at their ends, the best first."""
    orientation = canonical(root)
    return [
        (value, tuple(orientation.cell_of[move] for move in moves))
        for value, moves in lines_there(orientation.position, widths)
    ]


def lines_there(root: Position, widths: tuple[int, ...]) -> list[Outcome]:
    """The same, of the position as it is held."""

    def outcome(position: Position, ply: int) -> Outcome:
        mine = position.to_move is root.to_move
        if position.winner is not None:
            return (math.inf if position.winner is root.to_move else -math.inf), ()
        scored = sorted((-score(position, move), move) for move in position.empties)
        if widths[ply] == 0:
            best, move = -scored[0][0], scored[0][1]
            return (best if mine else 1 - best), (move,)
        found = []
        for _, move in scored[: widths[ply]]:
            value, line = outcome(position.play(move), ply + 1)
            found.append((value, (move, *line)))
        return (max if mine else min)(found, key=lambda line: line[0])

    scored = sorted((-score(root, move), move) for move in root.empties)
    lines = []
    for _, move in scored[: widths[0]]:
        value, line = outcome(root.play(move), 1)
        lines.append((value, (move, *line)))
    return sorted(lines, key=lambda line: -line[0])
