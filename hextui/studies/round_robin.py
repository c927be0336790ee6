"""The study ``ratings``: evaluators play each other, all against all, one ply deep.

Past Honjo et al. 2010 (docs/methods.md#references). Every pair plays every opening twice, with
colours exchanged: most evaluators draw nothing by lot, so without openings they would repeat one
game.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from hextui.engine.board import Board, Color
from hextui.engine.position import Move
from hextui.matches.match import play_game
from hextui.matches.results import Row
from hextui.matches.runs import Task

COLUMNS = ("opening", "black", "white", "seed", "winner", "plies", "moves")


@dataclass(frozen=True)
class Meeting:
    """A game to be played: the players, and the cell of Black's first stone."""

    board: Board
    black: str
    white: str
    opening: int
    seed: int


def openings(board: Board, limit: int | None, seed: int) -> list[int]:
    """Return the cells of the first stones: all of them, or so many drawn by the seed."""
    cells = list(range(board.cells))
    if limit is None or limit >= board.cells:
        return cells
    return sorted(random.Random(seed).sample(cells, limit))


def meetings(players: Sequence[str], board: Board, cells: Sequence[int], seed: int) -> list[Task]:
    """Return all games: opening by opening, pair by pair, each colour once."""
    found: list[Meeting] = []
    for cell in cells:
        for pair in combinations(players, 2):
            for black, white in (pair, pair[::-1]):
                mixed = random.Random(f"{seed} {black} {white} {cell}").getrandbits(31)
                found.append(Meeting(board, black, white, cell, mixed))
    return [Task(number, meeting) for number, meeting in enumerate(found)]


def play_meeting(meeting: Meeting) -> list[Row]:
    """Play a game; return its row."""
    board = meeting.board
    game = play_game(
        meeting.black, meeting.white, board, meeting.seed, [Move.play(meeting.opening)]
    )
    return [
        (
            board.name(meeting.opening),
            meeting.black,
            meeting.white,
            meeting.seed,
            "black" if game.winner is Color.BLACK else "white",
            len(game.moves),
            " ".join(move.name(board) for move in game.moves),
        )
    ]
