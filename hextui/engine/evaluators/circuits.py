"""Circuits: the resistance between a colour's edges, and the current through each cell.

Source: V. Anshelevich's circuits, docs/methods.md#resistance. Linked nodes are joined by a
conductance of 1, doubled at every end that is an own group or edge, divided by one plus the number
of cells that all full connections of the pair need. A current of 1 flows from edge to edge.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hextui.engine.board import EMPTY, Color
from hextui.engine.connections import ConnectionTable
from hextui.engine.kernels.connections.state import ROW_SIZE
from hextui.engine.kernels.paths.counting import solve_symmetric


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
