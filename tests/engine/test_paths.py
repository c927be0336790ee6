"""Path counts, the S_n rule and k-contribution against enumeration and published figures."""

import random
from collections import Counter

import numpy as np
import pytest

from hextui.engine.board import Board, Color
from hextui.engine.connection import ConnectionKind
from hextui.engine.connections import ConnectionSearch, find_connections
from hextui.engine.kernels.paths import layout as memory
from hextui.engine.network import Network, PathMemory, network, reduce_links
from hextui.engine.paths import PathCounts, PathSets, count_paths
from hextui.engine.position import Position
from tests.engine.test_network import (
    as_arrays,
    as_graph,
    as_multigraph,
    random_links,
    random_position,
    with_more_links,
)
from tests.kernels import count_in_search
from tests.oracles import paths as oracle
from tests.samples import seeds

wide = pytest.mark.wide


def bridge_network(position: Position, color: Color) -> Network:
    links = oracle.bridge_links(position, color)
    return reduce_links(position, color, as_arrays(position.board, links))


def assert_same(found: PathCounts, expected: oracle.Counts) -> None:
    assert found.exact
    assert found.distance == expected.distance
    assert list(found.raw) == expected.raw
    assert list(found.accepted) == expected.accepted
    for numbers, through in (
        (found.raw_through, expected.raw_through),
        (found.accepted_through, expected.accepted_through),
    ):
        assert numbers.tolist() == [list(level.values()) for level in through]
    for k in range(len(found.raw)):
        shares = [float(share) for share in expected.contribution[k].values()]
        assert found.contribution[k] == pytest.approx(shares, abs=1e-15)


@pytest.mark.parametrize(
    ("side", "distance", "raw"),
    [
        (5, 6, (48, 418, 1925)),
        (7, 8, (256, 3330, 22772)),
        pytest.param(9, 10, (1280, 22018, 197807), marks=wide),
        pytest.param(11, 12, (6144, 131074, 1452278), marks=wide),
    ],
)
def test_plain_counts_of_empty_boards(side, distance, raw):
    for color in Color:
        counts = count_paths(network(Position.empty(Board(side, side)), color))
        assert (counts.distance, counts.raw, counts.accepted) == (distance, raw, raw)
        assert counts.exact


@pytest.mark.parametrize(
    ("side", "distance", "raw", "accepted"),
    [
        (5, 3, (2, 80, 952), (2, 68, 366)),
        (7, 4, (3, 246, 5033), (3, 222, 2239)),
        pytest.param(9, 5, (4, 561, 17708), (4, 521, 9554), marks=wide),
        pytest.param(11, 6, (5, 1072, 48607), (5, 1012, 30141), marks=wide),
    ],
)
def test_counts_of_empty_boards_with_bridges(side, distance, raw, accepted):
    counts = count_paths(bridge_network(Position.empty(Board(side, side)), Color.BLACK))
    assert (counts.distance, counts.raw, counts.accepted) == (distance, raw, accepted)
    assert counts.exact


@pytest.mark.parametrize(
    ("side", "pairs", "distance", "raw", "accepted"),
    [
        (5, 120, 2, (1, 20, 249), (1, 7, 43)),
        (7, 256, 3, (10, 195, 2592), (10, 51, 119)),
        pytest.param(9, 440, 4, (43, 1074, 17312), (43, 385, 2106), marks=wide),
        pytest.param(11, 672, 4, (1, 136, 4311), (1, 119, 1660), marks=wide),
    ],
)
def test_counts_of_empty_boards_with_all_connections(side, pairs, distance, raw, accepted):
    position = Position.empty(Board(side, side))
    net = network(position, Color.BLACK, find_connections(position, Color.BLACK))
    if len(net.links) != pairs:
        pytest.skip("the search found other connections than the one of the figures")
    counts = count_paths(net)
    assert (counts.distance, counts.raw, counts.accepted) == (distance, raw, accepted)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("side", "raw", "accepted"),
    [(13, (2, 339, 13922), (2, 301, 6248)), (19, (5, 2136, 185325), (5, 2020, 122531))],
)
def test_counts_of_large_boards(side, raw, accepted):
    """Figures of an earlier plain-Python count (the accepted n_2: of this program)."""
    position = Position.empty(Board(side, side))
    counts = count_paths(network(position, Color.BLACK, find_connections(position, Color.BLACK)))
    assert (counts.raw, counts.accepted) == (raw, accepted)


@pytest.mark.parametrize(
    "side", [*range(2, 12), *(pytest.param(n, marks=pytest.mark.slow) for n in range(12, 20))]
)
def test_number_of_shortest_paths(side):
    counts = count_paths(network(Position.empty(Board(side, side)), Color.BLACK))
    assert counts.raw[0] == (side + 1) * 2 ** (side - 2)
    assert counts.distance == side + 1


@pytest.mark.parametrize(
    "seed", [*range(12), *(pytest.param(n, marks=pytest.mark.slow) for n in range(100, 250))]
)
def test_against_enumeration(seed):
    rng = random.Random(seed)
    for _ in range(10):
        check_against_enumeration(rng)


def check_against_enumeration(rng):
    board = Board(rng.randint(1, 5), rng.randint(1, 5))
    position = random_position(rng, board, rng.randint(0, board.cells))
    room = PathMemory(board)
    for color in Color:
        for links in (
            oracle.plain_links(position, color),
            oracle.bridge_links(position, color),
            random_links(rng, position, color),
        ):
            net = reduce_links(position, color, as_arrays(board, links), room)
            assert_same(count_paths(net, room), oracle.counts(as_graph(net), board.cells))


def random_networks(rng, rows):
    """Yield networks of both colours on eight boards of up to so many rows and four columns."""
    for _ in range(8):
        board = Board(rng.randint(1, rows), rng.randint(1, 4))
        position = random_position(rng, board, rng.randint(0, board.cells))
        for color in Color:
            links = random_links(rng, position, color)
            yield reduce_links(position, color, as_arrays(board, links))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("options", [{"carriers": True}, {"disjoint": True}])
def test_other_readings_against_enumeration(seed, options):
    """What the reading ``carriers`` counts for a cell, and paths that use no cell twice."""
    for net in random_networks(random.Random(seed), 5):
        expected = oracle.counts(as_graph(net), net.board.cells, 4, **options)
        assert_same(count_paths(net, k=3, **options), expected)


@pytest.mark.parametrize("seed", seeds(4, 12))
@pytest.mark.parametrize("options", [{}, {"carriers": True}, {"disjoint": True}])
def test_parallel_links_against_enumeration(seed, options):
    """Where pairs have several links, paths may differ in a link alone."""
    rng = random.Random(seed)
    for one in random_networks(rng, 4):
        net = with_more_links(rng, one)
        graph = as_multigraph(net)
        expected = oracle.counts(graph, net.board.cells, 4, **options)
        assert_same(count_paths(net, k=3, **options), expected)
        check_listed_paths(net, graph, options)


def check_listed_paths(net, graph, options):
    sets, cells = PathSets(net, **options), net.board.cells
    for level in range(3 if net.distance else 0):
        expected = [
            (tuple(path[1:-1]), oracle.used_by(path, links))
            for path in oracle.simple_paths(graph, cells, cells + 1, net.distance + level)
            for links in oracle.choices_of_links(graph, path)
            if "disjoint" not in options or oracle.is_disjoint(path, links)
        ]
        listed = [(path.cells, frozenset(path.cells) | path.carrier) for path in sets.level(level)]
        assert Counter(listed) == Counter(expected)


@pytest.mark.parametrize("seed", range(12))
def test_parallel_links_are_all_full_connections(seed):
    rng = random.Random(seed)
    board = Board(5, 5)
    position = random_position(rng, board, rng.randint(4, 14))
    for color in Color:
        table = find_connections(position, color)
        one = network(position, color, table)
        expected = {(*ends, carrier) for ends, carrier in one.links.items()}
        for connection in table:
            a, b = sorted(connection.nodes)
            if connection.kind is ConnectionKind.FULL and {a, b} <= set(one.nodes):
                expected.add((a, b, connection.cells))
        every = network(position, color, table, parallel=True)
        graph = as_multigraph(every)
        found = [(a, b, c) for a in graph for b in graph[a] if a < b for c in graph[a][b]]
        assert (len(found), set(found)) == (len(expected), expected)
        assert (every.distance, every.neighbours.keys()) == (one.distance, one.neighbours.keys())
        assert_same(count_paths(every), oracle.counts(graph, board.cells))


@pytest.mark.parametrize("seed", seeds(3, 8))
@pytest.mark.parametrize("k", [3, 4])
def test_larger_k_against_enumeration(seed, k):
    rng = random.Random(seed)
    board = Board(5, 5)
    position = random_position(rng, board, rng.randint(6, 18))
    for color in Color:
        net = network(position, color, find_connections(position, color))
        assert_same(count_paths(net, k=k), oracle.counts(as_graph(net), board.cells, k + 1))


def test_nine_levels_of_a_small_board():
    net = network(Position.empty(Board(3, 3)), Color.BLACK)
    assert_same(count_paths(net, k=9), oracle.counts(as_graph(net), 9, 10))


@pytest.mark.parametrize("seed", range(12))
def test_connections_against_enumeration(seed):
    rng = random.Random(seed)
    board = Board(5, 5)
    position = random_position(rng, board, rng.randint(0, 12))
    for color in Color:
        net = network(position, color, find_connections(position, color))
        assert_same(count_paths(net), oracle.counts(as_graph(net), board.cells))


@wide
@pytest.mark.parametrize("seed", range(20))
def test_sums_over_cells(seed):
    rng = random.Random(seed)
    position = random_position(rng, Board(11, 11), rng.randint(0, 40))
    for color in Color:
        for table in (None, find_connections(position, color)):
            counts = count_paths(network(position, color, table))
            if counts.distance is None:
                continue
            for k in range(3):
                interior = counts.distance + k - 1
                assert counts.raw_through[k].sum() == counts.raw[k] * interior
                assert counts.accepted_through[k].sum() == counts.accepted[k] * interior
            assert (counts.contribution >= 0).all()
            assert (counts.contribution <= 1).all()
            assert (counts.accepted_through >= 0).all()


@pytest.mark.slow  # a kernel of its own is compiled
@pytest.mark.parametrize("seed", range(10))
def test_search_state_gives_what_the_table_gives(seed):
    """After moves the state names groups its own way, and only near nodes are looked at."""
    rng = random.Random(seed)
    board = Board(8, 8)
    position = random_position(rng, board, 10)
    room = PathMemory(board)
    for color in Color:
        search = ConnectionSearch(board, color)
        search.search(position)
        now = position
        for _ in range(12):
            cell, stone = rng.choice(now.empties), rng.choice(list(Color))
            search.play(cell, stone)
            now = now.with_stone(cell, stone)
            expected = count_paths(network(search.table().position, color, search.table()), room)
            for slack in range(3):
                count_in_search(room.handle, search.handle, slack)
                levels = room.words[: memory.RESULTS].view(np.float64).reshape(3, -1)
                raw, refused, exact = levels[:, : slack + 1].astype(int).tolist()
                assert tuple(raw) == expected.raw[: slack + 1]
                assert [r - f for r, f in zip(raw, refused, strict=True)] == list(
                    expected.accepted[: slack + 1]
                )
                assert exact == [1] * (slack + 1)
                distance = room.net["distance"]
                assert (None if distance == memory.CUT else distance) == expected.distance


def test_cut_off_edges_have_no_paths():
    position = Position(Board(2, 3), bytes([0, 1, 0, 2, 2, 2]))
    counts = count_paths(network(position, Color.BLACK))
    assert (counts.distance, counts.raw, counts.accepted) == (None, (0, 0, 0), (0, 0, 0))
    assert counts.exact
    assert not counts.contribution.any()


def test_one_cell():
    counts = count_paths(network(Position.empty(Board(1, 1)), Color.BLACK))
    assert (counts.distance, counts.raw) == (2, (1, 0, 0))
    assert counts.contribution.tolist() == [[1.0], [1.0], [1.0]]


def test_linked_edges_are_at_distance_one():
    position = Position(Board(2, 2), bytes([1, 0, 1, 0]))
    counts = count_paths(network(position, Color.BLACK))
    assert (counts.distance, counts.raw) == (1, (1, 2, 2))


def test_carrier_of_a_shorter_path_refuses():
    """Figure 9: s and t linked over cells a and b; the ways through a and b do not count."""
    position = Position(Board(1, 2), bytes(2))
    links = {(0, 2): oracle.NOTHING, (0, 3): oracle.NOTHING, (0, 1): oracle.NOTHING}
    links |= {(1, 2): oracle.NOTHING, (1, 3): oracle.NOTHING, (2, 3): frozenset({0, 1})}
    counts = count_paths(reduce_links(position, Color.BLACK, as_arrays(position.board, links)))
    assert (counts.distance, counts.raw, counts.accepted) == (1, (1, 2, 2), (1, 0, 0))
    assert not counts.contribution.any()


@pytest.mark.parametrize("limit", [{"masks": 3}, {"states": 2}])
def test_limits_are_reported(limit):
    net = bridge_network(Position.empty(Board(7, 7)), Color.BLACK)
    counts = count_paths(net, PathMemory(net.board, **limit))
    assert not counts.exact
    assert counts.exact_levels[0]
    for level, exact in enumerate(counts.exact_levels):
        if not exact:
            assert counts.accepted[level] == counts.raw[level]
            assert (counts.accepted_through[level] == counts.raw_through[level]).all()
    assert counts.raw == (3, 246, 5033)
    assert counts.contribution.max() <= 1


@pytest.mark.parametrize("limit", [1, 10, 100, 1000])
def test_exact_levels_are_right_under_any_limit(limit):
    for settings in ({"masks": limit}, {"states": limit}):
        net = bridge_network(Position.empty(Board(7, 7)), Color.BLACK)
        counts = count_paths(net, PathMemory(net.board, **settings))
        for level, (exact, number) in enumerate(
            zip(counts.exact_levels, (3, 222, 2239), strict=True)
        ):
            assert counts.accepted[level] == number if exact else counts.accepted[level] >= number


@wide
def test_numbers_too_large_for_a_float_are_reported():
    """Each cell of a row is linked with all of its row and of the rows beside it."""
    board = Board(11, 11)
    links = {
        (a, b): oracle.NOTHING
        for a in range(board.cells)
        for b in range(a + 1, min((a // 11 + 2) * 11, board.cells))
    }
    links |= {(a, 121): oracle.NOTHING for a in range(11)}
    links |= {(a, 122): oracle.NOTHING for a in range(110, 121)}
    net = reduce_links(Position.empty(board), Color.BLACK, as_arrays(board, links))
    counts = count_paths(net)
    assert counts.distance == 12
    assert counts.raw[0] == 11**11
    # one row is passed by two of its cells
    assert counts.raw[1] == 11 * 11**11 * 10
    # two rows by two cells; one row by three; back to the row before, two cells in each
    two_rows, three = 55 * 10 * 10, 11 * 10 * 9
    back = 10 * 10 * 10
    assert counts.raw[2] == pytest.approx(11**11 * (two_rows + three + back), rel=1e-12)
    assert counts.exact_levels == (True, True, False)


def test_arrays_are_read_only():
    counts = count_paths(network(Position.empty(Board(3, 3)), Color.BLACK))
    with pytest.raises(ValueError, match="read-only"):
        counts.contribution[0, 0] = 1.0
