"""Opponents choose like the players of matches, and ask an engine for it."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.limit import StoppedError
from hextui.engine.position import Move, MoveKind, Position
from hextui.engines.answerer import OwnAnswerer
from hextui.engines.engine_config import AttachedConfig, Dialect
from hextui.engines.snapshot import Progress
from hextui.matches.players import player
from hextui.settings.engine_tables import AttachedEngines
from hextui.train.opponent import opponent, player_name
from hextui.train.play_settings import GameClock, PlaySettings, TimeControl
from hextui.words.names import Names

BOARD = Board(5, 5)
SCRIPTED = Path(__file__).parent.parent / "engines" / "attached" / "scripted.py"


def never() -> bool:
    return False


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
    one, other = player(name, seed), opponent(name, seed, OwnAnswerer)
    expected = game_of(lambda position: one.choose(position, swap=True))
    assert game_of(lambda position: other.choose(position, True, never)) == expected


@pytest.mark.parametrize("name", ["resistance", "shortest-path", "network", "search:nodes=60"])
def test_other_players_choose_the_same_moves_as_in_matches(name: str) -> None:
    one, other = player(name, 7), opponent(name, 7, OwnAnswerer)
    expected = game_of(lambda position: one.choose(position, swap=True))
    assert game_of(lambda position: other.choose(position, True, never)) == expected


def test_a_minimax_wins_where_a_win_is_proved() -> None:
    position = Position.empty(Board(4, 4)).play("b2").play("a1")
    for name in ("minimax(resistance)", "minimax(resistance/4,2,0/literal)"):
        move = opponent(name, 0, OwnAnswerer).choose(position, False, never)
        assert move.kind is MoveKind.PLAY
        assert position.play(move.cell)


def test_a_stop_ends_the_choice_without_a_move() -> None:
    position = Position.empty(BOARD).play("c3")
    for name in ("level:1", "level:9", "resistance", "minimax(resistance)"):
        with pytest.raises(StoppedError):
            opponent(name, 0, OwnAnswerer).choose(position, False, lambda: True)


def test_an_engine_without_an_answer_is_reported() -> None:
    class Silent(OwnAnswerer):
        def answers(self, question, stop=never):
            yield from ()

    for name in ("level:1", "level:9", "resistance"):
        with pytest.raises(ValueError, match="the engine has not answered"):
            opponent(name, 0, Silent).choose(Position.empty(BOARD), True, never)


@pytest.mark.parametrize("name", ["level:1", "level:9", "resistance"])
def test_the_progress_of_compilation_is_told(name: str) -> None:
    class Compiling(OwnAnswerer):
        def answers(self, question, stop=never):
            yield Progress(1, 2, "compiling")
            yield from super().answers(question, stop)

    told: list[Progress] = []
    one = opponent(name, 0, Compiling)
    one.tell = told.append
    assert one.choose(Position.empty(Board(3, 3)).play(0), False, never)
    assert told == [Progress(1, 2, "compiling")]


@pytest.mark.parametrize(
    ("typed", "name"),
    [("3", "level:3"), ("level 9", "level:9"), ("level:1", "level:1"), (" search ", "search")],
)
def test_players_are_named_as_people_type_them(typed: str, name: str) -> None:
    assert player_name(typed) == name


@pytest.mark.parametrize("typed", ["", "0", "10", "level", "nobody", "engine(x)", "minimax(no)"])
def test_other_names_are_refused_in_one_line(typed: str) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        player_name(typed)


def test_an_engine_is_an_opponent_if_it_is_configured() -> None:
    assert player_name("engine(a)", ["engine(a)"]) == "engine(a)"
    with pytest.raises(ValueError, match="configured"):
        opponent("engine(a)", 0, OwnAnswerer, AttachedEngines({}))


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
    plain = opponent("engine(e)", 0, OwnAnswerer, engines("plain"))
    assert plain.choose(position, True, never) == Move.play(0)
    assert plain.choose(Position.empty(BOARD), True, never) == Move.play(0)
    resigning = opponent("engine(e)", 0, OwnAnswerer, engines("resigns", Dialect.HTP))
    assert resigning.choose(position, False, never) == Move(MoveKind.RESIGN)


def test_the_clock_counts_down_for_the_side_to_move() -> None:
    now = 100.0
    clock = GameClock(TimeControl(1, 5), lambda: now)
    clock.start(Color.BLACK)
    now += 20
    clock.start(Color.WHITE, moved=True)
    assert (clock.left(Color.BLACK), clock.left(Color.WHITE)) == (45.0, 60.0)
    now += 61
    assert clock.out_of_time is Color.WHITE
    clock.start(None)
    now += 100
    assert clock.out_of_time is None
    assert clock.text(Names.RED_BLUE) == "Red 0:45   Blue 0:00"


def test_settings_are_read_as_they_are_written() -> None:
    assert TimeControl.parse("10 + 5") == TimeControl(10, 5)
    for text in ("0", "x", "10+", "-1", "1000+1"):
        with pytest.raises(ValueError, match="a clock is"):
            TimeControl.parse(text)
    for settings in (
        PlaySettings(),
        PlaySettings("search", BOARD, Color.WHITE, False, hints=False),
    ):
        assert PlaySettings.read(settings.texts()) == settings
        assert PlaySettings.read(settings.texts(Names.BLACK_WHITE)) == settings
    for texts in ({"size": "x"}, {"color": "green"}, {"swap": "maybe"}, {"hints": ""}, {"a": "b"}):
        with pytest.raises(ValueError, match=r"^[^\n]+$"):
            PlaySettings.read(texts)
