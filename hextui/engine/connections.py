"""Virtual connections: search, incremental update, rule and premises of each.

A *full* connection joins its two ends even if the opponent moves first, a *semi* connection if its
owner does, inside its *carrier*, a set of empty cells. Connections are found by H-search: the AND
and OR rules applied to adjacencies until nothing new follows. Sources: V. Anshelevich, "A
hierarchical approach to computer Hex" (https://doi.org/10.1016/S0004-3702(01)00154-0), and Honjo et
al. 2010 (https://hdl.handle.net/2115/51049), section 2.2.

Ends are nodes: the cells 0..N-1, where a group is named by its first cell in row order, then N for
the first own edge (top or left) and N + 1 for the second (bottom or right).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import and_
from typing import overload

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import EMPTY, Board, Color, edges_of
from hextui.engine.captured_pairs import Pair, edge_pairs, pairs_inside
from hextui.engine.connection import Connection, ConnectionKind, Rule, node_name, node_named
from hextui.engine.guards import check_board, check_color, check_empty, check_node
from hextui.engine.kernels.connections import state as layout
from hextui.engine.kernels.connections import updates
from hextui.engine.kernels.memory import Handle, make_handle
from hextui.engine.position import Position
from hextui.engine.templates import known_templates
from hextui.engine.widths import serving_width, width_of

_RULES = {
    layout.RULE_ADJACENT: Rule.ADJACENCY,
    layout.RULE_AND: Rule.AND,
    layout.RULE_OR: Rule.OR,
    layout.RULE_STONE: Rule.STONE,
    layout.RULE_TEMPLATE: Rule.TEMPLATE,
}


@dataclass(frozen=True)
class ConnectionSettings:
    """The rules and the limits of the connection search.

    ``and_over_edges``: the AND rule also applies at an edge of the same colour (many more
    connections). ``or_size``: 0 is the greedy OR; n >= 2 enumerates all sets of up to n.
    ``full_limit``, ``semi_limit``: maximum list length per pair of ends; ``cell_full_limit``,
    ``cell_semi_limit``: of two empty cells, if shorter. ``cell_size_limit``: maximum carrier size
    between two empty cells; 0 is no limit. ``captured``: carriers may share what own stones capture
    (docs/methods.md#virtual-connections). ``templates``: edge templates that the rules miss are
    looked up. ``row_limit``: most connections of one position.
    """

    and_over_edges: bool = False
    or_size: int = 0
    full_limit: int = 10
    semi_limit: int = 20
    cell_full_limit: int = 4
    cell_semi_limit: int = 8
    cell_size_limit: int = 0
    captured: bool = False
    templates: bool = False
    row_limit: int = 1 << 20

    def __post_init__(self) -> None:
        fulls = min(self.full_limit, self.cell_full_limit)
        semis = min(self.semi_limit, self.cell_semi_limit)
        if fulls < 1 or semis < 2:
            raise ValueError("list limits: full 1 or more, semi 2 or more")
        if self.cell_size_limit < 0:
            raise ValueError(f"cell_size_limit is 0 or more, not {self.cell_size_limit}")
        if self.or_size == 1 or not 0 <= self.or_size <= self.semi_limit:
            raise ValueError(f"or_size is 0 or 2 to {self.semi_limit}, not {self.or_size}")
        if not 1 <= self.row_limit <= layout.ROW_MASK:
            raise ValueError(f"row_limit is 1 to {layout.ROW_MASK}, not {self.row_limit}")


@dataclass(frozen=True, repr=False)
class ConnectionTable(Sequence[Connection]):
    """The virtual connections of one colour at a position: those in force, most important first.

    That is the order of ``live_ids``. ``complete``: the search ran to its end, and did not stop at
    the ``row_limit``. The arrays hold also those that others have superseded. They are read-only:
    ``rows`` int32[n, layout.ROW_FIELDS], ``carriers`` uint64[n, W],
    ``listed`` bool[n], True for the connections in force, ``premises`` int32[].
    """

    position: Position
    color: Color
    settings: ConnectionSettings
    complete: bool
    rows: NDArray[np.int32] = field(repr=False, compare=False)
    carriers: NDArray[np.uint64] = field(repr=False, compare=False)
    listed: NDArray[np.bool_] = field(repr=False, compare=False)
    premises: NDArray[np.int32] = field(repr=False, compare=False)

    @property
    def first_edge(self) -> int:
        """The node of the top or left edge."""
        return self.position.board.cells

    @property
    def second_edge(self) -> int:
        """The node of the bottom or right edge."""
        return self.position.board.cells + 1

    def node_name(self, node: int) -> str:
        """Return the name users see: a cell, or ``top``, ``bottom``, ``left``, ``right``."""
        return node_name(node, self.position.board, self.color)

    def connection(self, row: int) -> Connection:
        """Return the connection with this id; raises IndexError if there is none."""
        if not 0 <= row < len(self.rows):
            raise IndexError(f"no connection {row}: ids are 0 to {len(self.rows) - 1}")
        fields = self.rows[row].tolist()
        premises_at = fields[layout.ROW_PREMISE]
        a, b = self._nodes[[fields[layout.ROW_A], fields[layout.ROW_B]]].tolist()
        semi = fields[layout.ROW_KIND] == layout.SEMI
        key = fields[layout.ROW_KEY]
        premises = tuple(
            self.premises[premises_at : premises_at + fields[layout.ROW_PREMISES]].tolist()
        )
        rule = _RULES[fields[layout.ROW_RULE]]
        return Connection(
            id=row,
            board=self.position.board,
            color=self.color,
            nodes=(a, b),
            cells=cells_of(self.carrier_mask(row)),
            kind=ConnectionKind.SEMI if semi else ConnectionKind.FULL,
            rule=rule,
            key_cell=key if key >= 0 else None,
            premises=premises,
            live=bool(self.listed[row]),
            pairs=self._captured(row, fields, premises) if self.settings.captured else (),
        )

    def _captured(self, row: int, fields: list[int], premises: tuple[int, ...]) -> tuple[Pair, ...]:
        """Return the captured pairs that all premises need, at edges or else inside the carrier."""
        if fields[layout.ROW_RULE] not in (layout.RULE_AND, layout.RULE_OR):
            return ()
        shared = reduce(and_, map(self.carrier_mask, premises))
        key = fields[layout.ROW_KEY]
        outside = ~self.carrier_mask(row) | (1 << key if key >= 0 else 0)
        nodes = (key, fields[layout.ROW_A], fields[layout.ROW_B])
        at_edges, used = self._captured_at_edges(nodes, shared, outside)
        if shared & ~used == 0 or fields[layout.ROW_RULE] != layout.RULE_AND:
            return at_edges
        return pairs_inside(
            self.position,
            self.color,
            key if key >= 0 else None,
            cells_of(~outside),
            cells_of(shared),
        )

    def _captured_at_edges(
        self, nodes: Iterable[int], shared: int, outside: int
    ) -> tuple[tuple[Pair, ...], int]:
        """Return the pairs that stones at these nodes capture at edges, and all their cells.

        A pair has a ``shared`` cell and none ``outside``. Sets of cells are ints, one bit a cell.
        """
        pairs_at = edge_pairs(self.position.board, self.color)
        captured: list[Pair] = []
        used = 0
        for node in nodes:
            pairs = pairs_at.get(node, ())
            cells = sum(1 << cell for pair in pairs for cell in pair)
            if cells & shared and not cells & (used | outside):
                captured += pairs
                used |= cells
        return tuple(captured), used

    def carrier_mask(self, row: int) -> int:
        """Return the carrier as an int with one bit a cell."""
        return int.from_bytes(self.carriers[row].tobytes(), "little")

    @cached_property
    def _nodes(self) -> NDArray[np.int32]:
        """The name of each node: an own stone goes by the first cell of its group."""
        names = np.arange(self.position.board.cells + 2, dtype=np.int32)
        captains = np.array(self.position.groups.captain, np.int32)
        np.copyto(names[:-2], captains, where=captains >= 0)
        return names

    def ends_of(self, ids: NDArray[np.intp]) -> NDArray[np.int32]:
        """Return the ends of connections, int32[n, 2], the smaller node first."""
        rows = self.rows[ids]
        first = self._nodes[rows[:, layout.ROW_A]]
        second = self._nodes[rows[:, layout.ROW_B]]
        return np.stack([np.minimum(first, second), np.maximum(first, second)], axis=1)

    @cached_property
    def full_ids(self) -> NDArray[np.intp]:
        """Ids of the full connections in force, in the order they were found."""
        return np.flatnonzero(self.listed & (self.rows[:, layout.ROW_KIND] == layout.FULL))

    @cached_property
    def live_ids(self) -> NDArray[np.intp]:
        """Ids of the connections in force: edge to edge first, then of groups, then of empty cells.

        Each kind by ends, full before semi, small before large.
        """
        ids = np.flatnonzero(self.listed)
        ends = self.ends_of(ids)
        empty = np.array([s == EMPTY for s in self.position.stones] + [False, False])
        empty_ends = empty[ends].sum(axis=1)
        cell_ends = (ends < self.first_edge).sum(axis=1)
        size = self.rows[ids, layout.ROW_SIZE]
        kind = self.rows[ids, layout.ROW_KIND]
        return ids[np.lexsort((size, kind, ends[:, 1], ends[:, 0], cell_ends, empty_ends))]

    def derived_ids(
        self, kind: ConnectionKind | None = None, within: frozenset[int] | None = None
    ) -> NDArray[np.intp]:
        """Return ids in the order of ``live_ids``, of one kind or of both; no adjacencies.

        ``within``: only of those that need no empty cell but these, their ends included.
        """
        rows = self.rows[self.live_ids]
        wanted = rows[:, layout.ROW_PREMISES] > 0
        if kind is not None:
            code = layout.SEMI if kind is ConnectionKind.SEMI else layout.FULL
            wanted &= rows[:, layout.ROW_KIND] == code
        if within is not None:
            wanted &= self._are_within(within)
        return self.live_ids[wanted]

    def _are_within(self, cells: frozenset[int]) -> NDArray[np.bool_]:
        """Return which of ``live_ids`` need no empty cell but these."""
        mask = sum(1 << cell for cell in cells)
        words = self.carriers.shape[1]
        inside = np.frombuffer(mask.to_bytes(8 * words, "little"), np.uint64)
        usable = np.array([s != EMPTY for s in self.position.stones] + [True, True])
        usable[list(cells)] = True
        outside = (self.carriers[self.live_ids] & ~inside) != 0
        unusable = ~usable[self.ends_of(self.live_ids)]
        needs_more = np.concatenate([outside, unusable], axis=1)
        is_within: NDArray[np.bool_] = needs_more.sum(axis=1) == 0
        return is_within

    def __len__(self) -> int:
        return len(self.live_ids)

    def __iter__(self) -> Iterator[Connection]:
        return (self.connection(int(row)) for row in self.live_ids)

    @overload
    def __getitem__(self, place: int) -> Connection: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Connection, ...]: ...
    def __getitem__(self, place: int | slice) -> Connection | tuple[Connection, ...]:
        if isinstance(place, slice):
            return tuple(self.connection(int(row)) for row in self.live_ids[place])
        return self.connection(int(self.live_ids[place]))

    def __repr__(self) -> str:
        ends = f"{self.color} on {self.position.board}"
        return f"<Connections of {ends}: {self.fulls} full, {self.semis} semi>"

    @property
    def fulls(self) -> int:
        """The number of full connections in force."""
        return len(self.full_ids)

    @property
    def semis(self) -> int:
        """The number of semi connections in force."""
        return int(np.count_nonzero(self.listed)) - self.fulls

    def between(self, first: int | str, second: int | str) -> tuple[Connection, ...]:
        """Return the connections of two ends in force, full ones first, then by size.

        An end is a node or its name: an empty cell, an own stone, which stands for its group, or an
        own edge, ``top`` and ``bottom`` for Black, ``left`` and ``right`` for White. Raises
        ValueError for anything else.
        """
        low, high = sorted(self._nodes[[self._node(first), self._node(second)]].tolist())
        ids = self.live_ids
        ends = self.ends_of(ids)
        return tuple(
            self.connection(int(row)) for row in ids[(ends[:, 0] == low) & (ends[:, 1] == high)]
        )

    def _node(self, end: int | str) -> int:
        if isinstance(end, str):
            return node_named(end, self.position, self.color)
        if not isinstance(end, int) or isinstance(end, bool):
            raise TypeError(f"expected an end such as 'c4' or 'left', not {end!r:.60}")
        check_node(self.position.board, end)
        return end

    @cached_property
    def edge_fulls(self) -> tuple[Connection, ...]:
        """Full connections of the two edges, smallest first: the colour has won."""
        return tuple(c for c in self._edge_to_edge if c.kind is ConnectionKind.FULL)

    @cached_property
    def edge_semis(self) -> tuple[Connection, ...]:
        """Semi connections of the two edges, smallest first: the colour wins if it moves."""
        return tuple(c for c in self._edge_to_edge if c.kind is ConnectionKind.SEMI)

    @cached_property
    def _edge_to_edge(self) -> tuple[Connection, ...]:
        return self.between(self.first_edge, self.second_edge)

    @property
    def must_play(self) -> frozenset[int]:
        """The cells where the other colour must play if it is to move: none if it is too late."""
        if self.edge_fulls:
            return frozenset()
        empties = frozenset(self.position.empties)
        return empties.intersection(*(threat.cells for threat in self.edge_semis))

    def why(self, connection: Connection) -> tuple[Connection, ...]:
        """Return all connections that one is made from, adjacencies first, itself last."""
        needed = {connection.id}
        waiting = [connection.id]
        while waiting:
            for premise in self.connection(waiting.pop()).premises:
                if premise not in needed:
                    needed.add(premise)
                    waiting.append(premise)
        return tuple(self.connection(r) for r in sorted(needed))


def cells_of(mask: int) -> frozenset[int]:
    """Return the cells of an int with one bit a cell.

    >>> sorted(cells_of(0b1010))
    [1, 3]
    """
    cells = []
    while mask:
        low = mask & -mask
        cells.append(low.bit_length() - 1)
        mask ^= low
    return frozenset(cells)


_NO_CAPTAINS = np.empty(0, np.int32)
_NO_STONES = np.empty(0, np.bool_)


class ConnectionSearch:
    """The search of one colour on one board, its memory kept from position to position.

    One thread at a time may use it. ``width``: the words of a set of cells, by which kernels are
    chosen; those that serve the board now if not given.
    """

    def __init__(
        self,
        board: Board,
        color: Color,
        settings: ConnectionSettings | None = None,
        width: int | None = None,
    ) -> None:
        check_color(color)
        self.width = width or serving_width(board)
        self.board = board
        self.color = color
        self.settings = settings or ConnectionSettings()
        first, second = edges_of(color)
        self._ints, self._words = layout.allocate(
            board.neighbours,
            (board.edge_cells[first], board.edge_cells[second]),
            self.width,
            self.settings.full_limit,
            self.settings.semi_limit,
            self.settings.or_size,
            self.settings.and_over_edges,
            self.settings.row_limit,
            (
                min(self.settings.full_limit, self.settings.cell_full_limit),
                min(self.settings.semi_limit, self.settings.cell_semi_limit),
                self.settings.cell_size_limit or layout.NO_BOUND - 1,
            ),
            self.settings.captured,
            known_templates(board, color) if self.settings.templates else (),
        )
        self._pool = self._ints[: layout.HEADER].view(layout.POOL)[0]
        self._line: list[Position] = []

    @cached_property
    def handle(self) -> Handle:
        """What kernels take; valid as long as this object lives."""
        return make_handle(self._ints, self._words, self.width)

    @property
    def most_bytes(self) -> int:
        """What it takes at most, its pools being full; pages never touched take nothing."""
        return self._ints.nbytes + self._words.nbytes

    @property
    def complete(self) -> bool:
        """Whether the last search or update ran to its end."""
        return not self._pool["overflow"]

    def search(self, position: Position) -> None:
        """Search a position from scratch; raises ValueError for one of another board."""
        captains, own = self.kernel_arguments(position)
        updates.update(self.handle, updates.SEARCH, -1, captains, own)
        self._line = [position]

    def kernel_arguments(self, position: Position) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Return captains and own stones of a position; raises ValueError for another board."""
        check_board("the search", self.board, position.board)
        own = np.frombuffer(position.stones, np.uint8) == self.color
        empty = np.frombuffer(position.stones, np.uint8) == EMPTY
        cells = np.arange(self.board.cells, dtype=np.int32)
        captains = np.where(empty, cells, np.array(position.groups.captain, np.int32))
        captains[~(own | empty)] = -1
        return captains, own

    def play(self, cell: int, color: Color) -> None:
        """Update the connections after a stone on an empty cell; raises ValueError if taken."""
        position = self._position
        check_empty(position, cell)
        check_color(color)
        action = updates.PLAY_OWN if color is self.color else updates.PLAY_OPPONENT
        updates.update(self.handle, action, cell, _NO_CAPTAINS, _NO_STONES)
        self._line.append(position.with_stone(cell, color).with_to_move(color.opponent))

    @property
    def _position(self) -> Position:
        """The position it is at; raises ValueError if there is none."""
        if not self._line:
            raise ValueError("no position has been searched yet")
        return self._line[-1]

    def undo(self) -> None:
        """Take back the last ``play``; raises IndexError if there is none."""
        if len(self._line) < 2:
            raise IndexError("no stone to take back")
        self._line.pop()
        updates.update(self.handle, updates.UNDO, -1, _NO_CAPTAINS, _NO_STONES)

    @property
    def edges_full(self) -> bool:
        """Whether a full connection joins the two edges now."""
        return self._edge_slot(layout.SLOT_FULLS) > 0

    @property
    def edges_semi(self) -> bool:
        """Whether a semi connection joins the two edges now."""
        return self._edge_slot(layout.SLOT_SEMIS) > 0

    def _edge_slot(self, field: int) -> int:
        ints = self._ints
        pool = self._pool
        cells = self.board.cells
        slot = int(ints[pool["slot_of"] + cells * (cells + 2) + cells + 1])
        return 0 if slot < 0 else int(ints[pool["slot"] + slot * pool["slot_size"] + field])

    def table(self) -> ConnectionTable:
        """Return a frozen copy of the connections; raises ValueError before the first search."""
        position = self._position
        words = self._words
        count = int(self._pool["rows"])
        width = width_of(self.board.cells)
        rows = self._slice("row", count * layout.ROW_FIELDS)
        carriers = words[self._pool["carrier"] :][: count * self.width]
        carriers = carriers.reshape(count, self.width)[:, :width].copy()
        listed = self._listed(count)
        premises = self._slice("premise", int(self._pool["premises"]))
        for array in (rows, carriers, listed, premises):
            array.flags.writeable = False
        return ConnectionTable(
            position=position,
            color=self.color,
            settings=self.settings,
            complete=self.complete,
            rows=rows.reshape(count, layout.ROW_FIELDS),
            carriers=carriers,
            listed=listed,
            premises=premises,
        )

    def _listed(self, count: int) -> NDArray[np.bool_]:
        """Return which of the first rows stand in a list."""
        slot_size = int(self._pool["slot_size"])
        fulls = int(self._pool["full_limit"])
        slots = self._slice("slot", self._pool["slots"] * slot_size).reshape(-1, slot_size)
        listed = np.zeros(count, np.bool_)
        for length, lists in (
            (layout.SLOT_FULLS, slots[:, layout.SLOT_LISTS : layout.SLOT_LISTS + fulls]),
            (layout.SLOT_SEMIS, slots[:, layout.SLOT_LISTS + fulls :]),
        ):
            used = np.arange(lists.shape[1]) < slots[:, length, None]
            listed[lists[used] & layout.ROW_MASK] = True
        return listed

    def _slice(self, name: str, length: int) -> NDArray[np.int32]:
        """Return a copy of the first numbers of an array."""
        return self._ints[self._pool[name] :][:length].copy()


def find_connections(
    position: Position, color: Color, settings: ConnectionSettings | None = None
) -> ConnectionTable:
    """Search the connections of one colour at a position."""
    search = ConnectionSearch(position.board, color, settings)
    search.search(position)
    return search.table()
