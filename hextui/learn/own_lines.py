"""Positions of own play: files of JSON objects, one a line, as ``hextui.learn.make_games`` writes.

An object has ``id`` (the number of its opening), ``size``, ``moves`` (as in a game) and ``shares``
(how likely each move is when the network has read: a number above 0 for each cell by its name).
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
    """A position, and how likely each cell is to be played: the shares add up to 1."""

    position: Position
    shares: dict[int, float]


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
    if not shares or min(shares.values()) <= 0:
        raise ValueError("moves have shares, each above 0")
    if not set(shares) <= set(position.empties):
        raise ValueError("a move with a share is on an empty cell")
    total = sum(shares.values())
    return OwnPosition(position, {cell: share / total for cell, share in shares.items()})
