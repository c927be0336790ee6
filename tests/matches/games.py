"""Single games between players."""

from collections.abc import Sequence
from typing import Any

from hextui.engine.board import Board
from hextui.engine.position import Move
from hextui.matches.match import MatchGame, ScheduledGame


def play_game(
    black: str, white: str, board: Board, seed: int = 0, opening: Sequence[Move] = (), **more: Any
) -> MatchGame:
    """Let two players play; ``more`` are other fields of a `ScheduledGame`."""
    names = tuple(move.name(board) for move in opening)
    return ScheduledGame(board, black, white, seed, names, **more).play()
