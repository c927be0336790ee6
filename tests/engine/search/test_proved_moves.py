"""What a tree search has proved stands in its list of moves, whatever proved it."""

import random
from collections.abc import Callable, Iterator
from itertools import chain

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.evaluators import evaluator
from hextui.engine.limit import Limit
from hextui.engine.position import Position
from hextui.engine.search import tree_search
from hextui.engine.search.tree_search import SearchedMove, TreeSearch, ranked
from hextui.engine.solver.dfpn import Solver, SolverSettings
from tests.engine.positions import bench_at, played
from tests.samples import seeds

SIZES = (5, 6, 7, 8, 9)
CHECK_WORK = 30_000  # of the search's check: less than usual, so that some positions stay open
SOLVER_NODES = 600


def unfinished(board: Board, rng: random.Random, *, symmetric: bool = False) -> Position:
    """Return a position in the middle of a game; ``symmetric``: turning it by 180 changes nothing.

    Few of the others are symmetric, and some are decided by connections.
    """
    while True:
        stones = rng.randrange(board.cells // 6, board.cells * 3 // 5)
        position = played(board, rng, stones)
        if symmetric:
            half = position.stones[: board.cells // 2]
            middle = position.stones[board.cells // 2 : (board.cells + 1) // 2]
            position = Position(board, half + middle + half[::-1], rng.choice(list(Color)))
        else:
            position = Position(board, position.stones, position.to_move)
        if position.winner is None and position.empties:
            return position


class ListChecker:
    """Checks the list of a search of one position again and again while it grows."""

    def __init__(self, search: TreeSearch, position: Position) -> None:
        self.search, self.position = search, position
        self.proved: dict[int, bool] = {}

    def check(self) -> None:
        moves, wins = self.search.moves(), self.search.wins
        there = (repr(self.position), wins, moves[:3])
        assert len({move.cell for move in moves}) == len(moves)
        proved = {move.cell: move.value == 1 for move in moves if move.proved}
        assert all(move.value in (0, 1) for move in moves if move.proved), there
        assert self.proved.items() <= proved.items(), there
        self.proved = proved
        if wins:
            assert moves[0].proved, there
            assert moves[0].value == 1, there
        if wins is False:
            assert not any(proved.values()), there
            assert len(proved) == len(moves), there
        assert wins or not any(proved.values()), there
        self._check_order(moves)
        self._check_closed(proved)

    def _check_order(self, moves: list[SearchedMove]) -> None:
        sure = [move.value if move.proved else 0.5 for move in moves]
        assert sure == sorted(sure, reverse=True)
        listed = ranked("search", self.position, moves, final=True, note="").moves
        assert [move.cell for move in listed] == [move.cell for move in moves]
        wins = [move for move, one in zip(listed, moves, strict=True) if one.proved and one.value]
        assert all(move.value == 1 for move in wins)

    def _check_closed(self, proved: dict[int, bool]) -> None:
        """Check that the tree closes only moves that are proved to lose."""
        root, cell_of = self.search.root, self.search.orientation.cell_of
        if root.won is None:
            for cell in root.cells[~root.open & root.known].tolist():
                assert proved.get(cell_of[cell]) is False


def grown(search: TreeSearch, nodes: int) -> Iterator[None]:
    """Let a search grow as `rank` does."""
    yield from chain(
        search.grow(Limit(visits=nodes)),
        search.check(in_sight=True),
        search.prove_moves(),
        search.evaluate_others(),
    )


@pytest.mark.parametrize("seed", seeds(5, 120))
def test_what_is_proved_stands_on_top_and_stays_proved(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree_search, "CHECK_WORK", CHECK_WORK)
    monkeypatch.setattr(tree_search, "PROVE_WORK", CHECK_WORK)
    rng = random.Random(f"on top {seed}")
    board = Board(SIZES[seed % 5], SIZES[seed % 5])
    search = TreeSearch(board, threads=1 + seed % 2)
    solver = Solver(board, SolverSettings(table_bytes=1 << 22))
    position = unfinished(board, rng, symmetric=seed % 4 == 3)
    if seed % 3 == 2:
        solved_moves(solver, position)
        search.look_at(position, proved=solver.look_up)
    else:
        search.look_at(position)
    checker = ListChecker(search, position)
    checker.check()
    for step, _ in enumerate(grown(search, 60)):
        if step % 8 == 0:
            checker.check()
    checker.check()
    for cell, wins in solved_moves(solver, position).items():
        assert checker.proved.get(cell, wins) == wins, (position, board.name(cell))
    follow(search, position)
    solver.close()


def solved_moves(solver: Solver, position: Position) -> dict[int, bool]:
    """Return whether a move wins, for those of which the solver can say it."""
    *_, found = solver.solve(position, Limit(nodes=SOLVER_NODES), all_moves=True)
    losing = dict.fromkeys(found.losses, False)
    return losing | dict.fromkeys(found.wins, True)


def follow(search: TreeSearch, position: Position) -> None:
    """Check the list one move later, and back: the tree is kept."""
    best = search.moves()[0].cell
    after = position.play(best)
    if after.winner is not None or not after.empties:
        return
    for there in (after, position):
        search.look_at(there, afresh=False)
        checker = ListChecker(search, there)
        checker.check()
        for _ in grown(search, 90):
            pass
        checker.check()


def by_solver(search: TreeSearch) -> bool:
    """Let the solver prove who wins, as inside the tree."""
    for _ in range(20):
        search.tree.prove_root(50)
    return search.root.won is not None


def by_one_winning_move(search: TreeSearch) -> bool:
    search.root.decide(True, int(search.root.cells[search.root.known][-1]))
    return True


def by_winning_anywhere(search: TreeSearch) -> bool:
    search.root.decide(True, -1)
    return True


def by_losing(search: TreeSearch) -> bool:
    search.root.decide(False, -1)
    return True


def by_an_empty_carrier(search: TreeSearch) -> bool:
    search.root.keep_within(frozenset())
    return True


@pytest.mark.parametrize(
    "decide", [by_solver, by_one_winning_move, by_winning_anywhere, by_losing, by_an_empty_carrier]
)
@pytest.mark.parametrize("nodes", [1, 20])
def test_each_way_to_decide_a_position_shows_in_its_list(
    decide: Callable[[TreeSearch], bool], nodes: int
) -> None:
    rng, search = random.Random("each way"), TreeSearch(Board(6, 6))
    decided = 0
    while decided < 2:
        position = unfinished(search.board, rng, symmetric=decided == 1)
        search.look_at(position)
        for _ in search.grow(Limit(visits=nodes)):
            pass
        if search.root.won is not None or not (nodes == 1 or search.root.known.any()):
            continue
        if nodes == 1 and decide is by_one_winning_move:
            search.root.decide(True, position.empties[0])
        elif not decide(search):
            continue
        ListChecker(search, position).check()
        for _ in search.evaluate_others():
            pass
        ListChecker(search, position).check()
        decided += 1


def test_moves_outside_of_a_carrier_are_proved_to_lose() -> None:
    rng, search = random.Random("outside"), TreeSearch(Board(6, 6))
    decided: bool | None = True
    while decided is not None:
        position = unfinished(search.board, rng)
        search.look_at(position)
        decided = search.root.won
    for _ in search.grow(Limit(visits=30)):
        pass
    kept = frozenset(search.root.cells[search.root.known].tolist()[:1])
    search.root.keep_within(kept)
    for _ in search.evaluate_others():
        pass
    losing = [move for move in search.moves() if move.proved and move.value == 0]
    assert len(losing) >= len(position.empties) - 1


def test_all_moves_that_the_solver_soon_proves_are_ranked_by_their_proofs() -> None:
    position = Position.empty(Board(7, 7))
    for name in ("c3", "d3", "d2", "d6"):
        position = position.play(name)
    *_, ranking = evaluator("search:visits=5000").rank(bench_at(position))
    wins = {position.board.name(move.cell) for move in ranking.moves if move.value == 1}
    assert wins == {"e3", "c4", "e4", "c5", "d5", "f5", "a6", "b6", "c6", "a7"}
    assert {move.value for move in ranking.moves} == {0, 1}
