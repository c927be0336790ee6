"""Connections: fresh search, one stone, undo, all moves. Run: pytest tests/benchmarks

Real positions come from the folder named by HEXTUI_TEST_DATA; without it they are skipped.
"""

import json
import os
import random
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hextui.engine.board import Board, Color
from hextui.engine.connections import ConnectionSearch, ConnectionSettings
from hextui.engine.evaluators import evaluator, names
from hextui.engine.evaluators.workbench import Workbench
from hextui.engine.kernels.connections.updates import PLAY_OPPONENT, PLAY_OWN, SEARCH, UNDO, update
from hextui.engine.position import Move, Position

DATA = os.environ.get("HEXTUI_TEST_DATA")
NOTHING = np.empty(0, np.int32), np.empty(0, np.bool_)


def real_positions(size: int, plies: int, count: int) -> list[Position]:
    if DATA is None:
        pytest.skip("HEXTUI_TEST_DATA is not set")
    board = Board(size, size)
    found = []
    with open(Path(DATA) / f"human_{size}x{size}.jsonl") as lines:
        for line in lines:
            words = json.loads(line)["moves"].split()
            if len(words) > plies:
                position = Position.empty(board)
                for word in words[:plies]:
                    position = position.apply(Move.parse(word, board))
                found.append(position)
            if len(found) == count:
                break
    return found


@pytest.mark.parametrize("over_edges", [False, True], ids=["edges-off", "edges-on"])
@pytest.mark.parametrize("size", [7, 11, 13, 19])
def test_fresh_search_of_the_empty_board(benchmark, size: int, over_edges: bool) -> None:
    position = Position.empty(Board(size, size))
    limits = ConnectionSettings(over_edges, cell_full_limit=10, cell_semi_limit=20)
    search = ConnectionSearch(position.board, Color.BLACK, limits)
    search.search(position)
    benchmark.extra_info["fulls"] = search.table().fulls
    benchmark.extra_info["semis"] = search.table().semis
    captains, own = search.kernel_arguments(position)
    benchmark(update, search.handle, SEARCH, -1, captains, own)


@pytest.mark.parametrize(("size", "plies"), [(11, 20), (11, 40), (13, 20), (13, 40)])
def test_fresh_search_of_real_positions(benchmark, size: int, plies: int) -> None:
    positions = real_positions(size, plies, 30)
    search = ConnectionSearch(positions[0].board, Color.BLACK)
    arguments = [search.kernel_arguments(position) for position in positions]

    def all_positions() -> None:
        for captains, own in arguments:
            update(search.handle, SEARCH, -1, captains, own)

    all_positions()
    benchmark.extra_info["positions"] = len(positions)
    benchmark(all_positions)


def stones(size: int, plies: int) -> list[tuple[Position, int]]:
    """Return 300 moves in 30 positions after so many plies (0: the empty board)."""
    rng = random.Random(1)
    board = Board(size, size)
    positions = real_positions(size, plies, 30) if plies else [Position.empty(board)]
    return [
        (position, cell)
        for position in positions
        for cell in rng.sample(position.empties, 300 // len(positions) % board.cells or 60)
    ]


class OneStone:
    """A stone on both colours' searches, and its undo, each a call of its own."""

    def __init__(self, size: int, plies: int) -> None:
        moves = stones(size, plies)
        self.moves = cycle(moves)
        self.searches = {color: ConnectionSearch(moves[0][0].board, color) for color in Color}
        self.position: Position | None = None
        for search in self.searches.values():  # compiles
            search.search(moves[0][0])
            search.play(moves[0][1], Color.BLACK)
            search.undo()

    def next(self) -> tuple[tuple[Any, ...], dict[str, object]]:
        position, cell = next(self.moves)
        if position is not self.position:
            self.position = position
            for search in self.searches.values():
                search.search(position)
        mover = position.to_move
        return (self.searches[mover].handle, self.searches[mover.opponent].handle, cell), {}


def play(mover: tuple[int, ...], other: tuple[int, ...], cell: int) -> None:
    update(mover, PLAY_OWN, cell, *NOTHING)
    update(other, PLAY_OPPONENT, cell, *NOTHING)


def undo(mover: tuple[int, ...], other: tuple[int, ...], cell: int) -> None:
    update(mover, UNDO, -1, *NOTHING)
    update(other, UNDO, -1, *NOTHING)


PLACES = [(11, 0), (11, 20), (13, 0), (13, 30), (19, 0)]


@pytest.mark.parametrize(("size", "plies"), PLACES)
def test_one_stone_both_colours(benchmark, size: int, plies: int) -> None:
    work = OneStone(size, plies)

    def teardown(mover: tuple[int, ...], other: tuple[int, ...], cell: int) -> None:
        undo(mover, other, cell)

    benchmark.pedantic(play, setup=work.next, teardown=teardown, rounds=600)


@pytest.mark.parametrize(("size", "plies"), PLACES)
def test_undo_both_colours(benchmark, size: int, plies: int) -> None:
    work = OneStone(size, plies)

    def setup() -> tuple[tuple[Any, ...], dict[str, object]]:
        arguments, none = work.next()
        play(*arguments)
        return arguments, none

    benchmark.pedantic(undo, setup=setup, rounds=600)


def rank_all(bench: Workbench, position: Position, chosen: list[str]) -> None:
    bench.look_at(position.with_to_move(position.to_move.opponent))
    bench.look_at(position)
    for name in chosen:
        for _ in evaluator(name).rank(bench):
            pass


@pytest.mark.parametrize("name", ["k-paths:0", "k-paths:1", "k-paths:2"])
@pytest.mark.parametrize("size", [11, 19])
def test_all_moves_of_the_empty_board(benchmark, size: int, name: str) -> None:
    position = Position.empty(Board(size, size))
    bench = Workbench(position.board)
    rank_all(bench, position, [name])
    benchmark(rank_all, bench, position, [name])


@pytest.mark.parametrize("chosen", [("k-paths:1",), names()], ids=["k-paths-1", "all evaluators"])
@pytest.mark.parametrize("plies", [10, 30, 50])
def test_all_moves_of_real_13x13_positions(benchmark, plies: int, chosen: tuple[str, ...]) -> None:
    positions = real_positions(13, plies, 15)
    bench = Workbench(positions[0].board)
    rank_all(bench, positions[0], list(chosen))
    waiting = cycle(positions)

    def setup() -> tuple[tuple[Any, ...], dict[str, object]]:
        return (bench, next(waiting), list(chosen)), {}

    benchmark.pedantic(rank_all, setup=setup, rounds=len(positions))
