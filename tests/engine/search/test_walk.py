"""Walking through a run of `best_move` meets every call of the recursion, in its order."""

from collections.abc import Iterator

import pytest

from hextui.engine.board import Board
from hextui.engine.position import Position
from hextui.engine.search.best_move import Call, CallPlace, CallStep, EveryLine, GameState, Walk
from hextui.engine.search.small_games import HexGame, Nim, TicTacToe

GAMES: list[GameState] = [
    Nim((1, 2)),
    Nim(()),
    TicTacToe.parse("XOX/OOX/..."),
    HexGame.at(Position.empty(Board(2, 2)).play(0)),
]


class Watched(EveryLine):
    """Notes the calls: the state, and None where a call returns."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[GameState | None] = []

    def call(self, game: GameState) -> Call:
        self.seen.append(game)
        found = super().call(game)
        self.seen.append(None)
        return found


def walked(walk: Walk, step: int) -> Iterator[tuple[GameState, CallStep, int]]:
    """Step by step to the other end; what is not known is asked for."""
    while True:
        walk.calls.setdefault(walk.state, EveryLine().call(walk.state))
        place = walk.places[-1]
        yield (walk.state, *place.step(walk.calls[walk.state]))
        before = list(walk.places)
        walk.into(step)
        if walk.places == before:
            return


@pytest.mark.parametrize("game", GAMES)
def test_a_walk_is_the_run(game: GameState) -> None:
    watched = Watched()
    watched.call(game)
    seen: list[GameState | None] = []
    on = list(walked(Walk([CallPlace(game)]), 1))
    for state, what, _ in on:
        if what is CallStep.BEGIN:
            seen.append(state)
        if what is CallStep.RETURN:
            seen.append(None)
    assert seen == watched.seen
    back = list(walked(Walk([CallPlace(game, -1)]), -1))
    assert back == on[::-1]


@pytest.mark.parametrize("game", GAMES)
def test_stepping_over_stays_in_the_call(game: GameState) -> None:
    walk = Walk([CallPlace(game)])
    walk.calls[game] = call = EveryLine().call(game)
    for _ in range(2 * len(call.asked) + 5):
        walk.over(1)
    assert walk.depth == 0
    assert walk.places[-1].step(call) == (CallStep.RETURN, len(call.asked))
    walk.to(0)
    assert walk.places == [CallPlace(game)]


def test_where_the_call_is_not_known_the_walk_stays() -> None:
    game = Nim((1, 2))
    walk = Walk([CallPlace(game)])
    walk.into(1)
    walk.over(1)
    assert walk.places == [CallPlace(game)]
