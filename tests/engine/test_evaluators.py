"""Evaluators: complete rankings, exact ties, symmetries, and each against its definition."""

import itertools
import math
import random
import re
from collections.abc import Iterator
from fractions import Fraction

import networkx
import numpy as np
import pytest

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSearch
from hextui.engine.evaluators import evaluator, names
from hextui.engine.evaluators.k_paths import KPaths
from hextui.engine.evaluators.path_counts import counts_after_moves, networks_after
from hextui.engine.evaluators.two_distance import two_distances
from hextui.engine.evaluators.workbench import Workbench, circuit
from hextui.engine.explanation import Remark
from hextui.engine.network import network
from hextui.engine.orientation import canonical
from hextui.engine.paths import count_paths
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking, Ties
from tests.engine.positions import bench_at, images, random_position
from tests.engine.test_network import as_graph
from tests.oracles import paths as oracle


def ranked(position: Position, name: str) -> Ranking:
    bench = bench_at(position)
    *_, last = evaluator(name).rank(bench)
    return last


def positions(seed: str, count: int, largest: int = 5) -> list[Position]:
    rng = random.Random(seed)
    return [random_position(rng, largest, rng.choice((0.0, 0.2, 0.5))) for _ in range(count)]


@pytest.mark.parametrize("name", names())
def test_every_legal_move_is_ranked_once(name: str) -> None:
    for position in [*positions(name, 6), Position(Board(1, 2), b"\1\2")]:
        ranking = ranked(position, name)
        assert ranking.evaluator == name
        assert ranking.final
        assert ranking.exact
        assert sorted(m.cell for m in ranking.moves) == list(position.empties)
        for place, move in enumerate(ranking.moves, start=1):
            ahead = [m for m in ranking.moves if m.rank < move.rank]
            assert move.rank == len(ahead) + 1 <= place


def test_canonical_orientations_agree() -> None:
    for position in positions("canonical", 20):
        orientation = canonical(position)
        for image in images(position):
            assert canonical(image.position).position == orientation.position
        for cell, original in enumerate(orientation.cell_of):
            stone = orientation.position.stones[cell]
            expected = position.stones[original]
            assert stone == (3 - expected if orientation.mirrored and expected else expected)


def test_one_ply_counts_are_those_of_the_updated_connections() -> None:
    """The kernel gives what tables, networks and counts of the child give one by one."""
    for position in positions("one ply", 8):
        if position.rotated().stones == position.stones:
            continue
        bench = bench_at(position)
        *_, found = counts_after_moves(bench, 2)
        for color in Color:
            orientation = bench.oriented(color).orientation
            stone = Color.BLACK if color is position.to_move else Color.WHITE
            for cell, after in found.items():
                counts = after.black if color is Color.BLACK else after.white
                search = ConnectionSearch(orientation.position.board, Color.BLACK)
                search.search(orientation.position)
                search.play(int(orientation.seen_at[cell]), stone)
                table = search.table()
                expected = count_paths(network(table.position, Color.BLACK, table))
                assert counts.distance == expected.distance
                assert counts.raw == expected.raw
                assert counts.accepted == expected.accepted


def test_e_is_inf_exactly_where_white_is_cut_off_and_0_where_black_is() -> None:
    seen = set()
    for position in positions("ends", 60):
        for name in ("k-paths:1", "shortest-path"):
            for move in ranked(position, name).moves:
                winner = position.with_stone(move.cell, position.to_move).winner
                expected = {Color.BLACK: math.inf, Color.WHITE: 0.0, None: None}[winner]
                assert (move.value in (0.0, math.inf)) == (winner is not None)
                assert expected is None or move.value == expected
                seen.add(winner)
    assert seen == {None, Color.BLACK, Color.WHITE}


def test_e_k_by_hand() -> None:
    """2x2, Black at a2, White to move.

    After a1 or b1 each side has one way of two links. After b2 Black's a2 has a bridge to the
    top, so its edges are linked; White's one way is left-a1-b1-b2-right, three links.
    """
    board = Board(2, 2)
    ranking = ranked(Position.empty(board).play(board.cell("a2")), "k-paths:0")
    x = Fraction(1, 100_000)
    assert [(board.name(m.cell), m.value, m.rank) for m in ranking.moves] == [
        ("a1", 1.0, 1),
        ("b1", 1.0, 1),
        ("b2", float((3 - x) / (1 - x)), 3),
    ]


def test_x_is_reduced_for_the_whole_ranking_and_the_result_says_so() -> None:
    position = Position.empty(Board(5, 5))
    ranking = ranked(position, "k-paths:1,x=1/2")
    assert "x reduced to" in ranking.note
    assert all(move.value > 0 for move in ranking.moves)
    assert ranked(position, "k-paths:1").note == ""


def test_raw_counts_differ_from_accepted_ones() -> None:
    position = Position.empty(Board(7, 7))
    raw, accepted = ranked(position, "k-paths:1,raw"), ranked(position, "k-paths:1")
    assert {m.value for m in raw.moves} != {m.value for m in accepted.moves}


def test_ties_can_be_listed_in_three_ways() -> None:
    position = Position.empty(Board(4, 4))
    first = [m.cell for m in ranked(position, "shortest-path").moves]
    other = [m.cell for m in ranked(position, "shortest-path:seed=5").moves]
    assert first != other
    assert ranked(position, "shortest-path").moves == ranked(position, "shortest-path").moves
    for ties in Ties:
        assert sorted(ties.arrange([3, 1, 2], 3)) == [1, 2, 3]
    last = ranked(position, "k-paths:1,ties=last").moves
    for a, b in itertools.pairwise(last):
        assert a.rank < b.rank or a.cell > b.cell


def test_contributions_are_those_of_the_networks() -> None:
    for position in positions("contribution", 6):
        bench = bench_at(position)
        own = bench.paths(position.to_move).contribution
        opponent = bench.paths(position.to_move.opponent).contribution
        for k in range(3):
            for view, values in (("own", own), ("opponent", opponent), ("both", own + opponent)):
                for move in ranked(position, f"contribution-{view}:{k}").moves:
                    assert move.value == values[k, move.cell]


def effective_resistance(graph: networkx.Graph, a: int, b: int) -> float:
    """By the pseudo-inverse of the Laplacian."""
    place = {node: i for i, node in enumerate(graph)}
    laplacian = np.zeros((len(place), len(place)))
    for x, y, strength in graph.edges(data="strength"):
        i, j = place[x], place[y]
        laplacian[[i, j], [i, j]] += strength
        laplacian[[i, j], [j, i]] -= strength
    inverse = np.linalg.pinv(laplacian)
    i, j = place[a], place[b]
    return float(inverse[i, i] + inverse[j, j] - 2 * inverse[i, j])


@pytest.mark.parametrize("links", [True, False])
def test_resistance_is_that_of_an_independent_circuit(links: bool) -> None:
    for position in positions("resistance", 12):
        for color in Color:
            bench = bench_at(position)
            table = bench.table(color)
            found = circuit(table, links)
            wires: dict[tuple[int, int], list[frozenset[int]]] = {}
            for c in table:
                if c.kind == "full" and (links or not c.cells):
                    a, b = sorted(c.nodes)
                    wires.setdefault((a, b), []).append(c.cells)
            graph = networkx.Graph()
            graph.add_nodes_from((table.first_edge, table.second_edge))
            for (a, b), carriers in wires.items():
                owned = sum(
                    end >= position.board.cells or position.stones[end] == color for end in (a, b)
                )
                strength = 2**owned / (1 + len(frozenset.intersection(*carriers)))
                graph.add_edge(a, b, strength=strength)
            ends = (table.first_edge, table.second_edge)
            if graph.has_edge(*ends):
                assert found.resistance == 0
            elif not networkx.has_path(graph, *ends):
                assert found.resistance == math.inf
                assert not found.current.any()
            else:
                part = graph.subgraph(networkx.node_connected_component(graph, ends[0]))
                expected = effective_resistance(part, *ends)
                assert found.resistance == pytest.approx(expected)
                assert found.current.max() <= 1 + 1e-9


def test_the_only_way_carries_the_whole_current() -> None:
    board = Board(3, 1)
    position = Position.empty(board)
    bench = Workbench(board)
    bench.look_at(position)
    found = circuit(bench.table(Color.BLACK), links=False)
    np.testing.assert_allclose(found.current, 1.0)
    assert found.resistance == pytest.approx(0.5 + 1 + 1 + 0.5)


def test_two_distances_fit_their_definition() -> None:
    for position in positions("two", 15):
        for color in Color:
            plain = network(position, color)
            cells = position.board.cells
            for edge in (cells, cells + 1):
                found = two_distances(plain, edge)
                for cell in position.empties:
                    near = plain.neighbours[cell]
                    if edge in near:
                        assert found[cell] == 1
                        continue
                    others = sorted(found[n] for n in near if n < cells)
                    second = others[1] if len(others) > 1 else math.inf
                    assert found[cell] == 1 + second


@pytest.mark.parametrize(
    "name",
    [
        *names(), "k-paths:1,raw", "k-paths:2,x=0.001", "k-paths:0,ties=random,seed=3",
        "k-paths:1,fresh", "k-mixed:2,y=0.5", "k-mixed:1,fresh", "shortest-path:seed=7",
        "shortest-path:fresh", "betweenness:local=0.25,plain", "resistance:plain",
        "two-distance:plain", "search:visits=20", "search:seconds=0.5",
        "search:visits=20,threads=2", "blocking:average,samples=50",
        "blocking:seed=4", "blocking:average", "blocking:average,samples=9,seed=4",
    ],
)  # fmt: skip
def test_names_come_back(name: str) -> None:
    assert evaluator(name).name == name
    assert evaluator(name) == evaluator(name)
    assert len(evaluator(name).about) <= 29


def test_an_option_at_its_default_is_not_in_the_name() -> None:
    for name, short in (
        ("search:visits=800", "search"),
        ("k-paths:1,seed=4,ties=first,x=1/100000", "k-paths:1"),
        ("shortest-path:ties=random", "shortest-path"),
    ):
        assert evaluator(name) == evaluator(short)
        assert evaluator(name).name == short


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nobody", "'nobody'; choose from k-paths:2, k-paths:1"),
        ("k-paths", "k is missing"),
        ("k-paths:10", "k is 0 to 9, not 10"),
        ("k-paths:²", ""),
        ("k-paths:" + "9" * 5000, ""),
        ("k-paths:1,x=2", "x lies between"),
        ("k-paths:1,x=a", "'k-paths:1,x=a': x is a fraction"),
        *((f"k-paths:1,x={x}", "") for x in ("1/0", "nan", "inf", "-1/2", "", "1e-999999999")),
        ("k-paths:1,x=1/" + "9" * 5000, ""),
        ("k-paths:1,ties=random,seed=1e3", "seed is a whole number"),
        ("k-mixed:1,y=101", "y lies between"),
        ("k-mixed", "k is missing"),
        ("resistance:fancy", "unknown option 'fancy'"),
        *((f"shortest-path:seed={seed}", "seed=") for seed in ("x", "-1", "1_0", "9" * 30)),
        ("shortest-path:ties=none", "'none' is not a valid Ties"),
        *((f"blocking:average,samples={n}", "samples") for n in ("٣", "9" * 30, "0", "-1")),
        ("blocking:samples=3", "samples are for the average"),
        ("blocking:seed=x", "seed is a whole number"),
        ("blocking:seed=-1", ""),
        ("search:visits=0", "visits are 1 or more"),
        ("search:visits=2,seconds=1", "stand without seconds"),
        ("search:depth=2", "unknown option 'depth'"),
        ("search:threads=0", "1 to 16 threads, not 0"),
    ],
)
def test_a_wrong_name_is_one_clear_line(name: str, words: str) -> None:
    with pytest.raises(ValueError, match=f"evaluator.*{re.escape(words)}") as caught:
        evaluator(name)
    assert "\n" not in str(caught.value)


def test_partial_rankings_grow_and_only_the_last_is_final() -> None:
    position = Position.empty(Board(6, 6)).play(8)
    bench = bench_at(position)
    rankings = list(KPaths(1).rank(bench))
    sizes = [len(r.moves) for r in rankings]
    assert sizes == sorted(sizes)
    assert [r.final for r in rankings] == [False] * (len(rankings) - 1) + [True]


def test_counts_for_a_larger_k_serve_the_smaller_ones() -> None:
    position = Position.empty(Board(5, 5)).play(8)
    bench = bench_at(position)
    for name in names():
        *_, shared = evaluator(name).rank(bench)
        assert shared == ranked(position, name)


def test_stopping_early_leaves_the_bench_usable() -> None:
    position = Position.empty(Board(6, 6)).play(8)
    bench = bench_at(position)
    next(iter(KPaths(1).rank(bench)))
    *_, after_stop = KPaths(1).rank(bench)
    assert after_stop == ranked(position, "k-paths:1")


@pytest.mark.parametrize("k", range(3))
def test_mixed_is_e_k_times_the_contribution(k: int) -> None:
    """From the two rankings it is made of, move by move; y decides how much."""
    for position in positions(f"mixed {k}", 4):
        paths = ranked(position, f"k-paths:{k}").by_cell
        both = ranked(position, f"contribution-both:{k}").by_cell
        for y in (0.1, 3.0):
            found = ranked(position, f"k-mixed:{k}" + ("" if y == 0.1 else f",y={y:g}"))
            for move in found.moves:
                factor = 1 + y * both[move.cell].value / 2
                black = position.to_move is Color.BLACK
                expected = paths[move.cell].value * (factor if black else 1 / factor)
                assert move.value == pytest.approx(expected)
            values = [move.value for move in found.moves]
            assert values == sorted(values, reverse=position.to_move is Color.BLACK)


def test_a_larger_k_can_be_left_and_asked_again() -> None:
    bench = Workbench(Board(4, 5))
    chosen = evaluator("k-paths:4")
    rankings = list(chosen.rank(bench))
    assert [ranking.final for ranking in rankings] == [False] * (len(rankings) - 1) + [True]
    next(chosen.rank(Workbench(Board(4, 5))))  # a ranking is stopped by iterating no further
    assert list(chosen.rank(bench))[-1] == rankings[-1]
    (ranking,) = evaluator("contribution-both:4").rank(bench)
    listed = [count_paths(bench.network(color), k=4).contribution[4] for color in Color]
    listed = [(values + values[::-1]) / 2 for values in listed]  # the board is its own image
    for move in ranking.moves:
        assert move.value == float(sum(values[move.cell] for values in listed))


def bench_after(position: Position, cell: int) -> Workbench:
    mover = position.to_move
    return bench_at(position.with_stone(cell, mover).with_to_move(mover.opponent))


def some_with_twins() -> Iterator[Position]:
    rng = random.Random("fresh")
    for filled in (0.0, 0.2, 0.2, 0.5):
        yield random_position(rng, 5, filled)
    board = Board(5, 5)
    # an update joins Black's sides bench_after b1, a search bench_after b1 does not
    yield Position.empty(board).play(board.cell("d3")).play(board.cell("e2"))
    # its own image, turned by 180 degrees
    yield Position.empty(Board(3, 3)).with_stone(4, Color.BLACK)


@pytest.mark.parametrize("position", list(some_with_twins()))
def test_counts_are_those_of_the_networks_after_each_move(position: Position) -> None:
    *_, found = counts_after_moves(bench_at(position), 2, fresh=True)
    *_, ranking = evaluator("shortest-path:fresh").rank(bench_at(position))
    assert sorted(found) == list(position.empties) == sorted(ranking.by_cell)
    for cell, told in found.items():
        child = bench_after(position, cell)
        for color, counts in zip(Color, told, strict=True):
            expected = child.paths(color)
            assert counts.distance == expected.distance
            assert counts.raw == expected.raw
            assert counts.accepted == expected.accepted
        black, white = (child.paths(color).distance or math.inf for color in Color)
        value = ranking.by_cell[cell].value
        assert value == (0.0 if black == math.inf else white / black)


@pytest.mark.parametrize("fresh", [True, False])
def test_a_larger_k_counts_the_networks_after_each_move(fresh: bool) -> None:
    position = Position.empty(Board(3, 3)).play(1)
    bench = bench_at(position)
    *_, found = KPaths(3, fresh=fresh).counts(bench)
    for cell, told in found.items():
        for color, counts in zip(Color, told, strict=True):
            net = networks_after(bench, cell, fresh)[color]
            expected = oracle.counts(as_graph(net), position.board.cells, 4)
            assert list(counts.raw) == expected.raw
            assert list(counts.accepted) == expected.accepted


@pytest.mark.parametrize("name", ["shortest-path:fresh", "k-paths:1,fresh", "k-mixed:1,fresh"])
def test_an_explanation_tells_what_the_value_was_counted_from(name: str) -> None:
    board = Board(5, 5)
    position = Position.empty(board).play(board.cell("d3")).play(board.cell("e2"))
    bench, cell = bench_at(position), board.cell("b1")
    explained = evaluator(name).explained(bench, cell)
    distances = {t.color: t.value for t in explained.facts.terms if t.symbol == "d"}
    child = bench_after(position, cell)
    assert distances == {color: child.paths(color).distance for color in Color}
    usual = evaluator(name.replace(",fresh", "").replace(":fresh", "")).explained(bench, cell)
    assert {t.color: t.value for t in usual.facts.terms if t.symbol == "d"} != distances
    assert [n for n in usual.facts.notes if n.remark is Remark.UPDATED]
    assert not [n for n in explained.facts.notes if n.remark is Remark.UPDATED]
