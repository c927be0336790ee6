"""The tree search against exhaustive play and the solver; its proofs, its memory, its order."""

import itertools
import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from hextui.engine.board import Board, Color
from hextui.engine.evaluators import evaluator
from hextui.engine.kernels.neural import choose_move
from hextui.engine.limit import Limit
from hextui.engine.orientation import canonical
from hextui.engine.position import MoveKind, Position
from hextui.engine.search import tree_search
from hextui.engine.search.move_scope import MoveScope, scope_of
from hextui.engine.search.tree_growth import TreeNode
from hextui.engine.search.tree_search import SearchedMove, TreeSearch
from hextui.engine.search.win_probability import LEAST, estimated_win
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engine.solver.search import UNKNOWN, SearchAnswer
from hextui.engines.registry import player
from tests.engine.positions import bench_at, images, played
from tests.oracles.winners import Exhaustive


@cache
def exhaustive(board: Board) -> Exhaustive:
    return Exhaustive(board)


def some_position(board: Board, rng: random.Random, stones: int) -> Position:
    """A position with so many stones of both colours in turn, where no chain has won."""
    while True:
        position = played(board, rng, stones)
        if position.winner is None:
            return Position(board, position.stones, position.to_move)


def searched(search: TreeSearch, position: Position, looks: int) -> list[SearchedMove]:
    """The moves of a position after a new search, all of them looked at once at least."""
    search.look_at(position)
    for _ in itertools.chain(search.grow(Limit(visits=looks)), search.evaluate_others()):
        pass
    return search.moves()


def test_who_stops_it_may_go_on() -> None:
    search = TreeSearch(Board(8, 8), threads=2)
    search.look_at(Position.empty(search.board).play("a1"))
    for looks in (20, 21, 40, 80):
        for _ in search.grow(Limit(visits=looks)):
            if search.evaluated > looks - 5:
                break
        search.moves()
        for _ in search.evaluate_others():
            break
        for _ in search.grow(Limit(visits=looks)):
            pass
        assert search.evaluated == looks


def nodes_of(node: TreeNode, moves: tuple[int, ...] = ()) -> list[tuple[tuple[int, ...], TreeNode]]:
    """All nodes of a tree with a way to each."""
    found = [(moves, node)]
    for cell, below in zip(node.cells.tolist(), node.nodes, strict=True):
        if below is not None:
            found += nodes_of(below, (*moves, cell))
    return found


@pytest.mark.parametrize(
    ("board", "threads"),
    [(Board(3, 3), 1), (Board(3, 4), 1), (Board(4, 4), 1), (Board(4, 4), 3), (Board(3, 5), 3)],
    ids=str,
)
def test_searched_to_the_end_it_is_exhaustive_play(board: Board, threads: int) -> None:
    rng = random.Random(f"to the end {board}")
    search, oracle = TreeSearch(board, threads=threads), exhaustive(board)
    for _ in range(12):
        position = some_position(board, rng, rng.randrange(board.cells // 3, board.cells - 3))
        wins = oracle.winning_moves(position)
        moves = searched(search, position, 100_000)
        assert search.root.won is bool(wins), repr(position)
        assert {move.cell for move in moves} == set(position.empties)
        assert not wins or moves[0].cell in wins
        for move in moves:
            if move.proved:
                assert move.value == (move.cell in wins), (position, move)


@pytest.mark.parametrize("size", [5, 6])
def test_what_it_proves_on_the_way_is_what_the_solver_says(size: int) -> None:
    board, rng = Board(size, size), random.Random(f"on the way {size}")
    search, solver = TreeSearch(board), Solver(board, SolverSettings(table_bytes=1 << 22))
    proved = 0
    for _ in range(12):
        position = some_position(board, rng, rng.randrange(5))
        searched(search, position, 90)
        first = search.tree.position
        for moves, node in nodes_of(search.root):
            if node.won is None:
                continue
            there = first
            for cell in moves:
                there = there.play(cell)
            *_, solution = solver.solve(there)
            winner = there.to_move if node.won else there.to_move.opponent
            assert solution.winner is winner, repr(there)
            proved += 1
    solver.close()
    assert proved > 15


def test_what_is_too_sure_is_checked_by_the_solver() -> None:
    board, rng = Board(8, 8), random.Random("too sure")
    search, solver = TreeSearch(board), Solver(board, SolverSettings(table_bytes=1 << 22))
    lost = 0
    while lost < 3:
        position = some_position(board, rng, 16)
        search.look_at(position)
        list(search.grow(Limit(visits=4)))
        if not search.too_sure:
            continue
        list(search.check())
        assert not search.too_sure, "it is checked or proved"
        *_, solution = solver.solve(position)
        if search.wins is not None:
            assert search.wins == (solution.winner is position.to_move)
        if search.wins is False:
            assert all(move.proved and move.value == 0 for move in search.moves())
            lost += 1
    solver.close()


def test_a_check_leaves_what_the_search_is_not_sure_of() -> None:
    search = TreeSearch(Board(11, 11))
    search.look_at(Position.empty(search.board).play("a2"))
    list(search.grow(Limit(visits=20)))
    assert not list(search.check())
    assert not list(search.check(in_sight=True))
    assert search.wins is None


@pytest.mark.parametrize("threads", [1, 4])
def test_a_proof_is_never_overruled(threads: int) -> None:
    board, rng = Board(5, 5), random.Random("never overruled")
    search = TreeSearch(board, threads=threads)
    for _ in range(6):
        search.look_at(some_position(board, rng, 5))
        known: dict[int, bool] = {}
        for _ in search.grow(Limit(visits=120)):
            for move in search.moves():
                if move.proved:
                    assert known.setdefault(move.cell, bool(move.value)) == bool(move.value)
                else:
                    assert move.cell not in known


@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_looks_give_the_same_tree(threads: int) -> None:
    board = Board(8, 8)
    position = Position.empty(board).play("a1")
    used = TreeSearch(board, threads=threads)
    searched(used, position.play("c6"), 20)
    expected = searched(TreeSearch(board, threads=threads), position, 80)
    for _ in range(threads):
        assert searched(used, position, 80) == expected
        assert used.evaluated == 80


def test_values_and_visits_are_the_same_in_every_orientation() -> None:
    board, rng = Board(6, 7), random.Random("held")
    for stones in (0, 2, 5):
        position = some_position(board, rng, stones)
        expected = {m.cell: m for m in searched(TreeSearch(board), position, 80)}
        for image in images(position):
            search = TreeSearch(image.position.board)
            found = {m.cell: m for m in searched(search, image.position, 80)}
            for cell, one in expected.items():
                move = found[image.cell_of[cell]]
                assert (move.value, move.visits) == (one.value, one.visits)


def test_the_tree_is_kept_while_the_user_steps() -> None:
    board = Board(7, 7)
    position = some_position(board, random.Random("steps"), 4)
    search = TreeSearch(board)
    moves = searched(search, position, 300)
    after, later = moves[0].line[:2]
    before = search.tree.evaluated
    search.look_at(position.play(after), afresh=False)
    assert search.tree.evaluated == before
    assert search.moves()[0].visits > 0
    assert search.moves()[0].cell == later
    search.look_at(position, afresh=False)
    assert [m.cell for m in search.moves()[:1]] == [after]
    assert search.tree.evaluated == before
    elsewhere = some_position(board, random.Random("elsewhere"), 9)
    search.look_at(elsewhere, afresh=False)
    assert search.tree.evaluated == 1


def test_a_tree_stops_growing_where_its_memory_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_search, "MOST_BYTES", 150 * 100 * tree_search.BYTES_PER_CELL)
    board = Board(10, 10)
    search = TreeSearch(board)
    search.look_at(Position.empty(board))
    for _ in search.grow(Limit(visits=1_000_000)):
        pass
    assert search.tree.evaluated == 150
    assert search.root.won is None
    # what follows is searched afresh
    search.look_at(Position.empty(board).play(search.moves()[0].cell), afresh=False)
    assert search.tree.evaluated == 1


def test_a_line_is_played_by_both_in_turn_on_empty_cells() -> None:
    board = Board(6, 6)
    position = some_position(board, random.Random("lines"), 3)
    for move in searched(TreeSearch(board), position, 200):
        there = position
        for cell in move.line:
            there = there.play(cell)
        assert not move.line or move.line[0] == move.cell


def test_a_finished_game_and_a_full_board() -> None:
    won = Position.parse("BW./BW./B..", Color.WHITE)
    bench = bench_at(won)
    *_, ranking = evaluator("search").rank(bench)
    assert {(move.value, move.rank) for move in ranking.moves} == {(0.0, 1)}
    full = Position.parse("BW/WB", Color.BLACK)
    bench = bench_at(full)
    (ranking,) = evaluator("search").rank(bench)
    assert ranking.moves == ()


def test_it_plays_what_wins_and_anything_that_is_legal() -> None:
    board, rng = Board(4, 4), random.Random("plays")
    oracle, chooser = exhaustive(board), player("search:visits=200")
    for _ in range(12):
        position = some_position(board, rng, rng.randrange(5, 13))
        cell = chooser.choose(position.without_swap).cell
        wins = oracle.winning_moves(position)
        assert cell in (wins or position.empties), repr(position)


def test_what_is_not_proved_is_a_chance_and_never_certain() -> None:
    board = Board(7, 7)
    moves = searched(TreeSearch(board), Position.empty(board), 60)
    assert all(0 < move.value < 1 for move in moves if not move.proved)
    by_visits = [move for move in moves if not move.proved]
    assert by_visits[0].visits == max(move.visits for move in by_visits)


def test_a_move_is_held_to_what_the_network_makes_of_its_position() -> None:
    search = TreeSearch(Board(9, 9))
    found = searched(search, Position.empty(search.board).play("a2"), 60)
    parts = [move.parts for move in found if move.parts is not None]
    assert {one.before for one in parts} == {1 - search.root.win}
    for one in parts:
        assert max(one.mean, one.before) >= one.drawn() >= one.mean
    assert any(one.drawn() > one.mean for one in parts)


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_a_chance_that_the_search_is_sure_of_stays_one(value: float) -> None:
    assert 0 < estimated_win(value) < 1
    inside = min(max(value, LEAST), 1 - LEAST)
    assert estimated_win(value) == estimated_win(inside)


def test_what_a_solver_knows_is_taken_over() -> None:
    position = Position.empty(Board(6, 6)).without_swap
    solver = Solver(position.board, SolverSettings(table_bytes=1 << 22))
    *_, solution = solver.solve(position)
    assert solution.winner is position.to_move
    search = TreeSearch(position.board)
    looks = []
    for proved in (lambda _: None, solver.look_up):
        search.look_at(position, proved=proved)
        for _ in search.grow(Limit(visits=200)):
            pass
        looks.append(search.evaluated)
    solver.close()
    assert search.root.won
    assert looks[1] < looks[0]


def own_image_won(position: Position) -> SearchAnswer | None:
    """Answer as a solver does, alike in every orientation, where a position is its own image."""
    orientation = canonical(position)
    if not orientation.symmetric:
        return None
    best = orientation.cell_of[orientation.position.empties[0]]
    return replace(UNKNOWN, winner=position.to_move, best=best)


@pytest.mark.parametrize("board", [Board(8, 8), Board(8, 9)], ids=str)
def test_lines_with_a_solver_are_the_same_in_every_orientation(board: Board) -> None:
    """Also where the solver knows a position that is its own image: after the last move here."""
    last = board.rotate(board.cell("d4"))
    stones = bytearray(board.cells)
    stones[board.cell("d4")] = Color.BLACK
    for cell in (board.cell("c6"), board.rotate(board.cell("c6"))):
        stones[cell] = Color.WHITE
    before = Position(board, bytes(stones), Color.BLACK)
    lines = lines_of(before)
    assert len(lines[last]) == 2
    for image in images(before):
        turned = {}
        for move, line in lines.items():
            turned[image.cell_of[move]] = tuple(image.cell_of[cell] for cell in line)
        assert lines_of(image.position) == turned


def lines_of(position: Position) -> dict[int, tuple[int, ...]]:
    search = TreeSearch(position.board)
    search.look_at(position, proved=own_image_won)
    for _ in search.grow(Limit(visits=100)):
        pass
    return {move.cell: move.line for move in search.moves()}


def test_a_strong_first_move_is_taken_over_and_a_weak_one_is_not() -> None:
    empty = Position.empty(Board(5, 5))
    chooser = player("search:visits=100")
    assert chooser.choose(empty.play("c3")).kind is MoveKind.SWAP_PIECES
    assert chooser.choose(empty.play("a1")).kind is MoveKind.PLAY


def in_scope(
    search: TreeSearch, position: Position, scope: MoveScope, looks: int
) -> list[SearchedMove]:
    """The moves of a position after a search of some moves only."""
    search.look_at(position, afresh=False, scope=scope)
    for _ in itertools.chain(search.grow(Limit(visits=looks)), search.evaluate_others()):
        pass
    return search.moves()


def test_what_it_proves_in_a_scope_is_what_the_solver_says() -> None:
    board, rng = Board(5, 5), random.Random("scope")
    search, solver = TreeSearch(board), Solver(board, SolverSettings(table_bytes=1 << 22))
    proved = 0
    for _ in range(12):
        position = some_position(board, rng, rng.randrange(4))
        region = frozenset(rng.sample(range(board.cells), 16))
        first = frozenset(rng.sample(range(board.cells), 16))
        scope = MoveScope(rng.choice((first, None)), region)
        moves = in_scope(search, position, scope, 60)
        assert {m.cell for m in moves} == {
            cell for cell in position.empties if scope.allows(cell, first=True)
        }
        for move in moves:
            assert set(move.line) <= region
            if move.proved:
                proved += 1
                *_, after = solver.solve(position.play(move.cell))
                assert (after.winner is position.to_move) == move.value, (position, scope, move)
    solver.close()
    assert proved > 10


def test_a_win_that_only_a_region_brings_is_not_proved() -> None:
    board, rng = Board(5, 5), random.Random("only a region")
    search, solver = TreeSearch(board), Solver(board, SolverSettings(table_bytes=1 << 22))
    decided = 0
    while decided < 2:
        position = some_position(board, rng, 3)
        cell = rng.choice(position.empties)
        after = position.play(cell)
        search.look_at(after)
        mover = after.to_move
        replies = [c for c in after.empties if _winner(solver, after.play(c)) is mover]
        if search.root.won is not None or not replies:
            continue
        region = frozenset(range(board.cells)).difference(replies)
        (move,) = in_scope(search, position, MoveScope(frozenset([cell]), region), 1000)
        assert not (move.proved and move.value), "winning replies were not thought of"
        decided += search.root.won is True
        (move,) = in_scope(search, position, MoveScope(frozenset([cell])), 1000)
        assert not move.proved or move.value == 0
        wins = _winner(solver, position) is position.to_move
        assert not search.root.proved or search.root.won == wins, "others were not thought of"
    solver.close()


def _winner(solver: Solver, position: Position) -> Color | None:
    *_, solution = solver.solve(position)
    return solution.winner


def test_a_win_outside_of_the_search_marks_is_not_reported() -> None:
    position = Position.empty(Board(3, 3)).play("a1").play("c2")  # b2 wins
    scope = scope_of(position.board, avoid="b2")
    search = TreeSearch(position.board)
    assert "b2" not in {position.board.name(m.cell) for m in in_scope(search, position, scope, 50)}
    for board, other in ((position.board, MoveScope()), (position.board, scope)):
        told = in_scope(search, position, other, 50)
        assert (board.cell("b2") in {m.cell for m in told}) == (other == MoveScope())


def test_a_tree_is_kept_in_a_region_and_begun_again_without() -> None:
    position = Position.empty(Board(7, 7)).play("a1")
    region = scope_of(position.board, region="b2:f6")
    search = TreeSearch(position.board)
    best = in_scope(search, position, region, 100)[0]
    search.look_at(position.play(best.cell), afresh=False, scope=region)
    assert search.evaluated > 1
    search.look_at(position.play(best.cell), afresh=False)
    assert search.evaluated == 0


def test_no_move_to_think_of_is_an_error() -> None:
    position = Position.empty(Board(4, 4)).play("a1")
    with pytest.raises(ValueError, match="no move is left to search"):
        TreeSearch(position.board).look_at(position, scope=scope_of(position.board, region="a1"))


def test_the_move_chosen_is_the_first_of_largest_value_and_bonus() -> None:
    rng = np.random.default_rng(3)
    for count in [*range(1, 12)] * 20:
        visits, first = rng.integers(0, 4, count), float(rng.random())
        known, tries = visits > 0, visits + rng.integers(0, 2, count)
        values, bonus = rng.integers(0, 3, count) / 2, rng.integers(1, 3, count) / 8
        open_moves = rng.random(count) < 0.7
        open_moves[rng.integers(count)] = True
        worth = np.where(known, values, first) * ((1 + visits) / (1 + tries)) + bonus / (1 + tries)
        expected = np.where(open_moves, worth, -np.inf).argmax()
        assert expected == choose_move(open_moves, known, values, bonus, visits, tries, first)
