"""No text of the main screen is cut in the middle of a word or of a number."""

import re

import pytest

from hextui.engine.evaluators.base import rank_by_value
from hextui.ui.activities import Activity
from hextui.ui.main.arranging import NO_SECOND_BOARD
from hextui.ui.whole_words import within

from .helpers import analysing, game, settle, shown, tell
from .test_graph import MOVES

SIZES = [(80, 24), (100, 30), (140, 45), (200, 60)]
LARGE = (240, 90)  # where everything has room
_WORD = re.compile(r"[\w.,:;!?'()/+%*-]*\w[\w.,:;!?'()/+%*-]*…?")


def played():
    """Return a session in the middle of a game with long names."""
    session = game(*MOVES, side=11)
    record = session.record
    record.set_property(record.root, "PB", ["Wilhelmina Featherstonehaugh"])
    record.set_property(record.root, "PW", ["Konstantinos Papadopoulos"])
    record.set_property(record.root, "RE", ["W+R"])
    session.forward(6)
    record.set_comment(session.node, "An extraordinarily comprehensive commentary. " * 3)
    return session


def rankings(position):
    """Return values with many digits by evaluators with long names."""
    names = ("k-paths:1", "contribution-both:1", "minimax(resistance)", "shortest-path")
    return {
        name: rank_by_value(name, {cell: 1 / (cell + 3 * at + 2) for cell in position.empties})
        for at, name in enumerate(names)
    }


def words(text):
    """Return the words and numbers of a screen."""
    return {word.rstrip("….,:;") for word in _WORD.findall(text)}


async def seen(pilot):
    """Return the words that are on the screen when all is there."""
    await settle(pilot)
    await pilot.pause()
    return words(shown(pilot))


@pytest.mark.parametrize(
    "size", [(80, 24), *(pytest.param(size, marks=pytest.mark.slow) for size in SIZES[1:])]
)
async def test_no_word_and_no_number_is_cut(size):
    session = played()
    async with analysing(session, LARGE) as (pilot, analyst):
        await tell(pilot, analyst, rankings=rankings(session.position), final=True)
        arranging = pilot.app.main.parts.arranging
        whole = await seen(pilot) | words(NO_SECOND_BOARD)
        for activity in Activity:
            arranging.choose(activity)
            whole |= await seen(pilot)
        for panel in pilot.app.main.panels.ids:
            arranging.go_to(panel)
            whole |= await seen(pilot)
        arranging.focus_board()
        await pilot.resize_terminal(*size)
        for activity in Activity:
            arranging.choose(activity)
            cut = {word for word in await seen(pilot) if word not in whole}
            assert not cut, f"{activity}: {cut}\n{shown(pilot)}"


@pytest.mark.parametrize(
    ("columns", "text"),
    [(30, "Red wins by a connection"), (13, "Red wins by…"), (8, "Red…"), (3, "Re…"), (1, "")],
)
def test_words_are_left_out_from_the_end(columns, text):
    assert within("Red wins by a connection", columns) == text
