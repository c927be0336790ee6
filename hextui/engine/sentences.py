"""Connections in words. ``{black}`` and ``{white}`` stand for the players (see explanation.py)."""

from collections.abc import Iterable

from hextui.engine.board import EMPTY, Color, edges_of
from hextui.engine.connection import Connection, ConnectionKind
from hextui.engine.explanation import player
from hextui.engine.position import Position
from hextui.wording import counted


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
    """Return in words that two ends (nodes of connections.py) are joined inside a carrier."""
    first, second = (_end(end, position, color) for end in ends)
    on_edge = [end >= position.board.cells for end in ends]
    if all(on_edge):
        said = f"{first} and {second} are joined"
    elif any(on_edge):
        cell, edge = (second, first) if on_edge[0] else (first, second)
        said = f"{cell} reaches the {edge} edge" if carrier else f"{cell} is on the {edge} edge"
    else:
        said = f"{first} and {second} are joined" if carrier else f"{first} and {second} touch"
    return f"{said} ({counted(len(carrier), 'cell')})" if carrier else said


def _end(end: int, position: Position, color: Color) -> str:
    board = position.board
    if end >= board.cells:
        return str(edges_of(color)[end - board.cells])
    name = board.name(end)
    return f"{name} (empty)" if position.stones[end] == EMPTY else name


def listed_cells(names: Iterable[str], last: str = "or") -> str:
    """Return names as people list them.

    >>> listed_cells(["a1"]), listed_cells(["a1", "b2", "c3"])
    ('a1', 'a1, b2 or c3')
    """
    words = list(names)
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
