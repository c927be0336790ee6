"""The swap rule: what a swap is worth, when to swap, and what a first stone is worth.

All values are win probabilities, 0 to 1. That of a position in which nobody swaps is ``win``; a
swap exchanges the players, so it gives the side that swaps the other one's share. A win that is
proved has the value 1.
"""

from hextui.engine.board import Color
from hextui.engine.position import Move, Position
from hextui.engine.ranking import SWAP, Quality

EVEN = 0.05
"""Win probabilities by a search that differ from 0.5 by less are about even."""
EVEN_WITHOUT_SEARCH = 0.1
"""The same of the network alone, which is right less often."""


def move_of(position: Position, cell: int) -> Move:
    """Return the move that the cell of a ranked move stands for: a stone, or the swap for SWAP."""
    return Move(position.swap_rule.move) if cell == SWAP else Move.play(cell)


def swap_value(win: float) -> float:
    """Return the win probability of the side to move if it swaps.

    ``win``: its win probability if it places a stone instead.
    """
    return 1 - win


def wants_swap(win: float) -> bool:
    """Return whether to swap; ``win``: the win probability of placing a stone instead."""
    return swap_value(win) > win


def wants_strong_stone(first_stone: Quality) -> bool:
    """Return whether to swap by the rank of the first stone among all first moves.

    For evaluators without a win probability: they take over a stone of the better half.
    """
    return first_stone.mid_rank <= first_stone.candidates / 2


def first_stone_value(win: float) -> float:
    """Return what a first stone is worth: the other side swaps it or plays on, as is better.

    ``win``: the win probability of who places it, if nobody swaps.
    """
    return min(win, swap_value(win))


def position_value(position: Position, win: float) -> float:
    """Return the win probability of the side to move under the swap rule of a position.

    ``win``: the same by its best stone. On the empty board half of the games is the most that a
    stone can be worth.

    >>> from hextui.engine.board import Board
    >>> empty = Position.empty(Board(5, 5))
    >>> [position_value(at, 0.4) for at in (empty, empty.play("c3"), empty.play("c3").play("b2"))]
    [0.4, 0.6, 0.4]
    """
    if position.first_stone_swappable:
        return min(win, 0.5)
    return max(win, swap_value(win)) if position.swap_legal else win


def winner_under_rule(position: Position, winner: Color) -> Color:
    """Return who wins a position under its swap rule; ``winner``: the same if nobody swaps.

    The side that answers the first stone wins, by a swap or by playing on.
    """
    if position.first_stone_swappable:
        return position.to_move.opponent
    return position.to_move if position.swap_legal else winner


def is_about_even(win: float, *, searched: bool = True) -> bool:
    """Return whether a win probability is too near to 0.5 for advice on the swap."""
    return abs(win - 0.5) < (EVEN if searched else EVEN_WITHOUT_SEARCH)
