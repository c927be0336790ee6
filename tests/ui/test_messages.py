"""What the status line says: confirmations that stay true, and reasons why a key did nothing."""

import pytest

from hextui.engine.position import Move
from hextui.text import digits
from hextui.ui.panels.panel import Change

from .helpers import analysing, game, message, press, running, shown, told


async def test_a_confirmation_leaves_when_an_action_may_change_what_it_says():
    async with running(game("b2", "c1", "a3")) as pilot:
        await press(pilot, "I")
        said = message(pilot)
        assert said == "Inferior cells are marked"
        await press(pilot, "n", "down", "p")
        assert message(pilot) == said, "it is still true"
        await press(pilot, "I")
        assert message(pilot) == "Inferior cells are not marked"
        await press(pilot, "enter")
        assert message(pilot) == "", "a move was played"


async def test_a_problem_stays_until_the_next_key_and_is_listed():
    async with running(game("b2"), (100, 30)) as pilot:
        await press(pilot, "u")
        assert message(pilot) == "Nothing to undo"
        await press(pilot, "right")
        assert message(pilot) == ""
        await press(pilot, "p", "p", "apostrophe")
        listed = shown(pilot)
        assert listed.count("This is the start of the record") == 1, "the same key twice"
        assert "Nothing to undo" in listed
        assert listed.index("This is the start of the record") < listed.index("Nothing to undo")
        assert pilot.app.notes == [], "they stand in the status line"


async def test_a_problem_without_room_is_shown_whole():
    async with running(game("b2")) as pilot:
        long = "The file cannot be read: " + "x" * 90
        pilot.app.records.talk.complain(long)
        assert pilot.app.notes == [long]


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ("p", "This is the start of the record"),
        ("g", "This is the start of the record"),
        ("pageup", "This is the start of the record"),
        ("end,n", "This is the end of the line"),
        ("end,end", "This is the end of the line"),
        ("end,pagedown", "This is the end of the line"),
        ("ctrl+up", "This variation comes first already"),
        ("B", "This is the main line already"),
        ("M", "No must-play region: the opponent threatens no connection"),
        ("u", "Nothing to undo"),
        ("ctrl+y", "Nothing to redo"),
        ("right_square_bracket", "No variations up to here"),
        ("right_curly_bracket", "No other record is open"),
        ("left_curly_bracket", "No other record is open"),
        ("apostrophe", "No message yet"),
        ("comma", "No best move is known yet"),
        ("asterisk", "All moves are considered: J marks a region"),
        ("delete", "The start of a record cannot be deleted"),
    ],
)
async def test_a_key_that_has_nothing_to_do_says_why(keys, reason):
    async with running(game("b2", "c1")) as pilot:
        await press(pilot, *keys.split(","))
        assert message(pilot) == reason
        assert reason in shown(pilot)


async def test_played_is_the_record_s_move_and_tried_one_s_own():
    session = game("a1", "d2")
    async with analysing(session, (140, 45)) as (pilot, _):
        screen = shown(pilot)
        assert "Played 1. a1" in screen
        assert "ring: played" in screen
        assert "tried" not in screen.casefold()
        session.play_line([Move.play(7)])
        pilot.app.main.workspace.changed(Change.SESSION)
        await press(pilot, "p")
        assert session.next_is_tried
        screen = shown(pilot)
        assert f"Tried 1. {session.board.name(7)}" in screen
        assert "ring: tried" in screen
        assert "played" not in screen.casefold()
        assert told(pilot) == ""


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.30434782608695654, "0.304"), (12345, "12,345"), (12345.0, "12,345"), (-2.0, "-2"),
     (float("-inf"), "-inf"), ("inf", "inf"), (123.456, "123")],
)  # fmt: skip
def test_values_have_three_digits_and_counts_are_whole(value, text):
    assert digits(value) == text
