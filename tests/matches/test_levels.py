"""Players of graded strength."""

import random

import numpy as np
import pytest

from hextui.engine.board import Board
from hextui.engine.neural.judge import shipped_judge
from hextui.engine.position import MoveKind, Position, SwapRule
from hextui.engines.levels import (
    FIRST_STONES,
    LEVELS,
    Level,
    balanced_openings,
    level_named,
    plausible_move,
)
from hextui.engines.registry import player

BOARD = Board(5, 5)


def test_levels_are_named_by_their_number() -> None:
    assert [level_named(f"level:{number}") for number in range(1, 10)] == [*range(1, 10)]
    for name in ("level:0", "level:10", "level", "level:x", "search"):
        assert level_named(name) is None
    with pytest.raises(ValueError, match="level:10"):
        player("level:10")


@pytest.mark.parametrize("level", LEVELS[:4])
def test_a_move_at_first_sight_is_plausible(level: Level) -> None:

    lots, position = random.Random(1), Position.empty(Board(11, 11)).play("f6")
    policy = shipped_judge().judge([position]).policy[0]
    least = level.plausible * policy.max()
    moves = {
        plausible_move(shipped_judge().move_probabilities(position), level, lots) for _ in range(60)
    }
    assert len(moves) > 3
    assert all(policy[cell] >= least for cell in moves)


def test_a_seed_repeats_the_moves_of_a_level() -> None:
    def moves(seed: int) -> list[int]:
        one, position = player("level:2", seed), Position.empty(BOARD)
        made = []
        while position.winner is None:
            made.append(one.choose(position.without_swap).cell)
            position = position.play(made[-1])
        return made

    assert moves(1) == moves(1)
    assert len({tuple(moves(seed)) for seed in range(6)}) > 3


def test_a_level_opens_with_a_balanced_move_and_takes_over_a_strong_one() -> None:
    empty = Position.empty(BOARD)
    win = shipped_judge().judge([empty.play(cell) for cell in empty.empties]).win
    balanced = balanced_openings(dict(enumerate(map(float, win))))
    farthest = max(abs(win[cell] - 0.5) for cell in balanced)
    assert np.count_nonzero(np.abs(win - 0.5) < farthest) < len(balanced)
    assert player("level:3").choose(empty).cell in balanced
    middle = Position(BOARD, empty.play("c3").stones, empty.to_move.opponent, SwapRule.PIECES)
    corner = Position(BOARD, empty.play("a1").stones, empty.to_move.opponent, SwapRule.PIECES)
    assert player("level:3").choose(middle).kind is MoveKind.SWAP_PIECES
    assert player("level:3").choose(corner).kind is MoveKind.PLAY


def test_games_of_the_strongest_levels_differ() -> None:
    lots = random.Random(1)
    position = Position.empty(BOARD)
    for _ in range(FIRST_STONES):
        assert all(level.plays_at_first_sight(position, lots) for level in LEVELS)
        position = position.play(position.empties[0])
    assert not LEVELS[8].plays_at_first_sight(position, lots)
    assert all(level.plays_at_first_sight(position, lots) for level in LEVELS[:4])
