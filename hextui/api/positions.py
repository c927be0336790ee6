"""Public API: positions, their connections, networks, must-play regions and inferior cells.

Cells, edges and colours are passed as strings ("c4", "left", "red"); a ``Color`` or a ``Board``
works too. Cells are returned as strings, colours as ``Color``. The first call that needs the engine
compiles it for that board size, about a minute; ``warm`` compiles ahead. Calls run in the caller's
thread. Arguments of a wrong type raise TypeError, wrong values ValueError, in one line.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, overload

from hextui.engine.board import Board, Color
from hextui.engine.connection import Connection, node_named
from hextui.engine.position import Move, Position
from hextui.records.board_view import BoardView
from hextui.records.codecs.diagrams import svg_diagram

if TYPE_CHECKING:
    import networkx

    from hextui.engine.connections import ConnectionTable

__all__ = [
    "Board", "Color", "Position", "connections", "draw", "inferior", "must_play", "network",
    "position",
]  # fmt: skip


def position(board: Board | str | int, moves: str | Iterable[str] = "") -> Position:
    """Return the position after some moves on an empty board, Black's first.

    A size is "11" or 11, or "4x3" with columns first. A move is a cell, ``swap-pieces``,
    ``swap-sides``, ``pass`` or ``resign``. Raises ValueError for what is neither, IllegalMoveError
    for a move that the rules forbid. ``Position.parse`` reads a diagram.

    >>> p = position("5x5", "a5 c3")
    >>> print(p)
    . . . . .
     . . . . .
      . . W . .
       . . . . .
        B . . . .
    >>> p["c3"], p["c4"]
    (<Color.WHITE: 2>, None)
    """
    board = board_of(board)
    reached = Position.empty(board)
    expect(moves, Iterable, "moves such as 'a5 c3'")
    for move in moves.split() if isinstance(moves, str) else moves:
        expect(move, str, "a move such as 'c4'")
        reached = reached.apply(Move.parse(move, board))
    return reached


class Picture(str):
    """A picture as SVG text; notebooks show it."""

    def _repr_svg_(self) -> str:
        return str(self)


def draw(position: Position, labels: Mapping[str, str] | Iterable[str] = ()) -> Picture:
    """Draw a position as SVG, with texts on some cells, or dots on cells without texts.

    >>> picture = draw(position("5x5", "a5 c3"), {"b4": "?"})
    >>> picture.startswith("<svg"), "?" in picture
    (True, True)
    """
    board = expect_position(position).board
    expect(labels, Iterable, "labels such as {'c4': '?'}")
    texts = labels if isinstance(labels, Mapping) else dict.fromkeys(labels, "•")
    shown = {cell_of(board, cell): text for cell, text in texts.items()}
    return Picture(svg_diagram(BoardView(position, labels=shown)))


@dataclass(frozen=True)
class VirtualConnection:
    """A virtual connection of two ends, full or semi, inside its ``carrier``.

    ``ends``: cells (a group is named by its first) or edges. ``kind``: ``full`` if it holds
    even when the opponent moves first, ``semi`` if its owner must; ``key`` is then the owner's
    move, if the AND rule made it. ``rule`` and ``premises``, the ids of other connections, say how
    it was found.
    """

    id: int
    ends: tuple[str, str]
    carrier: frozenset[str]
    kind: str
    rule: str
    key: str | None
    premises: tuple[int, ...]


class Connections(Sequence[VirtualConnection]):
    """The virtual connections of one colour in a position, the most important first.

    >>> found = connections(position("3x3", "b2"), "black")
    >>> found
    <Connections of black on 3x3: 59 full, 58 semi>
    >>> found[0].ends, found[0].kind
    (('top', 'bottom'), 'full')
    """

    def __init__(self, table: "ConnectionTable") -> None:
        self._table = table

    @property
    def complete(self) -> bool:
        """Whether the search ran to its end; false only if it reached its memory limit."""
        return self._table.complete

    def __len__(self) -> int:
        return self._table.fulls + self._table.semis

    def __repr__(self) -> str:
        table = self._table
        ends = f"{table.color} on {table.position.board}"
        return f"<Connections of {ends}: {table.fulls} full, {table.semis} semi>"

    def __iter__(self) -> Iterator[VirtualConnection]:
        return map(self._named, self._table.live())

    @overload
    def __getitem__(self, place: int) -> VirtualConnection: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[VirtualConnection, ...]: ...
    def __getitem__(self, place: int | slice) -> VirtualConnection | tuple[VirtualConnection, ...]:
        table = self._table
        if isinstance(place, slice):
            return tuple(self._named(table.connection(int(row))) for row in table.live_ids[place])
        return self._named(table.connection(int(table.live_ids[place])))

    def between(self, first: str, second: str) -> tuple[VirtualConnection, ...]:
        """Return the connections of two ends, full ones first, then by size.

        An end is an empty cell, an own stone, which stands for its group, or an own edge: ``top``
        and ``bottom`` for Black, ``left`` and ``right`` for White. Raises ValueError for anything
        else.
        """
        return tuple(map(self._named, self._table.between(self._node(first), self._node(second))))

    def why(self, connection: VirtualConnection) -> tuple[VirtualConnection, ...]:
        """Return all connections that one is made from, adjacencies first, itself last."""
        expect(connection, VirtualConnection, "one of these connections")
        return tuple(map(self._named, self._table.derivation(connection.id)))

    def _node(self, name: str) -> int:
        expect(name, str, "an end such as 'c4' or 'left'")
        return node_named(name, self._table.position, self._table.color)

    def _named(self, connection: Connection) -> VirtualConnection:
        name, board = self._table.node_name, self._table.position.board
        first, second = map(name, sorted(connection.ends))
        carrier = cell_names(board, connection.carrier)
        key = None if connection.key is None else board.name(connection.key)
        made = str(connection.kind), str(connection.rule), key, connection.premises
        return VirtualConnection(connection.id, (first, second), carrier, *made)


def connections(position: Position, color: Color | str) -> Connections:
    """Return the virtual connections of a colour (see docs/methods.md#virtual-connections).

    >>> p = position("5x5", "a5 c3")
    >>> [best, *_] = connections(p, "white").between("c3", "right")
    >>> best.kind, sorted(best.carrier)
    ('full', ['c4', 'd2', 'd3', 'd4', 'e1', 'e2', 'e3', 'e4'])
    """
    from hextui.engine.oriented import connections_of

    return Connections(connections_of(expect_position(position), color_of(color)))


def must_play(position: Position) -> frozenset[str]:
    """Return the cells where the side to move must play: the common cells of all winning threats.

    All empty cells if there is no threat; none if the opponent cannot be stopped.

    >>> sorted(must_play(position("5x5", "a5 c3")))
    ['b3', 'd2', 'd3', 'e1', 'e3']
    """
    from hextui.engine.evaluators.workbench import bench_at

    return cell_names(expect_position(position).board, bench_at(position).must_play)


@dataclass(frozen=True)
class Inferior:
    """The inferior cells of a position, for the side to move.

    ``dead`` cells matter to nobody. ``captured[color]`` maps a cell to its partner: if the opponent
    takes one, ``color`` takes the other. ``filled`` is the position with all of these filled in;
    there, ``vulnerable`` maps a cell to the opponent's killing reply, ``dominated`` to a move that
    is at least as good. If the side to move can win, a cell of ``remaining`` wins. ``rules`` names
    the rule behind each cell.
    """

    dead: frozenset[str]
    captured: Mapping[Color, Mapping[str, str]]
    vulnerable: Mapping[str, str]
    dominated: Mapping[str, str]
    remaining: tuple[str, ...]
    rules: Mapping[str, str]
    filled: Position


def inferior(position: Position) -> Inferior:
    """Return the inferior cells (see docs/methods.md#inferior-cells); none if the game is over.

    >>> found = inferior(position("5x5", "a5 c3"))
    >>> found.vulnerable["a1"], found.rules["a1"], "a1" in found.remaining
    ('a2', 'dead after the reply', False)
    """
    from hextui.engine.inferior import inferior_cells

    cells = inferior_cells(expect_position(position))
    name = position.board.name

    def named(cells: Mapping[int, int]) -> dict[str, str]:
        return {name(cell): name(other) for cell, other in sorted(cells.items())}

    return Inferior(
        cell_names(position.board, cells.dead),
        {color: named(pairs) for color, pairs in cells.captured.items()},
        named(cells.vulnerable),
        named(cells.dominated),
        tuple(map(name, cells.remaining)),
        {name(cell): str(rule) for cell, rule in sorted(cells.rules.items())},
        cells.filled,
    )


@dataclass(frozen=True)
class ColorNetwork:
    """The reduced network of one colour, and the short paths between its edges.

    ``distance`` d is that of the edges in links, None if they are cut off. ``paths[k]`` counts the
    paths of d + k links, ``accepted[k]`` those that the rule of section 4.1.3 accepts; not
    ``exact`` if a limit stopped a count. ``contribution[cell][k]`` is the share of the accepted
    paths of up to d + k links that pass through a cell, 0 to 1. ``links`` maps two nodes, cells or
    edges, to the carrier of their link, empty where they are adjacent or joined by stones.
    """

    color: Color
    distance: int | None
    paths: tuple[int, ...]
    accepted: tuple[int, ...]
    exact: bool
    contribution: Mapping[str, tuple[float, ...]]
    nodes: tuple[str, ...]
    links: Mapping[tuple[str, str], frozenset[str]]

    def graph(self) -> "networkx.Graph[str]":
        """Return the network as a networkx graph; links have an attribute ``carrier``."""
        import networkx

        graph: networkx.Graph[str] = networkx.Graph()
        graph.add_nodes_from(self.nodes)
        for (first, second), carrier in self.links.items():
            graph.add_edge(first, second, carrier=carrier)
        return graph


def network(position: Position, color: Color | str, *, virtual: bool = True) -> ColorNetwork:
    """Return the network of a colour (see docs/methods.md#networks).

    Without ``virtual``, only adjacent nodes and those joined by stones are linked.

    >>> found = network(position("3x3", "b2"), "white", virtual=False)
    >>> found.distance, found.paths, found.contribution["a1"]
    (4, (4, 10, 12), (0.25, 0.2857142857142857, 0.38461538461538464))
    >>> found.graph().number_of_nodes()
    10
    """
    from hextui.engine.evaluators.workbench import bench_at

    color = color_of(color)
    board = expect_position(position).board
    bench = bench_at(position)
    counts = bench.paths(color, virtual)
    reduced = bench.network(color, virtual)
    name = reduced.node_name
    shares = {board.name(c): tuple(counts.contribution[:, c].tolist()) for c in position.empties}
    links = {
        (name(first), name(second)): cell_names(board, carrier)
        for (first, second), carrier in reduced.links.items()
    }
    paths = counts.distance, tuple(counts.raw), tuple(counts.accepted), counts.exact
    return ColorNetwork(color, *paths, shares, tuple(map(name, reduced.nodes)), links)


class Closable:
    """What is closed at the end of a ``with`` block."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free what it holds."""
        raise NotImplementedError


def expect(value: object, kind: Any, wanted: str) -> None:
    """Raise TypeError, in one line, unless a value is of a type, which ``wanted`` describes."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise TypeError(f"expected {wanted}, not {value!r:.60}")


def expect_position(value: Position) -> Position:
    """Return a position as it is; raises TypeError for anything else."""
    expect(value, Position, "a Position (hextui.position makes one)")
    return value


def board_of(board: Board | str | int) -> Board:
    """Return a board or that of a size; raises TypeError or ValueError."""
    expect(board, Board | str | int, "a board size such as 11 or '4x3'")
    return board if isinstance(board, Board) else Board.parse(str(board))


def color_of(color: Color | str) -> Color:
    """Return a colour or that of a name; raises TypeError or ValueError."""
    expect(color, Color | str, "a colour such as 'red'")
    return Color.parse(color) if isinstance(color, str) else color


def cell_of(board: Board, name: str) -> int:
    """Return the number of a cell by its name; raises TypeError or ValueError."""
    expect(name, str, "a cell such as 'c4'")
    return board.cell(name)


def cell_names(board: Board, cells: Iterable[int]) -> frozenset[str]:
    """Return the names of cells."""
    return frozenset(map(board.name, cells))
