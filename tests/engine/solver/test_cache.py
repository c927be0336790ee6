"""The cache of expansions: what it keeps and what it lets go."""

from typing import Any

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from hextui.engine.board import Board
from hextui.engine.kernels.memory import Handle
from hextui.engine.kernels.solver import layout as at
from hextui.engine.kernels.solver.expansion_cache import (
    FORGOTTEN,
    WAYS,
    entry_words,
    forget,
    note_work,
    recall,
    remember,
)
from hextui.engine.solver.search import SolverSettings, Worker
from hextui.engine.widths import Kernels, serving_width

BOARD = Board(3, 3)
WIDTH = serving_width(BOARD.cells, Kernels.SOLVER)

RECALL, REMEMBER, NOTE, FORGET = range(4)


@numba.njit(nogil=True)
def act(memory: Handle, cache: Any, action: int) -> bool:
    """Do one thing with level 0; tell whether it was recalled."""
    if action == RECALL:
        return recall(memory, cache, 0)
    if action == REMEMBER:
        remember(memory, cache, 0)
    elif action == NOTE:
        note_work(memory, cache, 0)
    else:
        forget(memory, cache, 0)
    return False


class Cached:
    """One bucket, and a level that stands for any position."""

    def __init__(self, buckets: int = 1) -> None:
        self.worker = Worker(BOARD, SolverSettings(), 0, WIDTH)
        self.cache: NDArray[np.uint64] = np.zeros(
            buckets * WAYS * entry_words(BOARD.cells, WIDTH), np.uint64
        )

    def __call__(self, action: int, position: int, work: int = 1) -> bool:
        worker, header = self.worker, self.worker.header
        block = int(header["sets"])
        worker.words[block + at.H_ONE] = worker.words[block + at.H_TWO] = position
        worker.ints[header["fields"] + at.L_WORK] = work
        if action == REMEMBER:
            worker.ints[header["fields"] + at.L_COUNT] = 2
            worker.ints[header["child_cell"] :][:2] = position % BOARD.cells, 7
        return bool(act(worker.memory, self.cache, action))

    def children(self) -> list[int]:
        """Return the moves of the level as they are now."""
        header = self.worker.header
        count = self.worker.ints[header["fields"] + at.L_COUNT]
        return self.worker.ints[header["child_cell"] :][:count].tolist()


def test_an_expansion_comes_back_as_it_was() -> None:
    cached = Cached()
    assert not cached(RECALL, 5)
    cached(REMEMBER, 5)
    cached(REMEMBER, 3)
    assert cached(RECALL, 5)
    assert cached.children() == [5, 7]
    assert not cached(RECALL, 4)


def test_much_work_stays_while_little_comes_and_goes() -> None:
    cached = Cached()
    cached(REMEMBER, 1000, work=1000)
    for position in range(1, 11):
        cached(REMEMBER, position)
    assert cached(RECALL, 1000)
    assert [position for position in range(1, 11) if cached(RECALL, position)] == [8, 9, 10]


def test_what_is_not_come_back_to_goes_at_last() -> None:
    cached, positions = Cached(), range(1, 30 * FORGOTTEN)
    cached(REMEMBER, 1000, work=1000)
    for position in positions:
        cached(REMEMBER, position)
    assert not cached(RECALL, 1000)
    cached(REMEMBER, 1000, work=1000)
    for position in positions:
        cached(REMEMBER, position)
        cached(NOTE, 1000, work=1000 + position)
    assert cached(RECALL, 1000)


def test_a_solved_position_makes_room() -> None:
    cached = Cached()
    for position in range(1, WAYS + 1):
        cached(REMEMBER, position, work=100 * position)
    cached(FORGET, WAYS)
    assert not cached(RECALL, WAYS)
    cached(REMEMBER, 50)
    assert all(cached(RECALL, position) for position in [*range(1, WAYS), 50])


@pytest.mark.parametrize("buckets", [0, 1, 7])
def test_no_position_is_taken_for_another(buckets: int) -> None:
    cached = Cached(buckets)
    for position in range(1, 200):
        cached(REMEMBER, position, work=position % 5)
        for other in range(1, 200):
            if cached(RECALL, other):
                assert cached.children() == [other % BOARD.cells, 7]
        assert cached(RECALL, position) == (buckets > 0)
