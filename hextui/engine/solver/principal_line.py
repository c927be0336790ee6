"""The line that both sides play best once it is decided who wins, as the solver's table has it."""

from hextui.engine.board import Color
from hextui.engine.position import Position
from hextui.engine.solver.search import Search, SearchAnswer


def principal_line(search: Search, position: Position, answer: SearchAnswer) -> tuple[int, ...]:
    """Follow the table: the winner's winning moves, the loser's moves with most work.

    ``answer``: what is known of the position.
    """
    line: list[int] = []
    while answer.winner is not None and position.winner is None:
        if answer.winner is position.to_move:
            move = answer.best
        else:
            move = _longest_resistance(search, position, answer.winner)
        if move is None:
            break
        line.append(move)
        position = position.play(move)
        known = search.look_up(position)
        if known is None or known.winner is not answer.winner:
            break
        answer = known
    return tuple(line)


def _longest_resistance(search: Search, position: Position, winner: Color) -> int | None:
    """Return the loser's move below which the table has most work, None if it knows none."""
    best, most = None, -1
    for cell in position.empties:
        known = search.look_up(position.play(cell))
        if known is not None and known.winner is winner and known.work > most:
            best, most = cell, known.work
    return best
