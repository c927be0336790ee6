"""Explanations: each recomputed from its own terms, and its paintings from the rules of Hex.

Path sets: Honjo et al. 2010 (https://hdl.handle.net/2115/51049).
"""

import math
import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import pytest

from hextui.engine.board import EMPTY, Board, Color, edges_of
from hextui.engine.evaluators import evaluator, names
from hextui.engine.evaluators.path_counts import networks_after
from hextui.engine.evaluators.path_pictures import link_pictures
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.explanation import Explanation, Illustration, Role, Shows
from hextui.engine.limit import TooCostlyError
from hextui.engine.network import Network
from hextui.engine.paths import PathSets
from hextui.engine.position import Position
from hextui.engine.ranking import Ranking
from hextui.text import Names
from hextui.words.explanations import explanation_words
from tests.engine.positions import bench_at
from tests.engine.test_network import as_graph, random_position
from tests.engine.test_symmetries import check_ranking
from tests.oracles import blocking as blocking_oracle
from tests.oracles import paths as oracle


def positions(seed: str, count: int, largest: int = 5) -> list[Position]:
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        board = Board(rng.randint(2, largest), rng.randint(2, largest))
        position = random_position(rng, board, rng.randrange(board.cells // 2))
        position = position.with_to_move(rng.choice(list(Color)))
        if position.winner is None and position.empties:
            found.append(position)
    return found


def explained(position: Position, name: str, move: int) -> Explanation:
    bench = bench_at(position)
    return evaluator(name).explained(bench, move)


def some(seed: str, name: str, count: int) -> Iterator[Explanation]:
    rng = random.Random(seed)
    for position in positions(f"{seed} {name}", count):
        yield explained(position, name, rng.choice(position.empties))


def term(found: Explanation, symbol: str, color: Color | None = None) -> float | Fraction:
    (value,) = [t.value for t in found.facts.terms if (t.symbol, t.color) == (symbol, color)]
    return value


def values(found: Explanation, letter: str, color: Color) -> list[int]:
    """The terms of a colour named by a letter and a number, in their order."""
    wanted = [t for t in found.facts.terms if t.symbol.startswith(letter) and t.color is color]
    assert all(isinstance(t.value, int) for t in wanted)
    return [int(t.value) for t in wanted]


@pytest.mark.parametrize("name", names())
def test_what_is_explained_is_what_is_ranked(name: str) -> None:
    for position in positions(name, 2, 4):
        bench = bench_at(position)
        *_, ranking = evaluator(name).rank(bench)
        for move in ranking.moves:
            *before, found = evaluator(name).explain(bench, move.cell)
            assert isinstance(found, Explanation)
            assert all(isinstance(one, Ranking) for one in before)
            assert (found.value, found.rank) == (move.value, move.rank)
            assert (found.evaluator, found.moves) == (name, len(ranking.moves))
            words = explanation_words(found, Names.RED_BLUE)
            assert words.source.authors
            assert all((words.sentence, words.formula, words.direction, *words.meanings))
            assert "docs/" not in f"{words.source}{words.sentence}{words.formula}"
            assert "{" not in repr(words)
            for painting in found.facts.pictures:
                assert all(
                    0 <= cell < position.board.cells for p in painting.parts for cell in p.cells
                )


def test_every_evaluator_has_a_sentence_of_its_own() -> None:
    position = Position.empty(Board(3, 3))
    found = [explained(position, name, 4) for name in names()]
    sentences = {explanation_words(each, Names.RED_BLUE).sentence for each in found}
    assert len(sentences) == len(names())


@pytest.mark.parametrize(
    "name", ["k-paths:0", "k-paths:1", "k-paths:2,x=1/7", "k-paths:1,raw", "k-paths:3"]
)
def test_e_k_from_its_terms(name: str) -> None:
    for found in some("terms", name, 2 if name == "k-paths:3" else 12):
        sides: dict[Color, Fraction | None] = {}
        for color in Color:
            if term(found, "d", color) == math.inf:
                sides[color] = None
                continue
            x, counts = Fraction(term(found, "x")), values(found, "n_", color)
            side = Fraction(term(found, "d", color))
            side -= sum(x ** (i + 1) * n for i, n in enumerate(counts))
            assert side == term(found, f"E_{len(counts) - 1}", color)
            sides[color] = side
        black, white = sides[Color.BLACK], sides[Color.WHITE]
        expected = math.inf if white is None else 0.0 if black is None else float(white / black)
        assert found.value == expected


@pytest.mark.parametrize("name", ["k-mixed:1", "k-mixed:2,y=1"])
def test_e_k_with_the_contribution_from_its_terms(name: str) -> None:
    for found in some("terms", name, 8):
        shares = [float(term(found, "share", color)) for color in Color]
        factor = 1 + float(term(found, "y")) * (sum(shares) / 2)
        black = found.before.to_move is Color.BLACK
        e_k = float(term(found, "E"))
        assert found.value == e_k * (factor if black else 1 / factor)
        sides = [term(found, f"E_{name[8]}", color) for color in Color if 0 < e_k < math.inf]
        assert not sides or e_k == float(Fraction(sides[1]) / Fraction(sides[0]))


def test_e_from_its_terms() -> None:
    for name in ("shortest-path", "shortest-path:nodes"):
        for found in some("terms", name, 8):
            black, white = (term(found, "d", color) for color in Color)
            if black == 0 or white == math.inf:
                assert found.value == math.inf
            else:
                assert found.value == white / black
            for painting in found.facts.pictures:
                color = painting.color
                assert color is not None
                links = len(painting.cells(Role.WAY)) + 1
                assert links - (name != "shortest-path") == term(found, "d", color)


def logit(chance: float) -> float:
    inside = max(0.001, min(0.999, chance))
    return math.log(inside / (1 - inside))


@pytest.mark.parametrize(
    ("text", "looks", "move"), [("", 3, "e5"), ("", 70, "e5"), ("a2", 70, "e5"), ("a2", 70, "b1")]
)
def test_the_tree_search_from_its_terms(text: str, looks: int, move: str) -> None:
    """The rules of docs/methods.md#tree-search, in the order of its formula."""
    board = Board(9, 9)
    position = Position.empty(board).without_swap
    if text:
        position = position.play(board.cell(text))
    found = explained(position, f"search:visits={looks}", board.cell(move))
    win = float(term(found, "h"))
    visits = int(term(found, "n"))
    assert (visits > 0) == (move == "e5"), "both a first look and a mean are met"
    weight = float(term(found, "k"))
    total = float(term(found, "S"))
    first = weight * max((win + total) / (1 + visits), float(term(found, "V")))
    mean = (win + total + first) / (1 + visits + weight)
    assert found.value == 1 / (1 + math.exp(-float(term(found, "a")) * logit(1 - mean)))


def test_what_the_tree_search_has_proved_needs_no_terms() -> None:
    board = Board(3, 3)
    found = explained(Position.empty(board).without_swap, "search", board.cell("b2"))
    assert found.value == 1.0
    assert [t.symbol for t in found.facts.terms] == ["v", "v_best"]
    assert "proved" in explanation_words(found, Names.RED_BLUE).formula


@pytest.mark.parametrize("view", ["own", "opponent", "both"])
@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_contribution_from_its_terms(view: str, k: int) -> None:
    for found in some("terms", f"contribution-{view}:{k}", 4):
        value = 0.0
        symmetric = found.before.stones == found.before.stones[::-1]
        for color in () if symmetric else Color:
            through, paths = values(found, "sigma_", color), values(found, "n_", color)
            assert len(through) == len(paths) == (k + 1 if paths else 0)
            value += float(Fraction(sum(through), sum(paths))) if sum(paths) else 0.0
            for level, count in enumerate(through):
                shown = of_level(found, Shows.PATH, level, color)
                assert len(shown) == min(count, 20)
                assert all(found.move in painting.cells(Role.WAY) for painting in shown)
        assert symmetric or found.value == value


@pytest.mark.parametrize("name", ["contribution-both:1", "contribution-own:3"])
def test_twins_share_their_contribution(name: str) -> None:
    """On stones that are their own image each sigma is the mean of a cell and its image."""
    board = Board(4, 4)
    position = Position.empty(board).with_stone(5, Color.BLACK).with_stone(10, Color.BLACK)
    for move in (0, 3, 6):
        found, twin = (explained(position, name, cell) for cell in (move, 15 - move))
        assert found.value == twin.value
        assert found.facts.terms == twin.facts.terms
        value = Fraction(0)
        for color in Color:
            terms = [t for t in found.facts.terms if "sigma" in t.symbol and t.color is color]
            sigmas = [Fraction(t.value) for t in terms]
            paths = values(found, "n_", color)
            value += sum(sigmas, Fraction(0)) / max(sum(paths), 1)
            for level, sigma in enumerate(sigmas):
                both = [
                    shown[0].count if shown else 0
                    for shown in (of_level(e, Shows.PATH, level, color) for e in (found, twin))
                ]
                assert sum(both) == 2 * sigma
        assert found.value == pytest.approx(float(value), rel=1e-15)


@pytest.mark.parametrize(
    ("count", "largest", "levels"), [(8, 4, 4), pytest.param(12, 5, 4, marks=pytest.mark.slow)]
)
def test_paths_and_refusals_from_the_definition(count: int, largest: int, levels: int) -> None:
    """S_0 to S_3 and who refuses whom, against lists made straight from the paper."""
    refused = 0
    for position in positions("paths", count, largest):
        bench = bench_at(position)
        for color in Color:
            net = bench.network(color)
            if net.distance is None:
                continue
            graph, sets, cells = as_graph(net), PathSets(net), position.board.cells
            shorter: list[tuple[int, frozenset[int]]] = []
            for level in range(levels):
                expected = [
                    (tuple(path[1:-1]), oracle.uses(graph, path))
                    for path in oracle.simple_paths(graph, cells, cells + 1, net.distance + level)
                ]
                listed = sets.level(level)
                assert [path.cells for path in listed] == sorted(path for path, _ in expected)
                used = dict(expected)
                for path in listed:
                    assert frozenset(path.cells) | path.carrier == used[path.cells]
                    holding = {lower for lower, other in shorter if used[path.cells] <= other}
                    found = sets.refuser(path, level)
                    assert (found is None) == (not holding)
                    if found is not None:
                        lower, other = found
                        refused += 1
                        assert lower == min(holding)
                        assert not path.used & ~other.used
                        assert other in sets.level(lower)
                shorter += [(level, cells_used) for _, cells_used in expected]
    assert refused > 100


@pytest.mark.parametrize("name", ["k-paths:3", "k-paths:4", "contribution-both:3"])
def test_longer_paths_are_counted_one_by_one(name: str) -> None:
    """n_3 and above from the definition, and the value from them."""
    for position in positions(name, 2, 3):
        bench = bench_at(position)
        k = int(name[-1])
        for move in position.empties[::3]:
            found = evaluator(name).explained(bench, move)
            nets = {color: bench.network(color) for color in Color}
            if name.startswith("k-paths"):
                nets = networks_after(bench, move)
            for color, net in nets.items():
                if net.distance is not None:
                    assert values(found, "n_", color) == accepted_by_definition(net, k)


def accepted_by_definition(net: Network, k: int) -> list[int]:
    graph, cells, found = as_graph(net), net.board.cells, []
    shorter: set[frozenset[int]] = set()
    assert net.distance is not None
    for level in range(k + 1):
        paths = oracle.simple_paths(graph, cells, cells + 1, net.distance + level)
        used = [oracle.uses(graph, path) for path in paths]
        found.append(sum(not any(one <= other for other in shorter) for one in used))
        shorter |= set(used)
    return found


@pytest.mark.parametrize("name", ["k-paths:3", "contribution-both:3"])
def test_longer_paths_count_the_same_in_every_orientation(name: str) -> None:
    for position in positions(f"symmetries {name}", 3, 3):
        check_ranking(position, name)
    check_ranking(Position.empty(Board(3, 3)), name)


def test_listing_too_many_paths_is_refused_with_its_cost() -> None:
    for name in ("k-paths:5", "contribution-own:8"):
        bench = Workbench(Board(11, 11))
        with pytest.raises(ValueError, match=r"about [0-9,]+ walks here, [0-9,]+ at most"):
            evaluator(name).explained(bench, 60)


def test_the_lists_hold_what_was_counted() -> None:
    """n_0 to n_2 of the explanation are the lengths of the lists on the networks it paints."""
    for position in positions("counted", 10):
        bench = bench_at(position)
        move = position.empties[len(position.empties) // 2]
        found = evaluator("k-paths:2").explained(bench, move)
        for color, net in networks_after(bench, move).items():
            sets = PathSets(net)
            if term(found, "d", color) == math.inf:
                assert net.distance is None
            if net.distance is None:
                continue
            assert net.distance == term(found, "d", color)
            lengths = [
                sum(sets.refuser(path, level) is None for path in sets.level(level))
                for level in range(3)
            ]
            assert lengths == values(found, "n_", color)
            for level in range(3):
                count = len(of_level(found, Shows.PATH, level, color))
                assert count == min(lengths[level], 20)
                refused = len(sets.level(level)) - lengths[level]
                shown = of_level(found, Shows.REFUSED, level, color)
                assert len(shown) == min(refused, 20)
                for painting in shown:
                    # it passes no cell twice, and all it uses is used by the other one as well
                    way, beside = painting.cells(Role.WAY), painting.cells(Role.BESIDE)
                    assert len(set(way)) == len(way) == net.distance + level - 1
                    assert not set(beside) & (set(way) | set(painting.cells(Role.CARRIER)))


def of_level(found: Explanation, shows: Shows, level: int, color: Color) -> list[Illustration]:
    wanted = (shows, level, color)
    return [p for p in found.facts.pictures if (p.shows, p.level, p.color) == wanted]


def test_too_many_paths_are_not_listed() -> None:
    bench = Workbench(Board(5, 5))
    sets = PathSets(bench.network(Color.BLACK, links=False), most=100)
    assert len(sets.level(0)) == 48
    with pytest.raises(TooCostlyError, match="more than 100 paths"):
        sets.level(1)


@pytest.mark.parametrize("name", ["resistance", "resistance:plain"])
def test_currents_from_the_wires(name: str) -> None:
    for found in some("terms", name, 8):
        total = 0.0
        for color in Color:
            current = term(found, "I", color)
            total += float(current)
            wires = [w for p in found.facts.pictures if p.color is color for w in p.wires]
            assert all(found.move in wire.ends for wire in wires)
            assert sum(wire.amount for wire in wires) / 2 == pytest.approx(current, abs=1e-7)
            whole = [p for p in found.facts.pictures if p.color is color and not p.wires]
            assert dict(whole[0].amounts).get(found.move, 0.0) == pytest.approx(current, abs=1e-8)
        assert found.value == pytest.approx(total, abs=1e-9)


@pytest.mark.parametrize(("name", "local"), [("betweenness", 0.5), ("betweenness:local=1", 1)])
def test_betweenness_from_its_terms(name: str, local: float) -> None:
    for found in some("terms", name, 8):
        weights = {"b": 1 - local, "s": local}
        total = sum(weights[t.symbol] * float(t.value) for t in found.facts.terms)
        assert found.value == pytest.approx(total, abs=1e-9)
        pictures = [dict(p.amounts).get(found.move, 0.0) for p in found.facts.pictures]
        assert pictures == [t.value for t in found.facts.terms]


@pytest.mark.parametrize("name", ["two-distance", "two-distance:plain"])
def test_two_distance_from_its_ways(name: str) -> None:
    for found in some("terms", name, 8):
        assert found.value == sum(t.value for t in found.facts.terms)
        bench = bench_at(found.before)
        for color in Color:
            net = bench.network(color, ":" not in name)
            for side in (net.board.cells, net.board.cells + 1):
                distance = term(found, f"d2({net.node_name(side)})", color)
                ways = [p for p in found.facts.pictures if (p.node, p.color) == (side, color)]
                check_ways(net, side, distance, [p.cells(Role.WAY) for p in ways])


def check_ways(
    net: Network, side: int, distance: float | Fraction, ways: list[tuple[int, ...]]
) -> None:
    for way in ways if distance < math.inf else ():
        assert side in net.neighbours[way[-1]]
        assert all(b in net.neighbours[a] for a, b in pairwise(way))
    if distance == 1:
        assert len(ways) == 1
    elif distance < math.inf:
        best, second = ways
        assert best[1] != second[1]
        assert len(best) <= len(second) == distance


@pytest.mark.parametrize("name", ["blocking", "blocking:seed=5"])
def test_ev_from_its_paths(name: str) -> None:
    for found in some("terms", name, 10):
        tot = term(found, "tot")
        worth = {}
        for color in Color:
            lengths, worth[color] = values(found, "L[", color), term(found, "Ev", color)
            value, opens = Fraction(0), []
            for length in reversed(lengths):
                value = 1 - Fraction(length, int(tot)) + Fraction(length, int(tot)) * value
                opens.append(float(value))
            assert float(value) == pytest.approx(worth[color], rel=1e-14)
            shown = {t.symbol: t.value for t in found.facts.terms if t.color is color}
            wanted = {f"P[{len(opens) - n}]": p for n, p in enumerate(opens[:-1], start=1)}
            assert {name: p for name, p in shown.items() if name[0] == "P"} == wanted
            check_paths(found, color, lengths)
        mover = found.before.to_move
        assert found.value == max(worth[mover], 1 - worth[mover.opponent])


def check_paths(found: Explanation, color: Color, lengths: list[int]) -> None:
    """Each path is a shortest one around what was blocked, which stood on the paths before."""
    ways = [p for p in found.facts.pictures if p.color is color and p.cells(Role.WAY)]
    assert [len(p.cells(Role.WAY)) for p in ways] == [n for n in lengths if n]
    seen = found.position if color is Color.BLACK else found.position.mirrored()
    before: list[tuple[int, ...]] = []
    for painting in ways:
        blocked, way = painting.cells(Role.BLOCKED), painting.cells(Role.WAY)
        assert len(blocked) == len(before)
        assert all(cell in path for cell, path in zip(blocked, before, strict=True))
        assert not set(blocked) & set(way)
        turned = found.position.board.mirror if color is Color.WHITE else int
        hidden = frozenset(turned(cell) for cell in blocked)
        assert blocking_oracle.length_of(seen, hidden) == len(way)
        assert joins(found.position, color, way)
        before.append(way)


def joins(position: Position, color: Color, way: tuple[int, ...]) -> bool:
    """Whether stones on these cells join the colour's sides."""
    for cell in way:
        assert position.stones[cell] == EMPTY
        position = position.with_stone(cell, color)
    return position.winner is color


def test_averages_show_their_first_path() -> None:
    for name in ("blocking:average", "blocking:average,samples=3"):
        for found in some("average", name, 3):
            worth = {color: term(found, "Ev", color) for color in Color}
            mover = found.before.to_move
            assert found.value == max(worth[mover], 1 - worth[mover.opponent])
            for color in Color:
                for painting in (p for p in found.facts.pictures if p.cells(Role.WAY)):
                    assert painting.color is not None
                    assert joins(found.position, painting.color, painting.cells(Role.WAY))
                assert edges_of(color)


def test_a_move_that_is_none_is_refused() -> None:
    position = Position.empty(Board(3, 3)).play(4)
    with pytest.raises(ValueError, match="b2 is taken"):
        explained(position, "k-paths:1", 4)
    with pytest.raises(ValueError, match="not on the 3x3 board"):
        explained(position, "k-paths:1", 9)


def test_the_links_of_a_cell_are_those_of_the_networks() -> None:
    for position in positions("links", 6):
        bench = bench_at(position)
        cell = position.empties[0]
        paintings = link_pictures(bench, cell)
        for color in Color:
            near = as_graph(bench.network(color))[cell]
            whole, *single = [p for p in paintings if p.color is color][:-4]
            assert set(whole.cells(Role.LINKED)) == {n for n in near if n < position.board.cells}
            assert set(whole.others) == near.keys()
            virtual = {node: carrier for node, carrier in near.items() if carrier}
            assert len(single) == len(virtual)
            shown = [(p.cells(Role.LINKED), frozenset(p.cells(Role.CARRIER))) for p in single]
            for (linked, carrier), (node, needed) in zip(shown, virtual.items(), strict=True):
                assert linked == ((node,) if node < position.board.cells else ())
                assert carrier == needed


def test_a_whole_network_is_drawn_by_kinds_of_links() -> None:
    for position in positions("networks", 6):
        bench = bench_at(position)
        taken = next(cell for cell, stone in enumerate(position.stones) if stone != EMPTY)
        pictures = link_pictures(bench, taken)
        assert set(pictures) <= set(link_pictures(bench, position.empties[0]))
        assert [p.color for p in pictures[::4]] == [position.to_move, position.to_move.opponent]
        for whole, *kinds in (pictures[:4], pictures[4:]):
            assert whole.color is not None
            network = bench.network(whole.color)
            assert set(whole.links) == network.links.keys()
            for picture, sizes in zip(kinds, (range(1), range(1, 3), range(3, 99)), strict=True):
                expected = {ends for ends, used in network.links.items() if len(used) in sizes}
                assert set(picture.links) == expected
                assert len(picture.links) == len(expected)
