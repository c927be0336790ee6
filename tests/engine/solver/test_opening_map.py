"""The openings of a board, decided one by one: the same maps with any shares."""

import json
from time import monotonic

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.solver import opening_map
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.opening_map import (
    TABLE,
    OpeningMap,
    TimeLimits,
    decide_in_turn,
    solved_openings,
)
from hextui.engine.solver.solution import Solution
from tests.engine.solver.test_dfpn import MAPS
from tests.oracles.winners import Exhaustive

WITHOUT_END = TimeLimits()
SMALL = SolverSettings(table_bytes=1 << 20)


def decided(board: Board, time_limits: TimeLimits = WITHOUT_END) -> OpeningMap:
    found = OpeningMap(board)
    solver = Solver(board, SMALL)
    for _ in decide_in_turn(found, solver, time_limits):
        pass
    solver.close()
    return found


def opening_of(solution: Solution) -> int:
    (cell,) = (c for c, stone in enumerate(solution.position.stones) if stone)
    return cell


def bits(found: OpeningMap) -> int:
    assert not found.left
    return sum(1 << c for c in range(found.board.cells) if found[c].winner is Color.BLACK)


@pytest.mark.parametrize("n", [3, 4, 5, pytest.param(6, marks=pytest.mark.slow)])
def test_maps(n: int) -> None:
    found = decided(Board(n, n))
    assert bits(found) == MAPS[n]
    assert [each.cell for each in found.openings if each.source not in ("search", "proof")] == []


def test_a_first_move_that_ends_the_game_needs_no_search() -> None:
    assert OpeningMap(Board(1, 3)).left == ()
    assert len(OpeningMap(Board(3, 1)).left) == 2


@pytest.mark.parametrize("size", [(1, 1), (1, 3), (3, 1), (3, 4), (4, 2)])
def test_boards_of_any_shape_agree_with_exhaustive_play(size: tuple[int, int]) -> None:
    board = Board(*size)
    exhaustive, found = Exhaustive(board), decided(board)
    for cell in range(board.cells):
        after = Position.empty(board).play(cell)
        winner = after.winner or exhaustive.winner(after)
        assert found[cell].winner == winner


def test_small_shares_come_to_the_same_map_and_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening_map, "FIRST_SHARE", 5)
    found, turns = OpeningMap(Board(5, 5)), dict.fromkeys(range(25), 0)
    solver = Solver(found.board, SMALL)
    for solution in decide_in_turn(found, solver, TimeLimits()):
        if solution.final:
            cell = opening_of(solution)
            turns[cell] += 1
            assert solution.nodes == found[cell].nodes
    assert max(turns.values()) > 1
    assert bits(found) == MAPS[5]


def test_a_proof_decides_other_openings_too() -> None:
    found = decided(Board(5, 5))
    by_proof = [each for each in found.openings if each.source == "proof"]
    assert by_proof
    for each in by_proof:
        assert each.winner is Color.WHITE
        assert each.proved_by is not None
        assert found[each.proved_by].source == "search"


@pytest.mark.parametrize("time_limits", [TimeLimits(seconds=0), TimeLimits(end=monotonic() - 1)])
def test_nothing_is_tried_when_the_time_is_over(time_limits: TimeLimits) -> None:
    found = decided(Board(9, 9), time_limits)
    assert len(found.left) == 41
    assert {each.nodes for each in found.openings} == {0}


def test_an_opening_is_given_up_after_its_seconds() -> None:
    found = decided(Board(9, 9), TimeLimits(seconds=1e-6))
    assert len(found.left) > 30
    assert all(found[cell].seconds > 0 for cell in found.left)


def test_the_table_has_the_known_maps() -> None:
    for n in MAPS:
        board = Board(n, n)
        for cell, (winner, *_) in solved_openings(board).items():
            assert (winner is Color.BLACK) == bool(MAPS[n] >> cell & 1), board.name(cell)


def test_the_table_names_each_opening_once() -> None:
    for size, rows in json.loads(TABLE.read_text()).items():
        board = Board.parse(size)
        cells = [board.cell(name) for name in rows]
        assert all(cell <= board.rotate(cell) for cell in cells)
        assert solved_openings(board).keys() == set(cells)
    assert solved_openings(Board(2, 7)) == {}
