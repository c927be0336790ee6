"""The settings of games against the program, and their clock."""

import pytest

from hextui.engine.board import Board, Color
from hextui.engine.position import Move
from hextui.records.record import Record
from hextui.records.tree import Turn
from hextui.text import Names
from hextui.train.play_settings import GameClock, PlaySettings, TimeControl, player_name

BOARD = Board(5, 5)


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


@pytest.mark.parametrize("text", ["nan", "inf", "-5", "1e9", "x", "9" * 20])
def test_times_of_other_programs_that_are_none_are_ignored(text: str) -> None:
    record = Record(BOARD)
    node = record.append(record.root, Turn(Color.BLACK, Move.play(3)), properties={"BL": (text,)})
    clock = GameClock(TimeControl(1), lambda: 0.0, node.line())
    assert clock.left(Color.BLACK) == 60.0


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
