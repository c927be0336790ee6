"""Where evaluators work: connections, networks, path counts and circuits of one position."""

import threading
from dataclasses import replace
from typing import NamedTuple

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSettings, ConnectionTable
from hextui.engine.evaluators.circuits import Circuit, circuit
from hextui.engine.guards import check_board, check_color
from hextui.engine.network import Network, PathMemory, network
from hextui.engine.neural.judge import Opinions, shipped_judge
from hextui.engine.oriented import OrientedConnections, OrientedSearch
from hextui.engine.paths import PathCounts, count_paths
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
        self._take_kernels(width or serving_width(board.cells))

    def _begin(self, position: Position) -> None:
        self.position = position
        self._oriented: dict[Color, OrientedConnections] = {}
        self._networks: dict[tuple[Color, bool], Network] = {}
        self._paths: dict[tuple[Color, bool], PathCounts] = {}
        self._circuits: dict[tuple[Color, bool], Circuit] = {}
        self._opinions: Opinions | None = None
        self.after_moves: dict[int, dict[int, After]] = {}
        self.searched_moves: dict[int, After] = {}

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
                narrower = serving_width(self.board.cells)
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

    def network(self, color: Color, links: bool = True) -> Network:
        """Return the reduced network of one colour, with virtual links or without."""
        return self._seen_network(color, links).carried_back(self.oriented(color).orientation)

    def _seen_network(self, color: Color, links: bool) -> Network:
        check_color(color)
        if (color, links) not in self._networks:
            oriented = self.oriented(color)
            table = oriented.seen if links else None
            seen = oriented.orientation.position
            self._networks[color, links] = network(seen, oriented.search.color, table, self.room)
        return self._networks[color, links]

    def paths(self, color: Color, links: bool = True) -> PathCounts:
        """Return the path counts and contributions in the colour's network."""
        check_color(color)
        if (color, links) not in self._paths:
            seen = count_paths(self._seen_network(color, links), self.room)
            self._paths[color, links] = seen.mapped(self.oriented(color).values)
        return self._paths[color, links]

    def circuit(self, color: Color, links: bool = True) -> Circuit:
        """Return a colour's circuit, where virtual links are wires too, or adjacencies alone."""
        check_color(color)
        if (color, links) not in self._circuits:
            oriented = self.oriented(color)
            seen = circuit(oriented.seen, links)
            current, ends = oriented.values(seen.current), oriented.orientation.node_of[seen.ends]
            self._circuits[color, links] = replace(seen, current=current, ends=ends)
        return self._circuits[color, links]

    @property
    def opinions(self) -> Opinions:
        """The network's evaluation of the position, in the first row."""
        if self._opinions is None:
            self._opinions = shipped_judge().judge([self.position])
        return self._opinions


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
