"""Players whom a lane of our engine asks choose like those of this process."""

from collections.abc import Callable

import pytest

from hextui.engine.board import Board
from hextui.engine.position import Move, MoveKind, Position
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.questions import ChooseMove
from hextui.settings.engine_tables import player

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
        *((name, 7) for name in ("resistance", "shortest-path", "network", "search:nodes=60")),
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


def test_an_unknown_player_is_one_line() -> None:
    with pytest.raises(ValueError, match=r"^[^\n]*nobody[^\n]*$"):
        asked("nobody", 0, Position.empty(BOARD))
