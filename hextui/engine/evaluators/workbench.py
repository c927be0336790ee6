"""Where evaluators work: connections, networks, path counts and circuits of one position.

Source of circuits: V. Anshelevich, docs/methods.md#resistance. Linked nodes are joined by a
conductance of 1, doubled at every end that is an own group or edge, divided by one plus the number
of cells that all full connections of the pair need. A current of 1 flows from edge to edge.
"""

import threading
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import EMPTY, Board, Color
from hextui.engine.centrality import CellBetweenness, cell_betweenness
from hextui.engine.connections import ConnectionSettings, ConnectionTable
from hextui.engine.guards import check_board, check_color
from hextui.engine.kernels.connections.state import ROW_SIZE
from hextui.engine.kernels.paths.counting import solve_symmetric
from hextui.engine.network import Network, PathMemory, network
from hextui.engine.neural.judge import NetworkJudge, Opinions
from hextui.engine.oriented import OrientedConnections, OrientedSearch
from hextui.engine.paths import COUNTED, PathCounts, count_paths
from hextui.engine.position import Position
from hextui.engine.widths import serving_width, width_of

DEFAULT = ConnectionSettings()
MOST_BENCHES = 4  # so many benches a thread keeps
_kept = threading.local()


class Counts(NamedTuple):
    """One colour's paths: distance in links (None: cut off), n_0, n_1...; 0 where not asked for."""

    distance: int | None
    raw: tuple[int, ...]
    accepted: tuple[int, ...]
    exact: bool


class After(NamedTuple):
    """Both colours' counts after a move."""

    black: Counts
    white: Counts


@dataclass(frozen=True)
class Circuit:
    """One colour's circuit.

    ``resistance``: between the edges, inf if cut off, 0 if joined. ``current`` float64[cells]: the
    absolute currents at each cell, summed and halved, 0 at stones. ``ends`` int32[p, 2] and
    ``flow`` float64[p]: the wires in which a current can flow, with its absolute amount.
    """

    resistance: float
    current: NDArray[np.float64]
    ends: NDArray[np.int32] = field(default_factory=lambda: np.empty((0, 2), np.int32))
    flow: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))


class Workbench:
    """What evaluators share of one position at a time, the same in every orientation.

    One thread at a time may use it. ``after_moves``: both colours' counts after every move, for
    each k counted to the end, by updated connections; ``searched_moves``: by fresh searches.
    Kernels of a wider class serve it until those of its board are compiled.
    """

    def __init__(
        self,
        board: Board,
        connection_settings: ConnectionSettings | None = None,
        width: int | None = None,
    ) -> None:
        self.board = board
        self.connection_settings = connection_settings or DEFAULT
        self._second: Workbench | None = None
        self._begin(Position.empty(board))
        self._take_kernels(width or serving_width(board))

    def _begin(self, position: Position) -> None:
        self.position = position
        self._oriented: dict[Color, OrientedConnections] = {}
        self._networks: dict[tuple[Color, bool, bool], Network] = {}
        self._paths: dict[tuple[object, ...], PathCounts] = {}
        self._circuits: dict[tuple[Color, bool], Circuit] = {}
        self._betweenness: dict[tuple[Color, bool], CellBetweenness] = {}
        self._opinions: dict[NetworkJudge, Opinions] = {}
        self.after_moves: dict[int, dict[int, After]] = {}
        self.searched_moves: dict[int, dict[int, After]] = {}

    def _take_kernels(self, width: int) -> None:
        self._width = width
        self.room = PathMemory(self.board, width)
        self._searches = {
            color: OrientedSearch(self.board, color, self.room, self.connection_settings)
            for color in Color
        }

    def look_at(self, position: Position) -> None:
        """Turn to another position on the same board; raises ValueError on another board."""
        check_board("the workbench", self.board, position.board)
        if position != self.position:
            if self._width > width_of(self.board.cells):
                narrower = serving_width(self.board)
                if narrower < self._width:
                    self._take_kernels(narrower)
            self._begin(position)

    def turned(self, position: Position) -> "Workbench":
        """Return a bench like this one at its position, seen in an orientation; itself if plain."""
        if position == self.position:
            return self
        other = Workbench(position.board, self.connection_settings, self._width)
        other.look_at(position)
        return other

    def after(self, move: int) -> "Workbench":
        """Return a second bench like this one after a move; it is kept for the next call."""
        position = self.position.play(move)
        if self._second is None or self._second._width != self._width:
            self._second = self.turned(position)
        self._second.look_at(position)
        return self._second

    def oriented(self, color: Color) -> OrientedConnections:
        """Return one colour's connections as it sees the board, and the search behind them."""
        check_color(color)
        if color not in self._oriented:
            self._oriented[color] = self._searches[color].search(self.position)
        return self._oriented[color]

    def table(self, color: Color) -> ConnectionTable:
        """Return the connections of one colour."""
        return self.oriented(color).table

    @property
    def winner(self) -> Color | None:
        """The colour that has won by a connection of its edges, if that was found."""
        mover = self.position.to_move
        for color in Color:
            if self.oriented(color).search.edges_full:
                return color
        if self.oriented(mover).search.edges_semi:
            return mover
        return None if self.must_play else mover.opponent

    @property
    def must_play(self) -> frozenset[int]:
        """The cells where the side to move must play; empty if it has lost by connection."""
        other = self.position.to_move.opponent
        search = self.oriented(other).search
        if search.edges_semi or search.edges_full:
            return self.table(other).must_play
        return frozenset(self.position.empties)

    def network(self, color: Color, links: bool = True, parallel: bool = False) -> Network:
        """Return the reduced network of one colour, with virtual links or without."""
        oriented_network = self._seen_network(color, links, parallel)
        return oriented_network.back(self.oriented(color).orientation)

    def _seen_network(self, color: Color, links: bool, parallel: bool) -> Network:
        check_color(color)
        key = color, links, parallel
        if key not in self._networks:
            oriented = self.oriented(color)
            table = oriented.seen if links else None
            oriented_position = oriented.orientation.position
            self._networks[key] = network(
                oriented_position, oriented.search.color, table, self.room, parallel=parallel
            )
        return self._networks[key]

    def paths(
        self,
        color: Color,
        links: bool = True,
        k: int = COUNTED - 1,
        *,
        carriers: bool = False,
        disjoint: bool = False,
        parallel: bool = False,
    ) -> PathCounts:
        """Return the path counts and contributions in the colour's network; see `count_paths`."""
        check_color(color)
        key = color, links, max(k, COUNTED - 1), carriers, disjoint, parallel
        if key not in self._paths:
            network = self._seen_network(color, links, parallel)
            oriented_counts = count_paths(
                network, self.room, k, carriers=carriers, disjoint=disjoint
            )
            self._paths[key] = oriented_counts.mapped(self.oriented(color).values)
        return self._paths[key]

    def circuit(self, color: Color, links: bool = True) -> Circuit:
        """Return a colour's circuit, where virtual links are wires too, or adjacencies alone."""
        check_color(color)
        if (color, links) not in self._circuits:
            oriented = self.oriented(color)
            oriented_circuit = circuit(oriented.seen, links)
            current = oriented.values(oriented_circuit.current)
            ends = oriented.orientation.node_of[oriented_circuit.ends]
            self._circuits[color, links] = replace(oriented_circuit, current=current, ends=ends)
        return self._circuits[color, links]

    def betweenness(self, color: Color, links: bool = True) -> CellBetweenness:
        """Return the betweenness of each cell in a colour's network, with virtual links or not."""
        check_color(color)
        if (color, links) not in self._betweenness:
            values = self.oriented(color).values
            board, paths = cell_betweenness(self._seen_network(color, links, parallel=False))
            self._betweenness[color, links] = CellBetweenness(values(board), values(paths))
        return self._betweenness[color, links]

    def opinions(self, judge: NetworkJudge) -> Opinions:
        """Return a network's evaluation of the position, in the first row."""
        if judge not in self._opinions:
            self._opinions[judge] = judge.judge([self.position])
        return self._opinions[judge]


def bench_at(position: Position, connections: ConnectionSettings = DEFAULT) -> Workbench:
    """Return this thread's workbench at a position; those of a few boards and settings are kept."""
    if not hasattr(_kept, "benches"):
        _kept.benches = {}
    benches: dict[tuple[Board, ConnectionSettings], Workbench] = _kept.benches
    key = position.board, connections
    if key not in benches:
        if len(benches) >= MOST_BENCHES:
            benches.clear()
        benches[key] = Workbench(*key)
    benches[key].look_at(position)
    return benches[key]


def circuit(table: ConnectionTable, links: bool = True) -> Circuit:
    """Solve the circuit of a table's colour, with virtual links or adjacencies alone."""
    cells = table.position.board.cells
    ends, conductance = _wires(table, links)
    current = np.zeros(cells)
    source, sink = table.first_edge, table.second_edge
    direct = (ends[:, 0] == source) & (ends[:, 1] == sink)
    if direct.any():
        return Circuit(0.0, current)
    nodes = _reached(ends, source)
    if sink not in nodes:
        return Circuit(np.inf, current)
    nodes = nodes[np.argsort(_from_the_source(table)[nodes])]  # near ones alike: a narrow band
    place = np.full(cells + 2, -1)
    place[nodes] = np.arange(len(nodes))
    inside = place[ends[:, 0]] >= 0
    a, b = place[ends[inside]].T
    strength = conductance[inside]
    laplacian = np.zeros((len(nodes), len(nodes)))
    np.add.at(laplacian, (a, a), strength)
    np.add.at(laplacian, (b, b), strength)
    laplacian[a, b] = laplacian[b, a] = -strength
    potential = (nodes == source).astype(float)  # the current that is fed in, until it is solved
    solve_symmetric(laplacian[:-1, :-1].copy(), potential[:-1])
    flow = np.abs(strength * (potential[a] - potential[b]))
    through = np.bincount(a, flow / 2, len(nodes)) + np.bincount(b, flow / 2, len(nodes))
    current[nodes[nodes < cells]] = through[nodes < cells]
    current[np.frombuffer(table.position.stones, np.uint8) != EMPTY] = 0
    return Circuit(float(potential[place[source]]), current, ends[inside], flow)


def _wires(table: ConnectionTable, links: bool) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Return ends int32[p, 2] and conductances float64[p] of the wires."""
    ends, common, touching = full_pairs(table)
    needed = np.bitwise_count(common).sum(axis=1)
    used = np.ones(len(needed), bool) if links else touching
    ends = ends[used]
    owned = np.append(np.frombuffer(table.position.stones, np.uint8) != EMPTY, (True, True))
    return ends, 2.0 ** owned[ends].sum(axis=1) / (1 + needed[used])


def full_pairs(
    table: ConnectionTable,
) -> tuple[NDArray[np.int32], NDArray[np.uint64], NDArray[np.bool_]]:
    """Return the pairs of nodes with full connections, by their ends.

    Ends int32[p, 2], the smaller first; the cells uint64[p, W] that all full connections of a pair
    need; whether the two are adjacent, bool[p].
    """
    ids = table.full_ids
    ends = table.ends_of(ids)
    pair = ends[:, 0] * (table.second_edge + 1) + ends[:, 1]  # one number sorts faster than two
    order = np.argsort(pair)
    first = np.flatnonzero(np.diff(pair[order], prepend=-1))
    common = np.bitwise_and.reduceat(table.carriers[ids[order]], first, axis=0)
    touching = np.minimum.reduceat(table.rows[ids[order], ROW_SIZE], first) == 0
    return ends[order[first]], common, touching


def _from_the_source(table: ConnectionTable) -> NDArray[np.intp]:
    """Return numbers for all nodes, from the source over line by line of cells to the sink."""
    board = table.position.board
    cells = np.arange(board.cells)
    if table.color is Color.WHITE:
        cells = cells % board.columns * board.rows + cells // board.columns
    return np.concatenate([cells, [-1, board.cells]])


def _reached(ends: NDArray[np.int32], start: int) -> NDArray[np.intp]:
    """Return the nodes joined to ``start``, sorted."""
    nodes = int(ends.max(initial=start)) + 1
    joined = np.zeros((nodes, nodes), bool)
    joined[ends[:, 0], ends[:, 1]] = joined[ends[:, 1], ends[:, 0]] = True
    reached = np.zeros(nodes, bool)
    reached[start] = True
    new = reached
    while new.any():
        new = joined[new].any(axis=0) & ~reached
        reached = reached | new
    return np.flatnonzero(reached)
