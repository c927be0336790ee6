"""Ladders: a stone on its second or third row pushes along it as far as an own stone, its escape.

They need no table: the rules of the connection search find them. They are known by their shape,
steps of the ladder and what joins the escape to the edge.
"""

from collections.abc import Iterator, Set
from itertools import count

from hextui.engine.board import Color, edges_of
from hextui.engine.position import Position
from hextui.engine.templates import Named, Offset, group_cells, mirrored, seen_from, template_of

ROWS = (2, 3)
SHORTEST = 2  # steps: with one, two stones have a cell between them, and nobody calls it a ladder

_ESCAPES = ((0, 0), (0, 1), (1, 0), (-1, 1), (-1, 0))
"""Where an escape may stand, from the last step: on it, or beside it."""


def ladder(row: int, steps: int) -> frozenset[Offset]:
    """Return the cells of so many steps along a row, as offsets from the stone that begins it.

    The stone pushes to the cell beside it, or is let through to the one below; so each step takes
    a cell of every row.

    >>> sorted(ladder(2, 2))
    [(0, 1), (0, 2), (1, 0), (1, 1)]
    """
    return frozenset((down, step - down) for down in range(row) for step in range(1, steps + 1))


def ladder_of(
    position: Position, color: Color, ends: tuple[int, int], carrier: frozenset[int]
) -> Named | None:
    """Return what a full connection of two ends (nodes of connections.py) is called if a ladder.

    None where its carrier is not the steps of a ladder and what joins its escape to the same edge,
    no cell more: nothing where that touches it, or a named template.
    """
    board = position.board
    first, edge = sorted(ends)
    if first >= board.cells or edge < board.cells:
        return None
    group = set(group_cells(position, first))
    others = {cell for cell, owner in enumerate(position.stones) if owner == color} - group
    for cell in group:
        row, places = seen_from(board, cell, color, edge - board.cells, carrier | others)
        cell_at = {offset: place for place, offset in places.items()}
        for shape, escapes in _ladders(row, cell_at.keys()):
            steps = {cell_at[offset] for offset in shape}
            for escape in map(cell_at.get, escapes):
                if escape not in others or not steps - carrier <= {*group_cells(position, escape)}:
                    continue
                if _reaches(position, color, escape, edge, carrier - steps):
                    return Named(f"row-{row} ladder to {board.name(escape)}", (cell,))
    return None


def _ladders(row: int, within: Set[Offset]) -> Iterator[tuple[Set[Offset], list[Offset]]]:
    """Yield ladders along a row, both ways, that stay within some cells, and where each may end."""
    for image in (frozenset, mirrored) if row in ROWS else ():
        for steps in count(SHORTEST):
            shape = image(ladder(row, steps))
            if not shape <= within:
                break
            ends = (frozenset({(down, steps + across)}) for down, across in _ESCAPES)
            yield shape, [offset for end in ends for offset in image(end)]


def _reaches(
    position: Position, color: Color, stone: int, edge: int, carrier: frozenset[int]
) -> bool:
    """Tell whether a stone touches an edge, or reaches it by a template of this carrier."""
    if carrier:
        return template_of(position, color, (stone, edge), carrier) is not None
    at_edge = position.board.edge_cells[edges_of(color)[edge - position.board.cells]]
    return not set(at_edge).isdisjoint(group_cells(position, stone))
