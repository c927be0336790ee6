"""The reduced networks N_B and N_W of a position, plain or with virtual links.

Source: Honjo et al. 2010 (https://hdl.handle.net/2115/51049), sections 2.1 and 4.1.2. Nodes are the
empty cells 0..N-1 and the colour's two edges, N (top or left) and N + 1. Neighbouring nodes are
linked, and with a table of connections all pairs with a full connection; own groups are replaced by
links among all their neighbours. See kernels/paths/reduction.py.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import EMPTY, Board, Color, edges_of
from hextui.engine.connection import node_name
from hextui.engine.connections import ConnectionTable, cells_of
from hextui.engine.guards import check_board, check_color
from hextui.engine.kernels.connections import state as connection_state
from hextui.engine.kernels.memory import Handle, make_handle
from hextui.engine.kernels.paths import layout as network_memory
from hextui.engine.kernels.paths.reduction import network_of_arrays
from hextui.engine.orientation import Orientation
from hextui.engine.position import Position
from hextui.engine.widths import serving_width, width_of


class PathMemory:
    """Memory for the networks and path counts of one board; one thread at a time may use it.

    The search for refused paths compares with at most so many ``masks``, paths of lower levels, and
    visits at most so many ``states``; a count that stopped there is not exact.
    """

    def __init__(
        self, board: Board, width: int | None = None, masks: int = 200_000, states: int = 10**9
    ) -> None:
        self.width = width or serving_width(board)
        self.board = board
        self.ints, self.words = network_memory.allocate(board.cells, self.width, masks, states)
        self.net = self.ints[: network_memory.HEADER].view(network_memory.NETWORK)[0]

    @cached_property
    def handle(self) -> Handle:
        """The argument of kernels; valid as long as this object lives."""
        return make_handle(self.ints, self.words, self.width)

    def fitted(self, carriers: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Return a copy of sets of cells, uint64[n, W], as wide as its kernels take them."""
        wide = np.zeros((len(carriers), self.width), np.uint64)
        wide[:, : carriers.shape[1]] = carriers
        return wide

    def check_fits(self, board: Board) -> None:
        """Raise ValueError for another board, unless it is this one mirrored."""
        if board != self.board.transposed:
            check_board("the path memory", self.board, board)


@dataclass(frozen=True, eq=False)
class LinkArrays:
    """Links as arrays: ``ends`` int32[L, 2] node numbers, ``carriers`` uint64[L, W] cell sets."""

    ends: NDArray[np.int32]
    carriers: NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Network:
    """The reduced network of one colour.

    ``nodes`` in rising order, ``arrays`` by rising ends (read-only). ``distance``: the links of a
    shortest path between the colour's edges, 1 where they are linked, None where they are cut off.
    ``parallel``: whether pairs of nodes may have several links.
    """

    board: Board
    color: Color
    nodes: tuple[int, ...]
    distance: int | None
    arrays: LinkArrays = field(repr=False)
    parallel: bool = False

    @cached_property
    def links_at(self) -> dict[int, list[tuple[int, int]]]:
        """Each node's links, by rising other end: that end, and the carrier, one bit a cell."""
        links: dict[int, list[tuple[int, int]]] = {node: [] for node in self.nodes}
        for (a, b), carrier in zip(self.arrays.ends.tolist(), self.arrays.carriers, strict=True):
            mask = int.from_bytes(carrier.tobytes(), "little")
            links[a].append((b, mask))
            links[b].append((a, mask))
        return links

    @cached_property
    def links(self) -> dict[tuple[int, int], frozenset[int]]:
        """The carriers by their ends, empty where these are adjacent or joined by stones."""
        near = self.links_at
        return {(a, b): cells_of(mask) for a in near for b, mask in near[a] if a < b}

    @cached_property
    def neighbours(self) -> dict[int, tuple[int, ...]]:
        """The nodes linked to each node, in rising order."""
        near: dict[int, list[int]] = {node: [] for node in self.nodes}
        for a, b in self.arrays.ends.tolist():
            near[a].append(b)
            near[b].append(a)
        return {node: tuple(sorted(others)) for node, others in near.items()}

    def node_name(self, node: int) -> str:
        """Return the name users see: a cell, or ``top``, ``bottom``, ``left``, ``right``."""
        return node_name(node, self.board, self.color)

    def back(self, orientation: Orientation) -> "Network":
        """Return a network that was found in an orientation, as that of the position itself."""
        if orientation.plain:
            return self
        ends = np.sort(orientation.node_of[self.arrays.ends], axis=1)
        order = np.lexsort((ends[:, 1], ends[:, 0]))
        return Network(
            board=orientation.board,
            color=self.color.opponent if orientation.mirrored else self.color,
            nodes=tuple(sorted(orientation.node_of[list(self.nodes)].tolist())),
            distance=self.distance,
            arrays=_read_only(
                LinkArrays(ends[order], orientation.sets(self.arrays.carriers)[order])
            ),
            parallel=self.parallel,
        )


def network(
    position: Position,
    color: Color,
    table: ConnectionTable | None = None,
    memory: PathMemory | None = None,
    *,
    parallel: bool = False,
) -> Network:
    """Return the reduced network of a colour; with ``table``, its full connections are links.

    A pair has one link, the smallest; if ``parallel``, all other full connections, too. Raises
    ValueError for a table or ``memory`` of another board, colour or stones.
    """
    check_color(color)
    if table is None:
        return reduce_links(position, color, _adjacencies(position, color), memory)
    check_board("the table of connections", table.position.board, position.board)
    if table.color is not color or table.position.stones != position.stones:
        raise ValueError(f"the connections are not {color}'s in this position")
    reduced = reduce_links(position, color, _smallest_fulls(table), memory)
    return _with_all_fulls(reduced, table) if parallel else reduced


def reduce_links(
    position: Position, color: Color, links: LinkArrays, memory: PathMemory | None = None
) -> Network:
    """Return the network made of links between empty cells, own groups and own edges.

    A group is named by its first cell. ``links`` holds each pair of nodes at most once, adjacent
    ones with an empty carrier. Raises ValueError for other links, or memory of another board.
    """
    check_color(color)
    board = position.board
    memory = memory or PathMemory(board)
    memory.check_fits(board)
    linked, row_of = link_tables(board, links)
    kind = np.full(board.cells + 2, connection_state.OWN_EDGE, np.int32)
    captain = _node_of_cell(position, color)
    for cell, node in enumerate(captain.tolist()):
        kind[cell] = connection_state.ABSENT
        if node == cell:
            empty = position.stones[cell] == EMPTY
            kind[cell] = connection_state.EMPTY_CELL if empty else connection_state.OWN_GROUP
    if (kind[links.ends] == connection_state.ABSENT).any():
        raise ValueError("links join only empty cells, own groups and own edges")
    network_of_arrays(
        memory.handle,
        np.stack([kind, np.append(captain, (board.cells, board.cells + 1)).astype(np.int32)]),
        linked,
        row_of,
        memory.fitted(links.carriers),
        network_memory.WHOLE,
    )
    ints, words = memory.ints, memory.words
    pairs = int(memory.net["pairs"])
    ends = ints[memory.net["pair"] :][: 2 * pairs].reshape(pairs, 2)
    carriers = words[memory.net["carrier"] :][: pairs * memory.width]
    carriers = carriers.reshape(pairs, memory.width)[:, : width_of(board.cells)]
    kept = (kind[ends] != connection_state.OWN_GROUP).all(axis=1)
    ends = np.sort(ends[kept], axis=1)
    carriers = carriers[kept]
    order = np.lexsort((ends[:, 1], ends[:, 0]))
    distance = int(memory.net["distance"])
    empty_or_edge = (kind == connection_state.EMPTY_CELL) | (kind == connection_state.OWN_EDGE)
    return Network(
        board=board,
        color=color,
        nodes=tuple(np.flatnonzero(empty_or_edge).tolist()),
        distance=None if distance == network_memory.CUT else distance,
        arrays=_read_only(LinkArrays(ends[order], carriers[order])),
    )


def link_tables(
    board: Board, links: LinkArrays, parallel: bool = False
) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Return a bitset of linked nodes a node, uint64[M, WN], and each pair's rows, int32[M, M].

    M = N + 2. A pair has one row or, if ``parallel``, those from [a, b] to [b, a], a < b. Raises
    ValueError unless links join two nodes of the board by a set of cells, and stand by pairs.
    """
    _check_links(board, links)
    ends = links.ends
    nodes = board.cells + 2
    linked = np.zeros((nodes, (nodes + 63) // 64), np.uint64)
    row_of = np.full((nodes, nodes), -1, np.int32)
    low = np.minimum(*ends.T)
    high = np.maximum(*ends.T)
    for a, b in ((low, high), (high, low)):
        np.bitwise_or.at(linked, (a, b >> 6), np.uint64(1) << (b & 63).astype(np.uint64))
        row_of[a, b] = np.arange(len(ends))
    if parallel:
        keys, first, number = np.unique(low * nodes + high, return_index=True, return_counts=True)
        row_of[keys // nodes, keys % nodes] = first
        if (row_of[keys % nodes, keys // nodes] - first + 1 != number).any():
            raise ValueError("links: those of a pair do not stand together")
    return linked, row_of


def _check_links(board: Board, links: LinkArrays) -> None:
    """Raise ValueError unless each link joins two nodes of the board by a set of cells."""
    ends, carriers = links.ends, links.carriers
    width = width_of(board.cells)
    if ends.dtype.kind != "i" or ends.ndim != 2 or ends.shape[1] != 2:
        raise ValueError("links: ends are whole numbers, two for each link")
    if carriers.dtype != np.uint64 or carriers.shape != (len(ends), width):
        raise ValueError(f"links: carriers on a {board} board are uint64[{len(ends)}, {width}]")
    if ((ends < 0) | (ends > board.cells + 1)).any() or (ends[:, 0] == ends[:, 1]).any():
        raise ValueError(
            f"links: ends on a {board} board are two of the nodes 0 to {board.cells + 1}"
        )
    if board.cells % 64 and (carriers[:, -1] >> np.uint64(board.cells % 64)).any():
        raise ValueError(f"links: a carrier has cells that are not on a {board} board")


def _node_of_cell(position: Position, color: Color) -> NDArray[np.int32]:
    """Return the node of each cell: itself, its own group's first cell, or -1."""
    nodes = []
    for cell, stone in enumerate(position.stones):
        if stone == EMPTY:
            nodes.append(cell)
        elif stone == color:
            nodes.append(position.groups.captain[cell])
        else:
            nodes.append(-1)
    return np.array(nodes, np.int32)


def _adjacencies(position: Position, color: Color) -> LinkArrays:
    board = position.board
    node = _node_of_cell(position, color).tolist()
    pairs = {
        (min(node[a], node[b]), max(node[a], node[b]))
        for a, near in enumerate(board.neighbours)
        for b in near
        if node[a] >= 0 and node[b] >= 0 and node[a] != node[b]
    }
    for edge, side in enumerate(edges_of(color), start=board.cells):
        pairs |= {(node[cell], edge) for cell in board.edge_cells[side] if node[cell] >= 0}
    ends = np.array(sorted(pairs), np.int32).reshape(-1, 2)
    return LinkArrays(ends, np.zeros((len(ends), width_of(board.cells)), np.uint64))


def _smallest_fulls(table: ConnectionTable) -> LinkArrays:
    """Return each connected pair's full connection with the smallest carrier."""
    ids = table.full_ids
    ends = table.ends_of(ids)
    carriers = table.carriers[ids]
    size = table.rows[ids, connection_state.ROW_SIZE]
    order = np.lexsort((*carriers.T, size, ends[:, 1], ends[:, 0]))
    ends = ends[order]
    carriers = carriers[order]
    first = np.ones(len(ends), bool)
    first[1:] = (ends[1:] != ends[:-1]).any(axis=1)
    return LinkArrays(ends[first], carriers[first])


def _with_all_fulls(network: Network, table: ConnectionTable) -> Network:
    """Return the network with every full connection of two nodes as a link, of equal ones one."""
    ids, arrays = table.full_ids, network.arrays
    ends = np.sort(table.ends_of(ids), axis=1)
    inside = np.isin(ends, network.nodes).all(axis=1)
    ends = np.concatenate([arrays.ends, ends[inside]])
    carriers = np.concatenate([arrays.carriers, table.carriers[ids[inside]]])
    both = np.column_stack([ends.astype(np.uint64), carriers])
    _, rows = np.unique(both, axis=0, return_index=True)
    links = _read_only(LinkArrays(ends[rows], carriers[rows]))
    return replace(network, arrays=links, parallel=True)


def _read_only(links: LinkArrays) -> LinkArrays:
    array: NDArray[Any]
    for array in (links.ends, links.carriers):
        array.flags.writeable = False
    return links
