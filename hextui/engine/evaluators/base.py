"""What all evaluators share: the interface, rankings with ties, and the place they work in."""

import enum
import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, Self, runtime_checkable

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSettings, ConnectionTable
from hextui.engine.evaluators.circuits import Circuit
from hextui.engine.guards import check_board, check_color
from hextui.engine.must_play import must_play
from hextui.engine.network import Network, PathRoom, PathSettings, network
from hextui.engine.neural.judge import Opinions, shipped_judge
from hextui.engine.outlook import Outlook, Seat
from hextui.engine.paths import PathCounts, count_paths
from hextui.engine.position import Position
from hextui.engine.ranking import RankedMove, Ranking
from hextui.engine.widths import serving_width, width_of


class Comparable(Protocol):
    """A value that can be ordered and shown as a float."""

    def __lt__(self, other: Any, /) -> bool: ...

    def __float__(self) -> float: ...


class Ties(enum.StrEnum):
    """In which order exactly equal moves are listed: by their cells, backwards, or by lot."""

    FIRST = "first"
    LAST = "last"
    RANDOM = "random"


@dataclass(frozen=True)
class TieOrder:
    """How to list exactly equal moves; ``seed`` matters for RANDOM only."""

    ties: Ties = Ties.FIRST
    seed: int = 0

    @property
    def suffix(self) -> str:
        """The options of an evaluator's name that say this."""
        if self.ties is Ties.RANDOM:
            return f",ties=random,seed={self.seed}"
        return "" if self.ties is Ties.FIRST else f",ties={self.ties}"

    def arrange(self, cells: list[int]) -> list[int]:
        """Return the cells in the order in which equal ones are to stand."""
        if self.ties is Ties.LAST:
            return sorted(cells, reverse=True)
        if self.ties is Ties.RANDOM:
            return random.Random(self.seed).sample(sorted(cells), len(cells))
        return sorted(cells)


def rank_by_value(
    evaluator: str,
    values: Mapping[int, Comparable],
    *,
    lowest_first: bool = False,
    order: TieOrder = TieOrder(),
    exact: bool = True,
    final: bool = True,
    note: str = "",
) -> Ranking:
    """Rank cells by their values, the highest first.

    >>> ranking = rank_by_value("demo", {0: 1.0, 1: 3.0, 2: 3.0})
    >>> [(m.cell, m.rank) for m in ranking.moves]
    [(1, 1), (2, 1), (0, 3)]
    """
    # rounding keeps the order, so exact numbers are only compared where floats are equal
    keys = {cell: (float(value), value) for cell, value in values.items()}
    ordered = order.arrange(list(values))
    # a stable sort keeps the order of ties, in reverse too
    ordered.sort(key=keys.__getitem__, reverse=not lowest_first)
    moves: list[RankedMove] = []
    rank, before = 0, None
    for place, cell in enumerate(ordered, start=1):
        key = keys[cell]
        if key != before:
            rank, before = place, key
        moves.append(RankedMove(cell, key[0], rank))
    return Ranking(evaluator, tuple(moves), exact, final, note)


class Counts(NamedTuple):
    """One colour's paths in one position: distance in links (None: cut off), n_0, n_1, n_2...

    Levels that were not asked for are 0.
    """

    distance: int | None
    raw: tuple[int, ...]
    accepted: tuple[int, ...]
    exact: bool


class After(NamedTuple):
    """Both colours' counts after a move."""

    black: Counts
    white: Counts


class Workbench:
    """Connections, networks and path counts of one position at a time, each made once.

    Evaluators ask here for what they share; none of it depends on how the board is held. One
    thread at a time may use it. ``after_moves`` holds, for each k that was counted to the end, both
    colours' counts after every move, by updated connections; ``searched_moves`` those after moves
    by a search afresh; ``circuits`` those of `Resistance`, by colour and whether links are wires.
    Kernels of a wider class serve it until those of its board are compiled.
    """

    def __init__(
        self,
        board: Board,
        connection_settings: ConnectionSettings | None = None,
        path_settings: PathSettings | None = None,
        width: int | None = None,
    ) -> None:
        self.board = board
        self.connection_settings = connection_settings or ConnectionSettings()
        self.path_settings = path_settings or PathSettings()
        self.position = Position.empty(board)
        self._outlooks: dict[Color, Outlook] = {}
        self._networks: dict[tuple[Color, bool], Network] = {}
        self._paths: dict[tuple[Color, bool], PathCounts] = {}
        self.after_moves: dict[int, dict[int, After]] = {}
        self.searched_moves: dict[int, After] = {}
        self.circuits: dict[tuple[Color, bool], Circuit] = {}
        self._second: Workbench | None = None
        self._opinions: Opinions | None = None
        self._take_kernels(width or serving_width(board.cells))

    def _take_kernels(self, width: int) -> None:
        self._width = width
        self.room = PathRoom(self.board, self.path_settings, width)
        self._seats = {
            color: Seat(self.board, color, self.room, self.connection_settings) for color in Color
        }

    def look_at(self, position: Position) -> None:
        """Turn to another position on the same board; raises ValueError on another board."""
        check_board("the workbench", self.board, position.board)
        if position != self.position:
            if self._width > width_of(self.board.cells):
                narrower = serving_width(self.board.cells)
                if narrower < self._width:
                    self._take_kernels(narrower)
            self.position = position
            self._outlooks.clear()
            self._networks.clear()
            self._paths.clear()
            self.after_moves.clear()
            self.searched_moves.clear()
            self.circuits.clear()
            self._opinions = None

    def turned(self, position: Position) -> "Workbench":
        """Return a bench like this one at its position, seen in an orientation; itself if plain."""
        if position == self.position:
            return self
        other = Workbench(position.board, self.connection_settings, self.path_settings, self._width)
        other.look_at(position)
        return other

    def elsewhere(self, position: Position) -> "Workbench":
        """Return a second bench like this one at another position; it is kept for the next call."""
        if self._second is None or self._second._width != self._width:
            self._second = self.turned(position)
        self._second.look_at(position)
        return self._second

    def outlook(self, color: Color) -> Outlook:
        """Return what one colour sees, and the connection search behind it."""
        check_color(color)
        if color not in self._outlooks:
            self._outlooks[color] = self._seats[color].look_at(self.position)
        return self._outlooks[color]

    def table(self, color: Color) -> ConnectionTable:
        """Return the connections of one colour."""
        return self.outlook(color).table

    @property
    def winner(self) -> Color | None:
        """The colour that has won by a connection of its edges, if that was found.

        A full one wins whoever moves, a semi one for the side to move, semi ones without a cell in
        common for the other side. A finished chain is a full connection.
        """
        mover = self.position.to_move
        for color in Color:
            if self.outlook(color).search.edges_full:
                return color
        if self.outlook(mover).search.edges_semi:
            return mover
        return None if self.must_play else mover.opponent

    @property
    def must_play(self) -> frozenset[int]:
        """The cells where the side to move must play; empty if it has lost by connection."""
        other = self.position.to_move.opponent
        search = self.outlook(other).search
        if search.edges_semi or search.edges_full:
            return must_play(self.table(other))
        return frozenset(self.position.empties)

    def network(self, color: Color, links: bool = True) -> Network:
        """Return the reduced network of one colour, with virtual links or without."""
        return self._seen_network(color, links).carried_back(self.outlook(color).orientation)

    def _seen_network(self, color: Color, links: bool) -> Network:
        """Return the network as the colour sees it."""
        check_color(color)
        if (color, links) not in self._networks:
            outlook = self.outlook(color)
            table = outlook.seen if links else None
            seen = outlook.orientation.position
            self._networks[color, links] = network(seen, outlook.search.color, table, self.room)
        return self._networks[color, links]

    def paths(self, color: Color, links: bool = True) -> PathCounts:
        """Return the path counts and contributions in the colour's network."""
        check_color(color)
        if (color, links) not in self._paths:
            seen = count_paths(self._seen_network(color, links), self.room)
            values = self.outlook(color).values
            self._paths[color, links] = replace(
                seen,
                raw_through=values(seen.raw_through),
                accepted_through=values(seen.accepted_through),
                contribution=values(seen.contribution),
            )
        return self._paths[color, links]

    @property
    def opinions(self) -> Opinions:
        """What the learned network says of the position, in the first row."""
        if self._opinions is None:
            self._opinions = shipped_judge().judge([self.position])
        return self._opinions


class Evaluator(Protocol):
    """Ranks every legal move of the side to move.

    ``name`` is the registry's name, ``source`` tells where the method comes from.
    """

    @property
    def name(self) -> str:
        """The name in the registry, options included."""
        ...

    @property
    def source(self) -> str:
        """Where the method is told: paper, section and equation, or a section of docs."""
        ...

    def rank(self, bench: Workbench) -> Iterator[Ranking]:
        """Yield rankings of the bench's position that improve; the last one is final.

        Whoever stops early just stops iterating: the bench stays usable.
        """
        ...

    def worth(self, bench: Workbench, ranking: Ranking) -> float:
        """Return what the bench's position is worth to the side to move; more is better.

        ``ranking`` is the final one of this position. Worths of positions of one board with the
        same side to move can be compared.
        """
        ...

    def turned(self, worth: float) -> float:
        """Return what a position of this worth to one side is worth to the other."""
        ...


@runtime_checkable
class Seeded(Protocol):
    """An evaluator that draws by lot; equal seeds draw equally."""

    def with_seed(self, seed: int) -> Self:
        """Return the same evaluator with another seed."""
        ...


def inverse(ratio: float) -> float:
    """Return 1 / ratio: 0 and inf change places.

    >>> inverse(4.0), inverse(0.0)
    (0.25, inf)
    """
    return 1 / ratio if ratio else math.inf


def best_ratio(ranking: Ranking, mover: Color) -> float:
    """Return the best move's value where Black maximises it and White minimises it.

    As the side to move sees it: White's is the inverse.
    """
    best = ranking.moves[0].value
    return best if mover is Color.BLACK else inverse(best)
