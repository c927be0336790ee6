"""Cost of networks and path counts, one thread, warm.

Aims: counts to k = 1 on the empty 11x11 below 100 us and to k = 2 below 500 us, network
included; to k = 1 on the empty 19x19 below 300 us.
"""

import random

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSearch, find_connections
from hextui.engine.network import PathMemory, network, reduce_links
from hextui.engine.paths import count_paths
from hextui.engine.position import Position
from tests.engine.test_network import as_arrays
from tests.kernels import count_in_search
from tests.oracles import paths as oracle

POSITIONS = [(7, 0), (11, 0), (11, 14), (11, 30), (13, 30), (19, 0), (19, 60)]


def position_after(side: int, stones: int) -> Position:
    """Random stones, the colours in turn."""
    rng = random.Random(side * stones)
    position = Position.empty(Board(side, side))
    for _ in range(stones):
        position = position.play(rng.choice(position.empties))
    return position


@pytest.mark.parametrize("k", [0, 1, 2])
@pytest.mark.parametrize(("side", "stones"), POSITIONS)
def test_counts_from_a_search(benchmark, side, stones, k):
    """As after each move of a one-ply ranking: network and counts to level k."""
    position = position_after(side, stones)
    search = ConnectionSearch(position.board, position.to_move)
    search.search(position)
    room = PathMemory(position.board)

    def count():
        count_in_search(room.handle, search.handle, k)

    benchmark(count)


@pytest.mark.parametrize(("side", "stones"), POSITIONS)
def test_network_from_a_table(benchmark, side, stones):
    position = position_after(side, stones)
    table = find_connections(position, position.to_move)
    room = PathMemory(position.board)
    assert table.fulls
    benchmark(lambda: network(position, position.to_move, table, room))


@pytest.mark.parametrize(("side", "stones"), POSITIONS)
def test_full_counts_with_connections(benchmark, side, stones):
    position = position_after(side, stones)
    table = find_connections(position, position.to_move)
    room = PathMemory(position.board)
    net = network(position, position.to_move, table, room)
    benchmark(lambda: count_paths(net, room))


@pytest.mark.parametrize("side", [11, 19])
def test_full_counts_with_bridges(benchmark, side):
    position = position_after(side, 0)
    room = PathMemory(position.board)
    links = as_arrays(position.board, oracle.bridge_links(position, Color.BLACK))
    net = reduce_links(position, Color.BLACK, links, room)
    benchmark(lambda: count_paths(net, room))


@pytest.mark.parametrize("side", [11, 19])
def test_full_counts_without_links(benchmark, side):
    position = position_after(side, 0)
    room = PathMemory(position.board)
    net = network(position, Color.BLACK, memory=room)
    benchmark(lambda: count_paths(net, room))
