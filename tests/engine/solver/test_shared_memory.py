"""What threads share without locks: what is read is what one wrote."""

import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest
from numpy import uint64
from numpy.typing import NDArray

from hextui.engine.board import Board, Color
from hextui.engine.kernels.memory import Handle, int_view, word_view
from hextui.engine.kernels.solver import expansion_cache as expansions
from hextui.engine.kernels.solver import layout as at
from hextui.engine.kernels.solver.expansion_cache import recall, remember
from hextui.engine.kernels.solver.layout import header_of
from hextui.engine.kernels.solver.proofs import LOST, deduce, make_store, write_proof
from hextui.engine.kernels.solver.transposition_table import (
    CARRIER,
    NUMBERS,
    WAYS,
    entry_words,
    find,
    mix,
    pack,
    store,
)
from hextui.engine.position import Position
from hextui.engine.solver.search import UNLIMITED, Search, SolverSettings, Worker
from hextui.engine.widths import Kernels, serving_width
from tests.processes import on_linux

BOARD = Board(8, 8)
WIDTH = serving_width(BOARD, Kernels.SOLVER)
ROUNDS = 1_000_000


def at_work(position: Position) -> Worker:
    worker = Worker(BOARD, SolverSettings(), 0, WIDTH)
    worker.set_root(position)
    return worker


def side_by_side(*actions: Callable[[], int]) -> list[int]:
    """Run actions at the same time and return what each returned."""
    found: list[int] = [0] * len(actions)

    def act(place: int) -> None:
        found[place] = actions[place]()

    threads = [threading.Thread(target=act, args=(place,)) for place in range(len(actions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@numba.njit(nogil=True)
def store_and_find(memory: Handle, table: Any, seed: int, rounds: int) -> int:
    """Store entries all of whose parts follow from the position; count those found that do not."""
    words, header = word_view(memory), header_of(memory)
    W = len(memory) - 2
    wrong = 0
    state = uint64(seed)
    for _ in range(rounds):
        state = mix(state + uint64(seed))
        two = state % uint64(8) + uint64(1)
        for w in range(W):
            words[header.quoted + w] = mix(two + uint64(w))
        store(memory, table, uint64(0), two, pack(two, two), 1 + int(two), int(two), header.quoted)
        two = (state >> uint64(8)) % uint64(8) + uint64(1)
        if find(memory, table, uint64(0), two, header.entry):
            wrong += words[header.entry + NUMBERS] != pack(two, two)
            for w in range(W):
                wrong += words[header.entry + CARRIER + w] != mix(two + uint64(w))
    return wrong


def test_an_entry_of_the_table_is_of_its_position() -> None:
    workers = [at_work(Position.empty(BOARD)) for _ in range(2)]
    table = np.zeros(WAYS * entry_words(WIDTH), np.uint64)
    store_and_find(workers[0].memory, table, 5, 0)
    found = side_by_side(
        lambda: int(store_and_find(workers[0].memory, table, 11, ROUNDS)),
        lambda: int(store_and_find(workers[1].memory, table, 17, ROUNDS)),
    )
    assert found == [0, 0]


@numba.njit(nogil=True)
def remember_and_recall(memory: Handle, cache: Any, seed: int, rounds: int) -> int:
    """The same with expansions, whose moves follow from the position."""
    ints, words, header = int_view(memory), word_view(memory), header_of(memory)
    wrong = 0
    state = uint64(seed)
    for _ in range(rounds):
        state = mix(state + uint64(seed))
        key = int(state % uint64(8)) + 1
        words[header.sets + at.H_ONE] = words[header.sets + at.H_TWO] = uint64(key)
        ints[header.fields + at.L_COUNT] = key
        for child in range(key):
            ints[header.child_cell + child] = key + child
        remember(memory, cache, 0)
        key = int((state >> uint64(8)) % uint64(8)) + 1
        words[header.sets + at.H_ONE] = words[header.sets + at.H_TWO] = uint64(key)
        if recall(memory, cache, 0):
            wrong += ints[header.fields + at.L_COUNT] != key
            for child in range(key):
                wrong += ints[header.child_cell + child] != key + child
    return wrong


def test_an_expansion_of_the_cache_is_of_its_position() -> None:
    workers = [at_work(Position.empty(BOARD)) for _ in range(2)]
    cache = np.zeros(4 * expansions.entry_words(BOARD.cells, WIDTH), np.uint64)
    remember_and_recall(workers[0].memory, cache, 5, 0)
    found = side_by_side(
        lambda: int(remember_and_recall(workers[0].memory, cache, 11, ROUNDS // 4)),
        lambda: int(remember_and_recall(workers[1].memory, cache, 17, ROUNDS // 4)),
    )
    assert found == [0, 0]


@numba.njit(nogil=True)
def write_by_turns(memory: Handle, proofs: Any, stones: Any, carriers: Any, stop: Any) -> int:
    """Write several proofs to the same place until told to stop; return how many."""
    words, header = word_view(memory), header_of(memory)
    W = len(memory) - 2
    count = 0
    while not stop[0]:
        for w in range(W):
            words[header.sides + w] = stones[count % len(stones), w]
            words[header.quoted + w] = carriers[count % len(stones), w]
        write_proof(memory, proofs, 0, header.sides, header.quoted)
        count += 1
    return count


@numba.njit(nogil=True)
def deduce_again_and_again(
    memory: Handle, proofs: Any, carrier: Any, rounds: int, stop: Any
) -> tuple[int, int]:
    """Return how often the position was called lost, and how often with another carrier."""
    words, header = word_view(memory), header_of(memory)
    W = len(memory) - 2
    lost = wrong = 0
    block = header.sets + at.HASHES
    written = block + at.S_CARRIER * W
    for _ in range(rounds):
        left, used = block + at.S_LEFT * W, block + at.S_USED * W
        if deduce(memory, proofs, 0, left, used, written)[0] == LOST:
            lost += 1
            for w in range(W):
                wrong += words[written + w] != carrier[w]
    stop[0] = 1
    return lost, wrong


def cells(*names: str) -> NDArray[np.uint64]:
    found = np.zeros(WIDTH, np.uint64)
    for name in names:
        cell = BOARD.cell(name)
        found[cell >> 6] |= np.uint64(1) << np.uint64(cell & 63)
    return found


def test_a_proof_that_another_thread_overwrites_lends_no_carrier() -> None:
    position = Position.empty(BOARD).play(BOARD.cell("d4")).play(BOARD.cell("h1"))
    reader = at_work(position.play(BOARD.cell("d5")))
    writer = at_work(Position.empty(BOARD))
    proofs = make_store(WIDTH, 16 * (2 * WIDTH + 1))
    # Black has the stones of the first proof; White has a cell of the second one's carrier
    stones = np.array([cells("d4", "d5"), cells("d4")])
    carriers = np.array([cells("c6", "d6"), cells("h1", "a8")])
    stop = np.zeros(1, np.int64)
    write_by_turns(writer.memory, proofs, stones, carriers, np.ones(1, np.int64))
    lost = [0, 0]

    def read() -> int:
        lost[:] = deduce_again_and_again(reader.memory, proofs, carriers[0], ROUNDS, stop)
        return 0

    deduce_again_and_again(reader.memory, proofs, carriers[0], 0, np.zeros(1, np.int64))
    side_by_side(read, lambda: int(write_by_turns(writer.memory, proofs, stones, carriers, stop)))
    assert lost[0] > 0
    assert lost[1] == 0


MEMORY = """
from pathlib import Path
from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
solver = Solver(Board(3, 3), SolverSettings(table_bytes=1 << 31))
*_, found = solver.solve(Position.empty(Board(3, 3)))
assert found.winner
print(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
"""


@on_linux
def test_a_large_table_takes_the_memory_that_it_uses() -> None:
    done = subprocess.run(
        [sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 700 << 10


TINY = Board(3, 3)
TINY_WIDTH = serving_width(TINY, Kernels.SOLVER)


@numba.njit(nogil=True)
def use_cache(memory: Handle, cache: Any, remembers: bool) -> bool:
    """Remember level 0, or return whether it was recalled."""
    if remembers:
        remember(memory, cache, 0)
        return False
    return recall(memory, cache, 0)


class Cached:
    """One bucket, and a level that stands for any position."""

    def __init__(self, buckets: int = 1) -> None:
        self.worker = Worker(TINY, SolverSettings(), 0, TINY_WIDTH)
        self.cache: NDArray[np.uint64] = np.zeros(
            buckets * expansions.WAYS * expansions.entry_words(TINY.cells, TINY_WIDTH), np.uint64
        )

    def recalls(self, position: int) -> bool:
        self._look_at(position, 1)
        return bool(use_cache(self.worker.memory, self.cache, False))

    def remember(self, position: int, work: int = 1) -> None:
        worker, header = self.worker, self.worker.header
        self._look_at(position, work)
        worker.ints[header["fields"] + at.L_COUNT] = 2
        worker.ints[header["child_cell"] :][:2] = position % TINY.cells, 7
        use_cache(worker.memory, self.cache, True)

    def _look_at(self, position: int, work: int) -> None:
        worker, header = self.worker, self.worker.header
        block = int(header["sets"])
        worker.words[block + at.H_ONE] = worker.words[block + at.H_TWO] = position
        worker.ints[header["fields"] + at.L_WORK] = work

    def children(self) -> list[int]:
        """Return the moves of the level as they are now."""
        header = self.worker.header
        count = self.worker.ints[header["fields"] + at.L_COUNT]
        return self.worker.ints[header["child_cell"] :][:count].tolist()


def test_an_expansion_comes_back_as_it_was() -> None:
    cached = Cached()
    assert not cached.recalls(5)
    cached.remember(5)
    cached.remember(3)
    assert cached.recalls(5)
    assert cached.children() == [5, 7]
    assert not cached.recalls(4)


@pytest.mark.parametrize("buckets", [0, 1, 7])
def test_no_position_is_taken_for_another(buckets: int) -> None:
    cached = Cached(buckets)
    for position in range(1, 200):
        cached.remember(position, work=position % 5)
        for other in range(1, 200):
            if cached.recalls(other):
                assert cached.children() == [other % TINY.cells, 7]
        assert cached.recalls(position) == (buckets > 0)


def test_a_thread_solves_what_it_left_for_nothing() -> None:
    board = Board(6, 6)
    search = Search(board, SolverSettings(table_bytes=1 << 27, threads=2))
    root = Position.empty(board).play(board.cell("a3"))
    search.start(root)
    for turn in range(1 << 20):  # the threads take a step each in turn
        if turn % 100 == 0:
            search._peers[0, 1:3] = 0
        worker = search.workers[turn % 2]
        if worker.run(search.shared, search._peers, 1, UNLIMITED):
            break
    assert worker.answer(root).winner is Color.BLACK
