"""The strong solver against exhaustive play, published maps, its own symmetries and settings."""

import random
import time
from contextlib import closing
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionTable, find_connections
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search import tree_evaluation
from hextui.engine.solver import dfpn
from hextui.engine.solver import search as search_module
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.search import Search, Worker, table_bytes_within
from hextui.engine.solver.solution import Solution
from hextui.engine.widths import Kernels, serving_width
from tests.oracles.winners import Exhaustive, colouring
from tests.samples import some, some_rows

SMALL = SolverSettings(table_bytes=1 << 20)
RULES = (
    *("fill", "vulnerable", "dominated", "must_play", "carriers", "shrink", "rotation", "deduce"),
    "captured",
    "templates",
    "heuristic",
)

# first moves that win without swap, bit row * n + column; docs/methods.md#opening-maps, where 6x6
# to 8x8 come from the regression lists of Benzene and 3x3 to 5x5 from exhaustive search
MAPS = {3: 0x7C, 4: 0x1248, 5: 0x17BBD0, 6: 0x5FFFFFA0, 7: 0x4BBEFEFBA40, 8: 0x1037E7FFE7EC080}


@cache
def exhaustive(board: Board) -> Exhaustive:
    return Exhaustive(board)


def switched(rule: str) -> SolverSettings:
    changed: dict[str, Any] = {rule: not getattr(SMALL, rule)}
    return replace(SMALL, **changed)


def last(solver: Solver, position: Position, **options: Any) -> Solution:
    *_, solution = solver.solve(position, **options)
    assert solution.final
    return solution


def check(solver: Solver, position: Position) -> None:
    """Compare winner, every move and every carrier with exhaustive play."""
    oracle = exhaustive(position.board)
    solution = last(solver, position, all_moves=True)
    assert solution.complete
    assert solution.winner is oracle.winner(position), str(position)
    needed = frozenset(solution.carrier.numbers)
    assert oracle.carrier_holds(position, solution.winner, needed), str(position)
    if position.winner is not None:
        return
    wins = oracle.winning_moves(position)
    assert solution.wins.keys() == wins, str(position)
    assert solution.losses.keys() == set(position.empties) - wins
    for moves, winner in (
        (solution.wins, position.to_move),
        (solution.losses, position.to_move.opponent),
    ):
        for cell, verdict in moves.items():
            after = position.play(cell)
            # which also says that no cell of the carrier holds a stone, the one just played neither
            holds = oracle.carrier_holds(after, winner, verdict.carrier)
            assert holds, f"{position}\n{cell} {verdict}"


def random_position(board: Board, rng: random.Random, most_empties: int) -> Position:
    cells = rng.sample(range(board.cells), board.cells)
    stones = bytearray(board.cells)
    for cell in cells[rng.randint(1, most_empties) :]:
        stones[cell] = rng.choice((1, 2))
    return Position(board, bytes(stones), rng.choice(list(Color)))


@pytest.mark.parametrize("step", some((63, 1), 1))
@pytest.mark.parametrize("to_move", list(Color), ids=str)
def test_3x3_positions(to_move: Color, step: int) -> None:
    board = Board(3, 3)
    solver = Solver(board, SMALL)
    for number in range(int(to_move) % step, 3**9, step):
        check(solver, colouring(board, number, to_move))


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_every_3x3_position_with_one_rule_switched(rule: str) -> None:
    board = Board(3, 3)
    solver = Solver(board, switched(rule))
    for to_move in Color:
        for number in range(3**9):
            check(solver, colouring(board, number, to_move))


@pytest.mark.parametrize(
    ("rule", "count"),
    [
        *((None, 120), *((rule, 25) for rule in RULES)),
        *(pytest.param(rule, 5000, marks=pytest.mark.slow) for rule in (None, *RULES)),
    ],
)
def test_random_4x4_positions(rule: str | None, count: int) -> None:
    """By the usual settings, and with one rule switched."""
    board, rng = Board(4, 4), random.Random(f"{rule} {count}")
    solver = Solver(board, switched(rule) if rule else SMALL)
    for _ in range(count):
        check(solver, random_position(board, rng, 12 if count > 120 else 11))


def test_a_win_by_an_earlier_proof_keeps_what_its_move_needs() -> None:
    # d1 wins by the first position's proof, in whose carrier White captures d1 and d2
    board = Board(4, 4)
    solver = Solver(board, SMALL)
    for text, to_move in (
        ("WBWB BW.. ...W ...W", Color.WHITE),
        (".BB. BW.. .... ....", Color.BLACK),
    ):
        stones = bytes(".BW".index(mark) for mark in text if mark != " ")
        check(solver, Position(board, stones, to_move))


def test_without_any_rule() -> None:
    board, rng = Board(4, 4), random.Random(0)
    rules: dict[str, Any] = dict.fromkeys(RULES, False)
    solver = Solver(board, replace(SMALL, **rules, order="plain"))
    for _ in range(60):
        check(solver, random_position(board, rng, 10))


@pytest.mark.parametrize("size", [(1, 1), (1, 4), (4, 1), (2, 5), (5, 2), (3, 4), (4, 3), (2, 6)])
def test_rectangles(size: tuple[int, int]) -> None:
    board, rng = Board(*size), random.Random(str(size))
    solver = Solver(board, SMALL)
    for to_move in Color:
        check(solver, Position.empty(board, to_move))
    for _ in range(60):
        check(solver, random_position(board, rng, min(board.cells, 10)))


def check_undecided(
    board: Board, positions: int, most_empties: int, settings: SolverSettings = SMALL
) -> None:
    """Compare positions that have no winner yet, with more than three empty cells."""
    rng = random.Random(f"{board} {most_empties}")
    solver = Solver(board, settings)
    while positions:
        position = random_position(board, rng, most_empties)
        if position.winner is None and len(position.empties) > 3:
            exhaustive.cache_clear()
            check(solver, position)
            positions -= 1


@pytest.mark.parametrize("size", [(9, 9), (5, 13)])
def test_boards_of_more_than_64_cells(size: tuple[int, int]) -> None:
    check_undecided(Board(*size), 12, 9)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(5, 5), (6, 6), (8, 8), (4, 7), (9, 5), (11, 11)])
def test_late_positions_of_larger_boards(size: tuple[int, int]) -> None:
    check_undecided(Board(*size), 300, 13)


def opening_map(n: int, settings: SolverSettings) -> int:
    board = Board(n, n)
    solver = Solver(board, settings)
    solution = last(solver, Position.empty(board), all_moves=True)
    assert solution.complete
    return sum(1 << cell for cell in solution.wins)


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_opening_maps(n: int) -> None:
    assert opening_map(n, SMALL) == MAPS[n]


@pytest.mark.slow
def test_opening_map_of_7x7() -> None:
    assert opening_map(7, SolverSettings()) == MAPS[7]


@pytest.mark.parametrize("rule", RULES)
def test_opening_map_of_5x5_without_one_rule(rule: str) -> None:
    assert opening_map(5, switched(rule)) == MAPS[5]


@pytest.mark.parametrize("rules", [{}, {"captured": False}, {"deduce": False, "must_play": False}])
def test_opening_map_of_5x5_with_few_connections(rules: dict[str, Any]) -> None:
    """More is searched then, some of it until the board is filled in."""
    assert opening_map(5, replace(SMALL, full_limit=1, semi_limit=2, **rules)) == MAPS[5]


@pytest.mark.parametrize("table_bytes", [1 << 12, 1 << 14, 1 << 16, 1 << 24])
def test_any_size_of_table_gives_the_same(table_bytes: int) -> None:
    assert opening_map(5, SolverSettings(table_bytes=table_bytes)) == MAPS[5]


@pytest.mark.parametrize(
    ("threads", "alone"), some_rows([(3, 0), (8, 30), (2, 0), (2, 30), (3, 30), (8, 0)], 2)
)
def test_threads_on_a_tiny_table_agree_with_one(
    threads: int, alone: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_module, "ALONE_NODES", alone)
    settings = SolverSettings(table_bytes=1 << 14, threads=threads)
    for _ in range(2):
        assert opening_map(5, settings) == MAPS[5]
    assert opening_map(6, replace(settings, table_bytes=1 << 18)) == MAPS[6]


@pytest.mark.parametrize("size", [(4, 7), (11, 11)])
def test_eight_threads_agree_with_exhaustive_search(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_module, "ALONE_NODES", 0)
    check_undecided(Board(*size), 20, 11, replace(SMALL, threads=8))


def test_few_nodes_are_searched_by_one_thread_and_deterministic() -> None:
    position = Position.empty(Board(7, 7)).play(1)
    alone = last(Solver(position.board, SMALL), position, limit=Limit(nodes=250))
    for _ in range(3):
        solver = Solver(position.board, replace(SMALL, threads=3))
        found = last(solver, position, limit=Limit(nodes=250))
        assert replace(found, seconds=0) == replace(alone, seconds=0)


def test_a_search_of_several_threads_continues_one_of_a_single_thread() -> None:
    position = Position.empty(Board(6, 6)).play(1)
    solver = Solver(position.board, replace(SMALL, threads=3))
    assert last(solver, position, limit=Limit(nodes=20)).winner is None
    assert last(solver, position).winner is last(Solver(position.board, SMALL), position).winner


def test_connections_between_cells_are_larger_on_11x11_but_not_in_the_tree_search() -> None:
    board = Board(11, 11)
    sizes = [
        worker.links[Color.BLACK].settings.cell_size_limit
        for worker in (
            Search(Board(8, 8), SMALL).workers[0],
            Search(board, SMALL).workers[0],
            Worker(board, tree_evaluation.SETTINGS, 0, serving_width(board, Kernels.SEARCH)),
        )
    ]
    assert sizes == [4, 8, 4]


@pytest.mark.parametrize("cells", some([(1, 2, 1), (4, 10, 8), (12, 24, 60)], 1))
def test_any_connections_between_cells_give_the_same(cells: tuple[int, int, int]) -> None:
    settings = replace(SMALL, cell_limits=cells)
    assert opening_map(5, settings) == MAPS[5]
    assert opening_map(6, settings) == MAPS[6]
    check_undecided(Board(11, 11), 12, 11, settings)


def test_the_clock_starts_when_kernels_are_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dfpn, "_load_kernels", lambda board: time.sleep(0.6))
    *_, found = Solver(Board(3, 3), SMALL).solve(Position.empty(Board(3, 3)), Limit(seconds=0.5))
    assert found.winner is Color.BLACK
    assert found.seconds < 0.5


def test_a_cache_with_wrong_bits_changes_no_answer() -> None:
    board, rng = Board(5, 5), np.random.default_rng(5)
    search = Search(board, SMALL)
    exact = opening_map(5, SMALL)
    for cell in [*range(board.cells)] * 2:
        search.table[:] = 0
        position = Position.empty(board).play(cell)
        search.start(position)
        while not search.go_on(5, lambda: False):
            bits = rng.integers(0, 64, len(search.shared[1]), np.uint64)
            hit = rng.random(len(search.shared[1])) < 0.02
            search.shared[1][hit] ^= np.uint64(1) << bits[hit]
        answer = search.answer()
        assert (answer.winner is Color.BLACK) == bool(exact >> cell & 1)


def test_a_stopped_search_says_unknown_and_goes_on() -> None:
    board = Board(6, 6)
    position = Position.empty(board).play(board.cell("a2"))
    whole = last(Solver(board, SMALL), position)
    solver = Solver(board, SMALL)
    nodes = 0
    for _ in range(1000):
        solution = last(solver, position, limit=Limit(nodes=20))
        nodes += solution.nodes
        assert solution.nodes <= 20
        if solution.winner is not None:
            break
        assert not solution.complete
        assert solution.unknown_moves.numbers == position.empties
    assert solution.winner is whole.winner
    assert nodes == whole.nodes


@pytest.mark.parametrize("colors", [1, 2])
def test_a_stop_is_heeded_after_each_colour_s_connections(
    colors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[ConnectionTable] = []

    def noted(*asked):
        found.append(find_connections(*asked))
        return found[-1]

    monkeypatch.setattr("hextui.engine.solver.dfpn.find_connections", noted)
    solver = Solver(Board(5, 5), SMALL)
    position = Position.empty(Board(5, 5))
    stopped = last(solver, position, stop=lambda: len(found) >= colors)
    assert (len(found), stopped.winner, stopped.nodes, stopped.final) == (colors, None, 0, True)
    assert last(solver, position).winner is Color.BLACK


def test_a_stop_is_heeded() -> None:
    board = Board(8, 8)
    solution = last(Solver(board, SMALL), Position.empty(board), stop=lambda: True)
    assert solution.winner is None
    assert not solution.complete
    assert solution.nodes == 0


def test_the_line_is_legal_and_ends_where_connections_decide() -> None:
    board = Board(5, 5)
    position = Position.empty(board).play(board.cell("a1"))
    solver = Solver(board, SMALL)
    solution = last(solver, position)
    assert solution.winner is Color.WHITE
    for cell in solution.line:
        assert cell in position.legal_moves
        position = position.play(cell)
    assert last(solver, position).winner is Color.WHITE


def test_who_has_won_whoever_moves_is_told_the_smallest_connection_and_a_line() -> None:
    # a full connection of Red's edges needs all 23 cells; with the move 11 are enough
    board = Board(5, 5)
    position = Position.empty(board).play(board.cell("d3")).play(board.cell("e2"))
    solution = last(Solver(board, SMALL), position)
    assert solution.winner is Color.BLACK
    assert len(solution.carrier) == 11
    needed = frozenset(solution.carrier.numbers)
    assert exhaustive(board).carrier_holds(position, Color.BLACK, needed)
    assert solution.line
    assert needed.issuperset(solution.line.numbers)
    move = solution.line.numbers[0]
    first = position.play(move)
    rest = solution.wins[move].carrier
    assert exhaustive(board).carrier_holds(first, Color.BLACK, rest)


@pytest.mark.parametrize(("side", "threads"), [(8, 1), (8, 2), (11, 1)])
def test_a_solver_takes_no_more_memory_than_it_may(side: int, threads: int) -> None:
    board, limit = Board(side, side), 128 << 20
    table_bytes = table_bytes_within(board, limit, threads)
    search = Search(board, SolverSettings(table_bytes=table_bytes, threads=threads))
    beside = sum(worker.most_bytes for worker in search.workers)
    shared = search.table.nbytes + search.shared[1].nbytes + search.shared[2].nbytes
    assert limit * 0.9 < shared + beside <= limit


def test_the_must_play_region_is_what_all_threats_have_in_common_and_no_more() -> None:
    rng = random.Random(12)
    board, cut_down = Board(4, 4), 0
    solver = Solver(board, SMALL)
    for _ in range(60):
        stones = rng.choices((0, 1, 2), (6, 1, 1), k=16)
        position = Position(board, bytes(stones), rng.choice(tuple(Color)))
        if position.winner is not None:
            continue
        *_, solution = solver.solve(position, Limit(nodes=1))
        threats = find_connections(position, position.to_move.opponent)
        edges = {threats.first_edge, threats.second_edge}
        carriers = [set(c.cells) for c in threats if set(c.nodes) == edges]
        common = set(position.empties).intersection(*carriers)
        assert set(solution.must_play.numbers) == common
        cut_down += len(carriers) > 1 and all(common < carrier for carrier in carriers)
    solver.close()
    assert cut_down > 10


@pytest.mark.parametrize("asked", ["d3", "d5"])  # wherever it lies on the board
def test_a_move_that_is_asked_about_is_judged_before_the_others(asked: str) -> None:
    board = Board(6, 6)
    position = Position.empty(board).play(board.cell("a1"))
    won = last(Solver(board, SMALL), position).nodes

    def judged(nodes: int) -> set[str]:
        options = {"limit": Limit(nodes=nodes), "first": [board.cell(asked)]}
        found = last(Solver(board, SMALL), position, all_moves=True, **options)
        return {board.name(cell) for cell in (*found.wins, *found.losses)}

    first = judged(won + 1)
    growing = map(judged, range(won + 1, won + 400, 8))
    second = next(more for more in growing if len(more) > len(first))
    assert first
    assert asked in second - first


def test_a_solver_beside_another_knows_what_that_has_solved() -> None:
    position = Position.empty(Board(6, 6)).play(5)
    first = Solver(position.board, SMALL)
    second = Solver(position.board, SMALL, beside=first)
    assert second.look_up(position) is None
    *_, found = first.solve(position)
    *_, again = second.solve(position)
    assert again.winner is found.winner
    assert again.nodes <= 1 < 100 < found.nodes
    first.close()
    answer = second.look_up(position)
    assert answer is not None
    assert answer.winner is found.winner


def test_a_mirrored_position_is_looked_up_in_the_same_table() -> None:
    position = Position.empty(Board(4, 5)).play("a1")
    solver = Solver(position.board, SMALL)
    for _ in solver.solve(position):
        pass
    found = solver.look_up(position)
    answer = solver.look_up(position.mirrored())
    assert found is not None
    assert found.winner is not None
    assert answer is not None
    assert answer.winner is found.winner.opponent
    assert answer.carrier == {position.board.mirror(cell) for cell in found.carrier}
    solver.close()


def test_each_move_proved_to_win_is_answered_at_once() -> None:
    # a caller that stops at the second win must not depend on the clock
    board = Board(5, 5)
    position = Position.empty(board).play(board.cell("a1"))
    with closing(Solver(board, SMALL)) as solver:
        counts = [len(one.wins) for one in solver.solve(position, all_moves=True)]
    known = next(i for i, count in enumerate(counts) if count)
    steps = {after - before for before, after in pairwise(counts[known:])}
    assert counts[-1] > counts[known]
    assert steps == {0, 1}
