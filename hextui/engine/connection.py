"""One virtual connection: its ends, its carrier, and why it holds."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from hextui.engine.board import EMPTY, Board, Color, Edge, edges_of
from hextui.engine.cells import Cells
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
    """A virtual connection of two ends of a ``color``, full or semi, inside its ``carrier``.

    ``nodes`` are its ends as numbers: cells, where a group is named by its first, then the two
    edges. ``cells`` is the carrier. ``key_cell`` is the owner's first move of a semi made by the
    AND rule. ``rule`` and ``premises``, the ids of other connections, say how it was found;
    ``live``: it is in force. ``pairs``: cells of the carrier that own stones on the ends and the
    key capture.
    """

    id: int
    board: Board
    color: Color
    nodes: tuple[int, int]
    cells: frozenset[int]
    kind: ConnectionKind
    rule: Rule
    key_cell: int | None
    premises: tuple[int, ...]
    live: bool
    pairs: tuple[tuple[int, int], ...] = ()

    @property
    def ends(self) -> tuple[str, str]:
        """The names of the ends: cells in row order, then ``top``, ``bottom``, ``left``, ..."""
        first, second = sorted(self.nodes)
        return node_name(first, self.board, self.color), node_name(second, self.board, self.color)

    @property
    def carrier(self) -> Cells:
        """The empty cells that it needs."""
        return Cells.of(self.board, self.cells)

    @property
    def key(self) -> str | None:
        """The owner's first move, if the AND rule made a semi with one."""
        return None if self.key_cell is None else self.board.name(self.key_cell)

    @property
    def captured(self) -> tuple[Cells, ...]:
        """The captured pairs of the carrier."""
        return tuple(Cells(self.board, pair) for pair in self.pairs)


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
