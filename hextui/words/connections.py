"""Connections and single cells in words: what a connection joins, why a cell can be ignored."""

from collections.abc import Sequence

from hextui.engine.board import EMPTY, Board, Color, Edge, edges_of
from hextui.engine.connection import Connection, ConnectionKind
from hextui.engine.inferior import InferiorCells, InferiorRule
from hextui.engine.position import Position
from hextui.engine.templates import group_cells, ladder_of, template_of
from hextui.text import Names, counted


def connection_sentence(
    position: Position, color: Color, connection: Connection, names: Names
) -> str:
    """Return the sentence about a connection of a colour, with the size of its carrier."""
    said = joined_sentence(position, color, connection.nodes, connection.cells)
    if connection.kind is ConnectionKind.FULL:
        return said
    owner = names.player(color)
    if connection.key is None:
        return f"with {owner}'s move {said}"
    return f"if {owner} plays {connection.key}, {said}"


def joined_sentence(
    position: Position,
    color: Color,
    ends: tuple[int, int],
    carrier: frozenset[int],
    captured: frozenset[int] = frozenset(),
) -> str:
    """Return the sentence that two ends, nodes of the connections, are joined inside a carrier.

    ``captured``: cells of the position that hold a stone only because a proof counts them so.
    """
    board = position.board
    template = template_of(position, color, ends, carrier)
    template = template or ladder_of(position, color, ends, carrier)
    edges = _edges_among(ends, color, board)
    cells = template.cells if template else _shown_ends(position, color, ends, carrier, captured)
    names = [_end_words(cell, position, captured) for cell in cells]
    if template is not None:
        said = _template_words(template.name, names, edges)
    elif len(edges) == 1:
        touches = not carrier and _is_on(edges[0], cells[0], position, captured)
        verb = "is on" if touches else "reaches"
        said = f"{names[0]} {verb} the {edges[0]} edge"
    else:
        said = f"{' and '.join(map(str, edges or names))} are joined"
    return f"{said} ({counted(len(carrier), 'cell')})" if carrier else said


def _edges_among(ends: tuple[int, int], color: Color, board: Board) -> list[Edge]:
    """Return the edges among two ends, nodes of a colour's connections."""
    return [edges_of(color)[end - board.cells] for end in sorted(ends) if end >= board.cells]


def _is_on(edge: Edge, cell: int, position: Position, captured: frozenset[int]) -> bool:
    """Return whether the stone on a cell, if it is not only counted so, is on an edge."""
    is_stone = position.stones[cell] != EMPTY and cell not in captured
    return is_stone and cell in position.board.edge_cells[edge]


def _template_words(template: str, names: Sequence[str], edges: Sequence[Edge]) -> str:
    """Return what a template joins: two ends, or one and others that help it, to an edge."""
    joins = f"{with_article(template)} joins {names[0]}"
    if not edges:
        return f"{joins} and {names[1]}"
    helped = "".join(f", helped by {name}" for name in names[1:])
    return f"{joins} to the {edges[0]} edge{helped}"


def end_names(
    position: Position,
    color: Color,
    ends: tuple[int, int],
    carrier: frozenset[int],
    captured: frozenset[int] = frozenset(),
) -> list[str]:
    """Return the names of two ends: a stone beside the carrier, or ``the top edge``."""
    cells = _shown_ends(position, color, ends, carrier, captured)
    names = [_end_words(cell, position, captured) for cell in cells]
    edges = [f"the {edge} edge" for edge in _edges_among(ends, color, position.board)]
    return [*names, *edges]


def _shown_ends(
    position: Position,
    color: Color,
    ends: tuple[int, int],
    carrier: frozenset[int],
    captured: frozenset[int],
) -> tuple[int, ...]:
    """Return for each end that is no edge its stone that names it best: one beside the carrier."""
    cells: tuple[int, ...] = ()
    for end, other in (ends, ends[::-1]):
        if end < position.board.cells:
            near = _touching(position, color, other, carrier)
            group = group_cells(position, end)
            cells += (min(group, key=lambda cell: (cell in captured, cell not in near)),)
    return cells


def _touching(
    position: Position, color: Color, other: int, carrier: frozenset[int]
) -> frozenset[int]:
    """Return the cells that touch the carrier or, without one, the other end."""
    board = position.board
    if not carrier and other >= board.cells:
        return frozenset(board.edge_cells[edges_of(color)[other - board.cells]])
    goal = carrier or group_cells(position, other)
    return frozenset(cell for aim in goal for cell in board.neighbours[aim])


def with_article(name: str) -> str:
    """Return a template's name with its article; a name with a number has none.

    >>> [with_article(name) for name in ("ziggurat", "edge template on row 4", "template II")]
    ['a ziggurat', 'an edge template on row 4', 'template II']
    """
    if name.startswith("template"):
        return name
    return f"an {name}" if name.startswith("e") else f"a {name}"


def _end_words(cell: int, position: Position, captured: frozenset[int]) -> str:
    """Return the name of a stone; an empty cell is called a stone on it, as if it were there."""
    name = position.board.name(cell)
    if cell in captured:
        return f"captured {name}"
    return f"a stone on {name}" if position.stones[cell] == EMPTY else name


def cell_reason(
    position: Position,
    cell: int,
    threats: Sequence[Connection],
    inferior: InferiorCells | None,
    names: Names,
) -> str:
    """Return why a cell is inferior or must-play for the side to move; '' if it is neither.

    ``threats``: the opponent's connections of its edges if it were to move.
    """
    if position.stones[cell] != EMPTY:
        return ""
    reasons = (
        _useless_reason(position, cell, inferior, names) if inferior else "",
        _outside_reason(position, cell, threats, names),
        _poor_reason(position, cell, inferior, names) if inferior else "",
    )
    for reason in filter(None, reasons):
        return reason
    if not threats:
        return ""
    opponent = names.player(position.to_move.opponent)
    return f"{position.board.name(cell)} is must-play: every threat of {opponent} needs it"


def _useless_reason(position: Position, cell: int, inferior: InferiorCells, names: Names) -> str:
    """Return why a cell is dead or captured; '' if it is neither."""
    name = position.board.name(cell)
    if name in inferior.dead:
        if inferior.rules[name] is InferiorRule.REGION:
            return f"{name} is dead: one group cuts it off from its sides"
        return f"{name} is dead: no stone there connects anything"
    for color, pairs in inferior.captured.items():
        if name in pairs:
            owner = names.player(color)
            return f"{name} is captured by {owner}, who answers it with {pairs[name]}"
    return ""


def _outside_reason(
    position: Position, cell: int, threats: Sequence[Connection], names: Names
) -> str:
    """Return why a cell is outside the must-play region; '' if it is inside."""
    name = position.board.name
    for threat in threats:
        if cell not in threat.cells:
            opponent = names.player(position.to_move.opponent)
            first, second = edges_of(position.to_move.opponent)
            plays = "" if threat.key is None else f" with {threat.key}"
            return (
                f"{name(cell)} is outside the must-play region: {opponent} joins {first} and "
                f"{second}{plays} without it ({counted(len(threat.cells), 'cell')})"
            )
    return ""


def _poor_reason(position: Position, cell: int, inferior: InferiorCells, names: Names) -> str:
    """Return why a cell is vulnerable or dominated; '' if it is neither."""
    name = position.board.name(cell)
    if name in inferior.vulnerable:
        opponent = names.player(position.to_move.opponent)
        killer = inferior.vulnerable[name]
        return f"{name} is vulnerable: {opponent} answers {killer} and the stone is dead"
    if name in inferior.dominated:
        better = inferior.dominated[name]
        captures = inferior.rules[name] is InferiorRule.CAPTURED_AFTER
        does = "captures it" if captures else "makes it dead"
        return f"{name} is dominated by {better}: a stone there {does}"
    return ""
