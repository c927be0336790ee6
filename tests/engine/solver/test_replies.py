"""The solver's order of moves, and threads that take turns in one."""

from typing import Any

import numba
import numpy as np
from numpy import uint64

from hextui.engine.board import Board, Color
from hextui.engine.kernels.memory import Handle
from hextui.engine.kernels.solver import layout as at
from hextui.engine.kernels.solver.descent import look
from hextui.engine.kernels.solver.dfpn import put_known_first
from hextui.engine.kernels.solver.expand import forget_replies, note_reply, raise_replies
from hextui.engine.kernels.solver.proofs import make_store
from hextui.engine.kernels.solver.transposition_table import entry_words, pack, store
from hextui.engine.position import Position
from hextui.engine.solver.dfpn import Solver
from hextui.engine.solver.search import Search, SolverSettings, Worker
from hextui.engine.widths import Kernels, serving_width

BOARD = Board(5, 5)


def working(position: Position) -> Worker:
    cells = position.board.cells
    worker = Worker(position.board, SolverSettings(), 0, serving_width(cells, Kernels.SOLVER))
    worker.set_root(position)
    return worker


@numba.njit(nogil=True)
def note_and_raise(memory: Handle, notes: Any, forgotten: int, level: int) -> None:
    for i in range(len(notes)):
        note_reply(memory, notes[i, 0], notes[i, 1])
    if forgotten >= 0:
        forget_replies(memory, forgotten)
    raise_replies(memory, level)


def scores_after(notes: list[tuple[int, int]], forgotten: int, level: int) -> list[float]:
    worker = working(Position.empty(BOARD))
    score = worker.words[worker.header["score"] :][: BOARD.cells].view(np.float64)
    score[:] = 1
    note_and_raise(worker.memory, np.array(notes), forgotten, level)
    return score.tolist()


def test_what_refuted_moves_of_the_same_side_comes_earlier() -> None:
    notes = [(0, 3), (2, 3), (2, 3), (2, 8), (1, 9), (3, 10), (2, -1)]
    expected = [1.0] * BOARD.cells
    expected[3], expected[8] = 2.0, 1 + 1 / 3
    assert scores_after(notes, -1, 3) == expected
    expected[3], expected[8] = 2.0, 1.0
    assert scores_after(notes, 2, 3) == expected
    expected[3], expected[9] = 1.0, 2.0
    assert scores_after(notes, -1, 2) == expected


@numba.njit(nogil=True)
def keep_and_sort(memory: Handle, table: Any, hashes: Any) -> None:
    for i in range(len(hashes)):
        store(memory, table, hashes[i, 0], hashes[i, 1], pack(1, 1), 5, -1, -1)
    put_known_first(memory, table, 0)


def test_moves_searched_before_come_first() -> None:
    worker = working(Position.empty(Board(7, 7)))
    black, white = (worker.links[color].handle for color in Color)
    look(worker.memory, make_store(1, 0), black, white, np.empty(0, np.int32))
    count = int(worker.ints[worker.header["fields"] + at.L_COUNT])
    cells = worker.ints[worker.header["child_cell"] :][:count]
    hashes = worker.words[worker.header["child_hash"] :][: 2 * count].reshape(count, 2)
    known = [2, 5, count - 1]
    was, their_hashes = cells.tolist(), hashes.copy()
    table = np.zeros(4 * entry_words(serving_width(49, Kernels.SOLVER)) * 64, uint64)
    keep_and_sort(worker.memory, table, their_hashes[known])
    order = known + [child for child in range(count) if child not in known]
    assert cells.tolist() == [was[child] for child in order]
    assert hashes.tolist() == their_hashes[order].tolist()


def test_what_is_noted_refutes_a_move_of_its_level() -> None:
    """Looked at in the middle of searches, and solved by another solver from scratch."""
    few = SolverSettings(table_bytes=1 << 20, carriers=False, must_play=False, deduce=False)
    solver, checked = Solver(BOARD, SolverSettings(table_bytes=1 << 20)), 0
    for opening in ("a1", "a3", "b2", "c2", "d1", "e2"):
        search = Search(BOARD, few)
        search.start(Position.empty(BOARD).play(BOARD.cell(opening)))
        while not search.go_on(3, lambda: False):
            checked += check_replies(search, solver)
    assert checked > 100


def check_replies(search: Search, solver: Solver) -> int:
    """Check the replies of all levels but one that was only just entered; return how many."""
    worker, position, checked = search.workers[0], search.root, 0
    header, ints = worker.header, worker.ints
    assert position is not None
    for level in range(header["level"]):
        fields = ints[header["fields"] + level * at.LEVEL_FIELDS :][: at.LEVEL_FIELDS]
        first = level * BOARD.cells
        left = int(worker.words[left_of(worker, level)])
        children = ints[header["child_cell"] + first :][: fields[at.L_COUNT]].tolist()
        refuted = [move for move in children if not left >> move & 1]
        for reply in np.flatnonzero(ints[header["replies"] + first :][: BOARD.cells]).tolist():
            lines = [position.play(move).play(reply) for move in refuted if move != reply]
            winner = position.to_move.opponent
            assert any(verdict(solver, line) is winner for line in lines)
            checked += 1
        position = position.play(int(ints[header["child_cell"] + fields[at.L_CHOSEN]]))
    return checked


def left_of(worker: Worker, level: int) -> int:
    """Return which word has the moves of a level that are not refuted."""
    width = serving_width(BOARD.cells, Kernels.SOLVER)
    return int(worker.header["sets"]) + level * at.level_words(width) + at.HASHES + at.S_LEFT


def verdict(solver: Solver, position: Position) -> Color | None:
    *_, solution = solver.solve(position)
    return solution.winner


SHARED = Board(6, 6)


def searching(opening: str, threads: int) -> Search:
    search = Search(SHARED, SolverSettings(table_bytes=1 << 27, threads=threads))
    search.start(Position.empty(SHARED).play(SHARED.cell(opening)))
    return search


def take_turns(search: Search, first: int = 0, turns: int = 1 << 20) -> bool:
    """Let each thread take a step in turn; True if the root is decided."""
    for turn in range(first, first + turns):
        worker = search.workers[turn % len(search.workers)]
        if worker.run(search._shared, search._peers, 1):
            return True
    return False


def test_two_threads_expand_little_that_one_would_not() -> None:
    nodes = []
    for threads in (1, 2):
        searches = [searching(opening, threads) for opening in ("a1", "a2", "a3", "b4", "c2", "d2")]
        assert all(take_turns(search) for search in searches)
        nodes.append(sum(search.expansions for search in searches))
    assert nodes[1] < 1.25 * nodes[0]


def test_connections_are_taken_from_the_root_by_who_did_not_expand_it() -> None:
    search = searching("f3", 2)
    take_turns(search, turns=200)
    for worker in search.workers:
        assert [int(worker.ints[at.BASE + color]) for color in Color] == [0, 0]


def test_a_thread_leaves_what_another_one_has_solved() -> None:
    search = searching("f3", 2)
    left, turn = 0, 0
    while not take_turns(search, turn, 1):
        row, worker = search._peers[turn % 2], search.workers[turn % 2]
        assert row[1 : worker.header["level"] + 1].all()
        turn += 1
        row, worker = search._peers[turn % 2], search.workers[turn % 2]
        left += not row[1 : worker.header["level"] + 1].all()
    assert left > 5


def test_a_thread_solves_what_it_left_for_nothing() -> None:
    search = searching("a3", 2)
    for turn in range(1 << 20):
        if turn % 100 == 0:
            search._peers[0, 1:3] = 0
        worker = search.workers[turn % 2]
        if worker.run(search._shared, search._peers, 1):
            break
    assert search.root is not None
    assert worker.answer(search.root).winner is Color.BLACK
