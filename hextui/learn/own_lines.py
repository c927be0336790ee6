"""Positions of own play: files of JSON objects, one a line, as ``hextui.learn.make_games`` writes.

An object has ``id`` (the number of its opening), ``size``, ``moves`` (as in a game), ``shares``
(how likely each move is when the network has read: a number above 0 for each cell by its name) and
``chance`` (that the side to move wins, 0 to 1).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hextui.engine.board import Board
from hextui.engine.position import Move, Position
from hextui.learn.game_lines import after_moves
from hextui.learn.json_lines import read_json_lines


@dataclass(frozen=True)
class OwnPosition:
    """A position, how likely each cell is to be played, and the chance of the side to move.

    The shares add up to 1.
    """

    position: Position
    shares: dict[int, float]
    chance: float


def read_own(paths: Iterable[Path]) -> list[OwnPosition]:
    """Read positions of own play from files.

    Raises ValueError, with the file and the line, for what is none, and OSError.
    """
    return read_json_lines(paths, _checked)


def _checked(found: dict[str, Any]) -> OwnPosition:
    size = int(found["size"])
    board = Board(size, size)
    words = str(found["moves"]).split()
    position = after_moves(board, [Move.parse(word, board) for word in words])
    shares = {board.cell(word): float(share) for word, share in found["shares"].items()}
    chance = float(found["chance"])
    if not shares or min(shares.values()) <= 0:
        raise ValueError("moves have shares, each above 0")
    if not set(shares) <= set(position.empties):
        raise ValueError("a move with a share is on an empty cell")
    if not 0 <= chance <= 1:
        raise ValueError(f"a chance is 0 to 1, not {chance:g}")
    total = sum(shares.values())
    return OwnPosition(position, {cell: share / total for cell, share in shares.items()}, chance)
