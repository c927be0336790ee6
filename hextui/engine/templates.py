"""Connections that have a name: the bridge, and the edge templates of one stone.

The table of edge templates is made by the solver (tests/make_templates.py) and shipped as a file.
A template is the row of its stone, counted from the edge, and its carrier as offsets from the
stone: lines towards the edge, and columns. In a mirror image the edge stays where it is.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hextui.engine.board import Board, Color
from hextui.engine.position import Position

FILE = Path(__file__).with_name("templates.json")
BRIDGE = "bridge"

Offset = tuple[int, int]
Offsets = frozenset[Offset]


def mirrored(carrier: Offsets) -> Offsets:
    """Return the mirror image of a carrier.

    >>> sorted(mirrored(frozenset({(0, 1), (1, 0)})))
    [(0, -1), (1, -1)]
    """
    return frozenset((down, -across - down) for down, across in carrier)


@dataclass(frozen=True)
class Named:
    """A connection that has a name, and the cells of its ends: one, or two of a bridge."""

    name: str
    cells: tuple[int, ...]


def template_of(
    position: Position, color: Color, ends: tuple[int, int], carrier: frozenset[int]
) -> Named | None:
    """Return what a full connection of two ends (nodes of connections.py) is called.

    None where it has no name: where its carrier is not that of a template, no cell more.
    """
    board = position.board
    first, second = sorted(ends)
    if first >= board.cells:
        return None
    if second < board.cells:
        return _bridge(board, group_cells(position, first), group_cells(position, second), carrier)
    for cell in group_cells(position, first):
        seen = _seen_from(board, cell, color, second - board.cells, carrier)
        if seen in _table():
            return Named(_table()[seen], (cell,))
    return None


def _bridge(
    board: Board, one: tuple[int, ...], other: tuple[int, ...], carrier: frozenset[int]
) -> Named | None:
    near = board.neighbours
    if len(carrier) == 2:
        for a in one:
            for b in other:
                if b not in near[a] and carrier == frozenset(near[a]) & frozenset(near[b]):
                    return Named(BRIDGE, (a, b))
    return None


def group_cells(position: Position, end: int) -> tuple[int, ...]:
    """Return the stones of the group that an end stands for, or the empty cell that it is."""
    captain = position.groups.captain
    if captain[end] < 0:
        return (end,)
    return tuple(cell for cell, other in enumerate(captain) if other == captain[end])


def _seen_from(
    board: Board, cell: int, color: Color, edge: int, carrier: frozenset[int]
) -> tuple[int, Offsets]:
    """Return a cell's row, counted from one of its colour's edges, and a carrier's offsets."""
    upright = color is Color.BLACK
    lines = board.rows if upright else board.columns

    def place(at: int) -> tuple[int, int]:
        row, column = divmod(at, board.columns)
        line, across = (row, column) if upright else (column, row)
        return (line, across) if edge else (-line, -across)

    line, across = place(cell)
    offsets = (place(at) for at in carrier)
    row = lines - line if edge else 1 - line
    return row, frozenset((there - line, beside - across) for there, beside in offsets)


@cache
def _table() -> dict[tuple[int, Offsets], str]:
    """Return the names of edge templates by row and carrier, mirror images too."""
    found = {}
    for name, template in json.loads(FILE.read_text(encoding="utf-8")).items():
        carrier: Offsets = frozenset((down, across) for down, across in template["carrier"])
        for image in (carrier, mirrored(carrier)):
            found[template["row"], image] = name
    return found
