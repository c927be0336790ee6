"""Kernels of a wider class give a board the same answers as its own."""

import random

import numpy as np
import pytest

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSearch
from hextui.engine.evaluators import evaluator, names, workbench
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.network import PathMemory, network
from hextui.engine.paths import count_paths
from hextui.engine.position import Position
from hextui.engine.solver.search import Search, SolverSettings
from tests.engine.positions import played

pytestmark = pytest.mark.wide

OWN, WIDER = 1, 2


def positions(board: Board, count: int) -> list[Position]:
    rng = random.Random(board.cells)
    return [played(board, rng, rng.randint(0, board.cells // 2)) for _ in range(count)]


@pytest.mark.parametrize("board", [Board(4, 4), Board(3, 7), Board(8, 8)], ids=str)
def test_connections_and_paths(board: Board) -> None:
    for position in positions(board, 5):
        for color in Color:
            tables, counts = [], []
            for width in (OWN, WIDER):
                search = ConnectionSearch(board, color, width=width)
                search.search(position)
                tables.append(search.table())
                room = PathMemory(board, width=width)
                counts.append(count_paths(network(position, color, tables[-1], room), room))
            own, wider = tables
            for name in ("rows", "carriers", "listed", "premises"):
                assert np.array_equal(getattr(own, name), getattr(wider, name)), name
            assert counts[0].raw == counts[1].raw
            assert counts[0].accepted == counts[1].accepted
            assert np.array_equal(counts[0].contribution, counts[1].contribution)
            # a table of one width in a room of the other
            mixed = network(position, color, own, PathMemory(board, width=WIDER))
            assert np.array_equal(
                mixed.arrays.carriers, network(position, color, own).arrays.carriers
            )


def test_rankings() -> None:
    board = Board(5, 5)
    benches = [Workbench(board, width=width) for width in (OWN, WIDER)]
    for position in positions(board, 3):
        for name in names():
            rankings = []
            for bench in benches:
                bench.look_at(position)
                *_, last = evaluator(name).rank(bench)
                rankings.append(last)
            assert rankings[0] == rankings[1]


def test_the_solver() -> None:
    board = Board(4, 4)
    for position in positions(board, 6):
        if position.winner is not None:
            continue
        answers = []
        for width in (OWN, WIDER):
            search = Search(board, SolverSettings(table_bytes=1 << 20), width)
            search.start(position)
            assert search.go_on(None, lambda: False)
            answers.append((search.answer(), search.expansions))
            search.close()
        assert answers[0] == answers[1]


def test_a_bench_takes_its_own_kernels_once_they_are_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board, ready = Board(3, 3), [WIDER]
    monkeypatch.setattr(workbench, "serving_width", lambda board: ready[0])
    bench = Workbench(board)
    assert bench.room.width == WIDER
    before = bench.table(Color.BLACK)
    ready[0] = OWN
    bench.look_at(Position.empty(board).play(4))
    assert bench.room.width == bench.oriented(Color.WHITE).search.width == OWN
    bench.look_at(Position.empty(board))
    assert np.array_equal(bench.table(Color.BLACK).carriers, before.carriers)
