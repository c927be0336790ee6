"""Threads of the solver taking turns in one, so that what they do is the same each time."""

from hextui.engine.board import Board, Color
from hextui.engine.kernels.solver import layout
from hextui.engine.position import Position
from hextui.engine.solver.search import Search, SolverSettings

BOARD = Board(6, 6)


def searching(opening: str, threads: int) -> Search:
    search = Search(BOARD, SolverSettings(table_bytes=1 << 27, threads=threads))
    search.start(Position.empty(BOARD).play(BOARD.cell(opening)))
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
        assert [int(worker.ints[layout.BASE + color]) for color in Color] == [0, 0]


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
