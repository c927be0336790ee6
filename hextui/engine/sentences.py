"""Connections in words. ``{black}`` and ``{white}`` stand for the players (see player_texts.py)."""

from collections.abc import Iterable

from hextui.engine.board import EMPTY, Color, edges_of
from hextui.engine.connection import Connection, ConnectionKind
from hextui.engine.ladders import ladder_of
from hextui.engine.player_texts import player
from hextui.engine.position import Position
from hextui.engine.templates import group_cells, template_of
from hextui.words.names import counted


def connection_sentence(position: Position, color: Color, connection: Connection) -> str:
    """Return what a connection of a colour says, with the number of cells it needs."""
    said = joined_sentence(position, color, connection.ends, connection.carrier)
    if connection.kind is ConnectionKind.FULL:
        return said
    if connection.key is None:
        return f"with {player(color)}'s move {said}"
    return f"if {player(color)} plays {position.board.name(connection.key)}, {said}"


def joined_sentence(
    position: Position, color: Color, ends: tuple[int, int], carrier: frozenset[int]
) -> str:
    """Return in words that two ends (nodes of connections.py) are joined inside a carrier.

    A group goes by a stone of it that touches the carrier.
    """
    board = position.board
    known = template_of(position, color, ends, carrier)
    template = known or ladder_of(position, color, ends, carrier)
    edges = [str(edges_of(color)[end - board.cells]) for end in sorted(ends) if end >= board.cells]
    if template is not None:
        cells = template.cells
    else:
        cells = tuple(
            _touching(position, end, color, ends, carrier) for end in ends if end < board.cells
        )
    names = [_named_cell(cell, position) for cell in cells]
    if template is not None:
        said = f"{_with_article(template.name)} joins {names[0]} "
        said += f"to the {edges[0]} edge" if edges else f"and {names[1]}"
        said += "".join(f", helped by {name}" for name in names[1:] if edges)
    elif len(edges) == 1:
        said = f"{names[0]} {'reaches' if carrier else 'is on'} the {edges[0]} edge"
    else:
        joined = "are joined" if carrier else "touch"
        said = f"{' and '.join(edges or names)} {joined}"
    return f"{said} ({counted(len(carrier), 'cell')})" if carrier else said


def _touching(
    position: Position, end: int, color: Color, ends: tuple[int, int], carrier: frozenset[int]
) -> int:
    """Return the cell of an end that touches the carrier or, without one, the other end."""
    board = position.board
    cells = group_cells(position, end)
    (other,) = set(ends) - {end}
    if carrier:
        goal = carrier
    elif other >= board.cells:
        edge = board.edge_cells[edges_of(color)[other - board.cells]]
        return next((cell for cell in cells if cell in edge), cells[0])
    else:
        goal = frozenset(group_cells(position, other))
    near = board.neighbours
    return next((cell for cell in cells if goal & set(near[cell])), cells[0])


def _with_article(name: str) -> str:
    """Return a template's name as it stands in a sentence; what ends in a number has no article.

    >>> [_with_article(name) for name in ("ziggurat", "edge template on row 4", "template II")]
    ['a ziggurat', 'an edge template on row 4', 'template II']
    """
    if name.startswith("template"):
        return name
    return f"an {name}" if name.startswith("e") else f"a {name}"


def _named_cell(cell: int, position: Position) -> str:
    name = position.board.name(cell)
    return f"{name} (empty)" if position.stones[cell] == EMPTY else name


def listed_cells(names: Iterable[str], last: str = "or") -> str:
    """Return names as people list them.

    >>> listed_cells(["a1"]), listed_cells(["a1", "b2", "c3"])
    ('a1', 'a1, b2 or c3')
    """
    words = list(names)
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
