"""One position, one answer: what is told does not depend on how the board is held.

Turned by 180 degrees, or mirrored with the colours exchanged, a position is the same game. Every
number is compared in all four orientations, and between cells that change places where a position
is its own image.
"""

import math
import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSettings, ConnectionTable, find_connections
from hextui.engine.evaluators import evaluator, names
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.inferior import inferior_cells
from hextui.engine.oriented import connections_of
from hextui.engine.position import Position
from hextui.engine.search.lines import Line, LineSettings
from hextui.engine.search.minimax import find_lines
from hextui.engines.analysis_stages import verdict
from tests.engine.positions import Image, bench_at, images, played, setup

OPTIONS = (
    "k-mixed:2,y=1", "k-paths:1,fresh", "k-paths:0", "k-paths:0,nodes", "k-paths:1,raw",
    "k-paths:1,x=1e-2", "k-paths:2,ties=last", "k-paths:1,ties=random,seed=3",
    "shortest-path:nodes", "shortest-path:ties=first", "shortest-path:seed=7", "contribution-own:0",
    "contribution-own:2", "contribution-opponent:0", "contribution-opponent:2",
    "contribution-both:0", "contribution-both:2", "betweenness:plain", "resistance:plain",
    "two-distance:plain", "blocking:seed=7", "blocking:average,samples=5",
)  # fmt: skip
RATIOS = ("k-mixed", "k-paths", "shortest-path")
"""Evaluators whose values become their inverse if the colours are exchanged."""


def random_positions(seed: str, sizes: list[tuple[int, int]], count: int) -> Iterator[Position]:
    """Positions with few and many stones, either side to move, and some that are own images."""
    rng = random.Random(seed)
    for number in range(count):
        board = Board(*rng.choice(sizes))
        position = played(board, rng, int(rng.choice((0.05, 0.2, 0.35)) * board.cells))
        if number % 4 == 3:
            stones = bytearray(position.stones)
            for cell in range(board.cells // 2):
                stones[board.rotate(cell)] = stones[cell]
            position = Position(board, bytes(stones))
        yield position.with_to_move(rng.choice(list(Color)))


SMALL = [(3, 3), (4, 4), (5, 5), (6, 6), (3, 5), (5, 4)]
LARGE = [(n, n) for n in range(3, 14)] + [(9, 12), (13, 8)]


def same(one: float, other: float) -> bool:
    return one == other or math.isclose(one, other, rel_tol=1e-9)


def check_ranking(position: Position, name: str) -> None:
    """Values, ranks and what a position is worth, in all orientations and of twins."""
    bench, chosen = bench_at(position), evaluator(name)
    *_, ranking = chosen.rank(bench)
    expected = ranking.by_cell
    worth = chosen.worth(bench, ranking) if ranking.moves else 0.0
    for image in images(position):
        there = bench_at(image.position)
        *_, found = chosen.rank(there)
        assert (found.exact, found.note) == (ranking.exact, ranking.note)
        for cell, move in expected.items():
            other = found.by_cell[image.cell_of[cell]]
            assert other.rank == move.rank
            if image.exchanged and name.startswith(RATIOS):
                assert same(other.value * move.value, 1) or {other.value, move.value} == {
                    0.0,
                    math.inf,
                }
            else:
                assert same(other.value, move.value)
        if ranking.moves:
            assert same(chosen.worth(there, found), worth)
    if position.rotated().stones == position.stones:
        for cell, move in expected.items():
            twin = expected[position.board.rotate(cell)]
            assert (twin.value, twin.rank) == (move.value, move.rank)


Told = frozenset[tuple[object, ...]]


def told(table: ConnectionTable, node: Callable[[int], int], cell: Callable[[int], int]) -> Told:
    """What is in force, by the nodes and cells of another orientation."""
    first_of = table.position.board.cells
    stones = table.position.stones
    captain = table.position.groups.captain

    def name(end: int) -> object:
        if end < first_of and stones[end]:
            return frozenset(node(c) for c, other in enumerate(captain) if other == end)
        return node(end)

    return frozenset(
        (
            frozenset(map(name, c.nodes)),
            frozenset(map(cell, c.cells)),
            c.kind,
            None if c.key_cell is None else cell(c.key_cell),
        )
        for c in table
    )


def itself(number: int) -> int:
    return number


def without_keys(found: Told) -> Told:
    return frozenset(one[:3] for one in found)


def check_connections(table: ConnectionTable, other: ConnectionTable, image: Image) -> None:
    """Those in force are the image's, but a key may be that of either twin."""
    expected = told(table, image.node, image.cell_of.__getitem__)
    assert without_keys(told(other, itself, itself)) == without_keys(expected)


def check_told(position: Position) -> None:
    """Connections, verdict, must-play region, networks and path counts."""
    bench = bench_at(position)
    board = position.board
    symmetric = position.rotated().stones == position.stones
    proved = verdict(position, bench.table(Color.BLACK), bench.table(Color.WHITE))
    itself_too = Image(position, list(range(board.cells)), exchanged=False, turned=False)
    for image in (itself_too, *images(position)):
        there = bench_at(image.position)
        found = verdict(there.position, there.table(Color.BLACK), there.table(Color.WHITE))
        assert (found is None) == (proved is None)
        if found and proved:
            assert (found.kind, found.winner) == (proved.kind, image.color(proved.winner))
        for color in Color:
            table, other = bench.table(color), there.table(image.color(color))
            cell = image.cell_of.__getitem__
            check_connections(table, other, image)
            region = frozenset(map(cell, table.must_play))
            assert other.must_play == region
            again = connections_of(image.position, image.color(color))
            assert np.array_equal(again.rows, other.rows)
            for links in (True, False):
                check_network(bench, there, color, image, links)
        if symmetric:
            for color in Color:
                for links in (True, False):
                    counts = bench.paths(color, links)
                    assert np.array_equal(counts.contribution, counts.contribution[:, ::-1])


def check_network(
    bench: Workbench, there: Workbench, color: Color, image: Image, links: bool
) -> None:
    for parallel in (False, True) if links else (False,):
        here = bench.paths(color, links, parallel=parallel)
        other = there.paths(image.color(color), links, parallel=parallel)
        counts = [(each.distance, each.raw, each.accepted) for each in (here, other)]
        assert counts[0] == counts[1]
        assert other.exact_levels == here.exact_levels
        for name in ("raw_through", "accepted_through", "contribution"):
            expected, found = getattr(here, name), getattr(other, name)[:, image.cell_of]
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=0)
    symmetric = bench.position.stones == bench.position.stones[::-1]

    def links_of(at: Workbench, of: Color, node: Callable[[int], int]) -> frozenset[object]:
        return frozenset(
            (
                frozenset(map(node, ends)),
                # where the position is its own image, either twin's carriers may be told
                None if symmetric else frozenset(map(node, carrier)),
            )
            for ends, carrier in at.network(of, links).links.items()
        )

    expected_links = links_of(bench, color, image.node)
    assert links_of(there, image.color(color), itself) == expected_links


@pytest.mark.parametrize("name", dict.fromkeys((*names(), *OPTIONS)))
def test_a_ranking_is_the_same_in_every_orientation(name: str) -> None:
    for position in random_positions(f"rank {name}", SMALL, 4):
        check_ranking(position, name)


def test_what_is_told_of_a_position_is_the_same_in_every_orientation() -> None:
    for position in random_positions("told", SMALL, 4):
        check_told(position)


@pytest.mark.slow
@pytest.mark.parametrize("name", dict.fromkeys((*names(), *OPTIONS, "blocking:average")))
def test_many_rankings_are_the_same_in_every_orientation(name: str) -> None:
    exact = name == "blocking:average"
    for position in random_positions(f"many {name}", SMALL[:4] if exact else LARGE, 8):
        check_ranking(position, name)


@pytest.mark.slow
def test_much_is_told_alike_in_every_orientation() -> None:
    for position in random_positions("much told", LARGE, 6):
        check_told(position)


def test_inferior_cells_are_the_same_in_every_orientation() -> None:
    found = 0
    for position in random_positions("inferior", SMALL, 60):
        if position.rotated().stones == position.stones:
            continue  # of twins one is better: the other's moves are its moves
        cells = inferior_cells(position)
        found += len(cells.rules)
        for image in images(position):
            other = inferior_cells(image.position)
            assert other.position == image.position
            expected = {image.cell_of[c]: rule for c, rule in cells.rules.numbers.items()}
            assert other.rules.numbers == expected
            for color in Color:
                pairs = cells.captured[color].numbers.items()
                partners = {image.cell_of[a]: image.cell_of[b] for a, b in pairs}
                assert other.captured[image.color(color)].numbers == partners
            for cell, stone in enumerate(cells.filled.stones):
                there = other.filled.stones[image.cell_of[cell]]
                assert there == (image.color(Color(stone)) if stone else stone)
    assert found


def test_captured_cells_in_carriers_are_the_same_in_every_orientation() -> None:
    """What connections share is told by the same pairs, but where twins may change places."""
    shared = 0
    settings = ConnectionSettings(captured=True)
    for position in random_positions("captured", [(5, 5), (6, 6), (6, 7)], 3):
        for color in Color:
            table = connections_of(position, color, settings)
            for image in images(position):
                cell = image.cell_of.__getitem__
                other = connections_of(image.position, image.color(color), settings)
                check_connections(table, other, image)
                if position.rotated().stones != position.stones:
                    pairs = captured_in(table, cell)
                    assert captured_in(other, itself) == pairs
                    shared += len(pairs)
    assert shared > 300


def captured_in(table: ConnectionTable, cell: Callable[[int], int]) -> set[object]:
    """Carriers with the captured pairs that their parts share."""
    return {
        (
            frozenset(map(cell, c.cells)),
            c.kind,
            None if c.key_cell is None else cell(c.key_cell),
            frozenset(frozenset(map(cell, pair)) for pair in c.pairs),
        )
        for c in table
        if c.pairs
    }


@pytest.mark.parametrize("name", ["blocking", "k-paths:1", "resistance"])
def test_lines_are_the_same_in_every_orientation(name: str) -> None:
    """Their moves too, but where the position is its own image: there twins may change places."""
    for position in random_positions(f"lines {name}", SMALL, 4):
        found = lines_of(position, name)
        for image in images(position):
            other = lines_of(image.position, name)
            assert all(same(a.value, b.value) for a, b in zip(found, other, strict=True))
            assert [line.winner for line in other] == [
                line.winner and image.color(line.winner) for line in found
            ]
            if position.rotated().stones != position.stones:
                moves = [tuple(image.cell_of[m] for m in line.moves.numbers) for line in found]
                assert [line.moves.numbers for line in other] == moves


def lines_of(position: Position, name: str) -> tuple[Line, ...]:
    *_, found = find_lines(bench_at(position), evaluator(name), LineSettings((4, 3, 0)))
    assert found.position == position
    return found.lines


@pytest.mark.parametrize("moves", ["a5g5c3g4a3f7c2a1", "g3a3e5a4g5b1e6g7"])
def test_a_win_found_one_way_up_is_a_win_the_other_way(moves: str) -> None:
    position = Position.empty(Board(7, 7))
    for start in range(0, len(moves), 2):
        position = position.play(moves[start : start + 2])
    bench = bench_at(position)
    assert [bench.paths(color).distance for color in Color].count(1) == 1


def test_every_win_that_a_search_finds_counts() -> None:
    """In whichever orientation the edges are joined by a plain search, they are joined."""
    joined = 0
    for position in random_positions("wins", SMALL, 16):
        bench = bench_at(position)
        for image in images(position):
            for color in Color:
                plain = find_connections(image.position, image.color(color))
                found = bench.table(color)
                assert found.edge_fulls or not plain.edge_fulls
                assert found.edge_fulls or found.edge_semis or not plain.edge_semis
                joined += bool(plain.edge_fulls)
    assert joined


def test_stones_that_are_their_own_image_have_pairs_of_twins() -> None:
    """A connection, and its image, are both in force, and none contains another."""
    position = setup(Board(5, 5), "b2 d4", "a4 e2")
    assert position.stones == position.stones[::-1]
    turn, edge = position.board.rotate, 2 * position.board.cells + 1

    def twin(node: int) -> int:
        return turn(node) if node < position.board.cells else edge - node

    for color in Color:
        table = bench_at(position).table(color)
        found = without_keys(told(table, itself, itself))
        assert found == without_keys(told(table, twin, turn))
        for ends, carrier, kind in found:
            for others, smaller, other in found:
                if ends == others and (kind == other or other == "full"):
                    assert isinstance(carrier, frozenset)
                    assert isinstance(smaller, frozenset)
                    assert not smaller < carrier
        for connection in table:
            assert all(p.id < len(table.rows) for p in table.why(connection))
