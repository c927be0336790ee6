"""Betweenness against networkx, which follows each source on its own."""

import itertools

import networkx
import numpy as np
import pytest

from hextui.engine.board import Board, Color
from hextui.engine.centrality import betweenness, cell_betweenness
from hextui.engine.evaluators import evaluator
from hextui.engine.network import Network
from hextui.engine.position import Position
from tests.engine.positions import bench_at
from tests.engine.test_evaluators import positions, ranked


def graph_of(network: Network) -> networkx.Graph:
    return networkx.Graph(list(network.links))


def shortest_paths_graph(network: Network) -> networkx.Graph:
    """The union of the shortest paths between the edges, listed one by one."""
    graph, ends = graph_of(network), (network.board.cells, network.board.cells + 1)
    union = networkx.Graph()
    if all(end in graph for end in ends) and networkx.has_path(graph, *ends):
        for path in networkx.all_shortest_paths(graph, *ends):
            union.add_edges_from(itertools.pairwise(path))
    return union


@pytest.mark.parametrize("links", [True, False])
def test_betweenness_is_that_of_networkx(links: bool) -> None:
    some_paths = 0
    for position in positions("betweenness", 25, largest=6):
        for color in Color:
            network = bench_at(position).network(color, links)
            found = cell_betweenness(network)
            for shares, graph in (
                (found.board, graph_of(network)),
                (found.paths, shortest_paths_graph(network)),
            ):
                expected = networkx.betweenness_centrality(graph)
                some_paths += any(expected.values())
                cells = [expected.get(cell, 0.0) for cell in range(position.board.cells)]
                np.testing.assert_allclose(shares, cells, atol=1e-12)
    assert some_paths > 30


def test_random_graphs_in_parts() -> None:
    for seed in range(20):
        graph = networkx.gnp_random_graph(14, 0.12, seed=seed)
        ends = np.array(list(graph.edges), np.int32).reshape(-1, 2)
        expected = list(networkx.betweenness_centrality(graph).values())
        np.testing.assert_allclose(betweenness(14, ends), expected, atol=1e-12)


def test_the_middle_of_a_line() -> None:
    """1x3: each cell touches Black's edges and its neighbours; White has one way of 4 links.

    Neighbours are linked too, but no shortest path of Black's uses such a link.
    """
    position = Position.empty(Board(1, 3))
    values = {m.cell: m.value for m in ranked(position, "betweenness:local=1,plain").moves}
    line = networkx.betweenness_centrality(networkx.path_graph(5))
    graph = networkx.Graph([(end, cell) for end in "tb" for cell in range(3)])
    black = networkx.betweenness_centrality(graph)
    assert values == pytest.approx({c: black[c] + line[c + 1] for c in range(3)}, abs=1e-9)


def test_the_weight_is_a_share() -> None:
    for text in ("local=1.5", "local=2"):
        with pytest.raises(ValueError, match="local is 0 to 1"):
            evaluator(f"betweenness:{text}")
    position = positions("weights", 1, largest=5)[0]
    board, both, paths = (
        {m.cell: m.value for m in ranked(position, f"betweenness:local={weight}").moves}
        for weight in ("0", "1/4", "1")
    )
    for cell, value in both.items():
        assert value == pytest.approx(0.75 * board[cell] + 0.25 * paths[cell], abs=1e-8)
