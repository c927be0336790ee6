"""Connections that have a name: the bridge, and edge templates of one stone and of two.

The solver makes their tables (tests/make_templates.py). A template is the row of its stone, from
the edge, and its carrier as offsets from the stone: lines towards the edge, and columns. Those of
two stones are those that the rules of the connection search do not find.
"""

import json
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import count, product
from pathlib import Path
from typing import Any

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
    return tuple(map(_template, json.loads(STORED.read_text(encoding="utf-8"))))


def _template(entry: dict[str, Any]) -> Template:
    """Return a template of the file."""
    return Template(
        entry["row"],
        tuple(entry["stone"]),
        frozenset(map(tuple, entry["carrier"])),
        entry.get("name", f"edge template on row {entry['row']}"),
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
        shape = row, frozenset(places.values())
        if shape in _table():
            return Named(_table()[shape], (cell,))
        if helpers := _helpers().get(shape):
            own = {place for place, owner in enumerate(position.stones) if owner == color}
            for stone, offset in seen_from(board, cell, color, edge, own)[1].items():
                if offset in helpers:
                    return Named(helpers[offset], (cell, stone))
    return None


@cache
def _helpers() -> dict[tuple[int, Offsets], dict[Offset, str]]:
    """Return by row and carrier where a second stone makes it a stored template, with its name."""
    names: dict[tuple[int, Offsets], dict[Offset, str]] = {}
    for template in _images():
        names.setdefault((template.row, template.carrier), {})[template.stone] = template.name
    return names


@cache
def _images() -> frozenset[Template]:
    """Return the stored templates and their mirror images."""
    templates = stored_templates()
    return frozenset([*templates, *(template.mirrored for template in templates)])


def _bridge(
    board: Board, group: tuple[int, ...], other: tuple[int, ...], carrier: frozenset[int]
) -> Named | None:
    """Return the bridge of this carrier between stones of two groups, if it is one."""
    near = board.neighbours
    if len(carrier) != 2:
        return None
    for first, second in product(group, other):
        common = frozenset(near[first]) & frozenset(near[second])
        if second not in near[first] and carrier == common:
            return Named(BRIDGE, (first, second))
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

    def place(cell: int) -> tuple[int, int]:
        row, column = divmod(cell, board.columns)
        line, across = (row, column) if upright else (column, row)
        return (line, across) if edge else (-line, -across)

    line, across = place(cell)
    row = lines - line if edge else 1 - line
    offsets = {}
    for other in cells:
        other_line, other_across = place(other)
        offsets[other] = other_line - line, other_across - across
    return row, offsets


@cache
def known_templates(board: Board, color: Color) -> tuple["TemplatePlace", ...]:
    """Return the stored templates in all places of a board: the stone, the ends, the carrier."""
    places: list[TemplatePlace] = []
    for edge in (0, 1):
        for template in _images():
            places += _placed(template, board, color, edge)
    return tuple(sorted(places, key=_stone_then_size))


TemplatePlace = tuple[int, tuple[int, int], frozenset[int]]
"""The helping stone of a template, its ends and its carrier on a board."""


def _stone_then_size(place: TemplatePlace) -> tuple[int, int, tuple[int, int], list[int]]:
    stone, ends, carrier = place
    return stone, len(carrier), ends, sorted(carrier)


def _placed(template: Template, board: Board, color: Color, edge: int) -> Iterator[TemplatePlace]:
    """Yield a template in all places at edge 0 or 1 of a colour."""
    if color is Color.WHITE:  # White's edges are Black's of the mirrored board
        for stone, ends, carrier in _placed(template, board.transposed, Color.BLACK, edge):
            image = board.transposed.mirror
            yield image(stone), (image(ends[0]), ends[1]), frozenset(map(image, carrier))
        return
    sign = 1 if edge else -1
    first = board.rows - template.row if edge else template.row - 1
    offsets = ((0, 0), template.stone, *template.carrier)
    for across in range(board.columns):
        places = [(first + sign * down, across + sign * beside) for down, beside in offsets]
        if all(map(partial(_is_inside, board), places)):
            end, stone, *carrier_cells = (row * board.columns + column for row, column in places)
            yield stone, (end, board.cells + edge), frozenset(carrier_cells)


def _is_inside(board: Board, place: tuple[int, int]) -> bool:
    row, column = place
    return 0 <= row < board.rows and 0 <= column < board.columns


@cache
def _table() -> dict[tuple[int, Offsets], str]:
    """Return the names of edge templates by row and carrier, mirror images too."""
    names = {}
    for name, template in json.loads(FILE.read_text(encoding="utf-8")).items():
        carrier: Offsets = frozenset((down, across) for down, across in template["carrier"])
        for image in (carrier, mirrored(carrier)):
            names[template["row"], image] = name
    return names


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
        for steps, escape in _steps_and_escapes(row, cell_at):
            is_stone = escape in others
            if is_stone and _joins_escape(position, color, escape, edge, carrier, steps):
                return Named(f"row-{row} ladder to {board.name(escape)}", (cell,))
    return None


def _steps_and_escapes(row: int, cell_at: dict[Offset, int]) -> Iterator[tuple[set[int], int]]:
    """Yield the cells of ladders along a row, each with a cell where it may end."""
    for shape, escapes in _ladders(row, cell_at.keys()):
        steps = {cell_at[offset] for offset in shape}
        for offset in escapes:
            if offset in cell_at:
                yield steps, cell_at[offset]


def _joins_escape(
    position: Position,
    color: Color,
    escape: int,
    edge: int,
    carrier: frozenset[int],
    steps: set[int],
) -> bool:
    """Return whether a ladder's steps and an escape's link to the edge are the carrier."""
    is_whole = steps - carrier <= set(group_cells(position, escape))
    return is_whole and _reaches(position, color, escape, edge, carrier - steps)


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
