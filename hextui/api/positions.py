"""Public API: positions, their connections, networks, must-play regions and inferior cells.

Cells, edges and colours are passed as strings ("c4", "left", "red"); a ``Color`` or a ``Board``
works too. Cells are returned as strings, colours as ``Color``. The first call that needs the engine
compiles it for that board size, about a minute; ``warm`` compiles ahead. Calls run in the caller's
thread. Arguments of a wrong type raise TypeError, wrong values ValueError, in one line.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from hextui.engine.board import Board, Color
from hextui.engine.cells import Cells
from hextui.engine.position import Move, Position
from hextui.records.board_view import BoardView
from hextui.records.codecs.diagrams import svg_diagram

if TYPE_CHECKING:
    import networkx

    from hextui.engine.connections import ConnectionTable
    from hextui.engine.inferior import InferiorCells

__all__ = [
    "Board", "Cells", "Color", "Position", "connections", "draw", "inferior", "must_play",
    "network", "position",
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


def connections(position: Position, color: Color | str) -> "ConnectionTable":
    """Return the virtual connections of a colour (see docs/methods.md#virtual-connections).

    >>> p = position("5x5", "a5 c3")
    >>> table = connections(p, "white")
    >>> table, table[0].ends
    (<Connections of white on 5x5: 169 full, 478 semi>, ('left', 'right'))
    >>> [best, *_] = table.between("c3", "right")
    >>> str(best.kind), best.carrier
    ('full', <Cells e1 d2 e2 d3 e3 c4 d4 e4>)
    """
    from hextui.engine.oriented import connections_of

    return connections_of(expect_position(position), color_of(color))


def must_play(position: Position) -> Cells:
    """Return the cells where the side to move must play: the common cells of all winning threats.

    All empty cells if there is no threat; none if the opponent cannot be stopped.

    >>> must_play(position("5x5", "a5 c3"))
    <Cells e1 d2 b3 d3 e3>
    """
    from hextui.engine.evaluators.workbench import bench_at

    return Cells.of(expect_position(position).board, bench_at(position).must_play)


def inferior(position: Position) -> "InferiorCells":
    """Return the inferior cells (see docs/methods.md#inferior-cells); none if the game is over.

    >>> cells = inferior(position("5x5", "a5 c3"))
    >>> cells.vulnerable["a1"], str(cells.rules["a1"]), "a1" in cells.remaining
    ('a2', 'dead after the reply', False)
    """
    from hextui.engine.inferior import inferior_cells

    return inferior_cells(expect_position(position))


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
    return ColorNetwork(
        color=color,
        distance=counts.distance,
        paths=tuple(counts.raw),
        accepted=tuple(counts.accepted),
        exact=counts.exact,
        contribution=shares,
        nodes=tuple(map(name, reduced.nodes)),
        links=links,
    )


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
