"""Reduced networks against their definition (docs/methods.md#networks), plain and virtual."""

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from hextui.engine.board import Board, Color
from hextui.engine.connections import cells_of, find_connections
from hextui.engine.network import LinkArrays, Network, network, reduce_links
from hextui.engine.position import Position
from tests.oracles import paths as oracle


def random_position(rng: random.Random, board: Board, stones: int) -> Position:
    cells = bytearray(board.cells)
    for cell in rng.sample(range(board.cells), stones):
        cells[cell] = rng.choice((Color.BLACK, Color.WHITE))
    return Position(board, bytes(cells))


def random_links(rng: random.Random, position: Position, color: Color) -> oracle.Links:
    """Adjacencies, and some more pairs with any small carrier of empty cells."""
    links = oracle.plain_links(position, color)
    cells = position.board.cells
    nodes = [c for c in range(cells) if oracle.node_of_cell(position, color, c) == c]
    nodes += [cells, cells + 1]
    for _ in range(rng.randrange(2 * cells)):
        a, b = sorted(rng.sample(nodes, 2))
        free = sorted(set(position.empties) - {a, b})
        if (a, b) not in links and free:
            links[a, b] = frozenset(rng.sample(free, rng.randint(1, min(5, len(free)))))
    return links


def as_arrays(
    board: Board, links: oracle.Links | Sequence[tuple[tuple[int, int], frozenset[int]]]
) -> LinkArrays:
    pairs = list(links.items()) if isinstance(links, dict) else links
    width = (board.cells + 63) // 64
    carriers = np.zeros((len(pairs), width), np.uint64)
    for row, (_, carrier) in enumerate(pairs):
        for cell in carrier:
            carriers[row, cell >> 6] |= np.uint64(1 << (cell & 63))
    ends = np.array([ends for ends, _ in pairs], np.int32).reshape(-1, 2)
    return LinkArrays(ends, carriers)


def as_graph(net: Network) -> oracle.Graph:
    graph: oracle.Graph = {node: {} for node in net.nodes}
    for (a, b), carrier in net.links.items():
        graph[a][b] = graph[b][a] = carrier
    return graph


def with_more_links(rng: random.Random, net: Network) -> Network:
    """The network, some pairs of which have more links, with other carriers."""
    cells = [node for node in net.nodes if node < net.board.cells]
    links = {(*ends, carrier) for ends, carrier in net.links.items()}
    for a, b in list(net.links):
        free = [cell for cell in cells if cell not in (a, b)]
        for _ in range(rng.choice((0, 0, 1, 3)) if free else 0):
            links.add((a, b, frozenset(rng.sample(free, rng.randint(1, min(4, len(free)))))))
    ordered = sorted(links, key=lambda link: (link[:2], rng.random()))
    arrays = as_arrays(net.board, [((a, b), carrier) for a, b, carrier in ordered])
    return replace(net, arrays=arrays, parallel=True)


def as_multigraph(net: Network) -> oracle.Multigraph:
    graph: oracle.Multigraph = {node: {} for node in net.nodes}
    for (a, b), carrier in zip(net.arrays.ends.tolist(), net.arrays.carriers, strict=True):
        cells = cells_of(int.from_bytes(carrier.tobytes(), "little"))
        graph[a].setdefault(b, []).append(cells)
        graph[b].setdefault(a, []).append(cells)
    return graph


def boards(rng: random.Random) -> Board:
    return Board(rng.randint(1, 5), rng.randint(1, 5))


def test_empty_board():
    net = network(Position.empty(Board(2, 2)), Color.BLACK)
    assert net.nodes == (0, 1, 2, 3, 4, 5)
    assert net.distance == 3
    assert list(net.links) == [
        (0, 1), (0, 2), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 5), (3, 5),
    ]  # fmt: skip
    assert net.neighbours[4] == (0, 1)


def test_nodes_have_names_and_links_carriers():
    position = Position.empty(Board(3, 3))
    found = network(position, Color.WHITE, find_connections(position, Color.WHITE))
    assert len(found.nodes) == 11
    assert [found.node_name(node) for node in (4, 9, 10)] == ["b2", "left", "right"]
    assert (found.links[4, 9], found.links[3, 4]) == ({3, 6}, frozenset())


def test_plain_network_follows_the_definition():
    rng = random.Random("plain_network_follows_the_definition")
    for _ in range(200):
        board = boards(rng)
        position = random_position(rng, board, rng.randint(0, board.cells))
        for color in Color:
            expected = oracle.reduced(position, color, oracle.plain_links(position, color))
            net = network(position, color)
            assert as_graph(net) == expected
            assert net.distance == oracle.distance(expected, board.cells, board.cells + 1)


def test_links_with_carriers_follow_the_definition():
    rng = random.Random("links_with_carriers_follow_the_definition")
    for _ in range(200):
        board = boards(rng)
        position = random_position(rng, board, rng.randint(0, board.cells))
        for color in Color:
            for links in (oracle.bridge_links(position, color), random_links(rng, position, color)):
                net = reduce_links(position, color, as_arrays(board, links))
                assert as_graph(net) == oracle.reduced(position, color, links)


def test_connections_become_links():
    rng = random.Random("connections_become_links")
    for _ in range(30):
        board = Board(5, 6)
        position = random_position(rng, board, rng.randint(0, 15))
        for color in Color:
            table = find_connections(position, color)
            links: oracle.Links = {}
            for connection in table:
                a, b = sorted(connection.nodes)
                if connection.kind == "full":
                    links[a, b] = min(
                        links.get((a, b), connection.cells), connection.cells, key=oracle.order
                    )
            expected = oracle.reduced(position, color, links)
            assert as_graph(network(position, color, table)) == expected


def test_table_of_another_position_is_refused():
    position = Position.empty(Board(3, 3))
    table = find_connections(position, Color.BLACK)
    with pytest.raises(ValueError, match="not white's in this position"):
        network(position, Color.WHITE, table)
    with pytest.raises(ValueError, match="not black's in this position"):
        network(position.with_stone(0, Color.BLACK), Color.BLACK, table)
    # whose turn it is does not matter
    network(position.with_to_move(Color.WHITE), Color.BLACK, table)
