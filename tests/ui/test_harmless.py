"""What the user edits stands on the screen as it is, but commands no terminal."""

import pytest
from textual.widgets import Input, TextArea

from hextui.records.text import harmless, printable
from hextui.ui.screens.dialogs import LineDialog

from .helpers import game, press, running, settle, shown, until

HOSTILE = "a\x1b]52;c;eA==\x07b\x9b31mc\u202ed\ud800e"


def test_nothing_is_left_that_would_be_shown_as_a_number():
    alarming = [character for n in range(0x110000) if len(printable(character := chr(n))) > 1]
    assert len(alarming) > 2000
    assert all(len(printable(harmless(character))) <= 1 for character in alarming)
    assert harmless("Sch\u00f6n \U0001f600 ()") == "Sch\u00f6n \U0001f600 ()"


@pytest.mark.parametrize("size", [(100, 30), (40, 12)])
async def test_a_comment_and_a_line_are_edited(size):
    session = game("c3")
    session.record.set_comment(session.node, HOSTILE)
    async with running(session, size) as pilot:
        await press(pilot, "c")
        await until(pilot, lambda: pilot.app.screen.query(TextArea))
        await pilot.app.push_screen(LineDialog("?", HOSTILE, str, HOSTILE))
        await settle(pilot)
        assert pilot.app.screen.query_one(Input).value == HOSTILE
        assert all(line.isprintable() for line in shown(pilot).splitlines())
        assert "a]52;c;eA==b31mcd\ufffde" in shown(pilot)
        await press(pilot, "escape", "escape")
        assert session.node.comment == HOSTILE.replace("\ud800", "\ufffd")
