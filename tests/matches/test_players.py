"""Players that ask a lane choose like those of this process."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hextui.engine.board import Board
from hextui.engine.limit import StoppedError
from hextui.engine.position import Move, MoveKind, Position
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.engine_config import AttachedConfig, Dialect
from hextui.engines.snapshot import Progress
from hextui.matches.players import LanePlayer, lane_player, player
from hextui.settings.engine_tables import AttachedEngines

BOARD = Board(5, 5)
SCRIPTED = Path(__file__).parent.parent / "engines" / "attached" / "scripted.py"


def never() -> bool:
    return False


def asks(name: str, seed: int = 0, lane=OwnAnswerer) -> LanePlayer:
    return lane_player(name, seed, lane, None)


def game_of(choose, board: Board = BOARD) -> list[Move]:
    """Return the moves of a player against itself under the swap rule, up to a chain."""
    position, moves = Position.empty(board), []
    while position.winner is None and len(moves) < 40:
        moves.append(choose(position))
        position = position.apply(moves[-1])
    return moves


@pytest.mark.parametrize("name", ["level:1", "level:3", "level:5", "level:8"])
@pytest.mark.parametrize("seed", range(2))
def test_a_level_chooses_the_same_moves_as_in_matches(name: str, seed: int) -> None:
    one, other = player(name, seed), asks(name, seed)
    expected = game_of(lambda position: one.choose(position, swap=True))
    assert game_of(lambda position: other.choose(position, True, never)) == expected


@pytest.mark.parametrize("name", ["resistance", "shortest-path", "network", "search:nodes=60"])
def test_other_players_choose_the_same_moves_as_in_matches(name: str) -> None:
    one, other = player(name, 7), asks(name, 7)
    expected = game_of(lambda position: one.choose(position, swap=True))
    assert game_of(lambda position: other.choose(position, True, never)) == expected


def test_a_minimax_wins_where_a_win_is_proved() -> None:
    position = Position.empty(Board(4, 4)).play("b2").play("a1")
    for name in ("minimax(resistance)", "minimax(resistance/4,2,0/literal)"):
        move = asks(name).choose(position, False, never)
        assert move.kind is MoveKind.PLAY
        assert position.play(move.cell)


def test_a_stop_ends_the_choice_without_a_move() -> None:
    position = Position.empty(BOARD).play("c3")
    for name in ("level:1", "level:9", "resistance", "minimax(resistance)"):
        with pytest.raises(StoppedError):
            asks(name).choose(position, False, lambda: True)


def test_an_engine_without_an_answer_is_reported() -> None:
    class Silent(OwnAnswerer):
        def answers(self, question, stop=never):
            yield from ()

    for name in ("level:1", "level:9", "resistance"):
        with pytest.raises(ValueError, match="the engine has not answered"):
            asks(name, lane=Silent).choose(Position.empty(BOARD), True, never)


@pytest.mark.parametrize("name", ["level:1", "level:9", "resistance"])
def test_the_progress_of_compilation_is_told(name: str) -> None:
    class Compiling(OwnAnswerer):
        def answers(self, question, stop=never):
            yield Progress(1, 2, "compiling")
            yield from super().answers(question, stop)

    told: list[Progress] = []
    one = asks(name, lane=Compiling)
    one.tell = told.append
    assert one.choose(Position.empty(Board(3, 3)).play(0), False, never)
    assert told == [Progress(1, 2, "compiling")]


def test_an_engine_plays_if_it_is_configured() -> None:
    with pytest.raises(ValueError, match="configured"):
        lane_player("engine(a)", 0, OwnAnswerer, AttachedEngines({}))


@pytest.fixture
def engines() -> Iterator[Callable[..., AttachedEngines]]:
    made: list[AttachedEngines] = []

    def attach(trick: str, dialect: Dialect = Dialect.KATA) -> AttachedEngines:
        command = (sys.executable, "-I", "-S", str(SCRIPTED), trick)
        config = AttachedConfig("e", command, dialect, seconds=0.1, visits=1000)
        made.append(AttachedEngines({"e": config}))
        return made[-1]

    yield attach
    for one in made:
        one.close()


def test_an_attached_engine_plays_its_best_move_and_resigns(engines) -> None:
    position = Position.empty(BOARD).play(5)
    plain = lane_player("engine(e)", 0, OwnAnswerer, engines("plain"))
    assert plain.choose(position, True, never) == Move.play(0)
    assert plain.choose(Position.empty(BOARD), True, never) == Move.play(0)
    resigning = lane_player("engine(e)", 0, OwnAnswerer, engines("resigns", Dialect.HTP))
    assert resigning.choose(position, False, never) == Move(MoveKind.RESIGN)
    assert resigning.choose(position, True, never) == Move(MoveKind.SWAP_PIECES)
