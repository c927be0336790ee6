"""Exhaustive play on tiny boards."""

from functools import cache

from hextui.engine.position import Position


def winning_moves(position: Position) -> frozenset[int]:
    """Return the moves of the side to move that win; the game must not be over."""
    return frozenset(cell for cell in position.empties if not _mover_wins(position.play(cell)))


@cache
def _mover_wins(position: Position) -> bool:
    if position.winner is not None:
        return position.winner is position.to_move
    return any(not _mover_wins(position.play(cell)) for cell in position.empties)
