"""Betweenness: how many shortest paths of a network, between all pairs of nodes, pass a node.

Source: U. Brandes, docs/methods.md#betweenness. All sources are followed at once, level by level,
by products of matrices; a network of N nodes and depth D takes about 2 D N^3 operations.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hextui.engine.network import Network


class CellBetweenness(NamedTuple):
    """A colour's betweenness, float64[cells] each, 0 to 1, 0 where there is no node.

    ``board``: in its reduced network. ``paths``: in the network of its shortest paths alone.
    """

    board: NDArray[np.float64]
    paths: NDArray[np.float64]


def cell_betweenness(network: Network) -> CellBetweenness:
    """Return the betweenness of each cell in a network and in that of its shortest paths."""
    ends = network.arrays.ends
    return CellBetweenness(
        _of_cells(network, ends), _of_cells(network, shortest_path_links(network))
    )


def shortest_path_links(network: Network) -> NDArray[np.int32]:
    """Return the links of all shortest paths from edge to edge, int32[L, 2]; none if cut off."""
    ends = network.arrays.ends
    if network.distance is None:
        return ends[:0]
    first, second = (_distances(network, network.board.cells + edge) for edge in (0, 1))
    low, high = ends.T
    onward = first[low] + 1 + second[high] == network.distance
    back = first[high] + 1 + second[low] == network.distance
    links: NDArray[np.int32] = ends[onward | back]
    return links


def betweenness(nodes: int, ends: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the share of the pairs of other nodes whose shortest paths pass each node.

    Nodes are 0 to ``nodes`` - 1, ``ends`` int[L, 2] the links. A pair with several shortest paths
    counts by the share of them; one without a path counts as 0. Float64[nodes], 0 to 1.
    """
    linked = np.zeros((nodes, nodes))
    linked[ends[:, 0], ends[:, 1]] = linked[ends[:, 1], ends[:, 0]] = 1
    pairs = (nodes - 1) * (nodes - 2)
    if pairs <= 0:
        return np.zeros(nodes)
    paths, levels = _paths_by_level(linked)
    # the paths from a source that a node's successors owe to it (Brandes: dependencies)
    passed = np.zeros((nodes, nodes))
    for near, far in zip(levels[-2::-1], levels[:0:-1], strict=True):
        owed = np.divide(1 + passed, paths, out=np.zeros_like(paths), where=far)
        passed += np.where(near, paths * (owed @ linked), 0)
    np.fill_diagonal(passed, 0)
    share: NDArray[np.float64] = passed.sum(axis=0) / pairs
    return share


def _paths_by_level(
    linked: NDArray[np.float64],
) -> tuple[NDArray[np.float64], list[NDArray[np.bool_]]]:
    """Return how many shortest paths lead from each node to each, and which are so far apart.

    Both are matrices, [source, node]; the list has one for each number of links, from 0.
    """
    level = np.eye(len(linked), dtype=bool)
    paths = np.eye(len(linked))
    levels = []
    reached = np.zeros_like(level)
    while level.any():
        levels.append(level)
        reached |= level
        onward = np.where(level, paths, 0) @ linked
        level = (onward > 0) & ~reached
        paths[level] = onward[level]
    return paths, levels


def _of_cells(network: Network, ends: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the betweenness of cells in the network of these links; its nodes are their ends."""
    nodes, places = np.unique(ends, return_inverse=True)
    shares = np.zeros(network.board.cells + 2)
    shares[nodes] = betweenness(len(nodes), places.reshape(-1, 2).astype(np.int32))
    return shares[: network.board.cells]


def _distances(network: Network, start: int) -> NDArray[np.int64]:
    """Return each node's distance from one in links, more than any can be if there is no path."""
    distance = np.full(network.board.cells + 2, 2 * network.board.cells + 4)
    distance[start] = 0
    waiting = [start]
    for node in waiting:
        for other in network.neighbours[node]:
            if distance[other] > distance[node] + 1:
                distance[other] = distance[node] + 1
                waiting.append(other)
    return distance
