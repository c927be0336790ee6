"""One virtual connection: its ends, its carrier, and why it holds."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from hextui.engine.board import EMPTY, Board, Color, Edge, edges_of
from hextui.engine.position import Position

EDGE_NAMES: Mapping[Edge, str] = {edge: str(edge) for edge in Edge}


class ConnectionKind(enum.StrEnum):
    """Whether a connection stands whichever side moves first (full), or only if its owner does."""

    FULL = "full"
    SEMI = "semi"


class Rule(enum.StrEnum):
    """How a connection was made from its premises.

    ADJACENCY has none. AND joins two full connections at a common end: a group (full) or an
    empty cell, the key (semi). OR joins semi connections whose carriers have no common cell.
    STONE is its one premise after an own stone was put on a cell of its carrier. TEMPLATE has no
    premises: it is an edge template that the solver has proved (templates.py). Where AND and OR
    count captured cells as own, premises may have those in common.
    """

    ADJACENCY = "adjacency"
    AND = "and"
    OR = "or"
    STONE = "stone"
    TEMPLATE = "template"


@dataclass(frozen=True)
class Connection:
    """One connection. ``key`` is the owner's first move of a semi made by the AND rule.

    ``captured``: pairs of cells of the carrier that own stones on the ends and the key capture.
    """

    id: int
    ends: tuple[int, int]
    carrier: frozenset[int]
    kind: ConnectionKind
    rule: Rule
    key: int | None
    premises: tuple[int, ...]
    live: bool
    captured: tuple[tuple[int, int], ...] = ()


def node_name(
    node: int, board: Board, color: Color, edge_names: Mapping[Edge, str] = EDGE_NAMES
) -> str:
    """Return the name users see of an end: a cell, or ``top``, ``bottom``, ``left``, ``right``."""
    if node < board.cells:
        return board.name(node)
    return edge_names[edges_of(color)[node - board.cells]]


def node_named(
    name: str, position: Position, color: Color, edge_names: Mapping[Edge, str] = EDGE_NAMES
) -> int:
    """Return the end with a name: an empty cell, a stone of the colour, or one of its edges.

    Raises ValueError for anything else.
    """
    board = position.board
    word = name.strip()
    edge = next((e for e in Edge if word.lower() in (str(e), edge_names[e])), None)
    own = edges_of(color)
    if edge in own:
        return board.cells + own.index(edge)
    if edge is not None:
        raise ValueError(f"{color} joins {' and '.join(edge_names[e] for e in own)}, not {word}")
    cell = board.cell(word)
    if position.stones[cell] not in (EMPTY, color):
        raise ValueError(f"{word} is {color.opponent}")
    return cell
