"""Who wins when the winner has some stones, some cells are empty and all others are the loser's."""

from functools import cache

from hextui.engine.board import Board, Color
from hextui.engine.position import Position


@cache
def holds(board: Board, winner: Color, own: int, empty: int, winner_first: bool) -> bool:
    """Play it out: ``own`` and ``empty`` have bit c for cell c."""
    if joined(board, winner, own):
        return True
    if not joined(board, winner, own | empty):
        return False
    cells = [1 << cell for cell in range(board.cells) if empty >> cell & 1]
    if winner_first:
        return any(holds(board, winner, own | bit, empty ^ bit, False) for bit in cells)
    return all(holds(board, winner, own, empty ^ bit, True) for bit in cells)


@cache
def joined(board: Board, winner: Color, own: int) -> bool:
    """Return whether the stones of the winner join the winner's edges."""
    stones = bytes(winner if own >> cell & 1 else 0 for cell in range(board.cells))
    return Position(board, stones).winner is winner


def matters(board: Board, winner: Color, cell: int, own: int, empty: int) -> bool:
    """Return whether there is a way to fill the empty cells in which ``cell`` decides."""
    subset = empty
    while True:
        if joined(board, winner, own | subset | 1 << cell) != joined(board, winner, own | subset):
            return True
        if not subset:
            return False
        subset = (subset - 1) & empty
