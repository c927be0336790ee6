"""Ev and the score of a move, against a plain-Python twin and worked by hand."""

import random

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.evaluators.blocking_room import BlockingRoom
from hextui.engine.position import Position
from tests.engine.positions import random_position, setup
from tests.engine.test_evaluators import ranked
from tests.oracles import blocking as oracle


def path_value(
    position: Position, color: Color, seed: int = 0, average: bool = False, samples: int = 0
) -> float:
    return BlockingRoom(position, seed, average, samples).value(color)


def positions(seed: str, count: int, largest: int) -> list[Position]:
    rng = random.Random(seed)
    return [random_position(rng, largest, rng.choice((0.0, 0.2, 0.5))) for _ in range(count)]


def test_ev_is_the_twins() -> None:
    for position in positions("ev", 150, 8):
        for color in Color:
            for seed in (0, 7):
                expected = oracle.ev(position, color, seed)
                assert path_value(position, color, seed) == pytest.approx(expected, abs=1e-12)


def test_ev_on_boards_of_every_width() -> None:
    for sides in ((1, 1), (1, 19), (19, 1), (13, 13), (9, 19), (19, 19)):
        board = Board(*sides)
        rng = random.Random(board.cells)
        stones = bytes(rng.choices((0, 1, 2), (2, 1, 1), k=board.cells))
        for position in (Position.empty(board), Position(board, stones)):
            for color in Color:
                expected = oracle.ev(position, color)
                assert path_value(position, color) == pytest.approx(expected, abs=1e-12)


def test_averages_are_the_twins() -> None:
    for position in positions("average", 12, 4):
        for color in Color:
            exact = oracle.ev_average(position, color)
            assert path_value(position, color, average=True) == pytest.approx(exact)
            sampled = oracle.ev_sampled(position, color, 5, 20)
            found = path_value(position, color, 5, True, 20)
            assert found == pytest.approx(sampled)


def test_samples_come_near_the_exact_average() -> None:
    position = Position.empty(Board(5, 5)).play(7).play(12)
    exact = path_value(position, Color.BLACK, average=True)
    many = path_value(position, Color.BLACK, average=True, samples=20_000)
    assert many == pytest.approx(exact, abs=1e-3)
    assert many != exact


def test_a_single_cell_by_hand() -> None:
    """1x1: one path of length 1, then none is left. P[0] = 0/1 + 1/1 * 0."""
    assert path_value(Position.empty(Board(1, 1)), Color.BLACK) == 0.0


def test_a_column_of_three_by_hand() -> None:
    """Black's only path has 3 of 3 cells; White has three of 1 cell each."""
    position = Position.empty(Board(3, 1))
    assert path_value(position, Color.BLACK) == 0.0
    # L = 1, 1, 1 and then no path: 2/3 + 1/3 * (2/3 + 1/3 * 2/3)
    assert path_value(position, Color.WHITE) == pytest.approx(2 / 3 + 2 / 9 + 2 / 27)
    # own stones count nothing: with the middle black its path has 2 cells
    middle = setup(Board(3, 1), "a2")
    assert path_value(middle, Color.BLACK) == pytest.approx(1 / 3)


def test_a_finished_chain_is_worth_1_and_the_cut_off_side_0() -> None:
    position = setup(Board(3, 3), "b1 b2 b3", "a1 c1")
    for average, samples in ((False, 0), (True, 0), (True, 3)):
        assert path_value(position, Color.BLACK, 0, average, samples) == 1.0
        assert path_value(position, Color.WHITE, 0, average, samples) == 0.0


def test_the_score_of_a_move() -> None:
    for position in positions("score", 25, 5):
        if position.winner is not None:
            continue
        mover = position.to_move
        for move in ranked(position, "blocking:seed=3").moves:
            after = position.play(move.cell)
            own, other = (oracle.ev(after, c, 3) for c in (mover, mover.opponent))
            assert move.value == pytest.approx(max(own, 1 - other))


def test_a_move_that_wins_at_once_comes_first() -> None:
    position = setup(Board(4, 4), "b1 b2 b3", "c1 c2 d2")
    ranking = ranked(position.with_to_move(Color.BLACK), "blocking")
    best = [position.board.name(m.cell) for m in ranking.moves if m.rank == 1]
    assert best == ["a4", "b4"]
    assert ranking.moves[0].value == 1.0


def test_another_seed_draws_otherwise_and_the_average_does_not_draw() -> None:
    # a tall board, so that the stones leave paths of several lengths
    position = Position.empty(Board(7, 7)).play(24).play(25)
    drawn = {path_value(position, Color.BLACK, seed) for seed in range(20)}
    assert len(drawn) > 1
    averages = {path_value(position, Color.BLACK, seed, average=True) for seed in range(3)}
    assert len(averages) == 1
