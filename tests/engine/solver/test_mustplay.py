"""The readable solver against exhaustive play: winners, winning moves, winsets."""

import random
from collections.abc import Iterator
from itertools import product

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.position import Position
from hextui.engine.solver.mustplay import (
    ORDERS,
    MustPlay,
    MustPlayRun,
    cell_order,
    get_connections,
    solve,
)
from tests.oracles.play import winning_moves
from tests.samples import some

BOARD = Board(3, 3)
ALL = [
    Position(BOARD, bytes(stones), color)
    for stones in product(range(3), repeat=9)
    for color in Color
]
OPEN = [p for p in ALL if p.winner is None]
OPENINGS = {2: ".#\n#.", 3: "..#\n###\n#..", 4: "...#\n..#.\n.#..\n#..."}


def with_cells(position: Position, cells: frozenset[int], color: Color) -> Position:
    for cell in cells:
        position = position.with_stone(cell, color)
    return position


def proves(position: Position, winset: frozenset[int], winner: Color) -> bool:
    """Give the loser every empty cell outside the winset: the winner must win all the same."""
    left = frozenset(position.empties) - winset
    given = with_cells(position, left, winner.opponent)
    if given.winner is not None:
        return given.winner is winner
    return bool(winning_moves(given)) == (given.to_move is winner)


@pytest.mark.parametrize("step", some((8, 1), 1))
def test_every_3x3_position(step: int) -> None:
    solver = MustPlay(remember=True)
    for position in OPEN[::step]:
        run = solver.win_move(position)
        wins = winning_moves(position)
        assert (run.move is not None) == bool(wins), position
        assert run.move is None or run.move in wins, position
        assert proves(position, run.winset, run.winner), position


def test_the_literal_form_agrees() -> None:
    for position in random.Random(1).sample(OPEN, 1500):
        found = solve(position)
        wins = winning_moves(position)
        assert frozenset(found.winning_moves.numbers) == wins, position
        assert frozenset(found.losing_moves.numbers) == frozenset(position.empties) - wins
        assert found.winner is (position.to_move if wins else position.to_move.opponent)
        assert proves(position, frozenset(found.carrier.numbers), found.winner), position
        check_line(position, found.line.numbers, found.winner)


def check_line(position: Position, line: tuple[int, ...], winner: Color) -> None:
    for cell in line:
        assert position.winner is None
        position = position.play(cell)
    assert position.winner is winner


def test_random_4x4_positions() -> None:
    rng = random.Random(2)
    tried = 0
    while tried < 60:
        stones = bytes(rng.choices((0, 1, 2), (6, 5, 5), k=16))
        position = Position(Board(4, 4), stones, rng.choice(list(Color)))
        if position.winner is not None or len(position.empties) > 8:
            continue
        tried += 1
        found = solve(position, remember=True)
        assert frozenset(found.winning_moves.numbers) == winning_moves(position), position
        assert proves(position, frozenset(found.carrier.numbers), found.winner), position


@pytest.mark.parametrize("remember", [False, True])
@pytest.mark.parametrize("size", [2, 3])
def test_openings(size: int, remember: bool) -> None:
    assert opening_map(size, remember) == OPENINGS[size]


@pytest.mark.slow
def test_openings_4x4() -> None:
    assert opening_map(4, True) == OPENINGS[4]


def opening_map(size: int, remember: bool) -> str:
    board = Board(size, size)
    found = solve(Position.empty(board), remember=remember)
    marks = "".join(".#"[cell in found.winning_moves.numbers] for cell in range(board.cells))
    return "\n".join(marks[row * size : (row + 1) * size] for row in range(size))


def calls(run: MustPlayRun) -> Iterator[MustPlayRun]:
    yield run
    for one in run.tries:
        if one.after is not None:
            yield from calls(one.after)


def test_the_trace_is_the_algorithm() -> None:
    """Regions shrink by the opponent's winsets, which join to the winset of a loss."""
    for position in (Position.empty(BOARD), *random.Random(4).sample(OPEN, 100)):
        for call in calls(MustPlay().win_move(position)):
            region, joined = None, frozenset[int]()
            for one in call.tries:
                assert region is None or one.region == region
                assert one.move in one.region
                if one.after is None:
                    assert one.winset == {one.move}
                else:
                    assert one.after.depth == call.depth + 1
                    assert one.reply == one.after.move
                    assert one.winset == (
                        one.after.winset | {one.move} if one.wins else one.after.winset
                    )
                region, joined = one.region & one.winset, joined | one.winset
            *earlier, last = call.tries
            assert not any(one.wins for one in earlier)
            if call.move is None:
                assert not region
                assert call.winset == joined
            else:
                assert last.wins
                assert call.winset == last.winset


def test_connections_go_through_own_stones() -> None:
    position = Position(BOARD, bytes((0, 0, 2, 1, 1, 0, 0, 2, 0)))
    connections = get_connections(position, Color.BLACK)
    assert connections[0] == {1, 3, 4, 5, 6}
    assert set(connections) == {0, 1, 3, 4, 5, 6, 8}
    for cell, others in connections.items():
        assert all(cell in connections[other] for other in others)
    assert connections[8] == {5}


def test_one_row() -> None:
    found = solve(Position.empty(Board(1, 3), Color.WHITE))
    assert found.winner is Color.BLACK
    assert len(found.carrier) == 2


def test_a_finished_game() -> None:
    over = Position(Board(2, 2), bytes((1, 2, 1, 0)))
    found = solve(over)
    assert (found.winner, found.winning_moves.numbers, found.run) == (Color.BLACK, (), None)


@pytest.mark.parametrize(("size", "remember", "says"), [(4, False, "9"), (5, True, "16")])
def test_too_many_cells(size: int, remember: bool, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        solve(Position.empty(Board(size, size)), remember=remember)


@pytest.mark.parametrize("order", [*ORDERS, "c3 a1", "b1,b3"])
def test_any_order_of_cells_gives_the_same_winner(order: str) -> None:
    solver = MustPlay(order=order)
    for position in random.Random(5).sample(OPEN, 200):
        cells = cell_order(order, position)
        assert sorted(cells) == list(range(9))
        run = solver.win_move(position)
        assert (run.move is not None) == bool(winning_moves(position))
        assert proves(position, run.winset, run.winner)
        for one in run.tries:
            assert one.move == min(one.region, key=cells.index)


@pytest.mark.parametrize(
    ("order", "says"),
    [("", "centre"), ("centre a1", "'centre'"), ("d1", "'d1'"), ("a1 a1", "twice")],
)
def test_what_is_no_order(order: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        solve(Position.empty(BOARD), order=order)
