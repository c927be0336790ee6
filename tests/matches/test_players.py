"""Players whom a lane of our engine asks choose like those of this process."""

import random
from collections.abc import Callable
from contextlib import closing

import pytest

from hextui.engine.board import Board
from hextui.engine.position import Move, MoveKind, Position
from hextui.engine.solver.dfpn import Solver, SolverSettings
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.own_players import EvaluatorPlayer, own_player
from hextui.engines.questions import ChooseMove
from hextui.engines.registry import player
from tests.engine.solver.test_check import random_position
from tests.oracles.winners import Exhaustive

BOARD = Board(5, 5)


def asked(name: str, seed: int, position: Position) -> Move:
    """Return the move that our engine chooses under the swap rule."""
    (move,) = OwnAnswerer().answers(ChooseMove(position, name, seed))
    return move


def game_of(choose: Callable[[Position], Move]) -> list[Move]:
    """Return the moves of a player against itself under the swap rule, up to a chain."""
    position, moves = Position.empty(BOARD), list[Move]()
    while position.winner is None and len(moves) < 40:
        moves.append(choose(position))
        position = position.apply(moves[-1])
    return moves


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        *((f"level:{level}", seed) for level in (1, 3, 5, 8) for seed in (0, 1)),
        *((name, 7) for name in ("resistance", "shortest-path", "network", "search:visits=60")),
        ("solver", 7),
    ],
)
def test_the_engine_chooses_the_moves_of_a_player(name: str, seed: int) -> None:
    one = player(name, seed)
    expected = game_of(lambda position: one.choose(position))
    assert game_of(lambda position: asked(name, seed, position)) == expected


def test_a_minimax_wins_where_a_win_is_proved() -> None:
    position = Position.empty(Board(4, 4)).play("b2").play("a1")
    for name in ("minimax(resistance)", "minimax(resistance/4,2,0/literal)"):
        move = asked(name, 0, position)
        assert move.kind is MoveKind.PLAY
        assert position.play(move.cell)


def test_the_solver_wins_where_it_can() -> None:
    rng, board = random.Random(5), Board(4, 4)
    oracle, solver = Exhaustive(board), player("solver")
    for _ in range(20):
        position = random_position(rng, board, rng.randint(4, 10))
        after = position.play(solver.choose(position).cell)
        assert oracle.winner(after) is oracle.winner(position)


def test_the_solver_resists_longer_than_the_evaluator_where_it_loses() -> None:
    rng, board = random.Random(3), Board(6, 6)
    plies = {"solver": 0, "resistance": 0}
    with closing(Solver(board, SolverSettings(table_bytes=1 << 22))) as solver:
        for _ in range(6):
            position = random_position(rng, board, 28)
            for name in plies:
                plies[name] += plies_of(position, solver, own_player(name))
    assert plies["solver"] > plies["resistance"], plies


def plies_of(position: Position, solver: Solver, loser: EvaluatorPlayer) -> int:
    """Return how long a game lasts in which the solver plays for the winner."""
    *_, found = solver.solve(position)
    winner, plies = found.winner, 0
    while position.winner is None:
        cell = loser.choose(position).cell
        if position.to_move is winner:
            *_, found = solver.solve(position)
            assert found.winner is winner
            cell = found.line.numbers[0] if found.line else found.carrier.numbers[0]
        position, plies = position.play(cell), plies + 1
    return plies


def test_an_unknown_player_is_one_line() -> None:
    with pytest.raises(ValueError, match=r"^[^\n]*nobody[^\n]*$"):
        asked("nobody", 0, Position.empty(BOARD))
