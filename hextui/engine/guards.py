"""Checks of arguments in public methods; kernels themselves check nothing."""

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.position import Position


def check_board(what: str, board: Board, other: Board) -> None:
    """Raise ValueError unless both boards are the same; ``what`` names the owner of the first."""
    if board != other:
        raise ValueError(f"{what} is for a {board} board, not {other}")


def check_color(color: object) -> None:
    """Raise ValueError for anything but a Color: a plain 1 or 2 would be taken for White."""
    if not isinstance(color, Color):
        raise ValueError(f"a colour is Color.BLACK or Color.WHITE, not {color!r}")


def check_empty(position: Position, cell: int) -> None:
    """Raise ValueError unless the cell is on the board and empty."""
    board = position.board
    if not 0 <= cell < board.cells:
        raise ValueError(f"cell {cell} is not on the {board} board")
    if position.stones[cell] != EMPTY:
        raise ValueError(f"{board.name(cell)} is taken")


def check_node(board: Board, node: int) -> None:
    """Raise ValueError unless a node is a cell of the board or one of a colour's two edges."""
    if not 0 <= node < board.cells + 2:
        raise ValueError(f"node {node} is not of a {board} board: 0 to {board.cells + 1}")
