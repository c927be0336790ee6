"""The openings that have been solved: the table that comes with the program."""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hextui.engine.board import Board, Color

TABLE = Path(__file__).with_name("openings.json")
"""Made by ``python -m tests.make_openings``: by size and opening winner, nodes and seconds."""


class SolvedOpening(NamedTuple):
    """Who wins after a first move, and what the search for it took."""

    winner: Color
    nodes: int
    seconds: float


def solved_openings(board: Board) -> dict[int, SolvedOpening]:
    """Return what the table holds of a board, by first move."""
    rows = _table().get(str(board), {})
    return {
        board.cell(name): SolvedOpening(Color.parse(winner), nodes, seconds)
        for name, (winner, nodes, seconds) in rows.items()
    }


@cache
def _table() -> dict[str, dict[str, tuple[str, int, float]]]:
    found: dict[str, dict[str, tuple[str, int, float]]] = json.loads(TABLE.read_text("utf-8"))
    return found
