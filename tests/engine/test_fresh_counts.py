"""Evaluators that search each position after a move afresh say what its network says."""

import math
import random
from collections.abc import Iterator

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.evaluators import evaluator
from hextui.engine.evaluators.k_paths import KPaths
from hextui.engine.evaluators.path_counts import counts_after_moves, list_paths
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.explanation import Remark
from hextui.engine.position import Position
from tests.engine.positions import bench_at, random_position


def after(position: Position, cell: int) -> Workbench:
    mover = position.to_move
    return bench_at(position.with_stone(cell, mover).with_to_move(mover.opponent))


def positions() -> Iterator[Position]:
    rng = random.Random("fresh")
    for filled in (0.0, 0.2, 0.2, 0.5):
        yield random_position(rng, 5, filled)
    board = Board(5, 5)
    # an update joins Black's sides after b1, a search after b1 does not
    yield Position.empty(board).play(board.cell("d3")).play(board.cell("e2"))
    # its own image, turned by 180 degrees
    yield Position.empty(Board(3, 3)).with_stone(4, Color.BLACK)


@pytest.mark.parametrize("position", list(positions()))
def test_counts_are_those_of_the_networks_after_each_move(position: Position) -> None:
    *_, found = counts_after_moves(bench_at(position), 2, fresh=True)
    *_, ranking = evaluator("shortest-path:fresh").rank(bench_at(position))
    assert sorted(found) == list(position.empties) == sorted(ranking.by_cell)
    for cell, told in found.items():
        child = after(position, cell)
        for color, counts in zip(Color, told, strict=True):
            expected = child.paths(color)
            assert counts.distance == expected.distance
            assert counts.raw == expected.raw
            assert counts.accepted == expected.accepted
        black, white = (child.paths(color).distance or math.inf for color in Color)
        value = ranking.by_cell[cell].value
        assert value == (0.0 if black == math.inf else white / black)


def test_the_paths_that_are_listed_are_those_of_the_networks_after_each_move() -> None:
    position = Position.empty(Board(3, 3)).play(1)
    *_, found = KPaths(3, fresh=True).counts(bench_at(position))
    for cell, told in found.items():
        child = after(position, cell)
        for color, counts in zip(Color, told, strict=True):
            assert counts.accepted == list_paths(child.network(color), 3).accepted


@pytest.mark.parametrize("name", ["shortest-path:fresh", "k-paths:1,fresh", "k-mixed:1,fresh"])
def test_an_explanation_tells_what_the_value_was_counted_from(name: str) -> None:
    board = Board(5, 5)
    position = Position.empty(board).play(board.cell("d3")).play(board.cell("e2"))
    bench, cell = bench_at(position), board.cell("b1")
    explained = evaluator(name).explained(bench, cell)
    distances = {t.color: t.value for t in explained.facts.terms if t.symbol == "d"}
    child = after(position, cell)
    assert distances == {color: child.paths(color).distance for color in Color}
    usual = evaluator(name.replace(",fresh", "").replace(":fresh", "")).explained(bench, cell)
    assert {t.color: t.value for t in usual.facts.terms if t.symbol == "d"} != distances
    assert [n for n in usual.facts.notes if n.remark is Remark.UPDATED]
    assert not [n for n in explained.facts.notes if n.remark is Remark.UPDATED]
