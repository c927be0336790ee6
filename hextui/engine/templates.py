"""Connections that have a name: the bridge, and edge templates of one stone and of two.

The solver makes their tables (tests/make_templates.py). A template is the row of its stone, from
the edge, and its carrier as offsets from the stone: lines towards the edge, and columns. Those of
two stones are those that the rules of the connection search do not find.
"""

import json
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path

from hextui.engine.board import Board, Color, edges_of
from hextui.engine.position import Position

STORED = Path(__file__).with_name("edge_templates.json")
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
class Template:
    """A full connection of a cell on ``row`` with an edge, with the help of one own stone."""

    row: int
    stone: Offset
    carrier: Offsets
    name: str = field(default="", compare=False)

    @property
    def mirrored(self) -> "Template":
        """The mirror image."""
        (stone,) = mirrored(frozenset({self.stone}))
        return Template(self.row, stone, mirrored(self.carrier), self.name)


@cache
def stored_templates() -> tuple[Template, ...]:
    """Return the templates with a helping stone that the rules of the search miss."""
    return tuple(
        Template(
            one["row"],
            tuple(one["stone"]),
            frozenset(map(tuple, one["carrier"])),
            one.get("name", f"edge template on row {one['row']}"),
        )
        for one in json.loads(STORED.read_text(encoding="utf-8"))
    )


@dataclass(frozen=True)
class Named:
    """A connection that has a name, and its cells: the end and what helps it, two of a bridge."""

    name: str
    cells: tuple[int, ...]


def template_of(
    position: Position, color: Color, ends: tuple[int, int], carrier: frozenset[int]
) -> Named | None:
    """Return the name of a full connection of two nodes if its carrier is a template's."""
    board = position.board
    first, second = sorted(ends)
    if first >= board.cells:
        return None
    if second < board.cells:
        return _bridge(board, group_cells(position, first), group_cells(position, second), carrier)
    edge = second - board.cells
    for cell in group_cells(position, first):
        row, places = seen_from(board, cell, color, edge, carrier)
        seen = row, frozenset(places.values())
        if seen in _table():
            return Named(_table()[seen], (cell,))
        if helpers := _helpers().get(seen):
            own = {at for at, owner in enumerate(position.stones) if owner == color}
            for stone, offset in seen_from(board, cell, color, edge, own)[1].items():
                if offset in helpers:
                    return Named(helpers[offset], (cell, stone))
    return None


@cache
def _helpers() -> dict[tuple[int, Offsets], dict[Offset, str]]:
    """Return by row and carrier where a second stone makes it a stored template, with its name."""
    found: dict[tuple[int, Offsets], dict[Offset, str]] = {}
    for one in _images():
        found.setdefault((one.row, one.carrier), {})[one.stone] = one.name
    return found


@cache
def _images() -> frozenset[Template]:
    return frozenset(image for one in stored_templates() for image in (one, one.mirrored))


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


def seen_from(
    board: Board, cell: int, color: Color, edge: int, cells: Set[int]
) -> tuple[int, dict[int, Offset]]:
    """Return a cell's row, counted from edge 0 or 1 of its colour, and the offsets of others."""
    upright = color is Color.BLACK
    lines = board.rows if upright else board.columns

    def place(at: int) -> tuple[int, int]:
        row, column = divmod(at, board.columns)
        line, across = (row, column) if upright else (column, row)
        return (line, across) if edge else (-line, -across)

    line, across = place(cell)
    row = lines - line if edge else 1 - line
    places = ((at, place(at)) for at in cells)
    return row, {at: (there - line, beside - across) for at, (there, beside) in places}


@cache
def known_templates(
    board: Board, color: Color
) -> tuple[tuple[int, tuple[int, int], frozenset[int]], ...]:
    """Return the stored templates in all places of a board: the stone, the ends, the carrier."""
    upright = color is Color.BLACK
    lines, columns = (board.rows, board.columns) if upright else (board.columns, board.rows)
    found = []
    for edge, sign in ((0, -1), (1, 1)):
        for template in _images():
            first = lines - template.row if edge else template.row - 1
            for across in range(columns):
                places = [
                    (first + sign * down, across + sign * beside)
                    for down, beside in ((0, 0), template.stone, *template.carrier)
                ]
                if all(0 <= line < lines and 0 <= at < columns for line, at in places):
                    cells = [
                        line * board.columns + at if upright else at * board.columns + line
                        for line, at in places
                    ]
                    end, stone, *carrier = cells
                    found.append((stone, (end, board.cells + edge), frozenset(carrier)))
    return tuple(sorted(found, key=lambda one: (one[0], len(one[2]), one[1], sorted(one[2]))))


@cache
def _table() -> dict[tuple[int, Offsets], str]:
    """Return the names of edge templates by row and carrier, mirror images too."""
    found = {}
    for name, template in json.loads(FILE.read_text(encoding="utf-8")).items():
        carrier: Offsets = frozenset((down, across) for down, across in template["carrier"])
        for image in (carrier, mirrored(carrier)):
            found[template["row"], image] = name
    return found


ROWS = (2, 3)
SHORTEST = 2  # steps: with one, two stones have a cell between them, and nobody calls it a ladder

_ESCAPES = ((0, 0), (0, 1), (1, 0), (-1, 1), (-1, 0))  # on the last step, or beside it


def ladder(row: int, steps: int) -> frozenset[Offset]:
    """Return the cells of so many steps along a row, as offsets from the stone that begins it.

    The stone pushes beside it, or is let through below; so each step takes a cell of every row.

    >>> sorted(ladder(2, 2))
    [(0, 1), (0, 2), (1, 0), (1, 1)]
    """
    return frozenset((down, step - down) for down in range(row) for step in range(1, steps + 1))


def ladder_of(
    position: Position, color: Color, ends: tuple[int, int], carrier: frozenset[int]
) -> Named | None:
    """Return the name of a full connection of two nodes if it is a ladder, else None.

    Its carrier must be the steps of a ladder and what joins its escape to the same edge, no cell
    more: nothing where that touches it, or a named template.
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
    """Return whether a stone touches an edge, or reaches it by a template of this carrier."""
    if carrier:
        return template_of(position, color, (stone, edge), carrier) is not None
    at_edge = position.board.edge_cells[edges_of(color)[edge - position.board.cells]]
    return not set(at_edge).isdisjoint(group_cells(position, stone))
